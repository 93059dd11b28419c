"""Pictures kept as evidence: a folder of bounded size beside the events, with content-hash names."""

import hashlib
import re
import threading
from contextlib import suppress
from pathlib import Path

from calibration.written import write_atomically
from companion.store.errors import StoreError

DEFAULT_BOUND_BYTES = 512 * 1024 * 1024
"""About 3,000 pictures: more than fifty games."""
_PARTS = 16
"""The folder is rescanned after each such part of the bound, as another program may write there too."""
_NAME = re.compile(r"[0-9a-f]{24}\.jpg")


def picture_name(jpeg: bytes) -> str:
    """Return a picture's name, a hash that also shows whether its content is unchanged."""
    return f"{hashlib.sha256(jpeg).hexdigest()[:24]}.jpg"


class EvidenceFolder:
    """JPEG files; beyond the bound the oldest are deleted first. Thread-safe."""

    def __init__(self, folder: Path, bound_bytes: int = DEFAULT_BOUND_BYTES) -> None:
        self._folder = folder
        self._bound_bytes = bound_bytes
        self._part_bytes = bound_bytes // _PARTS
        self._lock = threading.Lock()
        self._room = 0
        """Bytes that may be written before the next scan, which is slow with thousands of files."""

    def keep(self, jpeg: bytes) -> str:
        """Write a picture and return its name. Raise `StoreError` if the disk refuses it."""
        name = picture_name(jpeg)
        path = self._folder / name
        try:
            write_atomically(path, jpeg)
            self._make_room(name, len(jpeg))
        except OSError as error:
            raise StoreError(
                f"The picture could not be kept ({error.strerror}).",
                "The game goes on without it; free some disk space.",
            ) from None
        return name

    def read(self, name: str) -> bytes | None:
        """Return a picture by name, or None if there is none or it was deleted in favour of newer ones."""
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
                self._room = min(self._bound_bytes - self._delete_oldest(newest), self._part_bytes)

    def _delete_oldest(self, newest: str) -> int:
        """Delete the oldest pictures if the bound is exceeded; return the bytes left."""
        files: list[tuple[int, int, Path]] = []
        for path in self._folder.glob("*.jpg"):
            with suppress(FileNotFoundError):  # another program deleted it in the meantime
                stat = path.stat()
                files.append((stat.st_mtime_ns, stat.st_size, path))
        total = sum(size for _, size, _ in files)
        target_bytes = (
            self._bound_bytes if total <= self._bound_bytes else self._bound_bytes - self._part_bytes
        )
        for _, size, path in sorted(files):
            if total <= target_bytes:
                break
            if path.name != newest:
                total -= size
                path.unlink(missing_ok=True)
        return total
