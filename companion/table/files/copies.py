"""Automatic copies of the played table: events without pictures, the newest few of each table."""

import os
import re
import threading
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from calibration.written import atomic_file
from companion.store.backup import SUFFIX, save
from companion.store.events import StoredEvent

EVERY_MS = 10 * 60_000
KEPT = 8
"""Copies kept of each table; one is some 50 kB."""
_STAMP = "%Y%m%d-%H%M%S"
_NAME = re.compile(r"(?P<table>.+)-(?P<stamp>\d{8}-\d{6})(\.(?P<number>\d+))?")
"""The number tells which is newer, for clocks are set back. Copies from before there was one are older."""


@dataclass(frozen=True, slots=True)
class Copy:
    """One of the copies."""

    name: str
    """Name of its file."""
    table: str
    kb: int


class Copies:
    """A folder beside the tables. Thread-safe."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._newest: tuple[str, int] = ("", 0)
        """Table, and number of its last event, in the newest copy."""
        self._path: Path | None = None
        """Where the newest copy is, as long as nobody removes it."""
        self._copied_at_ms = 0
        self._lock = threading.Lock()

    def is_due(self, now_ms: int) -> bool:
        """Whether the last copy is old enough; true as well if the clock was set back before it."""
        return not 0 <= now_ms - self._copied_at_ms < EVERY_MS

    def keep(self, events: Sequence[StoredEvent], now_ms: int) -> None:
        """Write a copy, complete or not at all, if anything is new; a full disk is reported elsewhere. Raises
        `StoreError` for a table too long for a copy that could be restored."""
        with self._lock:
            self._copied_at_ms = now_ms
            if events and events[-1].batch > 1 and not self._is_copied(events[-1]):
                with suppress(OSError):
                    self._path = self._write(events[-1].game, events, now_ms)
                    self._newest = (events[-1].game, events[-1].seq)

    def _is_copied(self, last: StoredEvent) -> bool:
        exists = self._path is not None and os.access(self._path, os.F_OK)  # `exists` may raise
        return exists and self._newest == (last.game, last.seq)

    def _write(self, table: str, events: Sequence[StoredEvent], now_ms: int) -> Path:
        stamp = datetime.fromtimestamp(now_ms / 1000, UTC).astimezone().strftime(_STAMP)
        number = max((_sort_key(path)[0] for path in self._files()), default=0) + 1
        path = self._folder / f"{table}-{stamp}.{number}{SUFFIX}"
        for part in self._folder.glob(f"*{SUFFIX}.new"):  # left by a program killed while writing one
            if _table_name(part.with_suffix("")) == table:  # others may be in play in another program
                part.unlink(missing_ok=True)
        with atomic_file(path, private=True) as file:
            save(file, events, lambda _: None)
        self._remove_oldest(table)
        return path

    def all(self) -> list[Copy]:
        """Return all copies, newest first."""
        found: list[Copy] = []
        for path in sorted(self._files(), key=_sort_key, reverse=True):
            with suppress(OSError):  # it was removed meanwhile, or is a dead link: list the others
                found.append(Copy(path.name, _table_name(path), path.stat().st_size // 1024 + 1))
        return found

    def path(self, name: str) -> Path | None:
        """Return the file of a copy; None if there is none of that name."""
        return self._folder / name if any(copy.name == name for copy in self.all()) else None

    def _files(self) -> list[Path]:
        return list(self._folder.glob(f"*{SUFFIX}"))

    def _remove_oldest(self, table: str) -> None:
        """Remove the oldest."""
        for name in [copy.name for copy in self.all() if copy.table == table][KEPT:]:
            (self._folder / name).unlink(missing_ok=True)


def _sort_key(path: Path) -> tuple[int, str]:
    match = _NAME.fullmatch(path.stem)
    return (int(match["number"] or 0), match["stamp"]) if match else (0, "")


def _table_name(path: Path) -> str:
    match = _NAME.fullmatch(path.stem)
    return match["table"] if match else path.stem
