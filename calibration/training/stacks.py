"""Which cube lies on which."""

from collections.abc import Sequence

import cv2
import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]

_LEAST_RISE = 0.35
"""Minimum height of a cube's centre above that of one it covers, in cube edges."""
_LEAST_COVERED = 0.1
"""Share of a cube's outline that another must cover to lie on it."""


def find_covering_cubes(outlines: Sequence[Floats], heights_mm: Sequence[float], edge_mm: float) -> list[int]:
    """Return for each cube the index of the higher one whose outline, (K, 2) px, covers most of it, or -1."""
    above = []
    for outline, height in zip(outlines, heights_mm, strict=True):
        area, best, best_share = cv2.contourArea(outline), -1, _LEAST_COVERED
        for index, (upper_outline, upper_height) in enumerate(zip(outlines, heights_mm, strict=True)):
            if upper_height > height + _LEAST_RISE * edge_mm and area > 0:
                share = (
                    cv2.intersectConvexConvex(_convex_hull(outline), _convex_hull(upper_outline))[0] / area
                )
                if share > best_share:
                    best, best_share = index, share
        above.append(best)
    return above


def _convex_hull(outline: Floats) -> Floats:
    return np.asarray(cv2.convexHull(outline.astype(np.float32)), np.float32)
