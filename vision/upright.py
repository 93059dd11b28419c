"""Places in doubt, held upright as the camera stands: tops above their feet, wherever it looks from.

A strip beside a cube's top is its own side where the camera sees it aslant, and another cube where it looks
from above. So a network of its own sees the place turned so, as finely as the camera stored it, and is told
how aslant it is seen. How it was trained, and what it brings: docs/training.md.
"""

from collections.abc import Sequence

import cv2
import numpy as np

from vision.closer import Floats
from vision.detector import Detection
from vision.network import network
from vision.pictures import Picture
from vision.stored import SIDE_PX, Source, patches

CHANNELS = 5
"""Blue, green, red; where other peaks are; how aslant the place is seen."""
_SLOPE_LEVEL = 255.0
"""Of a slope of 1, at which a camera sees the side of a cube as large as its top."""


def upright_patches(
    source: Source,
    shape: tuple[int, ...],
    peaks: Sequence[Detection],
    which: Sequence[int],
    *,
    side: int = SIDE_PX,
) -> list[Picture]:
    """(side, side, CHANNELS) about `which` of the peaks; `shape` is the rectified picture's."""
    seen = patches(source, shape, peaks, which, side=side, upright=True)
    slopes = (source.viewpoint.slope(peaks[n].centre_px) for n in which)
    return [with_slope(patch, slope) for patch, slope in zip(seen, slopes, strict=True)]


def with_slope(patch: Picture, slope: float) -> Picture:
    """(side, side, 5) of (side, side, 4): with a channel that says how aslant the place is seen."""
    level = round(min(255.0, _SLOPE_LEVEL * max(0.0, slope)))
    return np.asarray(cv2.merge([patch, np.full(patch.shape[:2], level, np.uint8)]), np.uint8)


def said_upright(seen: Sequence[Picture]) -> Floats:
    """(N, OUTPUTS) logits of N upright patches."""
    said = network("upright").run(seen)
    return np.asarray(said.reshape(len(seen), -1), np.float32)


def said_mirrored(seen: Sequence[Picture]) -> Floats:
    """The same as they look in a mirror that stands beside them."""
    return said_upright([np.asarray(cv2.flip(one, 1), np.uint8) for one in seen])


def warm() -> None:
    """Load the network, which the first reading in doubt would have to wait for."""
    network("upright").run([np.zeros((SIDE_PX, SIDE_PX, CHANNELS), np.uint8)])
