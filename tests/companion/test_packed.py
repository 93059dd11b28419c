"""What is installed with Tenshu holds every file that it needs, not only those of a checkout."""

import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]
ROOMS = ("vision", "calibration", "firmware", "companion")
LEFT_OUT = {".py", ".pyc", ".pt"}
"""Found by themselves; made by Python; what a training goes on from, for whom has torch."""


def packed_files() -> set[Path]:
    """What `pyproject.toml` puts beside the modules."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    files: set[Path] = set()
    for package, patterns in project["tool"]["setuptools"]["package-data"].items():
        folders = [ROOT / package.replace(".", "/")] if package != "*" else all_folders()
        files.update(path for folder in folders for pattern in patterns for path in folder.glob(pattern))
    return files


def all_folders() -> list[Path]:
    """Each is a package."""
    rooms = [ROOT / room for room in ROOMS]
    return rooms + [path for room in rooms for path in room.rglob("*") if path.is_dir()]


def test_every_file_of_the_rooms_is_installed() -> None:
    """Networks, pages, words, fonts, the board's program and its sources."""
    files = {path for folder in all_folders() for path in folder.iterdir() if path.is_file()}
    assert {path.relative_to(ROOT) for path in files - packed_files() if path.suffix not in LEFT_OUT} == set()
