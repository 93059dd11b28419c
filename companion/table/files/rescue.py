"""What can still be used of a table whose file is damaged, or holds events that no game understands."""

from collections.abc import Sequence

from companion.store.events import StoredEvent
from companion.table.errors import TableRefusal
from companion.table.files.backups import keep_under_free_name
from companion.table.files.tables import Tables, UnknownEvents, checked_game


def usable_events(events: Sequence[StoredEvent]) -> list[StoredEvent]:
    """Return the longest prefix of whole commands that a game can be folded from."""
    batch_ends = [
        place for place, event in enumerate(events) if place and event.batch != events[place - 1].batch
    ]
    batch_ends.append(len(events))
    usable_count, low, high = 0, 0, len(batch_ends)
    while low < high:
        middle = (low + high) // 2
        if _can_be_folded(events[: batch_ends[middle]]):
            usable_count, low = batch_ends[middle], middle + 1
        else:
            high = middle
    return list(events[:usable_count])


def rescue(tables: Tables, name: str) -> tuple[str, int, int]:
    """Make a new table from what can be used; return its name, the number of events taken over, and of those
    that could be read.

    Raises `TableRefusal`, `StoreError`.
    """
    events = tables.events(name)
    usable = usable_events(events)
    if not usable:
        raise TableRefusal("nothing_to_save", "Nothing in this table can be read.")
    return keep_under_free_name(tables, name, usable), len(usable), len(events)


def _can_be_folded(events: Sequence[StoredEvent]) -> bool:
    try:
        checked_game(events)
    except UnknownEvents:
        return False
    return True
