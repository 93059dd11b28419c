"""Files written atomically: to a temporary file beside the target first, which then replaces it.

`atomic_output` is for files that a person asked for by name, `atomic_file` for those the program keeps.
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
    """A file cannot be written at the requested path."""


@contextmanager
def atomic_output(target: Path, alternative: str) -> Iterator[Path]:
    """Yield a path to write to; it becomes `target` after the block and is removed if the block fails.

    `alternative` tells the user what to name instead. Raises `WriteError`.
    """
    part = None
    try:
        resolved = Path(os.path.realpath(target))
        part = _create_part_file(resolved)
        yield part or resolved
        if part is not None:
            part.replace(resolved)
    except OSError as error:
        raise _write_error(target, alternative, error) from None
    finally:
        if part is not None:
            with suppress(OSError):
                part.unlink(missing_ok=True)


@contextmanager
def atomic_file(path: Path, *, private: bool = False) -> Iterator[BinaryIO]:
    """Yield a file that is synced and moved to `path` after the block: a power cut leaves the old or the new.

    Creates missing folders. `private` makes it readable by its owner only. Raises OSError and leaves no
    temporary file behind.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f"{path.name}.new")
    part.unlink(missing_ok=True)  # left by a killed program, perhaps with other permissions
    try:
        descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600 if private else 0o666)
        with os.fdopen(descriptor, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    except BaseException:
        with suppress(OSError):
            part.unlink(missing_ok=True)  # a partial file would take up space the next try needs
        raise


def write_atomically(path: Path, content: bytes | str, *, private: bool = False) -> None:
    """Write a small file with `atomic_file`, text as UTF-8. Raises OSError."""
    with atomic_file(path, private=private) as file:
        file.write(content.encode() if isinstance(content, str) else content)


def check_writable(target: Path, alternative: str) -> None:
    """Check before long work that `target` could be written. Raises `WriteError`."""
    try:
        part = _create_part_file(Path(os.path.realpath(target)))
        if part is not None:
            part.unlink()
    except OSError as error:
        raise _write_error(target, alternative, error) from None


def _create_part_file(resolved: Path) -> Path | None:
    """Create an empty file in the same folder; None if `resolved` is to be written directly: a device."""
    if resolved.is_dir():
        raise IsADirectoryError(EISDIR, os.strerror(EISDIR))
    if resolved.exists():
        with resolved.open("ab"):  # opened only to check: a read-only file stays read-only
            pass
        if not resolved.is_file():
            return None
    part = resolved.with_name(f".tenshu-{os.getpid()}-new{resolved.suffix}")
    try:
        part.touch()
    except PermissionError:  # we may write the file but not its folder
        if resolved.exists():
            return None
        raise
    if resolved.exists():
        shutil.copymode(resolved, part)
    return part


def _write_error(target: Path, alternative: str, error: OSError) -> WriteError:
    remedy = f"Name {alternative}."
    if error.errno in (ENOSPC, EDQUOT):
        remedy = f"Free some space there, or name {alternative}."
    return WriteError(f"{target} cannot be written ({error.strerror or error}).", remedy)
