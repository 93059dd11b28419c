"""How blurred a picture is: the width of its sharpest edges, in the direction in which they are widest."""

import cv2
import numpy as np
import numpy.typing as npt

from vision.pictures import Picture

_FINE_PX, _COARSE_PX = 1.0, 2.0
"""Standard deviations of the two blurs, in pixels, that are compared to see how much of the edges they
remove."""
_NEAREST = np.tan(np.pi / 8)
"""Limit on the ratio of the two slopes that assigns a gradient to the nearest of four directions: a camera
that moved blurs along its path only."""
_EDGES = 0.004
"""Share of the picture's pixels taken as the sharpest edges of one direction."""
_LEAST_SLOPE = 0.01
_SHARPEST = 0.3
"""Quantile of their widths that is returned: the wider ones belong to shadows and to rounded plastic."""
_STEP = 2
_MARGIN_PX = 4

Floats = npt.NDArray[np.float32]
Slopes = tuple[Floats, Floats]
"""Gradients to the right and downwards."""


def blur_px(image: Picture) -> float:
    """Return the blur of a (H, W, 3) uint8 BGR picture, a standard deviation in pixels; 0 for mere grain.

    A second blur reduces the slope of a sharp edge by more than that of a wide one (Zhuo and Sim, Defocus map
    estimation from a single image, 2011).
    """
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY).astype(np.float32)
    fine, coarse = _slopes(grey, _FINE_PX), _slopes(grey, _COARSE_PX)
    steep = np.asarray(cv2.magnitude(*fine), np.float32)
    return max(_width(fine, coarse, steep, way) for way in _directions(*fine))


def _slopes(grey: Floats, blur_px: float) -> Slopes:
    """Return the gradients of every `_STEP`-th pixel after a blur, each flattened to one dimension."""
    blurred = cv2.GaussianBlur(grey, (0, 0), blur_px)
    inner = slice(_MARGIN_PX, -_MARGIN_PX, _STEP)
    across, down = (
        np.ascontiguousarray(cv2.Sobel(blurred, cv2.CV_32F, *way)[inner, inner]).reshape(-1)
        for way in ((1, 0), (0, 1))
    )
    return np.asarray(across, np.float32), np.asarray(down, np.float32)


def _directions(across: Floats, down: Floats) -> list[npt.NDArray[np.bool_]]:
    """Return masks of the pixels whose gradient points across, down and along each of the two diagonals."""
    right, low = np.abs(across), np.abs(down)
    flat, upright = low <= _NEAREST * right, right <= _NEAREST * low
    falls = (across > 0) == (down > 0)
    between = ~(flat | upright)
    return [flat, upright, between & falls, between & ~falls]


def _width(fine: Slopes, coarse: Slopes, steep: Floats, way: npt.NDArray[np.bool_]) -> float:
    """Return the blur, in pixels, of the steepest edges of one direction; 0 if there are too few."""
    there = np.flatnonzero(way & (steep >= _LEAST_SLOPE))
    number = int(_EDGES * steep.size)
    if len(there) < number:
        return 0.0
    edges = there[np.argpartition(steep[there], -number)[-number:]]
    sharp = steep[edges]
    dull = np.abs(fine[0][edges] * coarse[0][edges] + fine[1][edges] * coarse[1][edges]) / sharp
    lessened = (sharp / np.maximum(dull, _LEAST_SLOPE)) ** 2
    most = (_COARSE_PX / _FINE_PX) ** 2  # for an edge of no width
    lessened = np.clip(lessened, 1 + 1e-3, most)
    width = (_COARSE_PX**2 - lessened * _FINE_PX**2) / (lessened - 1)
    return float(np.sqrt(np.quantile(width, _SHARPEST)))
