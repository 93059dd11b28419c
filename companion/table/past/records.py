"""The record of a throw as other rooms lean on it: what a file from elsewhere has to keep to."""

from collections.abc import Mapping
from typing import Any

_PILES = ("from_table", "from_tray", "possible", "accepted")
_MOST = 10_000
"""Cubes of a colour: far above any box."""


def check_record(record: Mapping[str, Any]) -> None:
    """Raises ValueError, KeyError for what no Tenshu wrote: the log, statistics and pages count on it."""
    piles = [record[name] for name in _PILES]
    if not all(map(_is_pile, piles)) or not (record["seen"] is None or _is_pile(record["seen"])):
        raise ValueError("cubes by colour")
    if not isinstance(record["by"], str) or not isinstance(record["corrected"], bool):
        raise ValueError("who settled it, and whether what was read was put right")
    if not isinstance(record["evidence"], str | None):
        raise ValueError("the name of a picture")


def _is_pile(pile: object) -> bool:
    return isinstance(pile, dict) and all(
        isinstance(colour, str) and type(number) is int and 0 <= number <= _MOST
        for colour, number in pile.items()
    )
