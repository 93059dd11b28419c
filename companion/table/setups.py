"""How a table begins unless someone says otherwise."""

from typing import Any

from companion.games.shogun import facts
from companion.games.shogun.words import PLAYERS

FULL_TABLE = 5


def open_board() -> dict[str, Any]:
    """Shogun's predetermined board for five, any battle at any time; the tower as at the start (S-9)."""
    columns = facts.COLUMNS[FULL_TABLE]
    players = list(PLAYERS)
    return {
        "players": players,
        "start": "free",
        "provinces": {
            province: {"owner": player, "armies": armies}
            for player, column in zip(players, columns.values(), strict=True)
            for province, armies in column.items()
        },
        "tower": {**dict.fromkeys(players, 7), "green": 10},
    }
