"""The folder of Tenshu is moved, renamed and copied, and make sets up what it then needs."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PYTHON = """#!/bin/sh
case "$*" in
*--clear*) rm -r .venv ;;
esac
case "$*" in
*venv*) mkdir -p .venv/bin && ln -sf /bin/true .venv/bin/pip ;;
esac
"""
"""Stands for Python: makes an environment in which installing does nothing."""

pytestmark = pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed")


def set_up(folder: Path) -> str:
    """Run `make .venv/run` and return what it said that it does."""
    # MAKEFLAGS: those of a make that runs the tests are not meant for this one
    environment = {name: value for name, value in os.environ.items() if name != "MAKEFLAGS"}
    command = ["make", ".venv/run", "PYTHON=./python"]
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=True
    ).stdout


@pytest.fixture
def tenshu(tmp_path: Path) -> Path:
    """A folder of Tenshu that was set up; its name is one that people give."""
    folder = tmp_path / "Anna's games"
    folder.mkdir()
    for name in ("Makefile", "pyproject.toml", "constraints.txt"):
        shutil.copy(ROOT / name, folder)
    (folder / "python").write_text(PYTHON, encoding="utf-8")
    (folder / "python").chmod(0o755)
    assert "-m venv" in set_up(folder)
    return folder


def test_a_folder_that_stays_is_set_up_once(tenshu: Path) -> None:
    assert "up to date" in set_up(tenshu)


def test_a_link_to_the_environment_of_another_folder_is_left_as_it_is(tenshu: Path, tmp_path: Path) -> None:
    """It is shared, and what it runs is meant."""
    other = tmp_path / "other"
    other.mkdir()
    shutil.copy(tenshu / "Makefile", other)
    (other / "pyproject.toml").symlink_to(tenshu / "pyproject.toml")
    (other / "constraints.txt").symlink_to(tenshu / "constraints.txt")
    (other / ".venv").symlink_to(tenshu / ".venv")
    assert "up to date" in set_up(other)


def test_a_folder_that_was_moved_is_set_up_anew(tenshu: Path) -> None:
    """`.venv/bin/tenshu` used to name a Python that was no longer there, and make said all was up to date."""
    moved = tenshu.rename(tenshu.parent / "Würfel (2)")
    assert "--clear" in set_up(moved)
    assert "up to date" in set_up(moved)


def test_a_copied_folder_runs_its_own_tenshu(tenshu: Path) -> None:
    """A copy, brought up to date, used to run the older Tenshu of the first folder in silence."""
    copy = tenshu.parent / "copy"
    shutil.copytree(tenshu, copy, symlinks=True)
    assert "--clear" in set_up(copy)
    assert "up to date" in set_up(tenshu)
