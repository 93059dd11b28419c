"""Events in one SQLite file per table: write-ahead log, every commit synced to disk."""

import json
import os
import sqlite3
import threading
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

from companion.store.errors import (
    Stale,
    StoreError,
    damaged_error,
    file_gone_error,
    newer_file_error,
    not_saved_error,
    shutdown_error,
)
from companion.store.events import COLUMNS, NewEvent, StoredEvent, event_from_row
from companion.store.migrations import applied_migrations, is_newer, migrate


class SqliteStore:
    """One file, one connection, one lock: a table only writes a few events a minute."""

    def __init__(self, path: Path) -> None:
        """Open or create the file. Raise `StoreError` if it cannot be used."""
        self._lock = threading.Lock()
        self._closed = False
        self._path = path
        _refuse_lone_journal(path)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with ExitStack() as on_failure:
                self._connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
                on_failure.callback(self._connection.close)
                if is_newer(self._connection):  # refuse it before anything is written
                    raise newer_file_error(path)
                self._connection.execute("PRAGMA journal_mode = WAL")
                self._connection.execute("PRAGMA synchronous = FULL")
                self._connection.execute("PRAGMA busy_timeout = 2000")
                migrate(self._connection)
                newest = max(applied_migrations(self._connection))
                self._opened = path.stat()
                on_failure.pop_all()
        except (sqlite3.Error, OSError) as error:
            raise StoreError(
                f"{path} cannot be opened as a table's memory ({getattr(error, 'strerror', None) or error}).",
                "Free disk space there, make the folder yours, or name another with --data.",
                "store_closed",
            ) from None
        self.schema = newest

    def append(
        self, game: str, expected: int, events: Sequence[NewEvent], author: str, ts_ms: int
    ) -> list[StoredEvent]:
        """Write all or none; the primary key also guards against other processes."""
        first = expected + 1
        stored = [
            StoredEvent(game, first + place, first, event.kind, author, ts_ms, event.body)
            for place, event in enumerate(events)
        ]
        with self._lock:
            if self._closed:
                raise shutdown_error()
            if not self._is_in_place():
                raise file_gone_error()
            present = self._last_seq(game)
            if present != expected:
                raise Stale(expected, present)
            try:
                self._insert(stored)
            except sqlite3.IntegrityError:
                raise Stale(expected, self._last_seq(game)) from None
            except sqlite3.Error as error:
                raise not_saved_error(error) from None
        return stored

    def read(self, game: str, after: int = 0) -> list[StoredEvent]:
        """Return a game's events with a number above `after`, oldest first. Raise `StoreError` if damaged."""
        with self._lock:
            try:
                last = self._query_last_seq(game)  # ask first: another process may write in between
                rows = self._connection.execute(
                    f"SELECT {COLUMNS} FROM events WHERE game = ? AND seq > ? ORDER BY seq",  # noqa: S608 - constant
                    (game, after),
                ).fetchall()
            except sqlite3.Error as error:
                raise damaged_error(error) from None
            found = [event for event in map(event_from_row, rows) if event is not None]
            # SQLite may skip damage without noticing: then a row or the end is missing.
            end = after + len(rows)
            if [event.seq for event in found] != list(range(after + 1, end + 1)) or last > end:
                raise damaged_error("an event is missing")
            return found

    def last(self, game: str) -> int:
        """Return the number of the last event, or 0 if the game has none. Raise `StoreError`."""
        with self._lock:
            return self._last_seq(game)

    def games(self) -> list[str]:
        """Return all games with an event, the most recently written last. Raise `StoreError` if damaged."""
        with self._lock:
            try:
                return self._query_games()
            except sqlite3.Error as error:
                raise damaged_error(error) from None

    def rename_newest_game(self, name: str) -> None:
        """Rename the newest game after its renamed file; otherwise a second game would begin beside it.

        Raise `StoreError`.
        """
        with self._lock:
            try:
                games = self._query_games()
                if games and name not in games:
                    self._connection.execute("UPDATE events SET game = ? WHERE game = ?", (name, games[-1]))
            except sqlite3.Error as error:
                raise not_saved_error(error) from None

    def close(self) -> None:
        """Release the file. Safe to call twice."""
        with self._lock:
            self._closed = True
            self._connection.close()

    def _is_in_place(self) -> bool:
        """Whether what is written reaches the file at the path, not one that was moved away or deleted."""
        try:
            there = self._path.stat()
        except OSError:
            return False
        return os.name == "nt" or os.path.samestat(there, self._opened)  # Windows replaces no open file

    def _insert(self, stored: Sequence[StoredEvent]) -> None:
        rows = [
            (e.game, e.seq, e.batch, e.kind, e.author, e.ts_ms, json.dumps(e.body, separators=(",", ":")))
            for e in stored
        ]
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            self._connection.executemany(
                f"INSERT INTO events ({COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?)",  # noqa: S608 - constant
                rows,
            )
            self._connection.execute("COMMIT")
        except sqlite3.Error:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
            raise

    def _query_games(self) -> list[str]:
        rows = self._connection.execute("SELECT game FROM events GROUP BY game ORDER BY MAX(ts_ms), game")
        return [str(game) for (game,) in rows]

    def _last_seq(self, game: str) -> int:
        try:
            return self._query_last_seq(game)
        except sqlite3.Error as error:  # a USB stick or SD card that does not respond
            raise not_saved_error(error) from None

    def _query_last_seq(self, game: str) -> int:
        row = self._connection.execute("SELECT MAX(seq) FROM events WHERE game = ?", (game,)).fetchone()
        return row[0] if isinstance(row[0], int) else 0


def _refuse_lone_journal(path: Path) -> None:
    """Refuse a journal without its file: SQLite would discard it, and only it has the latest events."""
    journal = path.with_name(f"{path.name}-wal")
    try:
        is_alone = not path.exists() and journal.exists() and journal.stat().st_size > 0
    except OSError:  # an unreadable folder is reported when it is opened
        return
    if is_alone:
        raise StoreError(
            f"{path} is not there, but its journal is, with what was played last ({journal.name}).",
            "Put the file back beside it, or move the journal away to begin again.",
            "store_closed",
        )
