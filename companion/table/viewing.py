"""The views of a table: what every device is told, and what a seat alone is."""

from companion.games.protocol import Seat
from companion.store.events import UNDONE
from companion.table.past.book import Book
from companion.table.past.history import Json
from companion.table.throw.awaiting import Awaiting

_TAIL = 12
"""Entries of the past that come with every view."""


def table_view(book: Book, now: Awaiting) -> Json:
    """All that everybody may know, built anew."""
    past = book.entries()
    live = [entry for entry in past if not entry.undone and entry.batch > 1 and entry.kind != UNDONE]
    return {
        "expected": book.last,
        "table": book.table,
        "tower_shown": book.tower_shown.value,
        **now.as_json(),
        "game": book.view(None),
        "undo": live[-1].as_json() if live else None,
        "history": [entry.as_json() for entry in past[: -_TAIL - 1 : -1]],
    }


def seat_view(book: Book, now: Awaiting, seat: str) -> Json:
    """What a seat may know and do, built anew."""
    return {
        "expected": book.last,
        "table": book.table,
        "seat": seat,
        "phase": str(now.phase),
        "game": book.view(Seat(seat)),
        "legal": book.legal(Seat(seat)),
    }
