"""From weight to number of cubes: what is learned, what is stated, and whether that is true."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibration import scale
from calibration.measuring import scale as simulated
from calibration.scale import CountOdds, CubeMass, ScaleError

KNOWN = CubeMass(360.0, 1.5, 18.0, 62)


@given(st.lists(st.integers(1, 8), max_size=8), st.integers(0, 20))
def test_steps_of_whole_cubes_are_counted(steps: list[int], begin: int) -> None:
    counts = CountOdds(KNOWN, begin)
    for add_step in steps:
        counts.add_step(360.0 * add_step, 14.0)
    odds = counts.odds()
    assert int(np.argmax(odds)) == begin + sum(steps)
    assert odds.sum() == pytest.approx(1.0)
    assert odds.min() >= 0.0


def test_what_is_taken_out_is_taken_off() -> None:
    counts = CountOdds(KNOWN, 7)
    counts.add_step(-3 * 360.0, 14.0)
    assert int(np.argmax(counts.odds())) == 4
    counts.add_step(-20 * 360.0, 14.0)
    assert int(np.argmax(counts.odds())) == 0


def test_half_a_cube_is_not_sure() -> None:
    counts = CountOdds(KNOWN)
    counts.add_step(1.5 * 360.0, 14.0)
    assert max(counts.odds()) < 0.7


def test_many_cubes_in_one_step_are_less_sure_than_in_many() -> None:
    together, separate = CountOdds(KNOWN), CountOdds(KNOWN)
    together.add_step(30.4 * 360.0, 14.0)
    for _ in range(10):
        separate.add_step(3.04 * 360.0, 14.0)
    assert max(together.odds()) < 0.95 < max(separate.odds())


def test_without_calibration_little_is_sure() -> None:
    counts = CountOdds(CubeMass())
    counts.add_step(12 * 360.0, 14.0)
    assert max(counts.odds()) < 0.75


def test_the_spread_is_learned_from_single_cubes_and_the_mean_from_all() -> None:
    rng = np.random.default_rng(5)
    box = 345.0 * (1 + 0.08 * rng.standard_normal(62))
    learned = scale.learn(list(box[:30]), 62, float(box.sum()), 14.0)
    assert learned.unit_mg == pytest.approx(box.mean(), rel=1e-6)
    assert 0.055 < learned.spread_mg / learned.unit_mg < 0.1
    assert learned.unit_sigma_mg == pytest.approx(learned.spread_mg / np.sqrt(62), rel=0.05)


def test_a_confirmed_throw_teaches_the_unit_and_a_coin_does_not() -> None:
    begin = CubeMass()
    taught = begin.updated_with(20, 20 * 340.0, 14.0)
    assert abs(taught.unit_mg - 340.0) < 5
    assert taught.unit_sigma_mg < begin.unit_sigma_mg / 3
    assert taught.updated_with(3, 3 * 340.0 + 7500.0, 14.0) == taught


def test_nothing_weighed_is_refused() -> None:
    with pytest.raises(ScaleError):
        scale.learn([], 0, 100.0, 14.0)


def test_a_cube_that_is_too_light_to_be_sure_of_is_refused() -> None:
    """40 mg ± 14 mg was accepted and saved, and then nothing that counts by weight worked."""
    with pytest.raises(ScaleError, match="too light") as refusal:
        scale.learn([], 1, 40.0, 14.0)
    assert "more cubes" in refusal.value.remedy
    light = scale.learn([], 10, 400.0, 14.0)
    assert int(np.argmax(scale.total_odds(light, 400.0, 14.0))) == 10


def test_what_was_learned_is_kept(tmp_path: Path) -> None:
    assert scale.load(tmp_path) == CubeMass()
    scale.save(KNOWN, tmp_path)
    assert scale.load(tmp_path) == KNOWN


ENDLESS = '{"version": 1, "unit_mg": 340, "unit_sigma_mg": 9, "spread_mg": 9, "cubes": 1e999}'
UNSURE = '{"version": 1, "unit_mg": 40, "unit_sigma_mg": 14, "spread_mg": 2, "cubes": 1}'


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"version": 9}', '{"version": 1, "unit_mg": -1}', ENDLESS, UNSURE]
)
def test_a_broken_file_is_told(tmp_path: Path, text: str) -> None:
    (tmp_path / scale.FILE).write_text(text, encoding="utf-8")
    with pytest.raises(ScaleError) as refusal:
        scale.load(tmp_path)
    assert "tenshu firmware calibrate" in refusal.value.remedy


def test_simulated_games_up_to_twenty_cubes_are_exact() -> None:
    figures = simulated.figures(simulated.simulate_games(30, simulated.GOOD, (1, 20)))
    assert figures.throws == 360
    assert figures.exact >= 0.99


@pytest.mark.parametrize("cell", [simulated.GOOD, simulated.CHEAP, simulated.AT_ONCE])
def test_what_is_stated_is_true_up_to_45_cubes(cell: simulated.Cell) -> None:
    figures = simulated.figures(simulated.simulate_games(25, cell))
    assert figures.exact == pytest.approx(figures.stated, abs=0.02)
    assert figures.set_held == pytest.approx(figures.set_stated, abs=0.02)
    assert figures.exact > figures.plain - 0.01


def test_a_weight_that_a_newer_tenshu_kept_asks_to_update_this_one(tmp_path: Path) -> None:
    """It used to be called invalid, to be deleted, which would lose an evening's weighing."""
    (tmp_path / scale.FILE).write_text('{"version": 2, "unit": {"mg": 340}}', encoding="utf-8")
    with pytest.raises(ScaleError, match="a newer Tenshu") as refusal:
        scale.load(tmp_path)
    assert "Update Tenshu" in refusal.value.remedy
    assert "elete" not in refusal.value.remedy


def test_a_weight_that_cannot_be_read_is_not_to_be_deleted(tmp_path: Path) -> None:
    """Of another user, it used to be called invalid. A folder in its place cannot be read either."""
    (tmp_path / scale.FILE).mkdir()
    with pytest.raises(ScaleError, match="cannot be read") as refusal:
        scale.load(tmp_path)
    assert "permissions" in refusal.value.remedy
    assert "elete" not in refusal.value.remedy
