"""Where Tenshu keeps what must outlive a program: the user's data folder, or what `TENSHU_DATA` names."""

import os
from pathlib import Path

import platformdirs


def data_dir() -> Path:
    """The folder; it need not exist yet."""
    named = os.environ.get("TENSHU_DATA")
    return Path(named) if named else platformdirs.user_data_path("tenshu", appauthor=False)


def profiles_dir() -> Path:
    """Where profiles of tables are kept."""
    return data_dir() / "profiles"
