"""Make a profile from pictures of an empty tray and of each colour alone: what is new is the cubes."""

from collections.abc import Mapping, Sequence

import cv2
import numpy as np

from calibration.profiles.new_cubes import find_new_cubes
from calibration.profiles.profile import ColourSample, Profile, ProfileError, TrayPlace
from calibration.profiles.scene import inspect_scene
from vision.pictures import Picture
from vision.reader import USUAL_CUBE_MM
from vision.scene.tray import Tray

THUMBNAIL = (96, 72)
_QUALITY = 92
"""JPEG quality of the empty tray's picture: about 200 kB, with a loss below the camera's noise."""
_EDGES_MM = (6.0, 8.0, 10.0, 12.0)


def learn(
    empty: Picture,
    tray: Tray,
    cubes: Mapping[str, Sequence[Picture]],
    *,
    name: str,
    made: str,
    cube_mm: float | None = None,
) -> Profile:
    """Make a profile from an empty tray and each colour alone. Raises `ProfileError`, naming what failed."""
    scene = inspect_scene(empty)
    samples: dict[str, ColourSample] = {}
    edges_mm: list[float] = []
    for colour, pictures in cubes.items():
        found = [find_new_cubes(empty, picture, tray) for picture in pictures]
        pixels = tuple(pixel for new in found for pixel in new.pixels_bgr)
        if not pixels:
            raise ProfileError(*no_cube_message(colour, scene.dark_tray))
        edges_mm += [new.edge_mm for new in found if new.number]
        samples[colour] = ColourSample(pixels, inspect_scene(pictures[0]).white_bgr)
    height, width = empty.shape[:2]
    return Profile(
        name=name,
        made=made,
        size_px=(width, height),
        tray=TrayPlace(tuple(float(v) for v in tray.to_px.ravel()), tray.inner_mm, tray.shape, tray.edge_mm),
        markers_px=scene.markers_px,
        white_bgr=scene.white_bgr,
        dark_tray=scene.dark_tray,
        cube_mm=cube_mm or estimate_cube_mm(edges_mm),
        colours=samples,
        thumbnail=thumbnail(empty),
        empty_jpeg=cv2.imencode(".jpg", empty, [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])[1].tobytes(),
    )


def estimate_cube_mm(edges_mm: Sequence[float]) -> float:
    """Return the usual edge nearest to the median seen."""
    if not edges_mm:
        return USUAL_CUBE_MM
    seen_mm = float(np.median(edges_mm))
    return min(_EDGES_MM, key=lambda edge: abs(edge - seen_mm))


def no_cube_message(colour: str, dark_tray: bool) -> tuple[str, str]:
    """Return sentence and remedy for a colour of which nothing new was found."""
    if dark_tray and colour == "black":
        return (
            "Black cubes cannot be seen in this dark tray.",
            "Put the light inlay in it (`tenshu mat --inlay`) and calibrate again, or count black by hand.",
        )
    return (
        f"No {colour} cube was seen in the tray.",
        "Put some there, apart from each other, and take your hand away.",
    )


def thumbnail(picture: Picture) -> tuple[tuple[int, ...], ...]:
    """Return the picture, grey and small."""
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    small = np.asarray(cv2.resize(grey, THUMBNAIL, interpolation=cv2.INTER_AREA), np.uint8)
    return tuple(tuple(int(value) for value in row) for row in small)
