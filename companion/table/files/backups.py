"""Saving a table as one file, and restoring one from a file under a name that is free."""

import re
from collections.abc import Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from errno import ENOSPC
from itertools import groupby
from os import strerror
from pathlib import Path
from typing import IO

from companion.store.backup import NewerBackup, NoBackup, load, pictures_of, save
from companion.store.contract import EventStore
from companion.store.errors import StoreError, not_saved_error
from companion.store.events import NewEvent, StoredEvent
from companion.store.evidence import EvidenceFolder
from companion.store.sqlite import SqliteStore
from companion.table.errors import TableRefusal
from companion.table.files.tables import BROKEN, Tables, UnknownEvents, checked_game, sqlite_side_file
from companion.table.past.tellable import check_tellable

_PART = ".part"


class BadBackup(TableRefusal):
    """The file does not contain a usable table."""

    def __init__(self, error: NoBackup) -> None:
        super().__init__("bad_backup", f"{error.sentence} {error.remedy}")


def save_table(file: IO[bytes], tables: Tables, evidence: EvidenceFolder, name: str) -> None:
    """Save everything that can be read of a table. Raises `TableRefusal`, `StoreError`, OSError."""
    if not tables.exists(name):
        raise TableRefusal("no_such_table", "There is no such table.")
    events = tables.events(name)
    if not events:
        raise TableRefusal("nothing_to_save", "Nothing in this table can be read.")
    save(file, events, evidence.read)


@dataclass(frozen=True, slots=True)
class RestoredTable:
    """A table that was restored from a file."""

    name: str
    damaged: int
    """Pictures that were left out as damaged: a game without its pictures is still a game."""
    unkept: int
    """Undamaged pictures that the disk did not take."""


def restore(file: IO[bytes], tables: Tables, evidence: EvidenceFolder) -> RestoredTable:
    """Make a new table from a backup. Raises `TableRefusal`, `StoreError`."""
    try:
        backup = load(file)
    except NewerBackup:
        raise UnknownEvents from None
    except NoBackup as error:
        raise BadBackup(error) from None
    _check_tellable(backup.events)
    damaged = unkept = 0
    for jpeg in pictures_of(file, backup.pictures):
        if jpeg is None:
            damaged += 1
            continue
        try:
            evidence.keep(jpeg)
        except StoreError:
            unkept += 1
    return RestoredTable(
        keep_under_free_name(tables, _plain_name(backup.table), backup.events), damaged, unkept
    )


def restore_copy(path: Path, tables: Tables, evidence: EvidenceFolder) -> RestoredTable:
    """Do the same from a copy in this folder. Raises `TableRefusal`, `StoreError`."""
    try:
        file = path.open("rb")
    except OSError as error:  # it was removed meanwhile, or is another user's
        raise BadBackup(NoBackup(f"it cannot be read ({error.strerror})")) from None
    with file:
        return restore(file, tables, evidence)


def _check_tellable(events: Sequence[StoredEvent]) -> None:
    """Check more than of a table that is here: nobody waits for this one. Raises `UnknownEvents`."""
    game = checked_game(events)
    try:
        check_tellable(game, events)
    except BROKEN:
        raise UnknownEvents from None


def keep_under_free_name(tables: Tables, wanted: str, events: Sequence[StoredEvent]) -> str:
    """Write a table under this name, or under the next free number with the same seats; return its name.
    Raises `StoreError`."""
    with tables.naming:
        name = tables.free_name(wanted)
        try:
            tables.hand_seats_on(wanted, name, events)
        except OSError as error:
            raise not_saved_error(error) from None
        try:
            _write(tables.path(name), name, events)
        except StoreError:
            if name != wanted:  # else the next table of this name would get the seats of this one
                tables.forget_seats(name)
            raise
    return name


def begin_anew(
    tables: Tables, name: str, commands: Sequence[Sequence[NewEvent]], author: str, now_ms: int
) -> None:
    """Write a new table with its first commands, without which none is played. Raises `TableRefusal`,
    `StoreError`."""
    events: list[StoredEvent] = []
    for command in commands:
        first = len(events) + 1
        events += [
            StoredEvent(name, seq, first, new.kind, author, now_ms, new.body)
            for seq, new in enumerate(command, first)
        ]
    with tables.naming:
        if tables.is_taken(name):
            raise TableRefusal("table_exists", "There is already a table with this name. Choose another.")
        tables.forget_seats(name)
        _write(tables.path(name), name, events)


def _write(path: Path, name: str, events: Sequence[StoredEvent]) -> None:
    """Write a file that is either complete or not there. Raises `StoreError`."""
    part = path.with_name(path.name + _PART)
    _remove_part(part)
    try:
        with closing(SqliteStore(part)) as store:
            _append_batches(store, name, events)
        if sqlite_side_file(part, "-wal").exists():  # closing merges the journal, if there is room
            raise not_saved_error(OSError(ENOSPC, strerror(ENOSPC)))
        part.replace(path)
    except StoreError:
        _remove_part(part)
        raise


def _remove_part(part: Path) -> None:
    """Remove an unfinished table, with SQLite's own files beside it."""
    for ending in ("", "-wal", "-shm"):
        _unlink(sqlite_side_file(part, ending))


def _unlink(path: Path) -> None:
    with suppress(OSError):
        path.unlink(missing_ok=True)


def _append_batches(store: EventStore, name: str, events: Sequence[StoredEvent]) -> None:
    last = 0
    for _, batch in groupby(events, key=lambda event: event.batch):
        batch_events = list(batch)
        new = [NewEvent(event.kind, event.body) for event in batch_events]
        store.append(name, last, new, batch_events[0].author, batch_events[0].ts_ms)
        last += len(batch_events)


def _plain_name(wanted: str) -> str:
    plain = re.sub(r"[^a-z0-9]+", "-", wanted.lower()).strip("-")
    return plain[:40].strip("-") or "table"
