"""What needs more than Tenshu brings says so in a sentence, and says what to install."""

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
        ("calibration.traced --help", "docs/training.md"),
    ],
)
def test_a_missing_extra_is_one_sentence_and_no_traceback(command: str, install: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT, *command.split()],
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    assert done.returncode == 2
    assert "is not installed" in done.stderr
    assert install in done.stderr
    assert done.stderr.count("\n") == 1
