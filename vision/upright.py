"""Places in doubt, held upright as the camera stands: tops above their feet, wherever it looks from.

A strip beside a cube's top is its own side where the camera sees it aslant, and another cube where it looks
from above. So a network of its own sees the place turned so, as finely as the camera stored it, and is told
how aslant it is seen. How it was trained, and what it brings: docs/training.md.
"""

from collections.abc import Sequence

import cv2
import numpy as np

from vision.closer import Floats, dots_of, hollow, peaks_edge_px
from vision.detector import EDGE_PX, Detection
from vision.network import network
from vision.pictures import Picture
from vision.stored import FINE, SIDE_PX, Source, about, cut

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
    edge_px = peaks_edge_px(peaks)
    dots, scale = dots_of(shape, peaks, edge_px), FINE * EDGE_PX / edge_px
    held = []
    for centre_px in (peaks[n].centre_px for n in which):
        to_flat = about(centre_px, scale, side, source.viewpoint.upright(centre_px))
        others = cut(dots, to_flat, side)
        hollow(others, FINE)
        seen = np.asarray(cv2.merge([source.cut(to_flat, side), others]), np.uint8)
        held.append(with_slope(seen, source.viewpoint.slope(centre_px)))
    return held


def with_slope(patch: Picture, slope: float) -> Picture:
    """(side, side, 5) of (side, side, 4): with a channel that says how aslant the place is seen."""
    level = round(min(255.0, _SLOPE_LEVEL * max(0.0, slope)))
    return np.asarray(cv2.merge([patch, np.full(patch.shape[:2], level, np.uint8)]), np.uint8)


def said_upright(
    source: Source, shape: tuple[int, ...], peaks: Sequence[Detection], which: Sequence[int]
) -> Floats:
    """(N, OUTPUTS) logits of some of the places: the mean of what is said as they are and mirrored."""
    seen = upright_patches(source, shape, peaks, which)
    said = network("upright").run([*seen, *(np.asarray(cv2.flip(one, 1), np.uint8) for one in seen)])
    return np.asarray(said.reshape(2, len(seen), -1).mean(axis=0), np.float32)


def warm() -> None:
    """Load the network, which the first reading in doubt would have to wait for."""
    network("upright").run([np.zeros((SIDE_PX, SIDE_PX, CHANNELS), np.uint8)])
