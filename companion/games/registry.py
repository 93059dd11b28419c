"""Games found by name: every folder beside this module whose `game` module offers `GAME` is one.

A new game is a new folder; nothing here or elsewhere is edited for it.
"""

from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

import companion.games
from companion.games.protocol import Game, Refused

AnyGame = Game[Any, Any, Any]


@cache
def games() -> dict[str, AnyGame]:
    """All games by name."""
    found: dict[str, AnyGame] = {}
    for module in iter_modules(companion.games.__path__):
        if module.ispkg:
            game: AnyGame | None = getattr(import_module(f"companion.games.{module.name}.game"), "GAME", None)
            if game is not None:
                found[game.name] = game
    return dict(sorted(found.items()))


def find(name: str) -> AnyGame:
    """The game of this name. Raises `Refused`."""
    known = games()
    if name not in known:
        raise Refused("GAME", "no_such_game", f"There is no game {name[:40]!r}. Known: {', '.join(known)}.")
    return known[name]
