"""Piles of cubes: a number for each colour, never a zero written down."""

from collections.abc import Mapping
from typing import NewType

Colour = NewType("Colour", str)
Pile = Mapping[Colour, int]


def some(pile: Pile) -> dict[Colour, int]:
    """Without the zeros, so that equal piles are equal."""
    return {colour: number for colour, number in pile.items() if number}


def plus(*piles: Pile) -> dict[Colour, int]:
    """All of them on one heap."""
    heap: dict[Colour, int] = {}
    for pile in piles:
        for colour, number in pile.items():
            heap[colour] = heap.get(colour, 0) + number
    return some(heap)


def minus(pile: Pile, taken: Pile) -> dict[Colour, int]:
    """What is left; below zero where more was taken than there was."""
    return plus(pile, {colour: -number for colour, number in taken.items()})


def lacking(wanted: Pile, there: Pile) -> dict[Colour, int]:
    """What is wanted and not there."""
    return {c: n - there.get(c, 0) for c, n in wanted.items() if n > there.get(c, 0)}


def total(pile: Pile) -> int:
    """Cubes of all colours together."""
    return sum(pile.values())


def words(pile: Pile) -> str:
    """As a sentence says it: '3 blue, 1 green', or 'nothing'."""
    return ", ".join(f"{number} {colour}" for colour, number in pile.items() if number) or "nothing"
