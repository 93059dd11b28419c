"""An event as the store keeps it: a fact with a number, an author and a time."""

from dataclasses import dataclass
from typing import Any

Body = dict[str, Any]


@dataclass(frozen=True, slots=True)
class NewEvent:
    """A fact about to be written."""

    kind: str
    body: Body


@dataclass(frozen=True, slots=True)
class StoredEvent:
    """A fact that survives a pulled plug."""

    game: str
    seq: int
    """1 for the first of a game, without gaps."""
    batch: int
    """Number of the first event written with it: what one command did, what one undo takes back."""
    kind: str
    author: str
    ts_ms: int
    """Milliseconds since 1970, UTC: for people; order is `seq`."""
    body: Body


UNDONE = "undone"
"""Kind of the compensating event; its body is `{"batches": [...]}`. It can be undone like any other."""


def effective(events: list[StoredEvent]) -> list[StoredEvent]:
    """What still counts: everything but what was undone, and but the undoing itself."""
    gone = taken_back(events)
    return [event for event in events if event.kind != UNDONE and event.batch not in gone]


def taken_back(events: list[StoredEvent]) -> set[int]:
    """Batches that no longer count, from the newest on: an undo that was itself undone takes nothing back."""
    gone: set[int] = set()
    for event in reversed(events):
        if event.kind == UNDONE and event.batch not in gone:
            gone.update(int(batch) for batch in event.body["batches"])
    return gone


def undo_body(events: list[StoredEvent], batch: int, apart: frozenset[str] = frozenset()) -> Body | None:
    """The body that takes back `batch` and all that was built on it; None when it is gone already.

    Nothing builds on events of the kinds `apart`, nor do they: they only go when they are named.
    """
    gone = taken_back(events)
    if batch in gone or not any(event.batch == batch for event in events):
        return None
    later = {e.batch for e in events if e.batch > batch and e.batch not in gone and e.kind not in apart}
    return {"batches": sorted({batch, *later})}
