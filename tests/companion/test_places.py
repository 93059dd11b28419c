"""Where things are kept, also for users who have no home."""

import json
import os
import subprocess
import sys
from pathlib import Path

import platformdirs
import pytest

from companion.cli import main
from companion.places import NoHomeError, data_dir, data_folder
from tests.patience import PATIENCE_S

_HOMELESS = """
import os, sys
os.path.expanduser = lambda path: path  # what Python answers where neither HOME nor the system knows one
from companion.cli import main
sys.exit(main(sys.argv[1:]))
"""


@pytest.mark.parametrize(
    "command",
    [["count", "x.jpg", "--profile", "x"], ["serve", "--port", "0"], ["calibrate", "--list"], ["doctor"]],
)
def test_a_user_without_a_home_is_told_what_to_name(command: list[str]) -> None:
    """In some containers; it was a traceback."""
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith(("XDG_", "TENSHU_"))
    }
    done = subprocess.run(
        [sys.executable, "-c", _HOMELESS, *command],
        env=environment,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    assert (done.returncode, done.stderr) == (
        2,
        "tenshu: You have no home folder, so there is nowhere to keep anything. "
        "Name a folder as TENSHU_DATA.\n",
    )


@pytest.mark.parametrize("command", [["count", "x.jpg"], ["evaluate", "."]])
def test_who_only_reads_pictures_needs_no_home(command: list[str], tmp_path: Path) -> None:
    """A picture was not counted for want of a folder in which nothing would have been kept."""
    labels = {"pictures": [{"file": "x.jpg", "counts": {"red": 1}}]}
    (tmp_path / "labels.json").write_text(json.dumps(labels), encoding="utf-8")
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith(("XDG_", "TENSHU_"))
    }
    done = subprocess.run(
        [sys.executable, "-c", _HOMELESS, *command],
        env=environment,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    assert done.returncode == 2
    assert done.stderr == "tenshu: There is no picture x.jpg. Check the name.\n"


@pytest.mark.parametrize("command", ["count", "evaluate"])
def test_a_folder_of_profiles_of_which_none_is_read_is_told(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """`--data` did nothing without `--profile`, and who thought to read as calibrated was not told."""
    assert main([command, str(tmp_path), "--data", str(tmp_path)]) == 2
    sentence = "--data has no effect without --profile. Add --profile, or leave out --data."
    assert capsys.readouterr().err == f"tenshu: {sentence}\n"


@pytest.mark.parametrize(
    "command",
    [
        "serve --port 0",
        "serve --port 0 --profile home",
        "demo --port 0",
        "count . --profile home",
        "evaluate . --profile home",
        "calibrate --list",
        "calibrate --check",
        "calibrate --pictures . --yes",
        "doctor --profile home",
        "log export",
        "firmware monitor --seconds 1",
        "firmware calibrate",
    ],
)
def test_a_file_where_a_folder_is_wanted_is_told_as_that(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was told as no profile, as one that has to be calibrated again, or after the cubes were weighed."""
    file = tmp_path / "friday.tenshu"
    file.touch()
    (tmp_path / "labels.json").write_text(json.dumps({"pictures": [{"file": "x.jpg", "counts": {"red": 1}}]}))
    monkeypatch.chdir(tmp_path)
    sentence = f"tenshu: {file} is a file, and tables are kept in a folder. Name another"
    assert main([*command.split(), "--data", str(file)]) == 2
    output = capsys.readouterr()
    assert (output.out, output.err) == ("", f"{sentence} with --data.\n")
    monkeypatch.setenv("TENSHU_DATA", str(file))
    assert main(command.split()) == 2
    output = capsys.readouterr()
    assert (output.out, output.err) == ("", f"{sentence} as TENSHU_DATA.\n")


@pytest.mark.parametrize("command", ["calibrate --list", "log export"])
def test_a_folder_is_named_from_the_root_on(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As "games" it told nobody where it was looked for: it was in the folder of another window."""
    monkeypatch.chdir(tmp_path)
    assert main([*command.split(), "--data", "games"]) == 2
    assert f"There is no folder {tmp_path / 'games'}. " in capsys.readouterr().err
    monkeypatch.setenv("TENSHU_DATA", "games")
    for named in (None, Path("games")):
        assert data_folder(named) == tmp_path / "games"


def test_nothing_is_asked_of_a_home_where_a_folder_is_named(tmp_path: Path) -> None:
    """It is enough."""
    named = {**os.environ, "TENSHU_DATA": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", _HOMELESS, "calibrate", "--list"],
        env=named,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_a_home_that_is_only_written_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    """The oldest platformdirs answers so: a folder called ~ was made where Tenshu was started."""
    monkeypatch.delenv("TENSHU_DATA", raising=False)
    written = Path("~/.local/share/tenshu")
    monkeypatch.setattr(platformdirs, "user_data_path", lambda *_, **__: written)
    with pytest.raises(NoHomeError, match="TENSHU_DATA"):
        data_dir()
