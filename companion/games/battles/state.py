"""What is known of a table of battles: provinces, supplies, tower, tray, the throw that is awaited."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from companion.games.protocol import Colour, Counts

FARMERS = Colour("green")
COLOURS = tuple(Colour(name) for name in ("red", "blue", "yellow", "black", "purple", "green"))
PLAYERS = COLOURS[:-1]
CUBES_A_PLAYER = 62
FARMER_CUBES = 20


class Outcome(StrEnum):
    """Who has the province after a battle."""

    ATTACKER = "attacker"
    DEFENDER = "defender"
    UNDECIDED = "undecided"
    """Equal, or the defender ahead by farmers alone (B-10, B-11): the province is cleared."""
    NEUTRAL = "neutral"
    """A neutral province withstood (B-16)."""


@dataclass(frozen=True, slots=True)
class Province:
    """One province; without an owner it is neutral and holds nothing (X-3)."""

    name: str
    owner: Colour | None
    armies: int
    markers: int = 0


@dataclass(frozen=True, slots=True)
class Battle:
    """Declared; its cubes stand before the tower."""

    province: str
    attacker: Colour
    defender: Colour | None
    """None: the province is neutral, farmers defend it (B-3)."""
    attackers: int
    defenders: int


@dataclass(frozen=True, slots=True)
class Settled:
    """What a throw decided: B-7 to B-16 in numbers."""

    battle: Battle
    thrown: Counts
    """From the table and from the tray, together."""
    tray: Counts
    """What lay there when all was at rest."""
    outcome: Outcome
    farmers_helped: bool
    """Whether farmers counted, and there were some."""
    owner: Colour | None
    armies: int
    returned: Counts
    stays: Counts


@dataclass(frozen=True, slots=True)
class State:
    """One table. Every colour: supply + provinces + before the tower + tower + tray is constant (X-1)."""

    players: tuple[Colour, ...]
    provinces: Mapping[str, Province]
    supply: Counts
    tower: Counts
    tray: Counts
    battle: Battle | None = None
    last: Settled | None = None
    ready: Counts = field(default_factory=dict)
    """Cubes before the tower, taken from provinces and supplies."""


def box(colour: Colour) -> int:
    """How many cubes of a colour there are."""
    return FARMER_CUBES if colour == FARMERS else CUBES_A_PLAYER


def held(state: State, colour: Colour) -> int:
    """Cubes of a colour that the ledger knows of, wherever they are; equals `box(colour)`."""
    on_board = sum(p.armies for p in state.provinces.values() if p.owner == colour)
    places = (state.supply, state.tower, state.tray, state.ready)
    return on_board + sum(place.get(colour, 0) for place in places)


def plus(a: Counts, b: Counts, sign: int = 1) -> dict[Colour, int]:
    """Sum (or difference) of two piles; every colour of the box is in it."""
    return {colour: a.get(colour, 0) + sign * b.get(colour, 0) for colour in COLOURS}


def some(counts: Counts) -> dict[Colour, int]:
    """Without the zeros: how piles are written into events."""
    return {colour: number for colour, number in counts.items() if number}
