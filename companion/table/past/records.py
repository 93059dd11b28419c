"""The table's own records as other rooms rely on them: what a file from elsewhere has to comply with."""

from collections.abc import Mapping
from types import NoneType
from typing import Any

_PILES = ("from_table", "from_tray", "possible", "accepted")
_WEIGHED = ("mass_mg", "cubes", "sure", "steps")
_MOST = 10_000
"""Most cubes of a colour: far above any box."""
_MOST_MG = 1_000_000_000
"""Heaviest tray, a ton: above it spreadsheets cannot hold the number."""


def check_record(record: Mapping[str, Any]) -> None:
    """Raise ValueError or KeyError for a record that no Tenshu wrote: log, statistics and pages trust it."""
    piles = [record[name] for name in _PILES]
    if not all(map(_is_pile, piles)) or not (record["seen"] is None or _is_pile(record["seen"])):
        raise ValueError("cubes by colour")
    if not isinstance(record["by"], str) or not isinstance(record["corrected"], bool):
        raise ValueError("who settled it, and whether what was read was put right")
    if not isinstance(record["evidence"], str | None):
        raise ValueError("the name of a picture")
    if not _is_weight(record.get("weight")):
        raise ValueError("what the tray weighed")


def check_undo(undo: Mapping[str, Any], batch: int) -> None:
    """Check the undo given as command `batch`. Raises ValueError or KeyError for one that no Tenshu wrote:
    following an undo that takes back itself, or a later one that takes back this one, would never end."""
    for taken in (undo["batches"], undo.get("also", [])):
        if not isinstance(taken, list) or not all(type(n) is int and 0 < n < batch for n in taken):
            raise ValueError("commands before it")
    agreed = undo.get("agreed", [])
    if not isinstance(agreed, list) or not all(isinstance(name, str) for name in agreed):
        raise ValueError("who agreed")
    if not isinstance(undo.get("reason", ""), str):
        raise ValueError("why")


def _is_pile(pile: object) -> bool:
    return isinstance(pile, dict) and all(
        isinstance(colour, str) and type(number) is int and 0 <= number <= _MOST
        for colour, number in pile.items()
    )


def _is_weight(weight: object) -> bool:
    """Whether it is a weight, or None: tables from before there was a scale have none."""
    if not isinstance(weight, dict):
        return weight is None
    numbers = [weight.get(name) for name in _WEIGHED]
    return all(
        type(number) in (int, float, NoneType) and (number is None or abs(number) <= _MOST_MG)
        for number in numbers
    )
