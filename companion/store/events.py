"""An event as the store keeps it: a fact with a number, an author and a time."""

import json
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


COLUMNS = "game, seq, batch, kind, author, ts_ms, body"
"""Of a table's file, in the order of `of_row`."""


def of_row(row: tuple[object, ...]) -> StoredEvent | None:
    """What stands in a row of a table's file; None where it is damaged, which SQLite need not notice."""
    game, seq, batch, kind, author, ts_ms, text = row
    try:
        body = json.loads(str(text))
    except (ValueError, RecursionError):
        return None
    if not (
        isinstance(seq, int) and isinstance(batch, int) and isinstance(ts_ms, int) and isinstance(body, dict)
    ):
        return None
    return StoredEvent(str(game), seq, batch, str(kind), str(author), ts_ms, body)


UNDONE = "undone"
"""Kind of the compensating event: `{"batches": [...], "also": [...]}`. It can be undone too.

`batches` are the commands that go. `also`, where there is any, is what was taken back before and would come
back with the undos among it.
"""


def effective(events: list[StoredEvent]) -> list[StoredEvent]:
    """What still counts: everything but what was undone, and but the undoing itself."""
    gone = taken_back(events)
    return [event for event in events if event.kind != UNDONE and event.batch not in gone]


def taken_back(events: list[StoredEvent]) -> set[int]:
    """Batches that no longer count, from the newest on: an undo that was itself undone takes nothing back."""
    gone: set[int] = set()
    for event in reversed(events):
        if event.kind == UNDONE and event.batch not in gone:
            gone.update(_taken_by(event))
    return gone


def undo_body(events: list[StoredEvent], batch: int, apart: frozenset[str] = frozenset()) -> Body | None:
    """The body that takes back `batch` and all that was built on it; None when it is gone already.

    Afterwards all is as it was before `batch`. Nothing builds on events of the kinds `apart`, nor do they:
    they and their undos only go when they are named.
    """
    gone = taken_back(events)
    if batch in gone or not any(event.batch == batch for event in events):
        return None
    aside = set_apart(events, apart)
    if batch in aside:
        return {"batches": [batch]}
    later = {event.batch for event in events if event.batch > batch} - aside
    commands = {event.batch for event in events if event.kind != UNDONE}
    goes = {batch} | (later & commands) - gone
    also = later - goes
    return {"batches": sorted(goes), **({"also": sorted(also)} if also else {})}


def replaced_by(events: list[StoredEvent], batch: int) -> set[int]:
    """Batches that `batch` itself took back, as a correction does: they come back with it unless named."""
    inside = [event for event in events if event.batch == batch and event.kind == UNDONE]
    return {taken for undo in inside for taken in _taken_by(undo)}


def _taken_by(undo: StoredEvent) -> set[int]:
    return {int(batch) for batch in (*undo.body["batches"], *undo.body.get("also", ()))}


def set_apart(events: list[StoredEvent], apart: frozenset[str]) -> set[int]:
    """Batches of the kinds `apart`, and the undos of nothing else."""
    found: set[int] = set()
    for event in events:
        if event.kind in apart or (event.kind == UNDONE and _taken_by(event) <= found):
            found.add(event.batch)
    return found
