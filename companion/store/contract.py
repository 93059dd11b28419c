"""The contract of every event store; each back end inherits the contract's tests."""

from collections.abc import Sequence
from typing import Protocol

from companion.store.events import NewEvent, StoredEvent


class EventStore(Protocol):
    """Append-only events, numbered per game; what `append` has returned survives a power cut."""

    def append(
        self, game: str, expected: int, events: Sequence[NewEvent], author: str, ts_ms: int
    ) -> list[StoredEvent]:
        """Write all or none after number `expected`. Raise `Stale`, or `StoreError` if the disk fails."""

    def read(self, game: str, after: int = 0) -> list[StoredEvent]:
        """Return the events of a game with a number above `after`, oldest first."""

    def last(self, game: str) -> int:
        """Return the number of the last event, or 0 if the game has none."""

    def games(self) -> list[str]:
        """Return all games that have an event, the most recently written last."""

    def close(self) -> None:
        """Release the file. Safe to call twice."""
