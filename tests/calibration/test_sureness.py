"""A reader's stated probability, compared with how often it was right."""

import json
from dataclasses import replace
from math import log

import pytest

from calibration.measuring.report import as_json, as_table
from calibration.measuring.sureness import log_loss, sureness
from tests.calibration.test_evaluate import outcome, reading
from vision.counting.odds import Odds

SURE: Odds = {"red": (0.0, 0.1, 0.9), "black": (1.0,)}
"""Two red cubes at 90 %, which is the truth."""


def test_pictures_are_grouped_by_what_is_said_and_not_by_what_is_right() -> None:
    """Given three at about 94 %, one of them wrong, and one at 60 % that is right."""
    sure = [outcome(2, confidence=0.95), outcome(2, confidence=0.93), outcome(3, confidence=0.94)]
    low, high = sureness([*sure, outcome(2, confidence=0.6)])
    assert (low.least, low.most, low.pictures, low.right) == (0.5, 0.8, 1, 1.0)
    assert low.said == pytest.approx(0.6)
    assert (high.least, high.most, high.pictures) == (0.9, 0.97, 3)
    assert [high.said, high.right] == pytest.approx([0.94, 2 / 3])


def test_all_colours_together_are_what_is_said() -> None:
    """Two colours at 0.9 each are 0.81 together."""
    both = replace(reading(2), confidence={"red": 0.9, "black": 0.9})
    assert sureness([replace(outcome(2), reading=both)])[0].said == pytest.approx(0.81)


@pytest.mark.parametrize("confidence", [0.0, 1.0])
def test_the_ends_belong_to_a_group(confidence: float) -> None:
    [group] = sureness([outcome(2, confidence=confidence)])
    assert group.least <= confidence <= group.most


def test_log_loss_asks_what_probability_the_truth_was_given() -> None:
    right = replace(outcome(2), reading=replace(reading(2), odds=SURE))
    assert log_loss([right]) == pytest.approx(-log(0.9))
    wrong = replace(right, truth=replace(right.truth, counts={"red": 1, "black": 0}))
    assert log_loss([right, wrong]) == pytest.approx(-(log(0.9) + log(0.1)) / 2)


def test_what_was_held_impossible_costs_no_more_than_the_least() -> None:
    right = replace(outcome(2), reading=replace(reading(2), odds=SURE))
    never = replace(right, truth=replace(right.truth, counts={"red": 7, "green": 1}))
    assert log_loss([never]) == pytest.approx(-log(1e-4))


def test_a_picture_without_odds_is_no_way_to_a_better_figure() -> None:
    """A tray that was not found costs the maximum, even though it is empty."""
    right = replace(outcome(2), reading=replace(reading(2), odds=SURE))
    empty = outcome(0, truth=replace(right.truth, counts={"red": 0, "black": 0}))
    assert log_loss([right, empty]) == pytest.approx(-(log(0.9) + log(1e-4)) / 2)


def test_a_reader_without_odds_has_none() -> None:
    assert log_loss([outcome(2)]) is None
    assert log_loss([]) is None


def test_the_report_tells_both() -> None:
    right = replace(outcome(2), reading=replace(reading(2), odds=SURE))
    body = json.loads(json.dumps(as_json([right])))
    assert body["log_loss"] == pytest.approx(0.1054)
    assert body["sureness"] == [{"least": 0.9, "most": 0.97, "pictures": 1, "said": 0.9, "right": 1.0}]
    assert "log loss of the true counts: 0.105" in as_table([right])
    assert as_json([])["sureness"] == []


def test_of_several_folders_each_has_its_own_loss() -> None:
    right = replace(outcome(2), reading=replace(reading(2), odds=SURE))
    wrong = replace(right, truth=replace(right.truth, counts={"red": 1, "black": 0}))
    body = json.loads(json.dumps(as_json([right, wrong], {"here": [right], "there": [wrong]})))
    assert body["by_folder"]["here"]["log_loss"] == pytest.approx(0.1054)
    assert body["by_folder"]["there"]["log_loss"] == pytest.approx(2.3026)
    assert "by_folder" not in as_json([right])
