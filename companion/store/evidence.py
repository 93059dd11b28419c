"""Pictures kept as evidence: a folder beside the events, bounded in size, named by what is in them."""

import hashlib
import re
from contextlib import suppress
from pathlib import Path

from calibration.written import keep
from companion.store.errors import StoreError

DEFAULT_BOUND_BYTES = 512 * 1024 * 1024
"""Some 3,000 pictures: more than fifty games."""
_NAME = re.compile(r"[0-9a-f]{24}\.jpg")


def picture_name(jpeg: bytes) -> str:
    """By which it is known: it tells, too, whether this is still the same picture."""
    return f"{hashlib.sha256(jpeg).hexdigest()[:24]}.jpg"


class EvidenceFolder:
    """JPEG files; when the bound is reached the oldest go first."""

    def __init__(self, folder: Path, bound_bytes: int = DEFAULT_BOUND_BYTES) -> None:
        self._folder = folder
        self._bound_bytes = bound_bytes

    def keep(self, jpeg: bytes) -> str:
        """Write a picture and return its name. Raises `StoreError` when the disk does not take it."""
        name = picture_name(jpeg)
        path = self._folder / name
        try:
            keep(path, jpeg)
            self._shed(name)
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

    def _shed(self, newest: str) -> None:
        files: list[tuple[int, int, Path]] = []
        for path in self._folder.glob("*.jpg"):
            with suppress(FileNotFoundError):  # another picture that is kept just now gave it up
                stat = path.stat()
                files.append((stat.st_mtime_ns, stat.st_size, path))
        total = sum(size for _, size, _ in files)
        for _, size, path in sorted(files):
            if total <= self._bound_bytes:
                return
            if path.name != newest:
                total -= size
                path.unlink(missing_ok=True)
