"""Two textbook methods of counting coloured cubes, as one would write them in a first afternoon."""

from collections.abc import Mapping

import cv2
import numpy as np

from vision.pictures import Picture
from vision.scene.rectify import PX_PER_MM, rectify

_HUES: Mapping[str, tuple[int, int]] = {
    "red": (172, 8),
    "yellow": (18, 38),
    "green": (40, 90),
    "blue": (95, 125),
    "purple": (135, 171),
}
"""OpenCV's hues, 0 to 179; red wraps around."""
_SATURATED, _BRIGHT, _BLACK = 80, 40, 45
_CUBE_PX = 8 * PX_PER_MM
_LEAST, _MOST = 0.3 * _CUBE_PX**2, 30 * _CUBE_PX**2
"""Area limits: smaller is noise, larger is the floor of a black tray."""


def connected_components(picture: Picture) -> dict[str, int]:
    """Threshold hue, saturation and value; each component counts as many cubes as fit its area."""
    flat = rectify(picture)
    if flat is None:
        return {}
    counts = {}
    for colour, mask in _masks(flat.image).items():
        number, _, stats, _ = cv2.connectedComponentsWithStats(mask)
        areas = [int(stats[i, cv2.CC_STAT_AREA]) for i in range(1, number)]
        counts[colour] = sum(round(a / _CUBE_PX**2 / 1.3) or 1 for a in areas if _LEAST < a < _MOST)
    return counts


def watershed(picture: Picture) -> dict[str, int]:
    """Use the same thresholds, but separate touching cubes by distance transform and watershed."""
    flat = rectify(picture)
    if flat is None:
        return {}
    counts = {}
    for colour, mask in _masks(flat.image).items():
        away = cv2.distanceTransform(mask, cv2.DIST_L2, 5)
        cores = np.asarray(away > 0.32 * _CUBE_PX, np.uint8)
        number, labels = cv2.connectedComponents(cores)
        markers = np.asarray(labels, np.int32)
        markers[mask == 0] = number
        cv2.watershed(flat.image, markers)
        counts[colour] = number - 1
    return counts


def _masks(image: Picture) -> dict[str, Picture]:
    hsv = cv2.cvtColor(image, cv2.COLOR_BGR2HSV)
    hue, saturation, value = cv2.split(hsv)
    masks = {}
    for colour, (low, high) in _HUES.items():
        within = (hue >= low) & (hue <= high) if low < high else (hue >= low) | (hue <= high)
        masks[colour] = (within & (saturation > _SATURATED) & (value > _BRIGHT)).astype(np.uint8)
    masks["black"] = ((value < _BLACK) & (saturation < _SATURATED)).astype(np.uint8)
    kernel = np.ones((3, 3), np.uint8)
    return {c: np.asarray(cv2.morphologyEx(m, cv2.MORPH_OPEN, kernel), np.uint8) for c, m in masks.items()}
