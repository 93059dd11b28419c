"""Where each cube of each colour is: supply, board, before the tower, tower, tray.

Every function answers with a new ledger. What is in the tower is a belief, the rest can be seen.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from enum import StrEnum

from companion.tower.piles import Pile, lacking, minus, plus, some


class Place(StrEnum):
    """Where a cube can be (B-18)."""

    SUPPLY = "supply"
    BOARD = "board"
    STAGED = "staged"
    """Taken up for a throw that is awaited: it stands before the tower."""
    TOWER = "tower"
    TRAY = "tray"


@dataclass(frozen=True, slots=True)
class Ledger:
    """Each colour's cubes, place by place; `box` is how many there are of each."""

    box: Pile
    supply: Pile
    board: Pile = field(default_factory=dict)
    staged: Pile = field(default_factory=dict)
    tower: Pile = field(default_factory=dict)
    tray: Pile = field(default_factory=dict)
    certain: bool = True
    """False after the tower was knocked, until it is opened and counted: the belief is void."""

    def at(self, place: Place) -> Pile:
        """The pile at a place."""
        piles = {
            Place.SUPPLY: self.supply,
            Place.BOARD: self.board,
            Place.STAGED: self.staged,
            Place.TOWER: self.tower,
            Place.TRAY: self.tray,
        }
        return piles[place]

    def inside(self) -> Pile:
        """The most of each colour that may be in the tower; all that cannot be seen once it was knocked."""
        if self.certain:
            return self.tower
        return minus(self.box, plus(self.board, self.staged, self.tray))


def with_pile(ledger: Ledger, place: Place, pile: Pile) -> Ledger:
    """The ledger with another pile at a place."""
    changed = some(pile)
    match place:
        case Place.SUPPLY:
            return replace(ledger, supply=changed)
        case Place.BOARD:
            return replace(ledger, board=changed)
        case Place.STAGED:
            return replace(ledger, staged=changed)
        case Place.TOWER:
            return replace(ledger, tower=changed)
        case Place.TRAY:
            return replace(ledger, tray=changed)


def opened(box: Pile) -> Ledger:
    """A fresh box: all cubes in the supply."""
    return Ledger(box=some(box), supply=some(box))


def with_box(ledger: Ledger, box: Pile) -> Ledger:
    """Another box: the supply makes up the difference."""
    away = plus(ledger.board, ledger.staged, ledger.tower, ledger.tray)
    return replace(ledger, box=some(box), supply=minus(box, away))


def move(ledger: Ledger, pile: Pile, source: Place, target: Place) -> Ledger:
    """Cubes go from one place to another."""
    without = with_pile(ledger, source, minus(ledger.at(source), pile))
    return with_pile(without, target, plus(without.at(target), pile))


def thrown(ledger: Ledger) -> Pile:
    """All that goes into the tower at the next throw: what is staged and what lies in the tray (B-1)."""
    return plus(ledger.staged, ledger.tray)


def throw(ledger: Ledger, tray_after: Pile) -> Ledger:
    """Staged cubes and the tray went in; this is what lies in the tray when all is at rest."""
    held = plus(ledger.tower, thrown(ledger))
    return replace(ledger, staged={}, tower=minus(held, tray_after), tray=some(tray_after))


def fell_out(ledger: Ledger, fell: Pile) -> Ledger:
    """An accident between two throws: the cubes stay in the tray (B-2)."""
    return move(ledger, fell, Place.TOWER, Place.TRAY)


def more_inside(ledger: Ledger, more: Pile) -> Ledger:
    """More was inside than believed; the cubes were wrongly thought to be in the supply."""
    return move(ledger, more, Place.SUPPLY, Place.TOWER)


def knocked(ledger: Ledger) -> Ledger:
    """The tower was knocked over or lent out: what is inside is no longer known."""
    return replace(ledger, certain=False)


def counted(ledger: Ledger, inside: Pile) -> Ledger:
    """The tower was opened and counted: the supply makes up the difference."""
    back = move(ledger, ledger.tower, Place.TOWER, Place.SUPPLY)
    return replace(move(back, inside, Place.SUPPLY, Place.TOWER), certain=True)


def missing_for(ledger: Ledger, tray_after: Pile) -> Pile:
    """What lies in the tray although it can neither have been thrown nor been inside."""
    return lacking(tray_after, plus(ledger.tower, thrown(ledger)))


def faults(ledger: Ledger) -> list[str]:
    """Everything that is wrong, one sentence each; empty when each colour adds up (X-1)."""
    return list(_faults(ledger))


def _faults(ledger: Ledger) -> Iterator[str]:
    for place in Place:
        for colour, number in ledger.at(place).items():
            if number < 0:
                yield f"{number} {colour} cubes in the {place}."
            if colour not in ledger.box:
                yield f"There are no {colour} cubes in the box, but {number} in the {place}."
    found = plus(*(ledger.at(place) for place in Place))
    for colour, number in ledger.box.items():
        if found.get(colour, 0) != number:
            yield f"{found.get(colour, 0)} {colour} cubes are accounted for, {number} are in the box."
