"""A table's file that cannot be written, or only partly read: returns what is readable, no more."""

import os
import sqlite3
import threading
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import quote

from companion.store.errors import StoreError
from companion.store.events import COLUMNS, NewEvent, StoredEvent, event_from_row


class ReadOnlyStore:
    """Implements the store contract except for `append`, which is always refused."""

    def __init__(self, path: Path, *, traceless: bool = False) -> None:
        """Open nothing yet: each read gets what it can.

        `traceless`: SQLite creates no files beside one that nobody is using.
        """
        self._path = path
        self._traceless = traceless
        self._lock = threading.Lock()

    def append(
        self, game: str, expected: int, events: Sequence[NewEvent], author: str, ts_ms: int
    ) -> list[StoredEvent]:
        """Raise `StoreError`, always."""
        del game, expected, events, author, ts_ms
        raise StoreError(
            "This table's file cannot be written, so nothing new is saved.",
            "Open the recovery page to save what can be read and go on from there.",
            "store_read_only",
        )

    def read(self, game: str, after: int = 0) -> list[StoredEvent]:
        """Return the events before the first damaged or missing one, oldest first, in whole batches."""
        last_row = self._last_row("WHERE game = ?", (game,))
        rows, is_complete = self._rows("WHERE game = ? ORDER BY seq", (game,))
        found: list[StoredEvent] = []
        for row in rows:
            event = event_from_row(row)
            if event is None or event.seq != len(found) + 1:
                is_complete = False
                break
            found.append(event)
        if (not is_complete or len(found) < last_row[1]) and found:
            found = [event for event in found if event.batch != found[-1].batch]
        return found[after:]

    def last(self, game: str) -> int:
        """Return the number of the last event that can be read."""
        return len(self.read(game))

    def games(self) -> list[str]:
        """Return all games that have a readable event, the most recently written last."""
        newest: dict[str, int] = {}
        for row in self._rows("", ())[0]:
            event = event_from_row(row)
            if event is not None:
                newest[event.game] = max(newest.get(event.game, 0), event.ts_ms)
        return sorted(newest, key=lambda game: (newest[game], game))

    def is_whole(self) -> bool:
        """Return whether everything that was written can be read."""
        newest = self._last_row("", ())
        rows, is_complete = self._rows("ORDER BY game, seq", ())
        events = [event_from_row(row) for row in rows]
        last: dict[str, int] = {}
        for event in events:
            if event is None or event.seq != last.get(event.game, 0) + 1:
                return False
            last[event.game] = event.seq
        return is_complete and last.get(newest[0], 0) >= newest[1]

    def close(self) -> None:
        """Do nothing, because no file is held open."""

    def _rows(self, where: str, values: tuple[object, ...]) -> tuple[list[tuple[object, ...]], bool]:
        """Return the rows before any damage, and whether that is all; SQLite may have to ignore the WAL."""
        has_wal = self._wal_bytes() > 0
        with self._lock:
            found = self._query("mode=ro", where, values) if has_wal or not self._traceless else None
            if found is not None:
                return found
            rows, is_complete = self._query("mode=ro&immutable=1", where, values) or ([], False)
            return rows, is_complete and not has_wal

    def _last_row(self, where: str, values: tuple[object, ...]) -> tuple[str, int]:
        """Return game and number of the last row. Ask first: SQLite may silently read fewer than exist."""
        row, *_ = (*self._rows(f"{where} ORDER BY game DESC, seq DESC LIMIT 1", values)[0], ("", 0))
        return str(row[0]), row[1] if isinstance(row[1], int) else 0

    def _wal_bytes(self) -> int:
        """Return the size of the WAL beside the file: not 0 while somebody plays, or after a crash."""
        try:
            return self._path.with_name(f"{self._path.name}-wal").stat().st_size
        except FileNotFoundError:  # it may go at any moment: the table is closed in another thread or program
            return 0

    def _query(
        self, mode: str, where: str, values: tuple[object, ...]
    ) -> tuple[list[tuple[object, ...]], bool] | None:
        """Return rows and whether they are all, or None if the file could not be queried at all."""
        if not self._path.is_file():
            return [], True
        rows: list[tuple[object, ...]] = []
        try:
            address = f"file:{quote(os.fsencode(self._path))}?{mode}"  # its bytes need not be UTF-8
            connection = sqlite3.connect(address, uri=True, timeout=2)
        except sqlite3.Error:
            return None
        try:
            # extend keeps the rows before an error
            rows.extend(connection.execute(f"SELECT {COLUMNS} FROM events {where}", values))  # noqa: S608
        except sqlite3.Error:
            return (rows, False) if rows else None
        finally:
            connection.close()
        return rows, True
