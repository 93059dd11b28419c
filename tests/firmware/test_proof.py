"""The board's promises, checked on its machine code: a short part of `python -m firmware.proof`."""

import subprocess
import sys

import pytest

from firmware.proof.trials import CELL_1KG, CELL_500G, DROP_MS, ONSET_MS, handfuls, quiet, singles
from tests.firmware.simulated import need_simulator

pytestmark = pytest.mark.simavr


@pytest.fixture(autouse=True)
def simulator() -> None:
    need_simulator()


def test_single_cubes_are_found_in_time() -> None:
    found = singles(CELL_500G, 25, seed=4711)
    assert (found.detected, found.wrong) == (25, 0)
    assert max(found.onset_ms) <= ONSET_MS
    assert max(found.drop_ms) <= DROP_MS


def test_a_slow_cell_finds_them_later() -> None:
    found = singles(CELL_1KG, 8, seed=4712)
    assert (found.detected, found.wrong) == (8, 0)


def test_four_times_the_noise_makes_it_later_and_not_wrong() -> None:
    found = singles(CELL_500G, 10, 4713, "noise 180", warm_s=20)
    assert (found.detected, found.wrong) == (10, 0)


def test_what_passes_is_never_a_drop() -> None:
    found = quiet(CELL_500G, 2, seed=4714)
    assert min(found.hands, found.bumps, found.doors, found.shakes) >= 1
    assert found.hands + found.bumps + found.doors >= 8
    assert found.false == []


def test_a_table_that_shakes_too_much_is_named() -> None:
    found = singles(CELL_500G, 10, 4715, "shake 0.1 2 1000", warm_s=20)
    assert found.detected == 10 or found.named >= 5


def test_handfuls_are_felt_and_weighed() -> None:
    found = handfuls(CELL_500G, 6, seed=4716)
    assert (found.motion, found.sum_exact) == (6, 6)
    assert max(abs(error) for error in found.error_mg) < 60


def test_the_proof_says_what_it_does() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "firmware.proof", "--help"], capture_output=True, text=True, check=True
    )
    assert "--short" in done.stdout
