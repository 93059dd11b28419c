"""The mat drawn from straight above, with a tray on it: pictures with known ground truth."""

import cv2
import numpy as np

from vision.pictures import Picture
from vision.scene.mat import MARKER_CENTRES_MM, MARKER_DICTIONARY, MARKER_MM, PATCH_MM, PATCHES

PX_PER_MM = 3


def mat_picture(
    light: tuple[float, float, float] = (0.80, 0.90, 0.94),
    tray_grey: int | None = 120,
    hidden_markers: tuple[int, ...] = (),
) -> Picture:
    """(630, 891, 3) uint8 BGR: `light` scales the channels, the tray is a square of 170 mm."""
    picture = np.full((210 * PX_PER_MM, 297 * PX_PER_MM, 3), 250, np.uint8)
    edge = int(MARKER_MM * PX_PER_MM)
    dictionary = cv2.aruco.getPredefinedDictionary(MARKER_DICTIONARY)
    for marker, centre in enumerate(MARKER_CENTRES_MM):
        if marker not in hidden_markers:
            bits = cv2.aruco.generateImageMarker(dictionary, marker, edge)
            _paint(picture, centre, np.repeat(bits[:, :, None], 3, axis=2))
    for patch in PATCHES:
        side = int(PATCH_MM * PX_PER_MM)
        _paint(picture, patch.centre_mm, np.full((side, side, 3), patch.srgb[::-1], np.uint8))
    if tray_grey is not None:
        side = 170 * PX_PER_MM
        _paint(picture, (0.0, 0.0), np.full((side, side, 3), tray_grey, np.uint8))
    return np.asarray(np.clip(picture * np.array(light), 0, 255), np.uint8)


def cover_patch(picture: Picture, name: str, bgr: tuple[int, int, int]) -> None:
    """Cover one of the mat's patches with a square of this colour."""
    [centre] = [patch.centre_mm for patch in PATCHES if patch.name == name]
    side = int(PATCH_MM * PX_PER_MM)
    _paint(picture, centre, np.full((side, side, 3), bgr, np.uint8))


def _paint(picture: Picture, centre_mm: tuple[float, float], what: Picture) -> None:
    height, width = what.shape[:2]
    left = round((centre_mm[0] + 297 / 2) * PX_PER_MM - width / 2)
    top = round((centre_mm[1] + 210 / 2) * PX_PER_MM - height / 2)
    picture[top : top + height, left : left + width] = what
