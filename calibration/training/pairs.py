"""The truth of places: which cube each found, and which lies on or under that one. No torch in here."""

from collections.abc import Mapping, Sequence
from typing import Protocol

import numpy as np
import numpy.typing as npt

from calibration.synth.truth import COUNTED

_MATCH_REACH = 0.6
"""Maximum distance between a place and the cube it found, in cube edges."""
_NEIGHBOUR_REACH = 0.9
"""Maximum distance between a place and an unmatched cube that must then lie on or under the one it found, in
cube edges."""
BORDER = 0.02
"""Visible shares this near to `COUNTED` are not learned from: the truth itself could tip over."""
NOT_KNOWN = -1
STACK = 2
"""Class of places where this many cubes or more count. A picture cannot tell of cubes that show less."""

Floats = npt.NDArray[np.float32]


class Placed(Protocol):
    """Something with a position in the rectified picture."""

    @property
    def centre_px(self) -> tuple[float, float]:
        """x and y."""


def truth_of(found: Sequence[Placed], cubes: Floats) -> list[tuple[int, int, int]]:
    """Return for each place the number of cubes, the colours of the upper and the lower, as `Peaks.truth`.

    All are `NOT_KNOWN` if a cube there is too near the limit of being counted.
    """
    cube_of, second = pair_with_cubes(found, cubes)
    return [_truth_at([cubes[of[p]] for of in (cube_of, second) if p in of]) for p in range(len(found))]


def pair_with_cubes(found: Sequence[Placed], cubes: Floats) -> tuple[dict[int, int], dict[int, int]]:
    """Match N places to the (M, 6) cubes of a `Crop`; return the cube of each place, and its second cube.

    The nearest pairs match first; a cube left over lies on or under another, or belongs to no place.
    """
    pairs = sorted(
        (float(np.hypot(*(cube[:2] - peak.centre_px))), p, c)
        for p, peak in enumerate(found)
        for c, cube in enumerate(cubes)
    )
    cube_of: dict[int, int] = {}
    peak_of: dict[int, int] = {}
    for distance, p, c in pairs:
        if distance < _MATCH_REACH * float(cubes[c, 4]) and p not in cube_of and c not in peak_of:
            cube_of[p], peak_of[c] = c, p
    second: dict[int, int] = {}
    for c in sorted(range(len(cubes)), key=lambda c: float(cubes[c, 3])):
        place = None if c in peak_of else _find_sharing_place(c, cubes, pairs, cube_of, peak_of)
        if place is not None:
            second[place] = c  # the most visible one comes last and wins
    return cube_of, second


def _find_sharing_place(
    c: int,
    cubes: Floats,
    pairs: Sequence[tuple[float, int, int]],
    cube_of: Mapping[int, int],
    peak_of: Mapping[int, int],
) -> int | None:
    """Return the peak of the cube on or under this one, else the nearest in reach that found a cube."""
    covered = next((neighbour for neighbour, cube in enumerate(cubes) if int(cube[5]) == c), NOT_KNOWN)
    for neighbour in (int(cubes[c, 5]), covered):
        if neighbour in peak_of:
            return peak_of[neighbour]
    reach = _NEIGHBOUR_REACH * float(cubes[c, 4])
    return next((p for distance, p, of in pairs if of == c and distance < reach and p in cube_of), None)


def _truth_at(cubes: Sequence[Floats]) -> tuple[int, int, int]:
    if any(abs(float(cube[3]) - COUNTED) < BORDER for cube in cubes):
        return NOT_KNOWN, NOT_KNOWN, NOT_KNOWN
    colours = [int(cube[2]) for cube in cubes if cube[3] >= COUNTED]
    upper, under, *_ = [*colours, NOT_KNOWN, NOT_KNOWN]
    return len(colours), upper, under
