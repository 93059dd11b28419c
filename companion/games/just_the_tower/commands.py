"""What the table may ask for."""

from dataclasses import dataclass
from typing import TypeAlias

from companion.tower.piles import Pile


@dataclass(frozen=True, slots=True)
class Throw:
    """These cubes are thrown, with all that lies in the tray."""

    cubes: Pile


@dataclass(frozen=True, slots=True)
class CallOff:
    """Nothing was thrown."""


@dataclass(frozen=True, slots=True)
class Settle:
    """What lies in the tray; `insist` accepts more than the ledger thought to be inside."""

    tray: Pile
    insist: str = ""


@dataclass(frozen=True, slots=True)
class TakeOut:
    """Cubes leave the tray for the supply."""

    cubes: Pile


@dataclass(frozen=True, slots=True)
class Accident:
    """Cubes fell out between two throws; `insist` accepts more than the ledger thought to be inside."""

    fell: Pile
    insist: str = ""


@dataclass(frozen=True, slots=True)
class CountTower:
    """The tower was opened and counted."""

    inside: Pile


@dataclass(frozen=True, slots=True)
class CorrectBox:
    """The box holds other cubes than was said as the table began."""

    box: Pile


Command: TypeAlias = Throw | CallOff | Settle | TakeOut | Accident | CountTower | CorrectBox
