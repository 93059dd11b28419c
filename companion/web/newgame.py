"""What the host's form asks for, as options of a game."""

import secrets
from typing import Any

from companion.table.setups import open_board

SEED_BITS = 60
_SHUFFLES = frozenset({"shogun"})
"""Games whose app deals cards, and so need a seed."""


def options_of(game: str, asked: dict[str, Any]) -> dict[str, Any]:
    """The options with a fresh seed for what the app shuffles, which no device has seen."""
    if game not in _SHUFFLES:
        return asked
    board = open_board() if asked.get("start") == "free" and "provinces" not in asked else {}
    return {**asked, **board, "seed": secrets.randbits(SEED_BITS)}
