"""Where each cube of each colour is: supply, board, staged in front of the tower, tower, tray.

Every function returns a new ledger. The tower's contents are a belief; everything else can be seen.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from enum import StrEnum

from companion.tower.piles import Pile, minus, plus, shortfall, without_zeros


class Place(StrEnum):
    """Where a cube can be (B-18)."""

    SUPPLY = "supply"
    BOARD = "board"
    STAGED = "staged"
    """Taken up for an awaited throw, in front of the tower."""
    TOWER = "tower"
    TRAY = "tray"


@dataclass(frozen=True, slots=True)
class Ledger:
    """The number of cubes of each colour by place; `box` is the total of each colour."""

    box: Pile
    supply: Pile
    board: Pile = field(default_factory=dict)
    staged: Pile = field(default_factory=dict)
    tower: Pile = field(default_factory=dict)
    tray: Pile = field(default_factory=dict)
    certain: bool = True
    """False after the tower was knocked over, until it is opened and counted."""

    def at(self, place: Place) -> Pile:
        """Return the pile at a place."""
        piles = {
            Place.SUPPLY: self.supply,
            Place.BOARD: self.board,
            Place.STAGED: self.staged,
            Place.TOWER: self.tower,
            Place.TRAY: self.tray,
        }
        return piles[place]

    def most_inside(self) -> Pile:
        """Return the most of each colour that may be in the tower: after a knock, every unseen cube."""
        if self.certain:
            return self.tower
        return minus(self.box, plus(self.board, self.staged, self.tray))


def with_pile(ledger: Ledger, place: Place, pile: Pile) -> Ledger:
    """Return the ledger with the pile at one place replaced."""
    changed = without_zeros(pile)
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


def new_ledger(box: Pile) -> Ledger:
    """Return the ledger of a newly opened box: all cubes are in the supply."""
    return Ledger(box=without_zeros(box), supply=without_zeros(box))


def with_box(ledger: Ledger, box: Pile) -> Ledger:
    """Replace the box; the supply absorbs the difference."""
    outside = plus(ledger.board, ledger.staged, ledger.tower, ledger.tray)
    return replace(ledger, box=without_zeros(box), supply=minus(box, outside))


def move(ledger: Ledger, pile: Pile, source: Place, target: Place) -> Ledger:
    """Move cubes from one place to another."""
    without = with_pile(ledger, source, minus(ledger.at(source), pile))
    return with_pile(without, target, plus(without.at(target), pile))


def pile_to_throw(ledger: Ledger) -> Pile:
    """Return all that goes into the tower at the next throw: staged cubes and the tray (B-1)."""
    return plus(ledger.staged, ledger.tray)


def throw(ledger: Ledger, tray_after: Pile) -> Ledger:
    """Throw the staged cubes and the tray; `tray_after` is what lies in the tray at rest."""
    inside = plus(ledger.tower, pile_to_throw(ledger))
    return replace(ledger, staged={}, tower=minus(inside, tray_after), tray=without_zeros(tray_after))


def move_fallen(ledger: Ledger, fell: Pile) -> Ledger:
    """Move cubes that fell out between two throws to the tray, where they stay (B-2)."""
    return move(ledger, fell, Place.TOWER, Place.TRAY)


def add_inside(ledger: Ledger, more: Pile) -> Ledger:
    """Move cubes to the tower that were wrongly thought to be in the supply."""
    return move(ledger, more, Place.SUPPLY, Place.TOWER)


def mark_uncertain(ledger: Ledger) -> Ledger:
    """Mark the contents as unknown: the tower was knocked over or lent out."""
    return replace(ledger, certain=False)


def set_counted(ledger: Ledger, inside: Pile) -> Ledger:
    """Set the contents to what was counted in the opened tower; the supply absorbs the difference."""
    back = move(ledger, ledger.tower, Place.TOWER, Place.SUPPLY)
    return replace(move(back, inside, Place.SUPPLY, Place.TOWER), certain=True)


def missing_for(ledger: Ledger, tray_after: Pile) -> Pile:
    """Return the cubes in the tray that can neither have been thrown nor been inside."""
    return shortfall(tray_after, plus(ledger.tower, pile_to_throw(ledger)))


def faults(ledger: Ledger) -> list[str]:
    """Return everything that is wrong, one sentence each; empty if every colour adds up (X-1)."""
    return list(_find_faults(ledger))


def _find_faults(ledger: Ledger) -> Iterator[str]:
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
