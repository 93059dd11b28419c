"""Where Tenshu keeps what must outlive a program: the user's data folder, or what `TENSHU_DATA` names."""

import os
from pathlib import Path

import platformdirs


class NoHomeError(Exception):
    """A user without a home, as in some containers."""

    sentence = "This user has no home, so it is not known where to keep anything."
    remedy = "Name a folder as TENSHU_DATA."

    def __str__(self) -> str:
        return f"{self.sentence} {self.remedy}"


def data_dir() -> Path:
    """The folder; it need not exist yet. Raises `NoHomeError`."""
    named = os.environ.get("TENSHU_DATA")
    if named:
        return Path(named)
    try:
        usual = platformdirs.user_data_path("tenshu", appauthor=False)
    except RuntimeError:
        raise NoHomeError from None
    if not usual.is_absolute():  # older platformdirs: a folder called "~" wherever Tenshu was started
        raise NoHomeError
    return usual


def profiles_dir(data: Path | None = None) -> Path:
    """Where profiles of tables are kept; `data` is the folder that somebody named. Raises `NoHomeError`."""
    return (data or data_dir()) / "profiles"
