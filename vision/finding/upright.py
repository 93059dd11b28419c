"""Places in doubt, held upright as the camera stands: tops above their feet, wherever it looks from.

A strip beside a cube's top is its own side where the camera sees it aslant, and another cube where it looks
from above. So a network sees the place turned so, as finely as the camera stored it, is told how aslant it is
seen, and is shown what stands about it (`vision.finding.wide`). How it was trained, and what it brings:
docs/training.md.
"""

from collections.abc import Sequence

import cv2
import numpy as np

from vision.finding.closer import Floats
from vision.finding.detector import Detection
from vision.finding.stored import SIDE_PX, Source, patches
from vision.finding.wide import Around, packed, unpacked
from vision.network import network
from vision.pictures import Picture

CHANNELS = 6
"""Blue, green, red; where other peaks are; how aslant the place is seen; the wide view, packed."""
NEAR = CHANNELS - 1
"""Of these, what shows the place itself."""
_SLOPE_LEVEL = 255.0
"""Of a slope of 1, at which a camera sees the side of a cube as large as its top."""


def upright_patches(
    source: Source, image: Picture, peaks: Sequence[Detection], which: Sequence[int], *, side: int = SIDE_PX
) -> list[Picture]:
    """(side, side, CHANNELS) about `which` of the peaks; `image` is the rectified picture."""
    around, seen = Around.of(image, peaks), []
    near = patches(source, image.shape, peaks, which, side=side, upright=True)
    for patch, there in zip(near, (peaks[n].centre_px for n in which), strict=True):
        wide = around.seen(there, source.viewpoint.upright(there), side // 2)
        seen.append(with_channels(patch, source.viewpoint.slope(there), packed(wide)))
    return seen


def with_channels(patch: Picture, slope: float, wide: Picture) -> Picture:
    """(side, side, 6) of (side, side, 4): with how aslant the place is seen, and a packed wide view."""
    level = round(min(255.0, _SLOPE_LEVEL * max(0.0, slope)))
    return np.asarray(cv2.merge([patch, np.full(patch.shape[:2], level, np.uint8), wide]), np.uint8)


def said_wide(seen: Sequence[Picture]) -> Floats:
    """(N, OUTPUTS) logits of N upright patches, by what stands about the places too."""
    return np.asarray(network("wide").run(seen).reshape(len(seen), -1), np.float32)


def said_both_ways(seen: Sequence[Picture], wide: Floats) -> Floats:
    """The mean of the patches and of them in a mirror; `wide` is what `said_wide` told of them."""
    return np.asarray((wide + said_wide([mirrored(one) for one in seen])) / 2, np.float32)


def mirrored(patch: Picture) -> Picture:
    """A (side, side, CHANNELS) patch with right and left exchanged."""
    seen = np.asarray(cv2.flip(patch, 1), np.uint8)
    seen[:, :, -1] = packed(np.ascontiguousarray(unpacked(np.ascontiguousarray(patch[:, :, -1]))[:, ::-1]))
    return seen


def warm() -> None:
    """Load the network, which the first reading in doubt would have to wait for."""
    said_wide([np.zeros((SIDE_PX, SIDE_PX, CHANNELS), np.uint8)])
