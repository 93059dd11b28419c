"""What stands around a place as far as shadows fall: half the tray, small, alongside the place itself.

The place alone does not tell whether a dark spot is a black cube or the corner of a shadow: the other black
cubes, the floor's level and the direction of the other cubes' shadows do. So the upright look is shown these
too, at an eighth of its own resolution: 13 edges across instead of 3.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from vision.finding.closer import dots_of, peaks_edge_px
from vision.finding.detector import EDGE_PX, Detection
from vision.finding.stored import FINE
from vision.pictures import Picture
from vision.scene.plane import Points

COARSER = 8
"""Pixels of a fine patch per pixel of the wide view of the same place."""
_SMALLER = 4
"""Pixels of the rectified picture per pixel of the picture that wide views are cut from."""
_OWN = 2
"""Half the side of the square erased where the patch's own peak is."""


@dataclass(frozen=True, slots=True)
class Surroundings:
    """A rectified picture and its peaks, reduced: what wide views are cut from."""

    small: Picture
    """(H/4, W/4, 4)."""
    to_small: Points
    """(2, 2), from lengths in the rectified picture to lengths in `small`."""
    step_px: float
    """Pixels of the rectified picture per pixel of a view: a fifth of a cube's edge."""

    @classmethod
    def of(cls, image: Picture, peaks: Sequence[Detection]) -> "Surroundings":
        """Reduce a (H, W, 3) rectified picture."""
        edge_px = peaks_edge_px(peaks)
        layers = cv2.merge([image, dots_of(image.shape, peaks, edge_px)])
        size = (layers.shape[1] // _SMALLER, layers.shape[0] // _SMALLER)
        small = np.asarray(cv2.resize(layers, size, interpolation=cv2.INTER_AREA), np.uint8)
        to_small = np.diag([size[0] / layers.shape[1], size[1] / layers.shape[0]])
        return cls(small, to_small, edge_px * COARSER / (FINE * EDGE_PX))

    def cut_view(self, centre_px: tuple[float, float], turn: Points, side: int) -> Picture:
        """(side, side, 4) around a place, rotated by `turn`, an orthogonal (2, 2)."""
        matrix = self.step_px * self.to_small @ turn.T
        centre = self.to_small @ (np.array(centre_px) + 0.5) - 0.5
        affine = np.concatenate([matrix, (centre - matrix @ np.full(2, (side - 1) / 2))[:, None]], axis=1)
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        seen = cv2.warpAffine(self.small, affine, (side, side), flags=flags, borderMode=cv2.BORDER_REPLICATE)
        middle = slice(side // 2 - _OWN, side // 2 + _OWN)
        seen[middle, middle, 3] = 0
        return np.asarray(seen, np.uint8)
