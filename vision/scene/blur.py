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
Gradients = tuple[Floats, Floats]
"""Gradients to the right and downwards."""


def blur_px(image: Picture) -> float:
    """Return the blur of a (H, W, 3) uint8 BGR picture, a standard deviation in pixels; 0 for mere grain.

    A second blur reduces the slope of a sharp edge by more than that of a wide one (Zhuo and Sim, Defocus map
    estimation from a single image, 2011).
    """
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY).astype(np.float32)
    fine, coarse = _gradients(grey, _FINE_PX), _gradients(grey, _COARSE_PX)
    steepness = np.asarray(cv2.magnitude(*fine), np.float32)
    return max(_edge_blur(fine, coarse, steepness, mask) for mask in _direction_masks(*fine))


def _gradients(grey: Floats, blur_px: float) -> Gradients:
    """Return the gradients of every `_STEP`-th pixel after a blur, each flattened to one dimension."""
    blurred = cv2.GaussianBlur(grey, (0, 0), blur_px)
    sampled = slice(_MARGIN_PX, -_MARGIN_PX, _STEP)
    across, down = (
        np.ascontiguousarray(cv2.Sobel(blurred, cv2.CV_32F, *orders)[sampled, sampled]).reshape(-1)
        for orders in ((1, 0), (0, 1))
    )
    return np.asarray(across, np.float32), np.asarray(down, np.float32)


def _direction_masks(across: Floats, down: Floats) -> list[npt.NDArray[np.bool_]]:
    """Return masks of the pixels whose gradient points across, down and along each of the two diagonals."""
    abs_across, abs_down = np.abs(across), np.abs(down)
    is_across, is_down = abs_down <= _NEAREST * abs_across, abs_across <= _NEAREST * abs_down
    is_falling = (across > 0) == (down > 0)
    is_diagonal = ~(is_across | is_down)
    return [is_across, is_down, is_diagonal & is_falling, is_diagonal & ~is_falling]


def _edge_blur(fine: Gradients, coarse: Gradients, steepness: Floats, mask: npt.NDArray[np.bool_]) -> float:
    """Return the blur, in pixels, of the steepest edges of one direction; 0 if there are too few."""
    candidates = np.flatnonzero(mask & (steepness >= _LEAST_SLOPE))
    number = int(_EDGES * steepness.size)
    if len(candidates) < number:
        return 0.0
    sharpest = candidates[np.argpartition(steepness[candidates], -number)[-number:]]
    fine_slopes = steepness[sharpest]
    coarse_slopes = (
        np.abs(fine[0][sharpest] * coarse[0][sharpest] + fine[1][sharpest] * coarse[1][sharpest])
        / fine_slopes
    )
    ratio = (fine_slopes / np.maximum(coarse_slopes, _LEAST_SLOPE)) ** 2
    ratio_limit = (_COARSE_PX / _FINE_PX) ** 2  # for an edge of no width
    ratio = np.clip(ratio, 1 + 1e-3, ratio_limit)
    width = (_COARSE_PX**2 - ratio * _FINE_PX**2) / (ratio - 1)
    return float(np.sqrt(np.quantile(width, _SHARPEST)))
