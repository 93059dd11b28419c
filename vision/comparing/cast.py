"""Shadows of one lamp fall alike: what is dark beside a cube, as it is beside the others, is no black cube.

The looks see a place and what is about it, and some shadows are as dark and as square as a black cube that
lies beside another or under it. Beside the other cubes of the picture, at the same distance and in the same
direction, lie their shadows.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import cv2
import numpy as np
import numpy.typing as npt

from vision.finding.candidates import Candidate, Floats, share_of_floor
from vision.levels import floor_level, strongest
from vision.palette import Palette
from vision.pictures import Mask, Picture

_FROM, _TO = 0.003, 0.9999
"""Presence of black candidates that it can matter to."""
_CASTS = 0.9
"""Presence from which a cube casts a shadow."""
_ANYTHING = 0.05
"""Presence from which something may be seen instead of a shadow."""
_FREE_BESIDE, _FREE_UNDER = 0.95, 0.8
"""Edges about the place of a shadow in which nothing else lies."""
_ENOUGH = 2
"""Other shadows that have to tell."""
_FACE = 0.34
"""Edges: side of the square whose mean is a place's level."""
LEAST_FLOOR = 40.0
"""Level of the floor below which shadows hardly show."""

WITHIN = 1.6
"""Edges: no shadow's middle lies further from its cube."""
_SHADOW = 0.78
"""Share of the floor's level that shadows have at most."""
_DARKER, _LIGHTER = 0.25, 0.05
"""By how much of that the candidate's may differ from theirs: the darkest of them looks like a cube."""
_BESIDE = -2.5
"""Logits for a cube where the others' shadows are alike. Of 60 such places in 1,865 pictures 30 held a cube,
and all but one of those had 0.997 and more before; of 22 with 0.01 to 0.95 two did, where the looks expected
four. 260 pictures that had no part in this held one more that did."""

_RADII, _DIRECTIONS = (0.7, 0.85, 1.0), 16
"""Edges from a cube's centre: where what lies under it shows."""
_PLACES = 3
"""Free ones of them that have to tell."""
_DARK = 0.65
_SAME = 0.06
"""By how much of the floor's level the others' darkest may be brighter."""
_UNDER = -2.5
"""Logits for a cube under another, of which no darkness tells but what all have. Of 131 such places none had
one, where the looks expected six; of 22 black cubes that show under another none lies so."""


def without_cast(
    found: Sequence[Candidate], image: Picture, inside: Mask, palette: Palette
) -> list[Candidate]:
    """Of a (H, W, 3) picture under white light: black ones less probable that others' shadows explain.

    `inside`: (H, W), 1 on the floor.
    """
    if "black" not in palette.colours:
        return list(found)
    black = palette.colours.index("black")
    asked = [one for one in found if one.colour_index == black and _FROM < one.presence < _TO]
    cubes = [one for one in found if one.presence > _CASTS and not one.under]
    if not asked or len(cubes) <= _ENOUGH or floor_level(image) < LEAST_FLOOR:
        return list(found)
    shades = _Shades.of(found, cubes, strongest(image), inside)
    told = {one: shades.evidence(one) for one in asked}
    return [black_moved(one, black, told[one]) if told.get(one) else one for one in found]


def black_moved(one: Candidate, black: int, logits: float) -> Candidate:
    """Bayes: what speaks against a black cube leaves the odds of others to none as they are."""
    weights = np.array(one.shares) * one.presence
    weights[black] *= np.exp(logits)
    whole = float(weights.sum())
    return replace(one, presence=whole / (whole + 1 - one.presence), shares=tuple((weights / whole).tolist()))


@dataclass(frozen=True)
class _Shades:
    """How dark it is beside the M cubes of a picture."""

    levels: Mask
    """(H, W) of each pixel's strongest channel."""
    inside: Mask
    """(H, W), 1 on the floor."""
    edge_px: float
    """That the cubes share."""
    cubes: Floats
    """(M, 2) centres."""
    others: Floats
    """(N, 2) centres of all that may be seen."""

    @classmethod
    def of(
        cls, found: Sequence[Candidate], cubes: Sequence[Candidate], levels: Mask, inside: Mask
    ) -> "_Shades":
        return cls(
            levels,
            inside,
            float(np.median([one.edge_px for one in cubes])),
            np.array([one.centre_px for one in cubes]),
            np.array([one.centre_px for one in found if one.presence > _ANYTHING and not one.under]),
        )

    @cached_property
    def ring(self) -> Floats:
        """(M, P) of the floor's level at the places about each cube where what lies under it shows."""
        around = np.arange(_DIRECTIONS) * 2 * np.pi / _DIRECTIONS
        ring = np.stack([np.cos(around), np.sin(around)], axis=1)
        return self._shares(np.concatenate([ring * radius * self.edge_px for radius in _RADII]))

    def evidence(self, one: Candidate) -> float:
        """Logits that the shadows add to a black candidate's."""
        away = np.hypot(*(self.cubes - one.centre_px).T)
        if one.under:  # of a cube that is doubted itself nobody asks what makes the dark about it
            return _UNDER if away.min() == 0 and self._is_under_shadow(int(away.argmin())) else 0.0
        away[away == 0] = np.inf
        caster = int(away.argmin())
        if away[caster] > WITHIN * self.edge_px:
            return 0.0
        return _BESIDE if self._is_shadow(one.centre_px, caster) else 0.0

    def _is_shadow(self, place: tuple[float, float], caster: int) -> bool:
        """Whether at the other cubes, where this place lies beside its own, the floor is about as dark."""
        own = self._share(place)
        if own >= _SHADOW + _LIGHTER:  # lighter than any that would tell; it is dear to ask all cubes
            return False
        places = np.delete(self.cubes, caster, axis=0) + (place - self.cubes[caster])
        free = self._free(np.delete(self.cubes, caster, axis=0), places[:, None], _FREE_BESIDE)[:, 0]
        told = [self._share((x, y)) for x, y in places[free].tolist()]
        if len(told) < _ENOUGH or np.median(told) > _SHADOW:
            return False
        return bool(-_DARKER <= own - np.median(told) < _LIGHTER)

    def _share(self, place: tuple[float, float]) -> float:
        return share_of_floor(self.levels, place, self.edge_px)[0]

    def _is_under_shadow(self, cube: int) -> bool:
        """Whether the darkest about a cube is no darker than the darkest that the others have there."""
        own, others = self.ring[cube], np.delete(self.ring, cube, axis=0)
        told = ~np.isnan(own) & (np.count_nonzero(~np.isnan(others), axis=0) >= _ENOUGH)
        if np.count_nonzero(told) < _PLACES:
            return False
        darkest, common = own[told].min(), np.nanmedian(others[:, told], axis=0).min()
        return bool(darkest < _DARK and common - darkest < _SAME)

    def _shares(self, offsets: Floats) -> Floats:
        """(M, P) of the floor's level at P places beside each cube; not a number where something else is."""
        places = self.cubes[:, None] + offsets
        free = self._free(self.cubes, places, _FREE_UNDER)
        columns, rows = np.moveaxis(np.round(places[free]).astype(int), -1, 0)
        side = round(_FACE * self.edge_px) | 1
        levels = np.full(free.shape, np.nan)
        levels[free] = cv2.blur(self.levels, (side, side))[rows, columns]
        floors = [share_of_floor(self.levels, (x, y), self.edge_px)[1] for x, y in self.cubes.tolist()]
        return np.asarray(levels / np.maximum(1.0, floors)[:, None], np.float64)

    def _free(self, cubes: Floats, places: Floats, edges: float) -> npt.NDArray[np.bool_]:
        """(M, P) of the (M, P, 2) places beside M cubes whether they are floor on which nothing else lies."""
        across, down = (places[:, :, None, axis] - self.others[:, axis] for axis in (0, 1))
        near = across * across + down * down < (edges * self.edge_px) ** 2
        near &= ~(self.others == cubes[:, None]).all(axis=-1)[:, None]
        return np.asarray(on_floor(self.inside, places) & ~near.any(axis=-1), np.bool_)


def on_floor(inside: Mask, places: Floats) -> npt.NDArray[np.bool_]:
    """(…) which of the (…, 2) places in pixels lie where `inside`, (H, W), is not zero."""
    columns, rows = np.moveaxis(np.round(places).astype(int), -1, 0)
    height, width = inside.shape
    on = np.asarray((columns >= 0) & (columns < width) & (rows >= 0) & (rows < height), np.bool_)
    on[on] = inside[rows[on], columns[on]] > 0
    return on
