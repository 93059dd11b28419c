"""Reproducible shuffling: a seed and a draw number give the same order on every machine."""

from collections.abc import Iterable
from hashlib import sha256
from typing import TypeVar

Item = TypeVar("Item")


def shuffled(items: Iterable[Item], seed: int, draw: int) -> tuple[Item, ...]:
    """Return all items in an order that cannot be predicted without the seed."""
    return tuple(sorted(items, key=lambda item: sha256(f"{seed}:{draw}:{item}".encode()).digest()))
