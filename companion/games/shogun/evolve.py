"""From a state and an event to the state after it. Nothing here can refuse: an event is a fact."""

from collections.abc import Callable
from typing import Any

from companion.games.shogun import events as e
from companion.games.shogun.evolving import play, rounds, table, tower
from companion.games.shogun.state import State

_AFTER: dict[type, Callable[[State, Any], State]] = {
    **table.AFTER,
    **rounds.AFTER,
    **play.AFTER,
    **tower.AFTER,
}


def evolve(state: State | None, event: e.Event) -> State:
    """The state after an event; `None` stands for the empty table before the first."""
    if isinstance(event, e.TableSet):
        return table.table_set(event)
    if state is None:
        raise ValueError("A game begins with its table being set.")
    return _AFTER[type(event)](state, event)
