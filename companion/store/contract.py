"""What every store of events keeps to; the tests of the contract are inherited by each back end."""

from collections.abc import Sequence
from typing import Protocol

from companion.store.events import NewEvent, StoredEvent


class EventStore(Protocol):
    """Append-only, numbered by game; what `append` returned survives a pulled plug."""

    def append(
        self, game: str, expected: int, events: Sequence[NewEvent], author: str, ts_ms: int
    ) -> list[StoredEvent]:
        """Write all or none behind number `expected`. Raises `Stale`, or `StoreError` for the disk's sake."""

    def read(self, game: str, after: int = 0) -> list[StoredEvent]:
        """Events of a game with a number above `after`, oldest first."""

    def last(self, game: str) -> int:
        """Number of the last event; 0 for a game that has none."""

    def games(self) -> list[str]:
        """All games that have an event, the latest written last."""

    def close(self) -> None:
        """Release the file. Safe to call twice."""
