"""Stored events: facts with a number, an author and a time."""

import json
from dataclasses import dataclass
from typing import Any

Body = dict[str, Any]


@dataclass(frozen=True, slots=True)
class NewEvent:
    """An event about to be written."""

    kind: str
    body: Body


@dataclass(frozen=True, slots=True)
class StoredEvent:
    """An event that survives a power cut."""

    game: str
    seq: int
    """Starts at 1 in each game, without gaps."""
    batch: int
    """Number of the first event written with it: a batch is what one command did and one undo takes back."""
    kind: str
    author: str
    ts_ms: int
    """Milliseconds since 1970, UTC, for people only; `seq` defines the order."""
    body: Body


COLUMNS = "game, seq, batch, kind, author, ts_ms, body"
"""Columns of the events table, in the order that `event_from_row` expects."""


def event_from_row(row: tuple[object, ...]) -> StoredEvent | None:
    """Return the event in a row, or None if it is damaged, which SQLite need not notice."""
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
"""Kind of the compensating event: `{"batches": [...], "also": [...]}`. It can itself be undone.

`batches` are the commands taken back. `also`, if present, are later undos, which go too, and what they had
taken back, which would otherwise return.
"""


def effective_events(events: list[StoredEvent]) -> list[StoredEvent]:
    """Return the events that still count: all except undone ones and the undos themselves."""
    gone = undone_batches(events)
    return [event for event in events if event.kind != UNDONE and event.batch not in gone]


def undone_batches(events: list[StoredEvent]) -> set[int]:
    """Return the batches that no longer count, newest first: an undone undo takes nothing back."""
    gone: set[int] = set()
    for event in reversed(events):
        if event.kind == UNDONE and event.batch not in gone:
            gone.update(_batches_undone_by(event))
    return gone


def undo_body(events: list[StoredEvent], batch: int, apart: frozenset[str] = frozenset()) -> Body | None:
    """Return the body that undoes `batch` and everything built on it; None if it is gone or unknown.

    Afterwards everything is as it was before `batch`. Events of the kinds `apart` neither build on others nor
    are built on: they and their undos only go if `batch` names them.
    """
    gone = undone_batches(events)
    if batch in gone or not any(event.batch == batch for event in events):
        return None
    set_aside = batches_apart(events, apart)
    if batch in set_aside:
        return {"batches": [batch]}
    later = {event.batch for event in events if event.batch > batch} - set_aside
    commands = {event.batch for event in events if event.kind != UNDONE}
    undone = {batch} | (later & commands) - gone
    also = later - undone
    return {"batches": sorted(undone), **({"also": sorted(also)} if also else {})}


def batches_replaced_by(events: list[StoredEvent], batch: int) -> set[int]:
    """Return the batches `batch` took back, as a correction does; undoing it restores any not named."""
    undos = [event for event in events if event.batch == batch and event.kind == UNDONE]
    return {taken for undo in undos for taken in _batches_undone_by(undo)}


def _batches_undone_by(undo: StoredEvent) -> set[int]:
    return {int(batch) for batch in (*undo.body["batches"], *undo.body.get("also", ()))}


def batches_apart(events: list[StoredEvent], apart: frozenset[str]) -> set[int]:
    """Return the batches of the kinds `apart`, and the undos that take back only such batches."""
    found: set[int] = set()
    for event in events:
        if event.kind in apart or (event.kind == UNDONE and _batches_undone_by(event) <= found):
            found.add(event.batch)
    return found
