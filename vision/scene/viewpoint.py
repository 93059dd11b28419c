"""The direction and obliqueness from which the camera sees a place on the floor.

A webcam hangs some 30 cm above the tray: it sees cubes below it from above, and those at the wall at an angle
of 30° and more. So how much of a cube's sides shows is known in advance, and that decides whether a strip is
a side or another cube.
"""

from dataclasses import dataclass
from math import inf

import numpy as np

from vision.scene.camera import camera_centre
from vision.scene.plane import Points

_LEAST_SLOPE = 0.02
"""Slope below which a cube shows no side, and no direction counts as up."""


@dataclass(frozen=True, slots=True)
class Viewpoint:
    """Position of a camera over the rectified picture, in its pixels."""

    x: float
    y: float
    height: float

    @classmethod
    def of(cls, to_picture: Points, size_px: tuple[int, int]) -> "Viewpoint":
        """Return that of the likeliest camera that sees the rectified picture through the 3×3 `to_picture`.

        Straight above if there is none.
        """
        centre = camera_centre(to_picture, size_px)
        return STRAIGHT_ABOVE if centre is None else cls(*(float(v) for v in centre))

    def slope(self, place_px: tuple[float, float]) -> float:
        """Return how much further from the camera a thing's top is seen than its foot, in its heights."""
        return float(np.hypot(place_px[0] - self.x, place_px[1] - self.y)) / self.height

    def upright(self, place_px: tuple[float, float]) -> Points:
        """Return the (2, 2) rotation after which things at a place stand upright, feet below their tops."""
        if self.slope(place_px) < _LEAST_SLOPE:
            return np.eye(2)
        offset = np.array([place_px[0] - self.x, place_px[1] - self.y])
        x, y = offset / np.hypot(*offset)
        return np.array([[-y, x], [-x, -y]])


STRAIGHT_ABOVE = Viewpoint(0.0, 0.0, inf)
"""Infinitely far away: no cube shows a side."""
