"""A lamp in a cube's lacquer: where its top is nearly as light as paper it shows the lamp, and no dye.

Only the sides tell then, and of those that are in the dark the networks say black.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from vision.finding.candidates import Candidate, face
from vision.levels import quantile
from vision.palette import Palette, oklab
from vision.pictures import Picture

_FROM, _OVER, _LOSES = 0.7, 0.1, 0.25
"""L of Oklab from which a black cube's top mirrors a lamp, over how much that grows, and what the share of
black loses at most. In 1,176 path-traced pictures 35 cubes with such tops were surely named black, seven of
them wrongly, in six of seventeen trays; of 43 that were surely named otherwise one was (by a script)."""


def less_black(found: Sequence[Candidate], image: Picture, palette: Palette) -> list[Candidate]:
    """Candidates of a (H, W, 3) uint8 BGR picture under white light, white tops less surely black."""
    if "black" not in palette.colours:
        return list(found)
    black = palette.colours.index("black")
    doubted = [one.shares[black] > 1 - _LOSES and not one.under for one in found]
    return [_less(one, image, black) if sure else one for one, sure in zip(found, doubted, strict=True)]


def _less(one: Candidate, image: Picture, black: int) -> Candidate:
    x, y = (round(v) for v in one.centre_px)
    top = face(image, x, y, one.edge_px)
    if not len(top):
        return one
    lightness = float(oklab(quantile(top, 0.5)[None])[0, 0])
    most = 1 - _LOSES * float(np.clip((lightness - _FROM) / _OVER, 0, 1))
    if one.shares[black] <= most:
        return one
    spare = (one.shares[black] - most) / (len(one.shares) - 1)
    return replace(one, shares=tuple(most if n == black else s + spare for n, s in enumerate(one.shares)))
