"""The views of a table: what every device is told, and what only a seat is told."""

from itertools import islice

from companion.games.protocol import Seat
from companion.store.events import UNDONE
from companion.table.past.book import Book
from companion.table.past.history import Json
from companion.table.settings import KINDS_KEPT_BY_UNDO
from companion.table.throw.awaiting import Awaiting

_NOT_UNDOABLE = {UNDONE, *KINDS_KEPT_BY_UNDO}
"""Kinds of entries that "undo" does not refer to."""
_TAIL = 12
"""Entries of the past that come with every view."""


def table_view(book: Book, awaiting: Awaiting) -> Json:
    """Return everything that everybody may know, built anew."""
    newest = list(islice(book.entries(), _TAIL))
    undoable = (
        entry
        for entry in book.entries()
        if not entry.undone and entry.batch > 1 and entry.kind not in _NOT_UNDOABLE
    )
    undo = next(undoable, None)
    return {
        "expected": book.last,
        "table": book.table,
        "tower_shown": book.tower_shown.value,
        **awaiting.as_json(),
        "game": book.view(None),
        "undo": undo.as_json() if undo else None,
        "history": [entry.as_json() for entry in newest],
    }


def seat_view(book: Book, awaiting: Awaiting, seat: str) -> Json:
    """Return what a seat may know and do, built anew."""
    return {
        "expected": book.last,
        "table": book.table,
        "seat": seat,
        "phase": str(awaiting.shown_phase),
        "game": book.view(Seat(seat)),
        "legal": book.legal(Seat(seat)),
    }
