"""A lamp in a cube's lacquer: a top that is nearly as light as paper shows the lamp, not the dye.

Then only the sides tell, and the networks call those black that are in the dark. A small lamp reflected in a
plastic floor is as light and as large as such a top, but has no sides.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from vision.finding.candidates import Candidate, Floats, face, is_glossy, share_of_floor
from vision.levels import quantile, strongest_channel
from vision.palette import Palette, oklab
from vision.pictures import Picture
from vision.scene.light import srgb_to_linear

_FROM, _OVER, _LOSES = 0.7, 0.1, 0.25
"""L of Oklab from which a black cube's top mirrors a lamp, the range over which that grows, and the most that
the share of black then loses. In 1,176 path-traced pictures 35 cubes with such tops were confidently named
black, seven of them wrongly, in six of seventeen trays; of 43 confidently named otherwise one was wrong (by a
script)."""

_LAMP = 0.9
"""Highest presence of what may be a lamp in the floor: it is counted, and asked about."""
_ABOUT = 0.75
"""Distance from a centre, in edges, within which a cube's sides lie."""
_FLOOR = 3.0
"""Half side, in edges, of the surroundings that are looked at: all that `share_of_floor` needs."""
_DYED, _LIT = 0.5, 0.03
"""Where a dye shows: the most that a pixel's weakest channel has of its strongest, and the least linear light
of the strongest."""
_DARKER, _LIGHTER = 0.5, 1.2
"""Highest level of a dark side, and lowest of a lamp, as shares of the floor's."""
_SHOWN, _DARK_SIDE = 0.6, 0.1
"""Least area of dye, or of a dark side, in faces, that shows a cube. Of all cubes in 115 labelled pictures 13
mirror a lamp, and show 0.9 of dye and more; of 57 lamps in floors that were taken for cubes 49 show less than
0.5, and none a dark side."""
_PALE_DYE = 0.1
"""Linear light of the weakest channel above which a colour is itself pale, like that of white cubes."""


def doubt_black(found: Sequence[Candidate], image: Picture, palette: Palette) -> list[Candidate]:
    """Make white tops less surely black, in a (H, W, 3) uint8 BGR picture under white light."""
    if "black" not in palette.colours:
        return list(found)
    black = palette.colours.index("black")
    are_sure = [one.shares[black] > 1 - _LOSES and not one.under for one in found]
    return [
        _lower_black_share(one, image, black) if is_sure else one
        for one, is_sure in zip(found, are_sure, strict=True)
    ]


def _lower_black_share(candidate: Candidate, image: Picture, black: int) -> Candidate:
    top = _top_pixels(image, candidate)
    if not len(top):
        return candidate
    lightness = float(oklab(quantile(top, 0.5)[None])[0, 0])
    cap = 1 - _LOSES * float(np.clip((lightness - _FROM) / _OVER, 0, 1))
    if candidate.shares[black] <= cap:
        return candidate
    spare = (candidate.shares[black] - cap) / (len(candidate.shares) - 1)
    return replace(
        candidate, shares=tuple(cap if n == black else s + spare for n, s in enumerate(candidate.shares))
    )


def doubt_lamps(found: Sequence[Candidate], image: Picture, palette: Palette) -> list[Candidate]:
    """Make candidates less sure that show only a lamp, in a (H, W, 3) uint8 BGR picture under white light.

    A top that mirrors a lamp hides its dye, but some of it shows at the sides, or one side is dark.
    """
    are_lamps = [one.presence > _LAMP and may_be_lamp(image, one, palette) for one in found]
    return [
        replace(one, presence=_LAMP) if is_lamp else one
        for one, is_lamp in zip(found, are_lamps, strict=True)
    ]


def may_be_lamp(image: Picture, candidate: Candidate, palette: Palette) -> bool:
    """Return whether a candidate shows a lamp and no cube, in a (H, W, 3) uint8 BGR picture in white light.

    Always False for pale colours and for what may lie under another cube.
    """
    dye = srgb_to_linear(palette.srgb[palette.colours[candidate.colour_index]])
    if candidate.under or dye.min() > _PALE_DYE:
        return False
    return is_glossy(_top_pixels(image, candidate)) and _has_no_sides(image, candidate)


def _has_no_sides(whole_image: Picture, candidate: Candidate) -> bool:
    """Return whether a place is lighter than the floor, with neither a dye nor anything dark about it."""
    image, cropped = _crop_about(whole_image, candidate)
    levels = strongest_channel(image)
    share, floor = share_of_floor(levels, cropped.centre_px, cropped.edge_px)
    if share < _LIGHTER:
        return False
    x, y = cropped.centre_px
    reach = _ABOUT * cropped.edge_px
    left, top = max(0, round(x - reach)), max(0, round(y - reach))
    window = np.s_[top : round(y + reach) + 1, left : round(x + reach) + 1]
    light: Floats = srgb_to_linear(image[window])
    rows, columns = np.ogrid[top : top + light.shape[0], left : left + light.shape[1]]
    in_reach = np.hypot(columns - x, rows - y) < reach
    dyed = (light.min(axis=2) < _DYED * light.max(axis=2)) & (light.max(axis=2) > _LIT)
    dark = levels[window] < _DARKER * floor
    dye_area, dark_area = (
        float(np.count_nonzero(mask & in_reach)) / cropped.edge_px**2 for mask in (dyed, dark)
    )
    return dye_area <= _SHOWN and dark_area <= _DARK_SIDE


def _crop_about(image: Picture, candidate: Candidate) -> tuple[Picture, Candidate]:
    """Crop the picture about a candidate, as under a bright lamp many are examined."""
    x, y = candidate.centre_px
    reach = _FLOOR * candidate.edge_px
    left, top = (max(0, int(v - reach) // 2 * 2) for v in (x, y))
    crop = image[top : int(y + reach) + 1, left : int(x + reach) + 1]
    return crop, replace(candidate, centre_px=(x - left, y - top))


def _top_pixels(image: Picture, candidate: Candidate) -> Picture:
    """Return the (N, 3) pixels of a top."""
    return face(image, round(candidate.centre_px[0]), round(candidate.centre_px[1]), candidate.edge_px)
