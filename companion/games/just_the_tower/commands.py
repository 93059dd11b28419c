"""The commands the table may give."""

from dataclasses import dataclass
from typing import TypeAlias

from companion.tower.piles import Pile


@dataclass(frozen=True, slots=True)
class Throw:
    """Throw these cubes, together with everything in the tray."""

    cubes: Pile


@dataclass(frozen=True, slots=True)
class CallOff:
    """Cancel the awaited throw: nothing was thrown."""


@dataclass(frozen=True, slots=True)
class Settle:
    """Report what lies in the tray; `insist` accepts more cubes than the ledger thought were inside."""

    tray: Pile
    insist: str = ""


@dataclass(frozen=True, slots=True)
class TakeOut:
    """Move cubes from the tray to the supply."""

    cubes: Pile


@dataclass(frozen=True, slots=True)
class Accident:
    """Report cubes that fell out between throws; `insist` accepts more than the ledger thought inside."""

    fell: Pile
    insist: str = ""


@dataclass(frozen=True, slots=True)
class CountTower:
    """Report the contents of the tower after opening and counting it."""

    inside: Pile


@dataclass(frozen=True, slots=True)
class CorrectBox:
    """Correct the contents of the box given when the table was opened."""

    box: Pile


Command: TypeAlias = Throw | CallOff | Settle | TakeOut | Accident | CountTower | CorrectBox
