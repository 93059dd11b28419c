"""Cubes beyond the floor or half out of the picture: not counted, but never ignored silently."""

from collections.abc import Sequence

import numpy as np

from vision.finding.detector import Detection
from vision.palette import oklab
from vision.pictures import Mask, Picture
from vision.scene.light import whiten
from vision.scene.plane import Points, project
from vision.scene.rectify import Rectified

_SURE = 0.6
"""Score from which a thing is asked about; below it, it is a glint in the wall."""
_SURE_OF_BLACK = 0.95
"""The same for black cubes: walls have dark corners."""
_AS_A_CUBE = 0.98
"""Score from which a thing may lie on the floor if the outline was found without a mat: two of 6,156 labelled
pictures had such, and one was short of two cubes (`docs/trials/certainty.md`, on cut trays)."""
_BEYOND_MM = (7.0, 24.0)
"""Distances outwards from the cube, in millimetres, at which a thing lies that is only seen through a clear
wall."""
_RIM_MM = 20.0
"""Distance beyond the floor, as seen over a wall, outside which things lie on the table."""
_LIKELY = 0.1
"""Score from which the picture's edge may cut a cube: in 655 labelled pictures nothing lies so near to it."""
_CUT_EDGES = 0.9
"""Distance from a cube's centre to the picture's edge, in its own edges, below which others may lie
beyond."""
_ASIDE_MM = 6.0
_SAME = 0.07
"""Largest distance in Oklab's a and b between two pixels of one thing; colours of cubes lie 0.1 apart."""
_COLOURED = 0.05
_BELONGS, _THERE_MM = 0.3, 4.0
"""Score of what lay beside the empty tray at calibration, and the distance within which it is still the same
thing."""
_SHOWS_THROUGH = 0.12
"""Share of the strip outside with the same colour, above which a thing shows through the wall."""


def cubes_on_rim(
    picture: Picture, flat: Rectified, inside: Mask, found: Sequence[Detection], *, fitted: bool
) -> list[Detection]:
    """Select the detections that are cubes with centres where `inside` is zero.

    A card beside the tray, seen through its clear wall, looks like one, but it goes on outside the tray.
    `fitted`: whether the outline was found from the tray alone, now or at calibration.
    """
    rim = flat.floor(_RIM_MM + flat.tray.edge_mm)
    return [
        detection
        for detection in found
        if detection.score >= (_SURE_OF_BLACK if detection.colour == "black" else _SURE)
        and not _lies_in(inside, detection)
        and _lies_in(rim, detection)
        and ((fitted and detection.score >= _AS_A_CUBE) or not _shows_through(picture, flat, detection))
    ]


def find_beside_empty(flat: Rectified, inside: Mask, found: Sequence[Detection]) -> Points:
    """Return (N, 2) mm from the empty tray's centre: cube-like things on its rim or beside it."""
    rim = flat.floor(_RIM_MM + flat.tray.edge_mm)
    places_px = [
        detection.centre_px
        for detection in found
        if detection.score >= _BELONGS and not _lies_in(inside, detection) and _lies_in(rim, detection)
    ]
    return flat.to_mm(np.array(places_px)) if places_px else np.empty((0, 2))


def cubes_cut_off(flat: Rectified, found: Sequence[Detection]) -> list[Detection]:
    """Select the detections over a tray that may reach out of the picture."""
    rim = flat.floor(_RIM_MM + flat.tray.edge_mm)
    return [
        detection
        for detection in found
        if detection.score >= _LIKELY and _lies_in(rim, detection) and _is_cut(flat, detection)
    ]


def lay_there_when_empty(flat: Rectified, detection: Detection, beside_empty_mm: Points) -> bool:
    """Return whether it lies where something did when the tray was empty: (N, 2), of `find_beside_empty`."""
    offsets = beside_empty_mm - flat.to_mm(np.array([detection.centre_px]))
    return bool((np.hypot(offsets[:, 0], offsets[:, 1]) < _THERE_MM).any())


def _is_cut(flat: Rectified, detection: Detection) -> bool:
    reach = _CUT_EDGES * detection.edge_px
    sides = detection.centre_px + reach * np.array([(-1, 0), (1, 0), (0, -1), (0, 1)])
    sides_px = project(sides, flat.to_picture)
    return bool(((sides_px < 0) | (sides_px > np.array(flat.size_px) - 1)).any())


def _lies_in(inside: Mask, detection: Detection) -> bool:
    x, y = (round(v) for v in detection.centre_px)
    height, width = inside.shape
    return bool(0 <= x < width and 0 <= y < height and inside[y, x])


def _shows_through(picture: Picture, flat: Rectified, detection: Detection) -> bool:
    place_mm = flat.to_mm(np.array([detection.centre_px]))[0]
    outward = np.sign(place_mm) * (np.abs(place_mm) == np.abs(place_mm).max())  # perpendicular to the wall
    sideways = np.array([-outward[1], outward[0]])
    strip = [
        place_mm + outward * distance + sideways * shift
        for distance in np.linspace(*_BEYOND_MM, 8)
        for shift in np.linspace(-_ASIDE_MM, _ASIDE_MM, 5)
    ]
    strip_tints = _tints_at(picture, flat, np.array(strip))
    thing_tints = _tints_at(picture, flat, np.array([place_mm]))
    if not len(thing_tints) or not len(strip_tints) or float(np.linalg.norm(thing_tints[0])) < _COLOURED:
        return False
    return float((np.linalg.norm(strip_tints - thing_tints[0], axis=1) < _SAME).mean()) > _SHOWS_THROUGH


def _tints_at(picture: Picture, flat: Rectified, points_mm: Points) -> Points:
    """Return (N, 2) Oklab a and b in white light of the points of the floor's plane inside the picture."""
    columns, rows = np.round(project(points_mm, flat.tray.to_px)).astype(int).T
    height, width = picture.shape[:2]
    shown = (columns >= 0) & (columns < width) & (rows >= 0) & (rows < height)
    if not shown.any():
        return np.empty((0, 2))
    pixels = picture[rows[shown], columns[shown]][None]
    return np.asarray(oklab(whiten(pixels, flat.light)[0])[:, 1:], np.float64)
