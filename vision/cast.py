"""Shadows of one lamp fall alike: what may be a black cube, but lies as other cubes' shadows do, is one more.

The looks see a place and what is about it, and one shadow in a thousand is as dark and as square as a black
cube. Beside the other cubes of the picture, at the same distance and in the same direction, lie theirs.
"""

from collections.abc import Sequence
from dataclasses import replace
from statistics import median

import numpy as np

from vision.candidates import Candidate, moved, share_of_floor, strongest
from vision.cubes import Mask
from vision.levels import floor_level
from vision.palette import Palette
from vision.pictures import Picture

_FROM, _TO = 0.003, 0.9999
"""Presence of black candidates that it can matter to."""
_CASTS = 0.9
"""Presence from which a cube casts a shadow."""
_WITHIN = 1.6
"""Edges: no shadow's middle lies further from its cube."""
_FREE = 0.95
"""Edges about the place of a shadow in which another thing would be seen instead."""
_ANYTHING = 0.05
_ENOUGH = 2
"""Other shadows that have to tell."""
_SHADOW = 0.78
"""Share of the floor's level that shadows have at most."""
_DARKER, _LIGHTER = 0.22, 0.05
"""By how much of that the candidate's may differ from theirs: it is the darkest of them that looks like a cube."""
_LEAST_FLOOR = 40.0
"""Level of the floor below which shadows hardly show."""
_LOGITS = -3.0
"""For a cube, where others' shadows are alike. Of 60 such places in 1,865 pictures 30 held a cube, and all but
one of those had 0.997 and more before; of 22 with 0.01 to 0.95 two did, where the looks expected four."""


def without_cast(found: Sequence[Candidate], image: Picture, inside: Mask, palette: Palette) -> list[Candidate]:
    """Of a (H, W, 3) picture under white light: black ones less probable that others' shadows explain.

    `inside`: (H, W), 1 on the floor.
    """
    black = palette.colours.index("black") if "black" in palette.colours else None
    tops = [one for one in found if not one.under]
    asked = {n for n, one in enumerate(found) if one.colour_index == black and _FROM < one.presence < _TO}
    asked -= {n for n in asked if found[n].under}
    cubes = [one for one in tops if one.presence > _CASTS]
    if not asked or len(cubes) <= _ENOUGH or floor_level(image) < _LEAST_FLOOR:
        return list(found)
    levels = strongest(image)
    return [
        replace(one, presence=moved(one.presence, _LOGITS))
        if n in asked and _lies_as_shadows_do(one, cubes, tops, levels, inside)
        else one
        for n, one in enumerate(found)
    ]


def _lies_as_shadows_do(
    one: Candidate, cubes: Sequence[Candidate], tops: Sequence[Candidate], levels: Mask, inside: Mask
) -> bool:
    """Whether at the other cubes, where this one lies beside its nearest, the floor is about as dark."""
    others = [cube for cube in cubes if cube is not one]
    caster = min(others, key=lambda cube: _away(one.centre_px, cube.centre_px))
    if _away(one.centre_px, caster.centre_px) > _WITHIN * one.edge_px:
        return False
    off = np.subtract(one.centre_px, caster.centre_px)
    places = [_moved(cube.centre_px, off) for cube in others if cube is not caster]
    shares = [
        share_of_floor(levels, place, one.edge_px)[0]
        for place in places
        if _on(inside, place) and all(_away(place, top.centre_px) > _FREE * one.edge_px for top in _seen(tops))
    ]
    if len(shares) < _ENOUGH or median(shares) > _SHADOW:
        return False
    lighter = share_of_floor(levels, one.centre_px, one.edge_px)[0] - median(shares)
    return -_DARKER <= lighter < _LIGHTER


def _seen(tops: Sequence[Candidate]) -> list[Candidate]:
    return [top for top in tops if top.presence > _ANYTHING]


def _moved(place: tuple[float, float], off: np.ndarray) -> tuple[float, float]:
    return float(place[0] + off[0]), float(place[1] + off[1])


def _away(one: tuple[float, float], other: tuple[float, float]) -> float:
    return float(np.hypot(one[0] - other[0], one[1] - other[1]))


def _on(inside: Mask, place: tuple[float, float]) -> bool:
    x, y = (round(v) for v in place)
    height, width = inside.shape
    return 0 <= x < width and 0 <= y < height and bool(inside[y, x])
