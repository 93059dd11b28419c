"""Points of a winter (section V) and who wins (T-10)."""

from collections.abc import Mapping
from dataclasses import dataclass

from companion.games.protocol import Colour
from companion.games.shogun import facts
from companion.games.shogun.state import Province
from companion.games.shogun.words import Building, Side


@dataclass(frozen=True, slots=True)
class Points:
    """What a winter brings a player; `majorities` is the part from V-3."""

    gained: Mapping[Colour, int]
    majorities: Mapping[Colour, int]


def score(provinces: Mapping[str, Province], side: Side, seats: tuple[Colour, ...]) -> Points:
    """1 a province, 1 a building, and the majorities of each region."""
    gained = dict.fromkeys(seats, 0)
    most = dict.fromkeys(seats, 0)
    for province in provinces.values():
        if province.owner in gained:
            gained[province.owner] += 1 + len(province.buildings)  # V-1, V-2
    for region in facts.REGIONS:
        for kind in Building:
            for seat, points in _majority(provinces, side, region, kind).items():
                most[seat] += points
    return Points({seat: gained[seat] + most[seat] for seat in seats}, most)


def _majority(
    provinces: Mapping[str, Province], side: Side, region: str, kind: Building
) -> dict[Colour, int]:
    """Most of a kind in a region; equal players get 1 less each (V-3, V-4)."""
    counted: dict[Colour, int] = {}
    for key, province in provinces.items():
        if province.owner and kind in province.buildings and facts.CARDS[key].region[side] == region:
            counted[province.owner] = counted.get(province.owner, 0) + 1
    if not counted:
        return {}  # V-5
    best = [seat for seat, number in counted.items() if number == max(counted.values())]
    value = facts.MAJORITY[kind] - (1 if len(best) > 1 else 0)
    return dict.fromkeys(best, value)


def winners(points: Mapping[Colour, int], chests: Mapping[Colour, int]) -> tuple[Colour, ...]:
    """Most points, then most chests; still equal: shared (T-10, R-13)."""
    best = max((points[seat], chests[seat]) for seat in points)
    return tuple(sorted(seat for seat in points if (points[seat], chests[seat]) == best))
