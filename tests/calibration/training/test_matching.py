"""Which detection found which cube, and what a score is worth."""

import numpy as np
import pytest

from calibration.training.crops import Crop
from calibration.training.matching import TooFewError, match_detections, platt, temperature
from tests.vision.cells import peak_at


def _tray(*cubes: tuple[float, float, float]) -> Crop:
    """Make a tray of cubes given as (x, y, visible share)."""
    table = [(x, y, 0, visible, 20, -1) for x, y, visible in cubes]
    return Crop(np.zeros((448, 448, 3), np.uint8), np.array(table, np.float32).reshape(-1, 6))


def test_a_cube_is_found_once() -> None:
    judged = match_detections([peak_at(100, 100), peak_at(103, 100, 0.5)], _tray((101, 100, 1.0)))
    assert [match.is_cube for match in judged] == [True, False]


def test_a_detection_far_from_every_cube_is_none() -> None:
    assert [match.is_cube for match in match_detections([peak_at(115, 100)], _tray((100, 100, 1.0)))] == [
        False
    ]


def test_a_hidden_cube_must_not_be_found_and_one_at_the_border_may() -> None:
    judged = match_detections(
        [peak_at(100, 100), peak_at(200, 200)], _tray((100, 100, 0.02), (200, 200, 0.16))
    )
    assert [match.is_cube for match in judged] == [False, None]


def test_scores_that_say_too_much_are_brought_down() -> None:
    rng = np.random.default_rng(3)
    logits = rng.normal(0, 3, 4000)
    is_cube = (rng.random(4000) < 1 / (1 + np.exp(-(0.5 * logits - 1)))).astype(np.float64)
    slope, offset = platt(logits, is_cube)
    assert (slope, offset) == pytest.approx((0.5, -1.0), abs=0.12)


def test_what_is_rare_gets_a_curve_that_rises() -> None:
    logits = np.concatenate([np.linspace(-7, -4, 990), np.linspace(-4.5, -3.5, 10)])
    is_cube = np.concatenate([np.zeros(990), np.ones(10)])
    slope, offset = platt(logits, is_cube)
    assert slope > 1
    assert slope * -5.5 + offset < -2


def test_shares_that_are_too_modest_are_sharpened() -> None:
    rng = np.random.default_rng(5)
    logits = rng.normal(0, 2, (3000, 6))
    true = [int(rng.choice(6, p=np.exp(row) / np.exp(row).sum())) for row in logits]
    modest = np.exp(logits / 3) / np.exp(logits / 3).sum(1, keepdims=True)
    assert temperature(modest.tolist(), true) == pytest.approx(3, rel=0.1)


def test_nothing_to_go_by_is_a_sentence() -> None:
    """For three trays with no cube under another, calibrating the looks ended in a traceback."""
    with pytest.raises(TooFewError, match="Take more of them"):
        temperature([], [])
