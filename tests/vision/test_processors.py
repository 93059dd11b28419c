"""A reading does not depend on the processor: a PC of 2016 is emulated and runs the networks."""

import os
import platform
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from tests.vision.other_processor import SHAPES

EMULATOR = next(filter(None, map(shutil.which, ("qemu-x86_64", "qemu-x86_64-static"))), None)


def _run_networks(output: Path, *emulator: str) -> dict[str, np.ndarray]:
    done = subprocess.run(
        [*emulator, sys.executable, "-m", "tests.vision.other_processor", str(output)],
        cwd=Path(__file__).parents[2],
        env={**os.environ, "OMP_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    with np.load(output) as kept:
        return dict(kept)


@pytest.mark.emulator
@pytest.mark.skipif(EMULATOR is None, reason="needs qemu-x86_64: apt-get install qemu-user")
@pytest.mark.skipif(platform.machine() not in {"x86_64", "AMD64"}, reason="emulates a PC by a PC")
def test_a_pc_that_adds_products_in_sixteen_bits_sees_what_every_other_does(tmp_path: Path) -> None:
    """AVX2 without VNNI: with ONNX Runtime's default settings the sums of 8-bit products overflow there."""
    pytest.importorskip("onnxruntime")
    assert EMULATOR is not None
    native = _run_networks(tmp_path / "here.npz")
    emulated = _run_networks(tmp_path / "there.npz", EMULATOR, "-cpu", "Haswell")
    if all(np.array_equal(emulated[f"usual {name}"], native[name]) for name in SHAPES):
        pytest.skip("needs an emulator of AVX2: qemu 7.2 or newer")
    assert emulated["overflows"]
    for name in SHAPES:
        np.testing.assert_allclose(emulated[name], native[name], atol=1e-4, err_msg=name)


def test_exact_sums_are_asked_for_only_where_the_usual_ones_overflow(tmp_path: Path) -> None:
    """They take half as long again."""
    pytest.importorskip("onnxruntime")
    native = _run_networks(tmp_path / "here.npz")
    differ = any(not np.array_equal(native[f"usual {name}"], native[name]) for name in SHAPES)
    assert native["overflows"] == differ


def test_whoever_asks_how_it_is_called_is_told_and_nothing_is_written(tmp_path: Path) -> None:
    """`--help` used to be taken for a file name."""
    root = Path(__file__).parents[2]
    done = subprocess.run(
        [sys.executable, "-m", "tests.vision.other_processor", "--help"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(root)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, list(tmp_path.iterdir())) == (0, [])
    assert "FILE [BESIDE]" in done.stdout
