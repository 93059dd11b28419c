"""Cubes that lie under others: who lies on whom, and which of them the network finds by a peak of its own."""

from collections.abc import Sequence
from enum import IntEnum

import cv2
import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]

_HIGHER = 0.35
"""Edges by which the centre of a cube lies higher than that of one it covers."""
_COVERED = 0.1
"""Share of an outline that another must cover to lie on it."""
UNDER_BELOW, OWN_ABOVE = 0.45, 0.6
"""Visible share of a cube on which another lies: with less the upper one tells of it, for their places are
less than an edge apart and two peaks would melt into one; with more it has a peak of its own."""


class Role(IntEnum):
    """How the network says that a cube is there."""

    OWN = 0
    """By a peak of presence."""
    UNDER = 1
    """By what it says of the cube that lies on it."""
    EITHER = 2


def cover(outlines: Sequence[Floats], heights_mm: Sequence[float], edge_mm: float) -> list[int]:
    """For each cube the number of the higher one whose outline, (K, 2) px, covers most of it; or -1."""
    above = []
    for mine, height in zip(outlines, heights_mm, strict=True):
        whole, best, most = cv2.contourArea(mine), -1, _COVERED
        for number, (other, higher) in enumerate(zip(outlines, heights_mm, strict=True)):
            if higher > height + _HIGHER * edge_mm and whole > 0:
                share = cv2.intersectConvexConvex(_convex(mine), _convex(other))[0] / whole
                if share > most:
                    best, most = number, share
        above.append(best)
    return above


def roles(cubes: Floats) -> list[Role]:
    """Of each cube of a crop's table; an upper one tells of one cube only, that which it hides the least."""
    out = [_role(row) for row in cubes]
    told: dict[int, int] = {}
    for number in sorted((n for n, role in enumerate(out) if role is Role.UNDER), key=lambda n: -cubes[n, 3]):
        upper = int(cubes[number, 5])
        if told.setdefault(upper, number) != number:
            out[number] = Role.EITHER
    return out


def _role(row: Floats) -> Role:
    if row[5] < 0 or row[3] > OWN_ABOVE:
        return Role.OWN
    return Role.UNDER if row[3] < UNDER_BELOW else Role.EITHER


def _convex(outline: Floats) -> Floats:
    return np.asarray(cv2.convexHull(outline.astype(np.float32)), np.float32)
