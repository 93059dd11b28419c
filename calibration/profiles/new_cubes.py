"""What has been put into a tray since it was empty: the cubes of one colour that a person shows.

The reader's own networks find them, since they know a cube whatever its colour. By difference alone, 19 of 40
rendered black trays gave a black cube's dark side or its shadow for the cube, or nothing. Only if the
networks see none, as with things of odd sizes, is what has changed since the tray was empty used instead.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from calibration.profiles.profile import Bgr, Point, ProfileError
from vision.finding.candidates import face, peaks_inside
from vision.finding.closer import LOWEST, look_closer
from vision.finding.detector import Detection, average_with_mirrored, compute_cells, decode
from vision.pictures import Picture
from vision.reader import inside_tray
from vision.scene.fiducials import find_fiducials
from vision.scene.light import guess_light, light_of_mat
from vision.scene.plane import project
from vision.scene.rectify import PX_PER_MM, Rectified, lay_flat
from vision.scene.tray import Tray

SAMPLES = 120
_SEEN = 0.5
_SAME_EDGES = 0.6
"""Distance, in edges, within which a place is one of the empty tray's: a scratch, a maker's mark."""
_APART_EDGES = 1.15
"""Least distance between two cubes, in edges: they are laid apart. What is nearer is a cube's shadow."""
_LEAST_CHANGE = 14.0
"""In levels: a black cube on black plastic in good light changes more; noise and shadow borders less."""
_NOISES = 8.0
_FACE_AND_SIDES = 1.15
"""How much wider than its edge a cube looks from above near the tray's edge: top and a strip of the side."""

Floats = npt.NDArray[np.float32]
Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class NewCubes:
    """What has been put into the tray between two pictures."""

    places_px: tuple[Point, ...]
    """Centre in the picture of each thing about as large as a cube."""
    edge_mm: float
    """Typical edge of a cube."""
    pixels_bgr: tuple[Bgr, ...]
    """Samples from the middle of each, as stored."""

    @property
    def number(self) -> int:
        """Number of cubes."""
        return len(self.places_px)


def find_new_cubes(empty: Picture, with_cubes: Picture, tray: Tray) -> NewCubes:
    """Find cubes that lie apart in (H, W, 3) uint8 BGR pictures. Raises `ProfileError` if sizes differ."""
    if empty.shape != with_cubes.shape:
        raise ProfileError("The pictures differ in size.", "Take them all with the same camera and setting.")
    before, now = _lay_flat(empty, tray), _lay_flat(with_cubes, tray)
    return _find_by_networks(before, now) or _find_by_difference(before, now)


def _lay_flat(picture: Picture, tray: Tray) -> Rectified:
    fiducials = find_fiducials(picture)
    light = None if fiducials is None else light_of_mat(picture, fiducials)
    return lay_flat(picture, tray, light or guess_light(picture))


def _find_by_networks(before: Rectified, now: Rectified) -> NewCubes | None:
    """Find cubes with the networks; None if they see nothing new."""
    marks = _detect_cubes(before)
    new = [
        cube for cube in _detect_cubes(now) if not any(_are_near(cube, mark, _SAME_EDGES) for mark in marks)
    ]
    if not new:
        return None
    centres = [cube.centre_px for cube in new]
    faces = [
        face(now.stored, round(x), round(y), cube.edge_px) for (x, y), cube in zip(centres, new, strict=True)
    ]
    edge_mm = float(np.median([cube.edge_px for cube in new])) / PX_PER_MM
    return _build_result(now, centres, edge_mm, np.concatenate(faces))


def _detect_cubes(flat: Rectified) -> list[Detection]:
    cells = average_with_mirrored(flat.image, compute_cells(flat.image))
    places = look_closer(flat.image, peaks_inside(decode(cells, LOWEST), inside_tray(flat)))
    kept: list[Detection] = []
    for place in sorted(places, key=lambda place: -place.score):
        if place.score > _SEEN and not any(_are_near(place, other, _APART_EDGES) for other in kept):
            kept.append(place)
    return kept


def _are_near(cube: Detection, neighbour: Detection, edges: float) -> bool:
    distance_px = float(np.hypot(*np.subtract(cube.centre_px, neighbour.centre_px)))
    return distance_px < edges * cube.edge_px


def _find_by_difference(before: Rectified, now: Rectified) -> NewCubes:
    """Find cubes by difference: what has changed, without specks of noise and reflections in the wall."""
    difference, changed = _difference_and_mask(before.stored, now.stored, now.floor())
    number, labels, stats, centres = cv2.connectedComponentsWithStats(changed, connectivity=8)
    areas = stats[1:number, cv2.CC_STAT_AREA]
    if not len(areas):
        return NewCubes((), 0.0, ())
    typical = float(np.median(areas[areas >= 0.25 * areas.max()]))
    blob_labels = [n + 1 for n, area in enumerate(areas) if area >= 0.4 * typical]
    blobs = [labels == n for n in blob_labels]
    cores = [_core_mask(blob, np.sqrt(typical)) for blob in blobs]
    edges = [_edge_px(difference, blob, core) for blob, core in zip(blobs, cores, strict=True)]
    edge_mm = float(np.median(edges)) / PX_PER_MM / _FACE_AND_SIDES
    pixels = np.concatenate([now.stored[core] for core in cores])
    return _build_result(now, [(float(x), float(y)) for x, y in centres[blob_labels]], edge_mm, pixels)


def _build_result(flat: Rectified, centres: Sequence[Point], edge_mm: float, pixels: Picture) -> NewCubes:
    """Build the result from centres in floor pixels and (N, 3) pixels, of which a few are kept."""
    places = project(np.array(centres, np.float64), flat.to_picture)
    indices = np.linspace(0, len(pixels) - 1, min(SAMPLES, len(pixels))).round().astype(int)
    samples = tuple((float(b), float(g), float(r)) for b, g, r in pixels[indices])
    return NewCubes(tuple((float(x), float(y)) for x, y in places), edge_mm, samples)


def _difference_and_mask(empty: Picture, with_cubes: Picture, inside: Picture) -> tuple[Floats, Picture]:
    """Return the difference, and a 0/1 mask of where in the tray it exceeds noise and changes of light."""
    # The median of ratios, not the ratio of medians: on a half white, half dark tray that one jumps.
    gain = np.median((with_cubes[::4, ::4] + np.float32(1)) / (empty[::4, ::4] + np.float32(1)), axis=(0, 1))
    difference = np.asarray(with_cubes - empty * gain.astype(np.float32), np.float32)
    change = np.abs(cv2.blur(difference, (3, 3))).max(axis=2)
    noise = float(np.median(change[inside.astype(bool)])) if inside.any() else 0.0
    changed = ((change > max(_LEAST_CHANGE, _NOISES * noise)) & (inside > 0)).astype(np.uint8)
    opened = cv2.morphologyEx(changed, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    return difference, np.asarray(opened, np.uint8)


def _core_mask(blob: Mask, edge_px: float) -> Mask:
    """Pixels well inside a blob: neither its outline nor its shadow."""
    depth = cv2.distanceTransform(blob.astype(np.uint8), cv2.DIST_L2, 3)
    return np.asarray(depth >= min(0.3 * edge_px, 0.8 * float(depth.max())), np.bool_)


def _edge_px(difference: Floats, blob: Mask, core: Mask) -> float:
    """Width of the cube in a blob, counting pixels nearer to its colour than to the tray, so no shadow."""
    towards = difference[core].mean(axis=0)
    share = difference[blob] @ (towards / max(1e-6, float(towards @ towards)))
    return float(np.sqrt((share > 0.5).sum()))
