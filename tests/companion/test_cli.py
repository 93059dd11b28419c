"""The command line itself: help, names, and that no traceback gets out."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from companion.cli import COMMANDS, main


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_explains_itself(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    """`--help` ends well."""
    with pytest.raises(SystemExit) as end:
        main([command, "--help"])
    assert end.value.code == 0
    assert "usage: tenshu" in capsys.readouterr().out


@pytest.mark.parametrize("arguments", [[], ["fly"], ["mat", "--paper", "a9"]])
def test_wrong_arguments_end_with_status_2(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """And with what is allowed."""
    with pytest.raises(SystemExit) as end:
        main(arguments)
    assert end.value.code == 2
    assert "tenshu" in capsys.readouterr().err


def test_what_the_system_refuses_is_one_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A disk that is full where nobody looked for it."""

    def full(_: object) -> int:
        raise OSError(28, "No space left on device", "mat.pdf")

    monkeypatch.setattr("companion.commands.mat.run", full)
    assert main(["mat"]) == 2
    assert capsys.readouterr().err == (
        "tenshu: The system refused: No space left on device (mat.pdf). Try `tenshu doctor`.\n"
    )


def test_a_terminal_that_knows_only_ascii_ends_no_command(tmp_path: Path) -> None:
    """The doctor's ✓ and file names of any kind."""
    environment = {**os.environ, "PYTHONIOENCODING": "ascii", "TENSHU_DATA": str(tmp_path)}
    command = [sys.executable, "-m", "companion", "doctor", "--camera", str(tmp_path / "kämera")]
    done = subprocess.run(
        command, env=environment, capture_output=True, check=False, cwd=Path(__file__).parents[2]
    )
    assert done.returncode == 2
    assert b"Traceback" not in done.stderr
    assert b"neither a camera nor a file" in done.stdout
