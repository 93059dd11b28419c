"""Undoing: free while nothing was shown; afterwards the whole table has to want it.

A throw happened or a card was seen: taking such a thing back is a way to peek, so one person alone cannot.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from companion.store.events import UNDONE, Body, StoredEvent, undo_body, undone_batches
from companion.table.errors import TableRefusal
from companion.table.past.history import Json, events_by_batch
from companion.table.past.timeline import Timeline
from companion.table.settings import KINDS_KEPT_BY_UNDO


@dataclass(frozen=True, slots=True)
class Wish:
    """An undo that somebody asks for."""

    batch: int
    author: str
    reason: str = ""


class NeedsTable(TableRefusal):
    """What would be taken back was seen by all, or the tower was used."""

    status = 409

    def __init__(self, shown: list[str], count: int) -> None:
        sentence = "This undoes what everyone has seen. Only the whole table can decide that."
        super().__init__("needs_table", sentence, "", shown=shown, count=count)


def what_goes(events: Sequence[StoredEvent], batch: int, timeline: Timeline) -> Json:
    """Return what an undo to before `batch` would take back: the commands, and what all have seen of them."""
    body = undo_body(list(events), batch, KINDS_KEPT_BY_UNDO) if batch > 1 else None
    numbers = set(body["batches"]) if body else set()
    stopped = _batches_stopped(list(events), body) if body else set()
    facts = [
        fact
        for command in events_by_batch(events)
        if command[0].batch in stopped
        for fact in timeline.facts_told(command)
    ]
    return {
        "batches": sorted(numbers),
        "shown": list(dict.fromkeys(str(fact["kind"]) for fact in facts if fact.get("shown"))),
        "possible": body is not None,
    }


def _batches_stopped(events: list[StoredEvent], body: Body) -> set[int]:
    """Return the batches that stop counting with this undo; if it undoes an undo, those that one restored."""
    after = events[-1].seq + 1
    undone = StoredEvent(events[-1].game, after, after, UNDONE, "", 0, body)
    return undone_batches([*events, undone]) - undone_batches(events)


def check_agreed(events: Sequence[StoredEvent], batch: int, timeline: Timeline) -> None:
    """Raise `NeedsTable` if the table has to agree."""
    goes = what_goes(events, batch, timeline)
    if goes["shown"]:
        raise NeedsTable(goes["shown"], len(goes["batches"]))


def with_reason(body: Body, reason: str, agreed: Sequence[str]) -> Body:
    """Return the body of the undo: what goes, why, and who agreed if it had to be put to the table."""
    return {**body, **({"reason": reason} if reason else {}), **({"agreed": [*agreed]} if agreed else {})}
