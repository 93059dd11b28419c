"""How a table stands: the state after its events, and those after the newest few commands.

A new undo starts from one of these: otherwise undos, and each tap of a correction, would cost more the longer
a table has been played.
"""

from collections.abc import Sequence
from typing import Any

from companion.store.events import UNDONE, StoredEvent, undone_batches
from companion.table.past.history import AnyGame, counting_events

KEPT = 64
"""Newest commands whose undo is immediate; their states share most of what they hold."""


class Standing:
    """The states of a table that is being played. Not thread-safe."""

    def __init__(self, game: AnyGame, events: Sequence[StoredEvent]) -> None:
        self._game = game
        self._snapshots: list[tuple[int, Any]] = [(0, None)]
        """Pairs of a number of events and the state after them; the first is from before all events."""
        self.state: Any = None
        self.follow(events, len(events))

    def follow(self, events: Sequence[StoredEvent], new: int) -> None:
        """Take over the newest `new` of all events, which were written."""
        self._snapshots = self._valid_snapshots(events, new)
        self.state = self._fold_from(self._snapshots[-1], events)
        first, *newest = [*self._snapshots, (len(events), self.state)]
        self._snapshots = [first, *newest[-KEPT:]]

    def with_more(self, events: Sequence[StoredEvent], new: int) -> Any:
        """Return the state if the newest `new` of all these events were written; they are not."""
        return self._fold_from(self._valid_snapshots(events, new)[-1], events)

    def _valid_snapshots(self, events: Sequence[StoredEvent], new: int) -> list[tuple[int, Any]]:
        """Return those kept states that precede everything the new events take back or bring back."""
        before = events[: len(events) - new]
        if all(event.kind != UNDONE for event in events[len(before) :]):
            return self._snapshots
        changed = undone_batches(list(before)) ^ undone_batches(list(events))
        first = min(changed, default=len(events) + 1)
        return [snapshot for snapshot in self._snapshots if snapshot[0] < first]

    def _fold_from(self, snapshot: tuple[int, Any], events: Sequence[StoredEvent]) -> Any:
        number, state = snapshot
        for event in counting_events(events, number):
            state = self._game.evolve(state, self._game.decode_event(event.body))
        return state
