"""Commands that need an optional package say so in a sentence, with what to install."""

import subprocess
import sys

import pytest

from tests.patience import PATIENCE_S

WITHOUT = """
import runpy, sys
for name in ("torch", "onnx", "bpy"):
    sys.modules[name] = None  # as where it is not installed
sys.argv = sys.argv[1:]
runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
"""


@pytest.mark.parametrize(
    ("command", "install"),
    [
        ("calibration.training fit s.npy -o cubes.pt", "pip install torch onnx"),
        ("calibration.finding -n 2", "pip install torch onnx"),
        ("calibration.covering -n 2", "pip install torch onnx"),
        ("calibration.traced folder F -n 1", "docs/training.md"),
        ("calibration.traced throws F.npz", "docs/training.md"),
    ],
)
def test_a_missing_extra_is_one_sentence_and_no_traceback(command: str, install: str) -> None:
    done = _run_without_extras(command)
    assert done.returncode == 2
    assert "is not installed" in done.stderr
    assert install in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    "room", ["training", "training wide", "finding", "covering", "traced", "traced folder"]
)
def test_what_may_be_asked_is_shown_without_what_is_missing(room: str) -> None:
    """Listing the options of training once required PyTorch to be installed."""
    done = _run_without_extras(f"calibration.{room} --help")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(f"usage: python -m calibration.{room} ")


@pytest.mark.parametrize(
    "command",
    [
        "training render gone/s.npy",
        "training fit s.npy -o gone/cubes.pt",
        "finding -o gone/tray.onnx",
        "covering -o gone/cover.onnx",
    ],
)
def test_an_output_that_cannot_be_written_is_told_before_the_long_work(command: str) -> None:
    """The tray finder and the one of hands rendered and trained first, and ended in a traceback."""
    done = _run_without_extras(f"calibration.{command}")
    assert done.returncode == 2
    assert "cannot be written (No such file or directory). Name another file." in done.stderr
    assert done.stderr.count("\n") == 1


def _run_without_extras(command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", WITHOUT, *command.split()],
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
