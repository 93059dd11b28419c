"""From pictures of an empty tray and of cubes of one colour to a profile: what is new is the cubes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from calibration.profile import Bgr, ColourSample, Point, Profile, ProfileError, TrayPlace
from calibration.scene import inspect
from vision.pictures import Picture
from vision.rectify import outline_px
from vision.tray import Tray

SAMPLES = 120
THUMBNAIL = (96, 72)
_QUALITY = 92
"""Of the empty tray's picture: about 200 kB, and what is lost is less than the camera's noise."""
_LEAST_CHANGE = 14.0
"""Levels: a black cube on black plastic in good light changes more; noise and shadow borders less."""
_NOISES = 8.0
_FACE_AND_SIDES = 1.15
"""A cube seen from above at the edge of a tray covers its top and a strip of its side: so much wider."""
_EDGES_MM = (6.0, 8.0, 10.0, 12.0)


@dataclass(frozen=True, slots=True)
class NewCubes:
    """What has been put into the tray between two pictures."""

    blobs: int
    """Separate things that are about as large as a cube."""
    edge_px: float
    """Typical width of one."""
    pixels_bgr: tuple[Bgr, ...]
    """From the middle of each."""


def find_new_cubes(empty: Picture, with_cubes: Picture, outline: Sequence[Point]) -> NewCubes:
    """Cubes that lie apart, by difference within the tray. Both pictures are BGR and of one size."""
    difference, changed = _changed(empty, with_cubes, outline)
    number, labels, stats, _ = cv2.connectedComponentsWithStats(changed, connectivity=8)
    areas = stats[1:number, cv2.CC_STAT_AREA]
    if not len(areas):
        return NewCubes(0, 0.0, ())
    # Specks of noise and reflections in the wall are far smaller than the typical thing of some size.
    typical = float(np.median(areas[areas >= 0.25 * areas.max()]))
    blobs = [labels == index + 1 for index, area in enumerate(areas) if area >= 0.4 * typical]
    cores = [_core(blob, np.sqrt(typical)) for blob in blobs]
    edges = [_edge_px(difference, blob, core) for blob, core in zip(blobs, cores, strict=True)]
    pixels = np.concatenate([with_cubes[core] for core in cores])
    spread = np.linspace(0, len(pixels) - 1, min(SAMPLES, len(pixels))).round().astype(int)
    samples = tuple((float(b), float(g), float(r)) for b, g, r in pixels[spread])
    return NewCubes(len(blobs), float(np.median(edges)), samples)


def learn(
    empty: Picture,
    tray: Tray,
    cubes: Mapping[str, Sequence[Picture]],
    *,
    name: str,
    made: str,
    cube_mm: float | None = None,
) -> Profile:
    """A profile from an empty tray and pictures of each colour alone. Raises `ProfileError`: which failed."""
    scene = inspect(empty)
    outline = outline_px(tray)
    samples: dict[str, ColourSample] = {}
    edges_px: list[float] = []
    for colour, pictures in cubes.items():
        found = [find_new_cubes(empty, picture, outline) for picture in pictures]
        pixels = tuple(pixel for new in found for pixel in new.pixels_bgr)
        if not pixels:
            raise ProfileError(*no_cube_seen(colour, scene.dark_tray))
        edges_px += [new.edge_px for new in found if new.blobs]
        samples[colour] = ColourSample(pixels, inspect(pictures[0]).white_bgr)
    height, width = empty.shape[:2]
    return Profile(
        name=name,
        made=made,
        size_px=(width, height),
        tray=TrayPlace(tuple(float(v) for v in tray.to_px.ravel()), tray.inner_mm, tray.shape, tray.edge_mm),
        markers_px=scene.markers_px,
        white_bgr=scene.white_bgr,
        dark_tray=scene.dark_tray,
        cube_mm=cube_mm or estimate_cube_mm(edges_px, outline, tray.inner_mm[0]),
        colours=samples,
        thumbnail=thumbnail(empty),
        empty_jpeg=cv2.imencode(".jpg", empty, [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])[1].tobytes(),
    )


def estimate_cube_mm(edges_px: Sequence[float], outline: Sequence[Point], tray_mm: float = 170.0) -> float:
    """The usual edge that is nearest to what was seen, by the width of the tray."""
    if not edges_px or len(outline) < 3:
        return 8.0
    area_px = abs(float(cv2.contourArea(np.array(outline, np.float32))))
    seen_mm = float(np.median(edges_px)) / _FACE_AND_SIDES * tray_mm / max(1.0, area_px**0.5)
    return min(_EDGES_MM, key=lambda edge: abs(edge - seen_mm))


def no_cube_seen(colour: str, dark_tray: bool) -> tuple[str, str]:
    """Sentence and remedy when nothing new was found."""
    if dark_tray and colour == "black":
        return (
            "Black cubes cannot be seen in this dark tray.",
            "Lay the light inlay into it (`tenshu mat --inlay`) and calibrate again, or count black by hand.",
        )
    return (
        f"No {colour} cube was seen in the tray.",
        "Put some there, apart from each other, and take your hand away.",
    )


def thumbnail(picture: Picture) -> tuple[tuple[int, ...], ...]:
    """The picture grey and small."""
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    small = np.asarray(cv2.resize(grey, THUMBNAIL, interpolation=cv2.INTER_AREA), np.uint8)
    return tuple(tuple(int(value) for value in row) for row in small)


def _changed(
    empty: Picture, with_cubes: Picture, outline: Sequence[Point]
) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.uint8]]:
    """The difference, and where (0 or 1) it is more than noise and light, inside of the tray."""
    if empty.shape != with_cubes.shape:
        raise ProfileError("The pictures differ in size.", "Take them all with the same camera and setting.")
    inside = np.zeros(empty.shape[:2], np.uint8)
    cv2.fillPoly(inside, [np.round(np.array(outline)).astype(np.int32)], 1)
    # Of ratios, not the ratio of medians: half white, half dark, a median jumps from one to the other.
    gain = np.median((with_cubes[::4, ::4] + np.float32(1)) / (empty[::4, ::4] + np.float32(1)), axis=(0, 1))
    difference = np.asarray(with_cubes - empty * gain.astype(np.float32), np.float32)
    change = np.abs(cv2.blur(difference, (3, 3))).max(axis=2)
    noise = float(np.median(change[inside.astype(bool)])) if inside.any() else 0.0
    changed = ((change > max(_LEAST_CHANGE, _NOISES * noise)) & (inside > 0)).astype(np.uint8)
    opened = cv2.morphologyEx(changed, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    return difference, np.asarray(opened, np.uint8)


def _core(blob: npt.NDArray[np.bool_], edge_px: float) -> npt.NDArray[np.bool_]:
    """Pixels well inside of a blob: neither its outline nor its shadow."""
    depth = cv2.distanceTransform(blob.astype(np.uint8), cv2.DIST_L2, 3)
    return np.asarray(depth >= min(0.3 * edge_px, 0.8 * float(depth.max())), np.bool_)


def _edge_px(
    difference: npt.NDArray[np.float32], blob: npt.NDArray[np.bool_], core: npt.NDArray[np.bool_]
) -> float:
    """Width of the cube in a blob: what is nearer to its colour than to the tray; a shadow is not."""
    towards = difference[core].mean(axis=0)
    share = difference[blob] @ (towards / max(1e-6, float(towards @ towards)))
    return float(np.sqrt((share > 0.5).sum()))
