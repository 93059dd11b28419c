"""What the camera stored of a tray that was laid flat: patches as fine as the picture itself has them."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from vision.finding.closer import dots_of, own_dot, peaks_edge_px
from vision.finding.detector import EDGE_PX, Detection
from vision.pictures import Picture
from vision.scene.light import Light, whitened
from vision.scene.plane import Points
from vision.scene.rectify import Rectified
from vision.scene.viewpoint import STRAIGHT_ABOVE, Viewpoint

FINE = 2.0
"""Pixels of a fine patch to one of the closer look's."""
SIDE_PX = 128
"""Of a fine patch."""
_AS_IT_IS = np.eye(2)


@dataclass(frozen=True, slots=True)
class Source:
    """What a rectified picture was made of."""

    picture: Picture
    """(H, W, 3) uint8 BGR."""
    to_picture: Points
    """3×3, pixels of the rectified picture to pixels of this one."""
    light: Light | None
    """That was taken out; None where nothing was."""
    viewpoint: Viewpoint = STRAIGHT_ABOVE
    """Of the camera, over the rectified picture."""

    @classmethod
    def of(cls, picture: Picture, flat: Rectified) -> "Source":
        """Of a picture and what was laid flat of it."""
        return cls(picture, flat.to_picture, flat.light, Viewpoint.of(flat.to_picture, flat.size_px))

    def cut(self, to_flat: Points, side: int) -> Picture:
        """(side, side, 3) of what lies where the 3×3 `to_flat` puts its pixels in the rectified picture."""
        seen = cut(self.picture, self.to_picture @ to_flat, side)
        return seen if self.light is None else whitened(seen, self.light)


def about(
    centre_px: tuple[float, float], scale: float, side: int = SIDE_PX, turn: Points = _AS_IT_IS
) -> Points:
    """3×3, pixels of a patch about a place to pixels of the rectified picture.

    `scale`: pixels of the patch for each of that; `turn`: (2, 2), orthogonal, what the patch is turned by.
    """
    to_flat = np.eye(3)
    to_flat[:2, :2] = turn.T / scale
    to_flat[:2, 2] = centre_px - to_flat[:2, :2] @ np.full(2, (side - 1) / 2)
    return to_flat


def patches(
    source: Source,
    shape: tuple[int, ...],
    peaks: Sequence[Detection],
    which: Sequence[int],
    *,
    side: int = SIDE_PX,
    upright: bool = False,
) -> list[Picture]:
    """(side, side, 4) about `which` of the peaks, as `vision.finding.closer.patches` with twice the pixels.

    `shape` is the rectified picture's; `upright`: turned so that tops are above their feet.
    """
    edge_px = peaks_edge_px(peaks)
    dots, scale = dots_of(shape, peaks, edge_px), FINE * EDGE_PX / edge_px
    seen = []
    for centre_px in (peaks[n].centre_px for n in which):
        turn = source.viewpoint.upright(centre_px) if upright else _AS_IT_IS
        to_flat = about(centre_px, scale, side, turn)
        others = _others(dots, to_flat, side)
        others[own_dot(side, FINE)] = 0
        seen.append(np.asarray(cv2.merge([source.cut(to_flat, side), others]), np.uint8))
    return seen


def _others(dots: Picture, to_flat: Points, side: int) -> Picture:
    """(side, side) of where peaks are: flat already, so no perspective, which takes twice the time."""
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    seen = cv2.warpAffine(dots, to_flat[:2], (side, side), flags=flags, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(seen, np.uint8)


def cut(picture: Picture, matrix: Points, side: int) -> Picture:
    """(side, side, …) of what the 3×3 `matrix` finds in a picture."""
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return np.asarray(
        cv2.warpPerspective(picture, matrix, (side, side), flags=flags, borderMode=cv2.BORDER_REPLICATE),
        np.uint8,
    )
