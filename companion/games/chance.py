"""Chance that was handed in: a seed and the number of the draw give an order, the same on every machine."""

from collections.abc import Iterable
from hashlib import sha256
from typing import TypeVar

Item = TypeVar("Item")


def shuffled(items: Iterable[Item], seed: int, draw: int) -> tuple[Item, ...]:
    """All items in an order that nobody knows who does not know the seed."""
    return tuple(sorted(items, key=lambda item: sha256(f"{seed}:{draw}:{item}".encode()).digest()))
