"""Black cubes at the same offset from several others: shadows, each of which was taken for a cube.

Two lamps on one side cast a shadow as dark and as square as a black cube. If the looks take one for a cube
they take its like for cubes as well, and no place is left that would show it (`vision.comparing.cast`). But
cubes fall at random: the chance that a second one has a black one in the same direction and distance is one
in hundreds.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from vision.comparing.cast import LEAST_FLOOR, WITHIN, add_black_logits, on_floor
from vision.finding.candidates import Candidate, Floats
from vision.levels import floor_level
from vision.palette import Palette
from vision.pictures import Mask, Picture

_SEEN, _CASTS = 0.1, 0.5
"""Presence above which something may be a shadow taken for a cube, and above which a cube casts one."""
_SAME, _FREE = 0.3, 0.95
"""Distances in edges: within which two places are the same, and about a place in which nothing else may
lie."""
_MOST = 0.5
"""Least share of the places beside other cubes, where anything could show, that must be taken for black
cubes. In 3,661 pictures this speaks against two black cubes, which stay; 121 others had their like at 0.31 at
most."""
_LOGITS, _AT_MOST = -3.0, 3
"""Logits added for a cube per other cube that has its like, and how many of those count."""


def without_repeats(
    found: Sequence[Candidate], image: Picture, inside: Mask, palette: Palette
) -> list[Candidate]:
    """Make black candidates less probable whose like lies beside other cubes of a (H, W, 3) picture too.

    `image` is under white light; `inside`: (H, W), 1 on the floor.
    """
    if "black" not in palette.colours:
        return list(found)
    black = palette.colours.index("black")
    upper = [one for one in found if not one.under and one.presence > _SEEN]
    if sum(one.colour_index == black for one in upper) < 2 or floor_level(image) < LEAST_FLOOR:
        return list(found)
    places = _Places(upper, black)
    logits = {
        one: _LOGITS * min(_AT_MOST, places.count_repeats(number, inside))
        for number, one in enumerate(upper)
        if one.colour_index == black
    }
    return [add_black_logits(one, black, logits[one]) if logits.get(one) else one for one in found]


class _Places:
    """What may lie in a tray, as arrays by place."""

    def __init__(self, seen: Sequence[Candidate], black: int) -> None:
        self._centres = np.array([one.centre_px for one in seen])
        self._presence = np.array([one.presence for one in seen])
        self._is_black = np.array([one.colour_index == black for one in seen])
        self._edge_px = float(np.median([one.edge_px for one in seen]))

    def count_repeats(self, number: int, inside: Mask) -> int:
        """Return how many other cubes have a black one at the same offset; 0 if their share is too small."""
        distances = np.hypot(*(self._centres - self._centres[number]).T)
        distances[~self._possible_casters(number)] = np.inf
        caster = int(distances.argmin())
        if not distances[caster] <= WITHIN * self._edge_px:
            return 0
        offset = self._centres[number] - self._centres[caster]
        others = [
            k
            for k in np.flatnonzero(self._presence > _CASTS).tolist()
            if k not in (number, caster) and not self._is_shadow_of_another(k, offset)
        ]
        places = self._centres[others] + offset
        place_distances = np.hypot(*np.moveaxis(places[:, None] - self._centres, -1, 0))
        are_same = place_distances < _SAME * self._edge_px
        place_distances[np.arange(len(others)), others] = np.inf
        have_black = (are_same & self._is_black).any(axis=1)
        are_bare = (
            ~have_black & (place_distances > _FREE * self._edge_px).all(axis=1) & on_floor(inside, places)
        )
        repeated, missing = int(have_black.sum()), int(are_bare.sum())
        return repeated if repeated >= _MOST * (repeated + missing) else 0

    def _possible_casters(self, number: int) -> npt.NDArray[np.bool_]:
        """Return the (N,) mask of what may have cast `number`: of two black ones the surer is the cube."""
        is_other = np.arange(len(self._centres)) != number
        return np.asarray(is_other & (~self._is_black | (self._presence > self._presence[number])), np.bool_)

    def _is_shadow_of_another(self, number: int, offset: Floats) -> bool:
        if not self._is_black[number]:
            return False
        at_caster = np.hypot(*(self._centres - (self._centres[number] - offset)).T) < _SAME * self._edge_px
        return bool((at_caster & self._possible_casters(number)).any())
