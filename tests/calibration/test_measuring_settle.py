"""The settle evaluation tells a correct watch from one that is too early."""

import json
from pathlib import Path

import cv2
import pytest

from calibration.measuring.labels import load_labels
from calibration.measuring.settle import SettleOutcome, evaluate_settle, settle_as_json, settle_as_table
from tests.vision.thrown import Throw, frames

TRUTH = {"visible_counts": {"red": 2}, "mat": True, "light": "led", "plastic": "black", "tray": "square"}


@pytest.mark.parametrize(("said", "close", "false"), [(4, 1, 0), (9, 0, 1)])
def test_found_is_compared_with_the_label(tmp_path: Path, said: int, close: int, false: int) -> None:
    """Motion ends at frame 4; a label of 9 makes the same watch five frames early and false."""
    names = [f"{index:02}.png" for index in range(12)]
    for name, picture in zip(names, frames(Throw(ends=4), 12), strict=True):
        cv2.imwrite(str(tmp_path / name), picture)
    sequence = {"frames": names, "fps": 15, "motion_ends": said, "cube_mm": 8.0, **TRUTH}
    (tmp_path / "labels.json").write_text(json.dumps({"sequences": [sequence]}))
    watched = list(evaluate_settle(tmp_path, load_labels(tmp_path).sequences))
    outcomes = [outcome for outcome in watched if isinstance(outcome, SettleOutcome)]
    body = settle_as_json(outcomes)
    assert (body["within_2_frames"], body["false_settled"]) == (close, false)
    assert f"{close} of 1 within 2 frames" in settle_as_table(outcomes)
