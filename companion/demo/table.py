"""The demo's table: two players, a handful of provinces, a tower that is in use."""

from typing import Any

OPTIONS: dict[str, Any] = {
    "players": ["red", "blue"],
    "provinces": [
        {"id": "omi", "name": "Omi", "owner": "blue", "armies": 4},
        {"id": "mino", "name": "Mino", "owner": "red", "armies": 5},
        {"id": "owari", "name": "Owari", "owner": "red", "armies": 3},
        {"id": "ise", "name": "Ise", "owner": "blue", "armies": 3},
        {"id": "iga", "name": "Iga", "owner": "blue", "armies": 2, "markers": 1},
        {"id": "yamato", "name": "Yamato", "owner": "red", "armies": 2},
        {"id": "kaga", "name": "Kaga", "owner": None, "armies": 0},
    ],
    "tower": {"red": 8, "blue": 8, "yellow": 6, "black": 5, "purple": 10, "green": 10},
}
"""Five colours are in the tower, as in a game's second year: other players' cubes still fall out."""

FIRST: dict[str, Any] = {"kind": "attack", "attacker": "red", "province": "omi", "attackers": 5}
"""The battle that stands ready when the page opens."""
