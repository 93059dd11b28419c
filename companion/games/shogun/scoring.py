"""The points of a winter (section V), region by region, and the winners (T-10)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from companion.games.protocol import Colour
from companion.games.shogun import facts
from companion.games.shogun.state import Province
from companion.games.shogun.words import Building, Side


@dataclass(frozen=True, slots=True)
class Gain:
    """The points from one rule in one region; `counts` are the numbers compared, `points` the result."""

    rule: str
    counts: Mapping[Colour, int] = field(default_factory=dict)
    points: Mapping[Colour, int] = field(default_factory=dict)
    kind: Building | None = None


@dataclass(frozen=True, slots=True)
class RegionScore:
    """The points of a region in counting order: provinces, buildings, then each majority."""

    region: str
    provinces: tuple[str, ...]
    gains: tuple[Gain, ...]


@dataclass(frozen=True, slots=True)
class Points:
    """The points each player gains in a winter; `majorities` is the part from V-3 and V-4."""

    gained: Mapping[Colour, int]
    majorities: Mapping[Colour, int]


def regions(provinces: Mapping[str, Province], side: Side) -> tuple[RegionScore, ...]:
    """Return every point of a winter with its rule, region by region."""
    return tuple(_score_region(provinces, side, region) for region in facts.REGIONS)


def score(provinces: Mapping[str, Province], side: Side, seats: tuple[Colour, ...]) -> Points:
    """Return the points of each seat: 1 per province, 1 per building, and the majorities of each region."""
    gains = [gain for region in regions(provinces, side) for gain in region.gains]
    majorities = [gain for gain in gains if gain.kind is not None]
    return Points(_points_by_seat(gains, seats), _points_by_seat(majorities, seats))


def _points_by_seat(gains: Iterable[Gain], seats: tuple[Colour, ...]) -> dict[Colour, int]:
    total = dict.fromkeys(seats, 0)
    for gain in gains:
        for seat, points in gain.points.items():
            total[seat] += points
    return total


def _score_region(provinces: Mapping[str, Province], side: Side, region: str) -> RegionScore:
    in_region = {key: p for key, p in provinces.items() if facts.CARDS[key].region[side] == region}
    owned = [province for province in in_region.values() if province.owner]
    held = _count_by_seat((p.owner, 1) for p in owned)
    built = _count_by_seat((p.owner, len(p.buildings)) for p in owned)
    majorities = tuple(_majority_gain(owned, kind) for kind in Building)
    gains = (Gain("V-1", held, held), Gain("V-2", built, built), *majorities)
    return RegionScore(region, tuple(in_region), gains)


def _majority_gain(owned: Iterable[Province], kind: Building) -> Gain:
    """Return the points for most buildings of a kind in a region; tied players get 1 less each (V-3, V-4)."""
    counts = _count_by_seat((p.owner, 1) for p in owned if kind in p.buildings)
    if not counts:
        return Gain("V-5", kind=kind)
    best = [seat for seat, number in counts.items() if number == max(counts.values())]
    value = facts.MAJORITY[kind] - (1 if len(best) > 1 else 0)
    return Gain("V-4" if len(best) > 1 else "V-3", counts, dict.fromkeys(best, value), kind)


def _count_by_seat(pairs: Iterable[tuple[Colour | None, int]]) -> dict[Colour, int]:
    counts: dict[Colour, int] = {}
    for seat, number in pairs:
        if seat and number:
            counts[seat] = counts.get(seat, 0) + number
    return counts


def winners(points: Mapping[Colour, int], chests: Mapping[Colour, int]) -> tuple[Colour, ...]:
    """Return the players with most points, then most chests; the rest of a tie is shared (T-10, R-13)."""
    best = max((points[seat], chests[seat]) for seat in points)
    return tuple(sorted(seat for seat in points if (points[seat], chests[seat]) == best))
