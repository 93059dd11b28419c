"""Files that are written whole or not at all: beside their place first, then put there at once.

`whole` is for what a person asked for by name, `anew` for what the program keeps for itself.
"""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from errno import EDQUOT, EISDIR, ENOSPC
from pathlib import Path
from typing import BinaryIO

from vision.errors import VisionError


class WriteError(VisionError):
    """A file cannot be written where it was asked for."""


@contextmanager
def whole(target: Path, other: str) -> Iterator[Path]:
    """What to write into; it is `target` after the block, and gone if that fails.

    `other`: what may be named instead, and how. Raises `WriteError`.
    """
    part = None
    try:
        place = Path(os.path.realpath(target))
        part = _beside(place)
        yield part or place
        if part is not None:
            part.replace(place)
    except OSError as error:
        raise _refused(target, other, error) from None
    finally:
        if part is not None:
            with suppress(OSError):
                part.unlink(missing_ok=True)


@contextmanager
def anew(path: Path, *, private: bool = False) -> Iterator[BinaryIO]:
    """What to write into; on the disk and at `path` after the block: a power cut leaves the old or the new.

    Folders are made. `private`: its owner alone may read it. Raises OSError, with nothing left beside it.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f"{path.name}.new")
    part.unlink(missing_ok=True)  # of a program that was killed; its rights may be others
    try:
        descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600 if private else 0o666)
        with os.fdopen(descriptor, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    except BaseException:
        with suppress(OSError):
            part.unlink(missing_ok=True)  # half of it would take room from the next try
        raise


def keep(path: Path, content: bytes | str, *, private: bool = False) -> None:
    """All of a small file, as `anew` writes it; text as UTF-8. Raises OSError."""
    with anew(path, private=private) as file:
        file.write(content.encode() if isinstance(content, str) else content)


def check(target: Path, other: str) -> None:
    """Before long work: whether it could be written. Raises `WriteError`."""
    try:
        part = _beside(Path(os.path.realpath(target)))
        if part is not None:
            part.unlink()
    except OSError as error:
        raise _refused(target, other, error) from None


def _beside(place: Path) -> Path | None:
    """An empty file in the same folder; None for what has to be written in its own place, as a device."""
    if place.is_dir():
        raise IsADirectoryError(EISDIR, os.strerror(EISDIR))
    if place.exists():
        with place.open("ab"):  # asked, not written: what is locked stays locked
            pass
        if not place.is_file():
            return None
    part = place.with_name(f".tenshu-{os.getpid()}-new{place.suffix}")
    try:
        part.touch()
    except PermissionError:  # the file is ours, the folder is not
        if place.exists():
            return None
        raise
    if place.exists():
        shutil.copymode(place, part)
    return part


def _refused(target: Path, other: str, error: OSError) -> WriteError:
    remedy = f"Name {other}."
    if error.errno in (ENOSPC, EDQUOT):
        remedy = f"Free some space there, or name {other}."
    return WriteError(f"{target} cannot be written ({error.strerror or error}).", remedy)
