"""Shadows of one lamp fall alike: what is as dark beside a cube as beside the others is no black cube.

The looks see a place and its surroundings, and some shadows are as dark and as square as a black cube beside
or under another. The other cubes of the picture have their shadows at the same distance and in the same
direction.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import cv2
import numpy as np
import numpy.typing as npt

from vision.finding.candidates import Candidate, Floats, share_of_floor
from vision.levels import floor_level, strongest_channel
from vision.palette import Palette
from vision.pictures import Mask, Picture

_EXAMINED_FROM, _EXAMINED_TO = 0.003, 0.9999
"""Range of presence in which black candidates are examined."""
_CASTS = 0.9
"""Presence above which a cube is taken to cast a shadow."""
_ANYTHING = 0.05
"""Presence above which something may be seen there instead of a shadow."""
_FREE_BESIDE, _FREE_UNDER = 0.95, 0.8
"""Radius about the place of a shadow, in edges, in which nothing else may lie."""
_ENOUGH = 2
"""Least number of other shadows needed as evidence."""
_FACE = 0.34
"""Side, in edges, of the square whose mean is the level of a place."""
LEAST_FLOOR = 40.0
"""Level of the floor below which shadows hardly show."""

WITHIN = 1.6
"""Greatest distance, in edges, from a shadow's middle to its cube."""
_SHADOW = 0.78
"""Highest level of a shadow, as a share of the floor's."""
_DARKER, _LIGHTER = 0.25, 0.05
"""How much darker or lighter the candidate may be than those shadows, in the same share: the darkest of them
looks like a cube."""
_LOGITS_BESIDE = -2.5
"""Logits added for a cube if the others' shadows are alike. Of 60 such places in 1,865 pictures 30 held a
cube, and all but one of those had had 0.997 and more; of 22 with 0.01 to 0.95 two did, where the looks
expected four. 260 pictures that had no part in this held one more that did."""

_RADII, _DIRECTIONS = (0.7, 0.85, 1.0), 16
"""Distances from a cube's centre, in edges, and number of directions in which a cube under it would show."""
_PLACES = 3
"""Least number of free places among them that is needed."""
_DARK = 0.65
_SAME = 0.06
"""How much brighter the others' darkest place may be, as a share of the floor's level."""
_LOGITS_UNDER = -2.5
"""Logits added for a cube under another if it is no darker there than about the other cubes. Of 131 such
places none had one, where the looks expected six; none of 22 black cubes that show under another is at such a
place."""


def without_cast(
    found: Sequence[Candidate], image: Picture, inside: Mask, palette: Palette
) -> list[Candidate]:
    """Make black candidates of a (H, W, 3) picture under white light less probable if shadows explain them.

    `inside`: (H, W), 1 on the floor.
    """
    if "black" not in palette.colours:
        return list(found)
    black = palette.colours.index("black")
    examined = [
        one for one in found if one.colour_index == black and _EXAMINED_FROM < one.presence < _EXAMINED_TO
    ]
    cubes = [one for one in found if one.presence > _CASTS and not one.under]
    if not examined or len(cubes) <= _ENOUGH or floor_level(image) < LEAST_FLOOR:
        return list(found)
    shades = _Shades.of(found, cubes, strongest_channel(image), inside)
    logits = {one: shades.evidence(one) for one in examined}
    return [add_black_logits(one, black, logits[one]) if logits.get(one) else one for one in found]


def add_black_logits(candidate: Candidate, black: int, logits: float) -> Candidate:
    """Apply logits for a black cube (Bayes); the odds of the other colours to no cube are kept."""
    weights = np.array(candidate.shares) * candidate.presence
    weights[black] *= np.exp(logits)
    total = float(weights.sum())
    return replace(
        candidate, presence=total / (total + 1 - candidate.presence), shares=tuple((weights / total).tolist())
    )


@dataclass(frozen=True)
class _Shades:
    """How dark it is about the M cubes of a picture."""

    levels: Mask
    """(H, W) level of each pixel's strongest channel."""
    inside: Mask
    """(H, W), 1 on the floor."""
    edge_px: float
    """The edge that the cubes share."""
    cubes: Floats
    """(M, 2) centres."""
    obstacles: Floats
    """(N, 2) centres of everything that may be seen."""

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
    def ring_levels(self) -> Floats:
        """(M, P) levels, as shares of the floor's, about each cube where one under it would show."""
        around = np.arange(_DIRECTIONS) * 2 * np.pi / _DIRECTIONS
        directions = np.stack([np.cos(around), np.sin(around)], axis=1)
        return self._level_shares(np.concatenate([directions * radius * self.edge_px for radius in _RADII]))

    def evidence(self, candidate: Candidate) -> float:
        """Return the logits that the shadows add to a black candidate's."""
        distances = np.hypot(*(self.cubes - candidate.centre_px).T)
        if candidate.under:
            # If the upper cube is itself in doubt, what darkens its surroundings is not examined.
            return (
                _LOGITS_UNDER
                if distances.min() == 0 and self._is_under_shadow(int(distances.argmin()))
                else 0.0
            )
        distances[distances == 0] = np.inf
        caster = int(distances.argmin())
        if distances[caster] > WITHIN * self.edge_px:
            return 0.0
        return _LOGITS_BESIDE if self._is_shadow(candidate.centre_px, caster) else 0.0

    def _is_shadow(self, place: tuple[float, float], caster: int) -> bool:
        """Return whether it is about as dark at the same place beside the other cubes."""
        level = self._level_share(place)
        if level >= _SHADOW + _LIGHTER:  # lighter than any that would count; asking all cubes is expensive
            return False
        places = np.delete(self.cubes, caster, axis=0) + (place - self.cubes[caster])
        free = self._are_free(np.delete(self.cubes, caster, axis=0), places[:, None], _FREE_BESIDE)[:, 0]
        levels = [self._level_share((x, y)) for x, y in places[free].tolist()]
        if len(levels) < _ENOUGH or np.median(levels) > _SHADOW:
            return False
        return bool(-_DARKER <= level - np.median(levels) < _LIGHTER)

    def _level_share(self, place: tuple[float, float]) -> float:
        return share_of_floor(self.levels, place, self.edge_px)[0]

    def _is_under_shadow(self, cube: int) -> bool:
        """Return whether the darkest place about a cube is no darker than the others' darkest there."""
        own_ring, other_rings = self.ring_levels[cube], np.delete(self.ring_levels, cube, axis=0)
        comparable = ~np.isnan(own_ring) & (np.count_nonzero(~np.isnan(other_rings), axis=0) >= _ENOUGH)
        if np.count_nonzero(comparable) < _PLACES:
            return False
        darkest, common = own_ring[comparable].min(), np.nanmedian(other_rings[:, comparable], axis=0).min()
        return bool(darkest < _DARK and common - darkest < _SAME)

    def _level_shares(self, offsets: Floats) -> Floats:
        """Return (M, P) shares of the floor's level at P offsets from each cube; NaN if not free."""
        places = self.cubes[:, None] + offsets
        free = self._are_free(self.cubes, places, _FREE_UNDER)
        columns, rows = np.moveaxis(np.round(places[free]).astype(int), -1, 0)
        side = round(_FACE * self.edge_px) | 1
        levels = np.full(free.shape, np.nan)
        levels[free] = cv2.blur(self.levels, (side, side))[rows, columns]
        floors = [share_of_floor(self.levels, (x, y), self.edge_px)[1] for x, y in self.cubes.tolist()]
        return np.asarray(levels / np.maximum(1.0, floors)[:, None], np.float64)

    def _are_free(self, cubes: Floats, places: Floats, edges: float) -> npt.NDArray[np.bool_]:
        """Return the (M, P) mask of the (M, P, 2) places about M cubes that are bare floor."""
        across, down = (places[:, :, None, axis] - self.obstacles[:, axis] for axis in (0, 1))
        near = across * across + down * down < (edges * self.edge_px) ** 2
        near &= ~(self.obstacles == cubes[:, None]).all(axis=-1)[:, None]
        return np.asarray(on_floor(self.inside, places) & ~near.any(axis=-1), np.bool_)


def on_floor(inside: Mask, places: Floats) -> npt.NDArray[np.bool_]:
    """Return the (…) mask of the (…, 2) places in pixels at which `inside`, (H, W), is not zero."""
    columns, rows = np.moveaxis(np.round(places).astype(int), -1, 0)
    height, width = inside.shape
    mask = np.asarray((columns >= 0) & (columns < width) & (rows >= 0) & (rows < height), np.bool_)
    mask[mask] = inside[rows[mask], columns[mask]] > 0
    return mask
