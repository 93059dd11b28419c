"""How blurred a picture is: the width of its sharpest edges, in whatever direction they are widest."""

import cv2
import numpy as np
import numpy.typing as npt

from vision.pictures import Picture
from vision.scene.rectify import PX_PER_MM

_FINE_PX, _COARSE_PX = 1.0, 2.0
"""What the picture is blurred by to see how much of its edges that takes."""
_DIRECTIONS = 4
"""A camera that moved blurs along its way only."""
_ALONG = 0.92
"""Share of an edge's slope that lies in a direction, of those that belong to it."""
_EDGES = 0.004
"""Share of the picture that the sharpest edges of a direction make up."""
_LEAST_SLOPE = 0.01
_SHARPEST = 0.3
"""Of these the quantile that counts: others are of shadows and of rounded plastic."""
_STEP = 2
_MARGIN_PX = 4

Floats = npt.NDArray[np.float32]


def blur_mm(image: Picture) -> float:
    """Standard deviation, on the floor, of what the rectified picture is blurred by; 0 in grain.

    A second blur lessens the slope of a sharp edge by more than that of a wide one (Zhuo and Sim, Defocus map
    estimation from a single image, 2011).
    """
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY).astype(np.float32)
    fine, coarse = _slopes(grey, _FINE_PX), _slopes(grey, _COARSE_PX)
    steep = np.hypot(*fine)
    angles = np.pi * np.arange(_DIRECTIONS) / _DIRECTIONS
    return max(_of_direction(fine, coarse, steep, float(angle)) for angle in angles) / PX_PER_MM


def _slopes(grey: Floats, blur_px: float) -> tuple[Floats, Floats]:
    """To the right and downwards, of one pixel in a few."""
    blurred = cv2.GaussianBlur(grey, (0, 0), blur_px)
    inner = slice(_MARGIN_PX, -_MARGIN_PX, _STEP)
    across, down = (cv2.Sobel(blurred, cv2.CV_32F, *way)[inner, inner] for way in ((1, 0), (0, 1)))
    return np.asarray(across, np.float32), np.asarray(down, np.float32)


def _of_direction(
    fine: tuple[Floats, Floats], coarse: tuple[Floats, Floats], steep: Floats, angle: float
) -> float:
    """In pixels, of the edges that are steepest that way."""
    x, y = np.float32(np.cos(angle)), np.float32(np.sin(angle))
    along = np.abs(fine[0] * x + fine[1] * y)
    its_own = along >= np.maximum(_ALONG * steep, _LEAST_SLOPE)
    number = int(_EDGES * along.size)
    here, there = along[its_own], np.abs(coarse[0] * x + coarse[1] * y)[its_own]
    if len(here) < number:
        return 0.0
    edges = np.argpartition(here, -number)[-number:]
    lessened = (here[edges] / np.maximum(there[edges], _LEAST_SLOPE)) ** 2
    most = (_COARSE_PX / _FINE_PX) ** 2  # of a step without any width
    lessened = np.clip(lessened, 1 + 1e-3, most)
    width = (_COARSE_PX**2 - lessened * _FINE_PX**2) / (lessened - 1)
    return float(np.sqrt(np.quantile(width, _SHARPEST)))
