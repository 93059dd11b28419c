"""Which cube each place found, and which lies on or under that one: the truth of places. No torch in here."""

from collections.abc import Mapping, Sequence
from typing import Protocol

import numpy as np
import numpy.typing as npt

from calibration.synth.truth import COUNTED

_NEAR = 0.6
"""Edges between a place and the cube that it found."""
_BESIDE = 0.9
"""Edges between a place and a cube left over that can only lie on or under the one that it found."""
BORDER = 0.02
"""Shares this near to `COUNTED` teach nothing: the truth itself could tip over."""
NOT_KNOWN = -1
STACK = 2
"""Cubes at a place that count: this or more. Of a cube of which less can be seen a picture cannot tell."""

Floats = npt.NDArray[np.float32]


class Placed(Protocol):
    """Something at a place of the rectified picture."""

    @property
    def centre_px(self) -> tuple[float, float]:
        """Across and down."""


def truth_of(found: Sequence[Placed], cubes: Floats) -> list[tuple[int, int, int]]:
    """Of each place: the number of cubes, colour of the upper, of the lower, as `Peaks.truth`.

    The number is `NOT_KNOWN` where a cube all but counts.
    """
    cube_of, second = paired(found, cubes)
    return [_told([cubes[of[p]] for of in (cube_of, second) if p in of]) for p in range(len(found))]


def paired(found: Sequence[Placed], cubes: Floats) -> tuple[dict[int, int], dict[int, int]]:
    """Of N places and the (M, 6) cubes of a `Crop`: which cube each place found, and which second one.

    The nearest pairs first; what is left over lies on or under another, or beside no place at all.
    """
    pairs = sorted(
        (float(np.hypot(*(cube[:2] - peak.centre_px))), p, c)
        for p, peak in enumerate(found)
        for c, cube in enumerate(cubes)
    )
    cube_of: dict[int, int] = {}
    peak_of: dict[int, int] = {}
    for away, p, c in pairs:
        if away < _NEAR * float(cubes[c, 4]) and p not in cube_of and c not in peak_of:
            cube_of[p], peak_of[c] = c, p
    second: dict[int, int] = {}
    for c in sorted(range(len(cubes)), key=lambda c: float(cubes[c, 3])):
        at = None if c in peak_of else _shared(c, cubes, pairs, cube_of, peak_of)
        if at is not None:
            second[at] = c  # the one that shows most comes last
    return cube_of, second


def _shared(
    c: int,
    cubes: Floats,
    pairs: Sequence[tuple[float, int, int]],
    cube_of: Mapping[int, int],
    peak_of: Mapping[int, int],
) -> int | None:
    """The peak of the cube that lies on this one, or under it; else the nearest that found a cube."""
    under = next((other for other, cube in enumerate(cubes) if int(cube[5]) == c), NOT_KNOWN)
    for other in (int(cubes[c, 5]), under):
        if other in peak_of:
            return peak_of[other]
    reach = _BESIDE * float(cubes[c, 4])
    return next((p for away, p, of in pairs if of == c and away < reach and p in cube_of), None)


def _told(here: Sequence[Floats]) -> tuple[int, int, int]:
    if any(abs(float(cube[3]) - COUNTED) < BORDER for cube in here):
        return NOT_KNOWN, NOT_KNOWN, NOT_KNOWN
    colours = [int(cube[2]) for cube in here if cube[3] >= COUNTED]
    upper, under, *_ = [*colours, NOT_KNOWN, NOT_KNOWN]
    return len(colours), upper, under
