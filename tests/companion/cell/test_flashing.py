"""avrdude's command line, and the errors when it cannot run."""

import subprocess
import sys
from pathlib import Path

import pytest

from companion.cell.flashing import Flashing, find_program, flash, only_port, prepare
from companion.cli import main
from firmware.link.errors import BoardError, PortError
from firmware.link.program import PROGRAM
from tests.firmware.standin import PtyBoard


def test_the_command_is_the_one_that_avrdude_takes() -> None:
    flashing = Flashing("/dev/ttyACM0", Path("tenshu.hex"), "/usr/bin/avrdude")
    assert " ".join(flashing.command(115200)) == (
        "/usr/bin/avrdude -c arduino -p m328p -P /dev/ttyACM0 -b 115200 -D -U flash:w:tenshu.hex:i"
    )


@pytest.mark.skipif(sys.platform == "win32", reason="needs a POSIX shell")
def test_the_command_that_is_shown_can_be_pasted(tmp_path: Path) -> None:
    """If Tenshu's folder had spaces in its name, the shell split the program's path into several words."""
    echo = tmp_path / "my tools" / "avrdude"
    echo.parent.mkdir()
    echo.write_text('#!/bin/sh\nfor word; do echo "$word"; done\n', encoding="utf-8")
    echo.chmod(0o755)
    flashing = Flashing("/dev/ttyACM0", tmp_path / "a game's" / "tenshu.hex", str(echo))
    words = subprocess.check_output(["/bin/sh", "-c", flashing.shell_line(57600)], text=True)
    assert words.splitlines() == flashing.command(57600)[1:]


@pytest.mark.skipif(sys.platform == "win32", reason="needs a POSIX shell")
def test_an_avrdude_that_cannot_be_run_is_told(tmp_path: Path) -> None:
    """For example a binary for another architecture; "Try `tenshu doctor`" was no help."""
    broken = tmp_path / "avrdude"
    broken.write_bytes(b"\x7fELF of another computer")
    broken.chmod(0o755)
    board = PtyBoard(tmp_path / "board")
    try:
        with pytest.raises(BoardError, match="cannot be run: Exec format error") as error:
            flash(Flashing(str(board.path), Path("x.hex"), str(broken)), [115200], print)
    finally:
        board.close()
    assert "--avrdude PATH" in error.value.remedy


def test_an_old_bootloader_is_tried_after_the_new_one(tmp_path: Path) -> None:
    board = PtyBoard(tmp_path / "board")
    lines: list[str] = []
    speeds: list[str] = []

    def run_avrdude(command: list[str]) -> int:
        speeds.append(command[command.index("-b") + 1])
        return 0 if speeds[-1] == "57600" else 1

    try:
        flash(Flashing(str(board.path), Path("x.hex"), "avrdude"), [115200, 57600], lines.append, run_avrdude)
    finally:
        board.close()
    assert speeds == ["115200", "57600"]
    assert lines[1].startswith("$ avrdude -c arduino -p m328p")


def test_a_board_that_takes_no_program_is_told(tmp_path: Path) -> None:
    board = PtyBoard(tmp_path / "board")
    try:
        with pytest.raises(BoardError) as error:
            flash(Flashing(str(board.path), Path("x.hex"), "avrdude"), [115200], print, lambda _: 1)
    finally:
        board.close()
    assert error.value.name == "not_flashed"


def test_a_port_that_is_not_there_is_told_before_avrdude_runs(tmp_path: Path) -> None:
    def fail_if_run(command: list[str]) -> int:
        raise AssertionError(command)

    with pytest.raises(PortError) as error:
        flash(Flashing(str(tmp_path / "no"), Path("x.hex"), "avrdude"), [115200], print, fail_if_run)
    assert error.value.name == "missing"


@pytest.mark.parametrize(("ports", "name"), [([], "not_found"), (["/dev/ttyACM0", "/dev/ttyUSB0"], "many")])
def test_a_port_is_never_guessed(ports: list[str], name: str) -> None:
    with pytest.raises(PortError) as error:
        only_port("auto", lambda: ports)
    assert error.value.name == name


def test_the_only_port_is_taken() -> None:
    assert only_port("auto", lambda: ["/dev/ttyACM0"]) == "/dev/ttyACM0"


def test_a_program_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(BoardError) as error:
        find_program(tmp_path / "none.hex")
    assert "make -C firmware" in error.value.remedy


def test_no_compiler_is_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tenshu ships the compiled firmware."""
    monkeypatch.setenv("PATH", "/nonexistent")
    assert find_program(None).read_text(encoding="ascii").endswith(":00000001FF\n")


def test_no_avrdude_is_told_with_where_to_get_it() -> None:
    with pytest.raises(BoardError) as error:
        prepare("/dev/ttyACM0", None, "no-such-avrdude")
    assert error.value.name == "no_avrdude"


def test_a_dry_run_shows_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program = tmp_path / "tenshu.hex"
    program.write_text(":00000001FF\n")
    options = ["--port", "/dev/ttyACM0", "--hex", str(program), "--avrdude", sys.executable, "--dry-run"]
    assert main(["firmware", "flash", *options]) == 0
    assert f"-P /dev/ttyACM0 -b 115200 -D -U flash:w:{program}:i" in capsys.readouterr().out


def test_the_board_answers_after_it_was_flashed(tmp_path: Path) -> None:
    board = PtyBoard(tmp_path / "board")
    program = tmp_path / "tenshu.hex"
    program.write_text(":00000001FF\n")
    options = ["--port", str(board.path), "--hex", str(program), "--avrdude", "true"]
    try:
        done = subprocess.run(
            [sys.executable, "-m", "companion", "firmware", "flash", *options],
            capture_output=True,
            text=True,
            check=False,
        )
    finally:
        board.close()
    assert f"answers: program {PROGRAM}" in done.stdout, done.stderr
