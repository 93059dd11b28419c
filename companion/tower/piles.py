"""Piles of cubes: a number for each colour, without zeros."""

from collections.abc import Mapping
from typing import NewType

Colour = NewType("Colour", str)
Pile = Mapping[Colour, int]


def without_zeros(pile: Pile) -> dict[Colour, int]:
    """Return the pile without zeros, so that equal piles compare equal."""
    return {colour: number for colour, number in pile.items() if number}


def plus(*piles: Pile) -> dict[Colour, int]:
    """Return the sum of the piles."""
    heap: dict[Colour, int] = {}
    for pile in piles:
        for colour, number in pile.items():
            heap[colour] = heap.get(colour, 0) + number
    return without_zeros(heap)


def minus(pile: Pile, taken: Pile) -> dict[Colour, int]:
    """Return what is left; negative where more was taken than there was."""
    return plus(pile, {colour: -number for colour, number in taken.items()})


def shortfall(wanted: Pile, there: Pile) -> dict[Colour, int]:
    """Return what is wanted but not there."""
    return {c: n - there.get(c, 0) for c, n in wanted.items() if n > there.get(c, 0)}


def total(pile: Pile) -> int:
    """Return the number of cubes of all colours together."""
    return sum(pile.values())


def in_words(pile: Pile) -> str:
    """Return the pile in words: '3 blue, 1 green', or 'nothing'."""
    return ", ".join(f"{number} {colour}" for colour, number in pile.items() if number) or "nothing"
