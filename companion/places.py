"""Where Tenshu stores persistent data: the user's data folder, or the one that `TENSHU_DATA` names."""

import os
from contextlib import suppress
from pathlib import Path

import platformdirs

from companion.errors import TenshuError


class NoHomeError(TenshuError):
    """The user has no home folder, as in some containers."""

    def __init__(self) -> None:
        super().__init__(
            "You have no home folder, so there is nowhere to keep anything.",
            "Name a folder as TENSHU_DATA.",
        )


class NoFolderError(TenshuError):
    """A file is where a folder should be, or was named instead of one."""

    def __init__(self, path: Path, named: str) -> None:
        super().__init__(f"{path} is a file, and tables are kept in a folder.", f"Name another {named}.")


def data_dir() -> Path:
    """Return the default data folder, which need not exist yet. Raise `NoHomeError`."""
    named = os.environ.get("TENSHU_DATA")
    if named:
        return Path(named).absolute()
    try:
        usual = platformdirs.user_data_path("tenshu", appauthor=False)
    except RuntimeError:
        raise NoHomeError from None
    if not usual.is_absolute():  # older platformdirs return a folder called "~" in the working directory
        raise NoHomeError
    return usual


def data_folder(named: Path | None) -> Path:
    """Return the folder given with --data, or else the default one, as an absolute path so that messages are
    unambiguous. Raise `NoHomeError` or `NoFolderError`."""
    folder = named.absolute() if named else data_dir()
    if folder.exists() and not folder.is_dir():
        raise NoFolderError(folder, "with --data" if named else "as TENSHU_DATA")
    return folder


def require_readable(folder: Path) -> Path:
    """Return the folder. Raise `OSError` if it is not readable: a glob would silently find nothing."""
    with suppress(FileNotFoundError):
        next(folder.iterdir(), None)
    return folder


def profiles_dir(data: Path | None = None) -> Path:
    """Return the folder of table profiles; `data` as given with --data. Raise as `data_folder` does."""
    return data_folder(data) / "profiles"
