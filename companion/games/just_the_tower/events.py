"""Facts: what happened, with all that is needed to know the state afterwards."""

from dataclasses import dataclass
from typing import TypeAlias

from companion.tower.piles import Pile


@dataclass(frozen=True, slots=True)
class BoxOpened:
    """The cubes there are, and those already inside."""

    box: Pile
    tower: Pile


@dataclass(frozen=True, slots=True)
class Staged:
    """A throw is awaited."""

    cubes: Pile


@dataclass(frozen=True, slots=True)
class CalledOff:
    """It was not thrown."""


@dataclass(frozen=True, slots=True)
class MoreInside:
    """More was inside than believed."""

    more: Pile


@dataclass(frozen=True, slots=True)
class Settled:
    """What went in and what came out."""

    thrown: Pile
    tray: Pile


@dataclass(frozen=True, slots=True)
class TakenOut:
    """Cubes back in the supply."""

    cubes: Pile


@dataclass(frozen=True, slots=True)
class FellOut:
    """An accident."""

    fell: Pile


@dataclass(frozen=True, slots=True)
class Counted:
    """What is inside, seen."""

    inside: Pile


@dataclass(frozen=True, slots=True)
class BoxCorrected:
    """The cubes there are, put right."""

    box: Pile


Event: TypeAlias = (
    BoxOpened | Staged | CalledOff | MoreInside | Settled | TakenOut | FellOut | Counted | BoxCorrected
)
