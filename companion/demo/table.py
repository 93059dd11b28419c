"""The demo's table: red and blue at war over a handful of provinces, with a tower already in use."""

from typing import Any

OPTIONS: dict[str, Any] = {
    "players": ["red", "blue", "yellow", "black", "purple"],
    "start": "free",
    "provinces": {
        "omi": {"owner": "blue", "armies": 4},
        "mino": {"owner": "red", "armies": 5},
        "owari": {"owner": "red", "armies": 3},
        "ise": {"owner": "blue", "armies": 3},
        "wakasa": {"owner": "blue", "armies": 2, "markers": 1},
        "yamato": {"owner": "red", "armies": 2},
    },
    "tower": {"red": 8, "blue": 8, "yellow": 6, "black": 5, "purple": 10, "green": 10},
}
"""All colours are in the tower, as in a game's second year: other players' cubes still fall out."""

FIRST: dict[str, Any] = {"kind": "declare", "attacker": "red", "province": "omi", "armies": 5}
"""The battle that is ready when the page opens."""
