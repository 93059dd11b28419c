"""The board's parser under attack, bounded; docs/firmware.md describes the long runs."""

import subprocess
from pathlib import Path

import pytest

from firmware.sim import build
from tests.firmware.vectors import PATH as VECTORS


@pytest.fixture(scope="module")
def fuzzer() -> Path:
    lacking = build.missing_tools("fuzzers")
    if lacking:
        pytest.skip(lacking)
    return build.build("fuzzers") / "fuzz-order-safe"


def _run_fuzzer(*words: str | Path) -> str:
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_no_damaged_order_is_believed(fuzzer: Path) -> None:
    output = _run_fuzzer(fuzzer, "150000", "1", VECTORS)
    assert "150000 damaged orders" in output
    assert " 0 believed otherwise, 0 against the promise" in output


def test_every_burst_of_sixteen_bits_in_an_order_is_seen(fuzzer: Path) -> None:
    output = _run_fuzzer(fuzzer.with_name("fuzz-order"), "bursts", VECTORS, "1")
    assert " 0 understood as sent, 0 believed otherwise, 0 against the promise" in output
