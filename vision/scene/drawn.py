"""A tray's floor as a person draws it into a picture: four handles, in shares of the picture's sides."""

from dataclasses import dataclass
from itertools import pairwise
from statistics import fmean
from typing import Literal, TypeAlias

Shape: TypeAlias = Literal["square", "oval"]
Handle: TypeAlias = tuple[float, float]
Handles: TypeAlias = tuple[Handle, Handle, Handle, Handle]

_LEAST_AREA = 0.01
"""Least share of the picture's area: on a smaller floor a cube would be only a few pixels wide."""


@dataclass(frozen=True, slots=True)
class DrawnOutline:
    """Where a floor lies, independent of the picture's resolution."""

    shape: Shape
    handles: Handles
    """Corners of a square floor, clockwise from the top left, or ends of an oval one, clockwise from the top.

    0 and 1 are the picture's edges; a handle may lie beyond them.
    """

    def is_floor(self) -> bool:
        """Return whether it is convex and clockwise, large enough, and has its centre in the picture."""
        closed = (*self.handles, *self.handles[:2])
        sides = [(x1 - x0, y1 - y0) for (x0, y0), (x1, y1) in pairwise(closed)]
        turns = [ax * by - ay * bx for (ax, ay), (bx, by) in pairwise(sides)]
        area = sum(x0 * y1 - x1 * y0 for (x0, y0), (x1, y1) in pairwise(closed[:5])) / 2
        middle = (fmean(coordinates) for coordinates in zip(*self.handles, strict=True))
        return min(turns) > 0 and area >= _LEAST_AREA and all(0 < share < 1 for share in middle)
