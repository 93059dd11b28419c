"""Patches of a rectified tray cut from the stored picture, at the full resolution of the camera."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from vision.finding.closer import dots_of, own_dot, peaks_edge_px
from vision.finding.detector import EDGE_PX, Detection
from vision.pictures import Picture
from vision.scene.light import Light, whiten
from vision.scene.plane import Points
from vision.scene.rectify import Rectified
from vision.scene.viewpoint import STRAIGHT_ABOVE, Viewpoint

FINE = 2.0
"""Pixels of a fine patch per pixel of the closer look's."""
SIDE_PX = 128
"""Side of a fine patch."""
_AS_IT_IS = np.eye(2)


@dataclass(frozen=True, slots=True)
class Source:
    """What a rectified picture was made from."""

    picture: Picture
    """(H, W, 3) uint8 BGR."""
    to_picture: Points
    """3×3, from pixels of the rectified picture to pixels of this one."""
    light: Light | None
    """Light to be removed; None if nothing was removed."""
    viewpoint: Viewpoint = STRAIGHT_ABOVE
    """The camera's viewpoint, relative to the rectified picture."""

    @classmethod
    def of(cls, picture: Picture, flat: Rectified) -> "Source":
        """Make a source from a picture and its rectified tray."""
        return cls(picture, flat.to_picture, flat.light, Viewpoint.of(flat.to_picture, flat.size_px))

    def cut_patch(self, to_flat: Points, side: int) -> Picture:
        """(side, side, 3) patch; the 3×3 `to_flat` maps its pixels to the rectified picture."""
        seen = warp_patch(self.picture, self.to_picture @ to_flat, side)
        return seen if self.light is None else whiten(seen, self.light)


def patch_to_flat(
    centre_px: tuple[float, float], scale: float, side: int = SIDE_PX, turn: Points = _AS_IT_IS
) -> Points:
    """3×3, from pixels of a patch around a place to pixels of the rectified picture.

    `scale`: patch pixels per pixel of the rectified picture; `turn`: orthogonal (2, 2) that rotates the
    patch.
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
    """(side, side, 4) around `which` of the peaks, like `vision.finding.closer.patches` with twice the
    resolution.

    `shape` is the rectified picture's; `upright`: rotate the patches so that cube tops are above their feet.
    """
    edge_px = peaks_edge_px(peaks)
    dots, scale = dots_of(shape, peaks, edge_px), FINE * EDGE_PX / edge_px
    seen = []
    for centre_px in (peaks[n].centre_px for n in which):
        turn = source.viewpoint.upright(centre_px) if upright else _AS_IT_IS
        to_flat = patch_to_flat(centre_px, scale, side, turn)
        other_dots = _dots_in_patch(dots, to_flat, side)
        other_dots[own_dot(side, FINE)] = 0
        seen.append(np.asarray(cv2.merge([source.cut_patch(to_flat, side), other_dots]), np.uint8))
    return seen


def _dots_in_patch(dots: Picture, to_flat: Points, side: int) -> Picture:
    """(side, side) channel of peaks; these are flat already, so the slower perspective warp is not needed."""
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    seen = cv2.warpAffine(dots, to_flat[:2], (side, side), flags=flags, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(seen, np.uint8)


def warp_patch(picture: Picture, matrix: Points, side: int) -> Picture:
    """(side, side, …) patch; the 3×3 `matrix` maps its pixels to the picture."""
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return np.asarray(
        cv2.warpPerspective(picture, matrix, (side, side), flags=flags, borderMode=cv2.BORDER_REPLICATE),
        np.uint8,
    )
