"""Converts the host's form into the options of a game."""

import secrets
from typing import Any

from companion.table.setups import open_board

SEED_BITS = 60
_SHUFFLED_GAMES = frozenset({"shogun"})
"""Games for which the app deals cards, so that they need a seed."""


def options_of(game: str, asked: dict[str, Any]) -> dict[str, Any]:
    """Return the options with a fresh seed for the app's shuffling, which no device has seen."""
    if game not in _SHUFFLED_GAMES:
        return asked
    board = open_board() if asked.get("start") == "free" and "provinces" not in asked else {}
    return {**asked, **board, "seed": secrets.randbits(SEED_BITS)}
