"""Trays drawn from straight above: simple, but with known cubes; for what must hold in any picture."""

from collections.abc import Sequence

import cv2
import numpy as np

from tests.vision.mat_picture import PX_PER_MM, mat_picture
from vision.palette import SHOGUN_SRGB
from vision.pictures import Picture

Placed = tuple[str, float, float]
"""Colour, and place in millimetres from the tray's centre."""


def drawn_tray(
    cubes: Sequence[Placed],
    light: tuple[float, float, float] = (0.85, 0.9, 0.95),
    tray_grey: int = 190,
    cube_mm: float = 8.0,
    turn_deg: float = 20.0,
) -> Picture:
    """The mat with a light tray and cubes in it, face up, each turned further than the one before."""
    picture = mat_picture(light=(1, 1, 1), tray_grey=tray_grey).astype(np.float32)
    for index, (colour, x, y) in enumerate(cubes):
        centre = ((x + 297 / 2) * PX_PER_MM, (y + 210 / 2) * PX_PER_MM)
        edge = cube_mm * PX_PER_MM
        corners = cv2.boxPoints((centre, (edge, edge), turn_deg * (index + 1)))
        cv2.fillConvexPoly(picture, np.round(corners).astype(np.int32), SHOGUN_SRGB[colour][::-1])
    blurred = cv2.GaussianBlur(picture, (0, 0), 0.8)
    noise = np.random.default_rng(len(cubes)).normal(0, 2, picture.shape)
    return np.asarray(np.clip(blurred * np.array(light) + noise, 0, 255), np.uint8)
