"""Finds cubes by colour and size alone, without a network: what stands out from the floor, of known size.

The reader's method before it had networks, kept for comparison.
"""

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.palette import SHOGUN, Palette
from vision.pictures import Mask, Picture
from vision.reader import inside_tray
from vision.scene.rectify import PX_PER_MM, rectify

_STANDS_OUT = 22.0
"""Least difference between a cube and the floor around it, in levels of any channel after whitening."""
_FILLED = 0.55
"""Share of a cube's disc that must show its colour."""
_DARKER = 0.45
"""Level of a black cube relative to a light floor, as stored; shadows stay above."""
_GROWN = 1.18
"""How much wider than its edge a cube looks, since a tilted camera sees a strip of its sides."""

_EDGE_MM = 8.0


@dataclass(frozen=True, slots=True)
class Found:
    """One cube in the rectified picture."""

    colour: str
    centre_px: tuple[float, float]
    edge_px: float
    score: float
    """Confidence, 0..1, that it is one cube of that colour."""


def colour_and_size(picture: Picture) -> dict[str, int]:
    """Count 8 mm cubes of each of the game's colours."""
    flat = rectify(picture)
    if flat is None:
        return {}
    found = find_cubes(flat.image, inside_tray(flat), SHOGUN, _EDGE_MM * PX_PER_MM)
    return {colour: sum(cube.colour == colour for cube in found) for colour in SHOGUN.colours}


def find_cubes(image: Picture, inside: Mask, palette: Palette, edge_px: float) -> list[Found]:
    """Find cubes where `inside` is not zero in a (H, W, 3) uint8 BGR picture under white light."""
    small = np.asarray(cv2.medianBlur(image, 3), np.uint8)
    floor = _estimate_floor(small, edge_px)
    labels = palette.label(small)
    stands_out = cv2.absdiff(small, floor).max(axis=2) > _STANDS_OUT
    found: list[Found] = []
    for index, colour in enumerate(palette.colours):
        mask = stands_out & (labels == index) & (inside > 0)
        if _is_dark(palette, colour):
            level, ground = small.max(axis=2), floor.max(axis=2)
            mask &= (level < _DARKER * ground) & (ground > 60)
        found += _take_fullest_discs(mask.astype(np.float32), colour, edge_px)
    return _drop_duplicates(found)


def _is_dark(palette: Palette, colour: str) -> bool:
    return max(palette.srgb[colour]) < 80


def _estimate_floor(image: Picture, edge_px: float) -> Picture:
    """Estimate the floor under the cubes by a median wider than any heap."""
    step = 8
    height, width = image.shape[:2]
    tiny = cv2.resize(image, (width // step, height // step), interpolation=cv2.INTER_AREA)
    reach = int(6 * edge_px / step) | 1
    return np.asarray(
        cv2.resize(cv2.medianBlur(tiny, min(reach, 31)), (width, height), interpolation=cv2.INTER_LINEAR),
        np.uint8,
    )


def _take_fullest_discs(mask: npt.NDArray[np.float32], colour: str, edge_px: float) -> list[Found]:
    """Repeatedly take the fullest disc of a cube's size."""
    side = edge_px * _GROWN
    radius = round(side * 0.56)
    disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * radius + 1, 2 * radius + 1)).astype(np.float32)
    disc /= disc.sum()
    remaining = mask.copy()
    filled = cv2.filter2D(remaining, -1, disc, borderType=cv2.BORDER_CONSTANT)
    found: list[Found] = []
    for _ in range(80):
        _, most, _, (x, y) = cv2.minMaxLoc(filled)
        if most < _FILLED:
            break
        found.append(Found(colour, (float(x), float(y)), edge_px, min(1.0, most)))
        cv2.circle(remaining, (x, y), round(side * 0.6), 0.0, -1)
        reach = 3 * radius
        top, left = max(0, y - reach), max(0, x - reach)
        cut = remaining[top : y + reach, left : x + reach]
        filled[top : y + reach, left : x + reach] = cv2.filter2D(
            cut, -1, disc, borderType=cv2.BORDER_CONSTANT
        )
    return found


def _drop_duplicates(found: list[Found]) -> list[Found]:
    """Remove duplicates: of two that overlap, keep the fuller one."""
    kept: list[Found] = []
    for cube in sorted(found, key=lambda f: -f.score):
        if all(np.hypot(*np.subtract(cube.centre_px, k.centre_px)) > 0.6 * cube.edge_px for k in kept):
            kept.append(cube)
    return kept
