"""Pictures kept as evidence: a folder beside the events, bounded in size, named by what is in them."""

import hashlib
import re
import threading
from contextlib import suppress
from pathlib import Path

from calibration.written import keep
from companion.store.errors import StoreError

DEFAULT_BOUND_BYTES = 512 * 1024 * 1024
"""Some 3,000 pictures: more than fifty games."""
_PARTS = 16
"""After each such part of the bound the folder is looked through: another program may write there too."""
_NAME = re.compile(r"[0-9a-f]{24}\.jpg")


def picture_name(jpeg: bytes) -> str:
    """By which it is known: it tells, too, whether this is still the same picture."""
    return f"{hashlib.sha256(jpeg).hexdigest()[:24]}.jpg"


class EvidenceFolder:
    """JPEG files; when the bound is reached the oldest go first. Safe to call from any thread."""

    def __init__(self, folder: Path, bound_bytes: int = DEFAULT_BOUND_BYTES) -> None:
        self._folder = folder
        self._bound_bytes = bound_bytes
        self._part_bytes = bound_bytes // _PARTS
        self._lock = threading.Lock()
        self._room = 0
        """Bytes that may come before the folder is looked through: of thousands that takes a while."""

    def keep(self, jpeg: bytes) -> str:
        """Write a picture and return its name. Raises `StoreError` when the disk does not take it."""
        name = picture_name(jpeg)
        path = self._folder / name
        try:
            keep(path, jpeg)
            self._make_room(name, len(jpeg))
        except OSError as error:
            raise StoreError(
                f"The picture could not be kept ({error.strerror}).",
                "The game goes on without it; free some disk space.",
            ) from None
        return name

    def read(self, name: str) -> bytes | None:
        """A picture by name; None when there is no such name, or it was given up for newer ones."""
        if not _NAME.fullmatch(name):
            return None
        try:
            return (self._folder / name).read_bytes()
        except OSError:
            return None

    def _make_room(self, newest: str, size: int) -> None:
        with self._lock:
            self._room -= size
            if self._room < 0:
                self._room = min(self._bound_bytes - self._shed(newest), self._part_bytes)

    def _shed(self, newest: str) -> int:
        """How much is left."""
        files: list[tuple[int, int, Path]] = []
        for path in self._folder.glob("*.jpg"):
            with suppress(FileNotFoundError):  # another program that keeps one just now gave it up
                stat = path.stat()
                files.append((stat.st_mtime_ns, stat.st_size, path))
        total = sum(size for _, size, _ in files)
        wanted = self._bound_bytes if total <= self._bound_bytes else self._bound_bytes - self._part_bytes
        for _, size, path in sorted(files):
            if total <= wanted:
                break
            if path.name != newest:
                total -= size
                path.unlink(missing_ok=True)
        return total
