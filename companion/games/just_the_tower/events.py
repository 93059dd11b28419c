"""Events: what happened, with everything needed to derive the next state."""

from dataclasses import dataclass
from typing import TypeAlias

from companion.tower.piles import Pile


@dataclass(frozen=True, slots=True)
class BoxOpened:
    """The table was opened with these cubes in the box, some of them already in the tower."""

    box: Pile
    tower: Pile


@dataclass(frozen=True, slots=True)
class Staged:
    """A throw is awaited."""

    cubes: Pile


@dataclass(frozen=True, slots=True)
class CalledOff:
    """The awaited throw was cancelled."""


@dataclass(frozen=True, slots=True)
class MoreInside:
    """The tower held more cubes than the ledger believed."""

    more: Pile


@dataclass(frozen=True, slots=True)
class Settled:
    """A throw was read: what went in and what came out."""

    thrown: Pile
    tray: Pile


@dataclass(frozen=True, slots=True)
class TakenOut:
    """Cubes went from the tray back to the supply."""

    cubes: Pile


@dataclass(frozen=True, slots=True)
class FellOut:
    """Cubes fell out of the tower between two throws."""

    fell: Pile


@dataclass(frozen=True, slots=True)
class Counted:
    """The tower was opened and its contents counted."""

    inside: Pile


@dataclass(frozen=True, slots=True)
class BoxCorrected:
    """The contents of the box were corrected."""

    box: Pile


Event: TypeAlias = (
    BoxOpened | Staged | CalledOff | MoreInside | Settled | TakenOut | FellOut | Counted | BoxCorrected
)
