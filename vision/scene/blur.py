"""How blurred a picture is: the width of its sharpest edges, in whatever direction they are widest."""

import cv2
import numpy as np
import numpy.typing as npt

from vision.pictures import Picture

_FINE_PX, _COARSE_PX = 1.0, 2.0
"""What the picture is blurred by to see how much of its edges that takes."""
_NEAREST = np.tan(np.pi / 8)
"""Slopes go to the nearest of four directions: a camera that moved blurs along its way only."""
_EDGES = 0.004
"""Share of the picture that the sharpest edges of a direction make up."""
_LEAST_SLOPE = 0.01
_SHARPEST = 0.3
"""Of these the quantile that counts: others are of shadows and of rounded plastic."""
_STEP = 2
_MARGIN_PX = 4

Floats = npt.NDArray[np.float32]
Slopes = tuple[Floats, Floats]
"""To the right and downwards."""


def blur_px(image: Picture) -> float:
    """Standard deviation of what a (H, W, 3) uint8 BGR picture is blurred by; 0 in grain.

    A second blur lessens the slope of a sharp edge by more than that of a wide one (Zhuo and Sim, Defocus map
    estimation from a single image, 2011).
    """
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY).astype(np.float32)
    fine, coarse = _slopes(grey, _FINE_PX), _slopes(grey, _COARSE_PX)
    steep = np.asarray(cv2.magnitude(*fine), np.float32)
    return max(_width(fine, coarse, steep, way) for way in _directions(*fine))


def _slopes(grey: Floats, blur_px: float) -> Slopes:
    """Of one pixel in a few, in one row."""
    blurred = cv2.GaussianBlur(grey, (0, 0), blur_px)
    inner = slice(_MARGIN_PX, -_MARGIN_PX, _STEP)
    across, down = (
        np.ascontiguousarray(cv2.Sobel(blurred, cv2.CV_32F, *way)[inner, inner]).reshape(-1)
        for way in ((1, 0), (0, 1))
    )
    return np.asarray(across, np.float32), np.asarray(down, np.float32)


def _directions(across: Floats, down: Floats) -> list[npt.NDArray[np.bool_]]:
    """Of each pixel whether its slope goes that way: across, down, and the two between."""
    right, low = np.abs(across), np.abs(down)
    flat, upright = low <= _NEAREST * right, right <= _NEAREST * low
    falls = (across > 0) == (down > 0)
    between = ~(flat | upright)
    return [flat, upright, between & falls, between & ~falls]


def _width(fine: Slopes, coarse: Slopes, steep: Floats, way: npt.NDArray[np.bool_]) -> float:
    """In pixels, of the edges that are steepest that way."""
    there = np.flatnonzero(way & (steep >= _LEAST_SLOPE))
    number = int(_EDGES * steep.size)
    if len(there) < number:
        return 0.0
    edges = there[np.argpartition(steep[there], -number)[-number:]]
    sharp = steep[edges]
    dull = np.abs(fine[0][edges] * coarse[0][edges] + fine[1][edges] * coarse[1][edges]) / sharp
    lessened = (sharp / np.maximum(dull, _LEAST_SLOPE)) ** 2
    most = (_COARSE_PX / _FINE_PX) ** 2  # of a step without any width
    lessened = np.clip(lessened, 1 + 1e-3, most)
    width = (_COARSE_PX**2 - lessened * _FINE_PX**2) / (lessened - 1)
    return float(np.sqrt(np.quantile(width, _SHARPEST)))
