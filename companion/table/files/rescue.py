"""What can still be used of a table whose file is damaged, or holds events that no game understands."""

from collections.abc import Sequence

from companion.store.events import StoredEvent
from companion.table.errors import TableRefusal
from companion.table.files.backups import keep_anew
from companion.table.files.tables import Tables, UnknownEvents, checked


def usable(events: Sequence[StoredEvent]) -> list[StoredEvent]:
    """Return the longest prefix of whole commands that a game can be folded from."""
    ends = [place for place, event in enumerate(events) if place and event.batch != events[place - 1].batch]
    ends.append(len(events))
    good, low, high = 0, 0, len(ends)
    while low < high:
        middle = (low + high) // 2
        if _folds(events[: ends[middle]]):
            good, low = ends[middle], middle + 1
        else:
            high = middle
    return list(events[:good])


def rescue(tables: Tables, name: str) -> tuple[str, int, int]:
    """Make a new table from what can be used; return its name, the number of events taken over, and of those
    that could be read.

    Raises `TableRefusal`, `StoreError`.
    """
    events = tables.events(name)
    good = usable(events)
    if not good:
        raise TableRefusal("nothing_to_save", "Nothing in this table can be read.")
    return keep_anew(tables, name, good), len(good), len(events)


def _folds(events: Sequence[StoredEvent]) -> bool:
    try:
        checked(events)
    except UnknownEvents:
        return False
    return True
