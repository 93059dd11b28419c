"""What a command prints to may be full, closed or gone: one sentence or none, never a traceback."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import companion
from companion.games.protocol import Colour
from tests.companion.table.tables import Table
from tests.patience import PATIENCE_S

_COMMANDS = (["--help"], ["count", "--help"], ["log", "export"], ["mat", "-o", "mat.pdf"])
_EMPTY_TRAY = Path(companion.__file__).parent / "demo" / "pictures" / "empty.jpg"
_INTERRUPTED = """
import sys

class Interrupted:
    def find_spec(self, name, path, target=None):
        if name == "companion.usage":
            raise KeyboardInterrupt
sys.meta_path.insert(0, Interrupted())
from companion.cli import main
sys.exit(main(["--help"]))
"""


def _run_redirected(folder: Path, redirected: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """As a shell would, buffered as for a person; the log has a throw, of none it would say so."""
    data = folder / "data"
    if not data.exists():
        table = Table(data / "tables")
        table.attack()
        table.session.settle({Colour("red"): 4}, "anna", table.expected)
        table.store.close()
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    return subprocess.run(
        ["sh", "-c", f'"$@" {redirected}', "sh", sys.executable, "-m", "companion", *arguments],
        env={**environment, "TENSHU_DATA": str(data), "PYTHONPATH": str(Path(__file__).parents[2])},
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no full device")
@pytest.mark.parametrize("arguments", _COMMANDS)
def test_a_full_disk_is_one_sentence_with_a_remedy_that_fits(tmp_path: Path, arguments: list[str]) -> None:
    done = _run_redirected(tmp_path, ">/dev/full", *arguments)
    assert done.returncode == 2
    assert done.stderr.endswith("No space left on device. Free some space there, or write elsewhere.\n")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("arguments", _COMMANDS)
def test_who_reads_no_further_is_told_nothing(tmp_path: Path, arguments: list[str]) -> None:
    """`tenshu count folder | head`: by the time it writes nobody is there."""
    done = _run_redirected(tmp_path, "| true", *arguments)
    assert (done.stdout, done.stderr) == ("", "")


@pytest.mark.parametrize("arguments", _COMMANDS)
@pytest.mark.parametrize("closed", [">&-", "2>&-", "<&- >&- 2>&-"])
def test_what_is_closed_is_not_missed(tmp_path: Path, arguments: list[str], closed: str) -> None:
    done = _run_redirected(tmp_path, closed, *arguments)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("closed", ["2>&-", "<&- >&- 2>&-", *(["2>/dev/full"] if os.name == "posix" else [])])
def test_an_error_that_nobody_can_be_told_is_its_exit_status(tmp_path: Path, closed: str) -> None:
    assert _run_redirected(tmp_path, closed, "count", "gone.jpg").returncode == 2
    assert _run_redirected(tmp_path, closed, "count", "--fly").returncode == 2


@pytest.mark.parametrize("answers", ["<&-", "<no-text"])
def test_a_question_that_nobody_can_answer_is_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, answers: str
) -> None:
    """A program that closes its input, or a keyboard of another encoding: `tenshu calibrate` ended in a
    traceback."""
    monkeypatch.setenv("PYTHONIOENCODING", "utf-8:strict")  # as at a terminal in UTF-8
    (tmp_path / "no-text").write_bytes(b"\xff\n")
    done = _run_redirected(tmp_path, answers, "calibrate", "--camera", str(_EMPTY_TRAY))
    assert done.returncode == 2
    assert done.stderr.startswith("tenshu: Nobody answers; none of this calibration is saved.")


def test_what_is_opened_first_is_not_printed_into(tmp_path: Path) -> None:
    """Where stdout is closed, the file that was opened next would stand in its place."""
    assert _run_redirected(tmp_path, ">&-", "mat", "-o", "mat.pdf").returncode == 0
    assert (tmp_path / "mat.pdf").read_bytes().rstrip().endswith(b"%%EOF")


def test_ctrl_c_before_anything_is_loaded_is_no_traceback() -> None:
    """In the first tenth of a second."""
    done = subprocess.run(
        [sys.executable, "-c", _INTERRUPTED], capture_output=True, text=True, timeout=PATIENCE_S, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")
