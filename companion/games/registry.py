"""Registry of games: every package beside this module whose `game` module defines `GAME`.

Adding a game means adding a package; nothing else needs editing.
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
    """Return all games by name."""
    found: dict[str, AnyGame] = {}
    for module in iter_modules(companion.games.__path__):
        if module.ispkg:
            game: AnyGame | None = getattr(import_module(f"companion.games.{module.name}.game"), "GAME", None)
            if game is not None:
                found[game.name] = game
    return dict(sorted(found.items()))


def find(name: str) -> AnyGame:
    """Return the game with this name. Raise `Refused` if there is none."""
    known = games()
    if name not in known:
        raise Refused("GAME", "no_such_game", f"There is no game {name[:40]!r}. Known: {', '.join(known)}.")
    return known[name]
