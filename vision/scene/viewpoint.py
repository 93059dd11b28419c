"""From which side, and how aslant, the camera sees a place of the floor.

A webcam hangs some 30 cm above the tray: it sees cubes below it from above, and those at the wall aslant by
30° and more. How much of a cube's sides it sees is known before anything is looked at, and whether a strip is
a side or another cube hangs on it.
"""

from dataclasses import dataclass
from math import inf

import numpy as np

from vision.scene.camera import camera_centre
from vision.scene.plane import Points

_LEAST_SLOPE = 0.02
"""Below it a cube shows no side, and no way is up."""


@dataclass(frozen=True, slots=True)
class Viewpoint:
    """The place of a camera over the rectified picture, in its pixels."""

    x: float
    y: float
    height: float

    @classmethod
    def of(cls, to_picture: Points, size_px: tuple[int, int]) -> "Viewpoint":
        """Of the likeliest camera that sees the rectified picture by the 3×3 `to_picture`.

        Straight above where none does.
        """
        centre = camera_centre(to_picture, size_px)
        return STRAIGHT_ABOVE if centre is None else cls(*(float(v) for v in centre))

    def slope(self, place_px: tuple[float, float]) -> float:
        """By how many of its heights a thing's top is seen further from the camera than its foot."""
        return float(np.hypot(place_px[0] - self.x, place_px[1] - self.y)) / self.height

    def upright(self, place_px: tuple[float, float]) -> Points:
        """(2, 2) turn after which things at a place stand upright: feet below their tops."""
        if self.slope(place_px) < _LEAST_SLOPE:
            return np.eye(2)
        away = np.array([place_px[0] - self.x, place_px[1] - self.y])
        x, y = away / np.hypot(*away)
        return np.array([[-y, x], [-x, -y]])


STRAIGHT_ABOVE = Viewpoint(0.0, 0.0, inf)
"""And far away: no cube shows a side."""
