"""One Tenshu per table: a second one would show an old state, and refuse what is tapped.

The lock is the system's (flock; on Windows that of one byte), on a file of its own beside the table: it ends
with the process, however that ends. Those that only read, like `tenshu log`, do not ask for it. Where nothing
can be locked there is no lock: in a folder that cannot be written nothing is saved either, and on a network
drive without locks nothing changes.
"""

import os
import socket
import sys
from contextlib import suppress
from pathlib import Path

from companion.table.errors import TableRefusal

_MOST_BYTES = 200
_LOCKED_AT = 1 << 30  # Windows lets nobody read what is locked, so it is far behind the signature

if sys.platform == "win32":
    import msvcrt

    def _lock(file: int) -> None:
        os.lseek(file, _LOCKED_AT, os.SEEK_SET)
        msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def _lock(file: int) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


class OpenElsewhere(TableRefusal):
    """Another process plays at this table."""

    status = 409
    remedy = "Close that one, or play another table (`--table`, `--data`)."

    def __init__(self, table: str, holder: str) -> None:
        sentence = f"Table {table} is open in another Tenshu already{holder}."
        super().__init__("open_elsewhere", f"{sentence} {self.remedy}")


class TableLock:
    """Held from `take` to `release`, or to the end of the process."""

    def __init__(self, path: Path, file: int | None) -> None:
        self.path = path
        self._file = file

    @classmethod
    def take(cls, table: Path, held: "TableLock | None" = None) -> "TableLock":
        """Return the lock of a table's file, or `held` itself if it is that lock. Raises `OpenElsewhere`."""
        path = table.with_suffix(".lock")
        if held is not None and held.path == path:
            return held
        file = _open_lock_file(path)
        if file is None:
            return cls(path, file)
        try:
            _lock(file)
        except (BlockingIOError, PermissionError):  # the latter on Windows
            holder = _read_holder(file)
            os.close(file)
            raise OpenElsewhere(table.stem, holder) from None
        except OSError:  # a file system without locks
            return cls(path, file)
        _write_holder(file)
        return cls(path, file)

    def release_for(self, other: "TableLock") -> None:
        """Release it, unless the other is this one."""
        if other is not self:
            self.release()

    def release(self) -> None:
        """Release it; idempotent. The file stays: removing it just then would make room for two."""
        if self._file is not None:
            os.close(self._file)
            self._file = None


def _open_lock_file(path: Path) -> int | None:
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
    for flags in (os.O_RDWR | os.O_CREAT, os.O_RDONLY):  # another user's file can be locked, not signed
        with suppress(OSError):
            return os.open(path, flags, 0o644)
    return None


def _write_holder(file: int) -> None:
    """Write who holds the lock, for the sentence another process shows; the lock holds without it."""
    with suppress(OSError):
        os.ftruncate(file, 0)
        os.lseek(file, 0, os.SEEK_SET)
        os.write(file, f"process {os.getpid()} on {socket.gethostname()}\n".encode()[:_MOST_BYTES])


def _read_holder(file: int) -> str:
    signed = b""
    with suppress(OSError):
        os.lseek(file, 0, os.SEEK_SET)
        signed = os.read(file, _MOST_BYTES)
    holder = " ".join("".join(c for c in signed.decode("utf-8", "replace") if c.isprintable()).split())
    return f" ({holder})" if holder else ""
