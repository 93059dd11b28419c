"""Apply an event to a state. Nothing here can refuse, because an event is a fact."""

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
    """Return the state after an event; `state` is None for the first event."""
    if isinstance(event, e.TableSet):
        return table.table_set(event)
    if state is None:
        raise ValueError("A game begins with its table being set.")
    return _AFTER[type(event)](state, event)
