"""What about the table makes a reading unsure, to tell a person what to change."""

import math

import cv2
import numpy as np
import numpy.typing as npt

from vision.levels import quantile, subsample
from vision.pictures import Picture
from vision.reading import Doubt
from vision.scene.fiducials import markers_inside
from vision.scene.rectify import PX_PER_MM, Rectified

_SKIN_LAB = ((40, 140, 138), (240, 165, 175))
"""Range in OpenCV's 8-bit Lab, under white light: fingers of many hands; cubes are more vivid, wood is less
red."""
_FINGER_MM = 9.0
"""Least width of a finger everywhere, in millimetres; no cube is so long."""
_FINGER_AREA_MM2 = 350.0
_OVER_MM2 = 40.0
"""Area of floor, in mm², that a fingertip covers before it can hide a cube."""
_MOST = 0.35
"""Largest share of the floor that a hand covers: more is a wooden table under a clear tray."""
_WOOD_VARIES = 8.0
"""How much Lab's a and b vary within one wood, in levels."""
_STEP = 4
_BLURRED_MM = 0.9
"""Blur, in millimetres, that is worth mentioning if a reading asks anyway: two of 655 labelled pictures have
it."""


def find_scene_doubts(flat: Rectified) -> list[Doubt]:
    """Return the doubts about a covered mat and a blurred picture."""
    doubts = []
    if flat.fiducials is not None:
        expected = set(markers_inside(flat.fiducials, flat.size_px))
        if expected - set(flat.fiducials.markers_px):
            doubts.append(Doubt.MAT_COVERED)
    if flat.blur_mm > _BLURRED_MM:
        doubts.append(Doubt.BLURRED)
    return doubts


def is_hand_over(image: Picture, floor: Picture, empty: Picture | None = None) -> bool:
    """Return whether something of skin's colour and a finger's width reaches in over the rectified floor.

    `floor`: (H, W) uint8, 1 on the floor. `empty`: the same tray without cubes, if known; wood that was in
    that picture is no hand.
    """
    inside = floor[::_STEP, ::_STEP] > 0
    skin = _skin(image, inside)
    if empty is not None:
        kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (5, 5))
        skin[cv2.dilate(_skin(empty, inside), kernel) > 0] = 0
    width = round(_FINGER_MM * PX_PER_MM / _STEP) | 1
    wide = cv2.morphologyEx(
        skin, cv2.MORPH_OPEN, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (width, width))
    )
    number, labels, stats, _ = cv2.connectedComponentsWithStats(np.asarray(wide, np.uint8))
    edge = np.concatenate([labels[0], labels[-1], labels[:, 0], labels[:, -1]])
    cells = (PX_PER_MM / _STEP) ** 2
    least, most = _OVER_MM2 * cells, _MOST * np.count_nonzero(inside)
    return any(
        stats[i, cv2.CC_STAT_AREA] > _FINGER_AREA_MM2 * cells
        and least < np.count_nonzero(inside[labels == i]) < most
        and bool((edge == i).any())
        for i in range(1, number)
    )


def _skin(image: Picture, inside: npt.NDArray[np.bool_]) -> npt.NDArray[np.uint8]:
    """Return (H, W) / `_STEP`, 255 where the colour is skin's but not the floor's, which may be wood."""
    lab = np.asarray(cv2.cvtColor(subsample(image, _STEP), cv2.COLOR_BGR2LAB), np.uint8)
    skin = np.asarray(cv2.inRange(lab, _SKIN_LAB[0], _SKIN_LAB[1]), np.uint8)
    if not skin.any():  # as over most trays
        return skin
    _, *floor = quantile(lab[inside], 0.5).tolist()
    wood_ranges = [
        (math.floor(value - _WOOD_VARIES) + 1, math.ceil(value + _WOOD_VARIES) - 1) for value in floor
    ]
    least, most = zip((0, 255), *wood_ranges, strict=True)
    skin[cv2.inRange(lab, least, most) > 0] = 0
    return skin
