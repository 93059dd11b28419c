"""Where Tenshu keeps what must outlive a program: the user's data folder, or what `TENSHU_DATA` names."""

import os
from contextlib import suppress
from pathlib import Path

import platformdirs

from companion.errors import TenshuError


class NoHomeError(TenshuError):
    """A user without a home, as in some containers."""

    def __init__(self) -> None:
        super().__init__(
            "You have no home folder, so there is nowhere to keep anything.",
            "Name a folder as TENSHU_DATA.",
        )


class NoFolderError(TenshuError):
    """A file stands where a folder was meant, or is named in its place."""

    def __init__(self, path: Path, named: str) -> None:
        super().__init__(f"{path} is a file, and tables are kept in a folder.", f"Name another {named}.")


def data_dir() -> Path:
    """The folder; it need not exist yet. Raises `NoHomeError`."""
    named = os.environ.get("TENSHU_DATA")
    if named:
        return Path(named).absolute()
    try:
        usual = platformdirs.user_data_path("tenshu", appauthor=False)
    except RuntimeError:
        raise NoHomeError from None
    if not usual.is_absolute():  # older platformdirs: a folder called "~" wherever Tenshu was started
        raise NoHomeError
    return usual


def data_folder(named: Path | None) -> Path:
    """What somebody named with --data, else the usual; from the root on, so that whoever reads its name
    finds it. Raises `NoHomeError`, `NoFolderError`."""
    folder = named.absolute() if named else data_dir()
    if folder.exists() and not folder.is_dir():
        raise NoFolderError(folder, "with --data" if named else "as TENSHU_DATA")
    return folder


def looked_into(folder: Path) -> Path:
    """Raises `OSError` where that is not allowed: a pattern would find nothing there, and say nothing."""
    with suppress(FileNotFoundError):
        next(folder.iterdir(), None)
    return folder


def profiles_dir(data: Path | None = None) -> Path:
    """Where profiles of tables are kept; `data` as somebody named it. Raises as `data_folder` does."""
    return data_folder(data) / "profiles"
