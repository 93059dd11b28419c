"""The measurement of the rectified floor, on pictures whose truth is known."""

import json
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.measuring.flat import Flatness, flatness, main, table
from calibration.measuring.flat_truth import FlatTruth, labelled_pictures
from calibration.synth import Options, render
from tests.vision.mat_picture import PX_PER_MM, mat_picture
from vision.scene.light import srgb_to_linear

_LIGHT = (0.8, 0.9, 0.94)


def _truth() -> FlatTruth:
    """The truth of `mat_picture`: paper of level 250 under a light, seen from straight above."""
    to_px = np.array([[PX_PER_MM, 0, 297 / 2 * PX_PER_MM], [0, PX_PER_MM, 210 / 2 * PX_PER_MM], [0, 0, 1]])
    white = srgb_to_linear(250 * np.array(_LIGHT))
    return FlatTruth("drawn", "4 markers", to_px, to_px, (170.0, 170.0), "square", white)


def test_a_floor_that_is_laid_right_has_no_errors() -> None:
    found = flatness(mat_picture(_LIGHT), _truth())
    assert found.corner_mm == pytest.approx(0, abs=0.5)
    assert found.stops == pytest.approx(0, abs=0.05)
    assert found.tint == pytest.approx(0, abs=0.05)


def test_a_floor_that_lies_elsewhere_and_another_white_are_told() -> None:
    """Five millimetres to the side, and half of the light."""
    truth = _truth()
    aside = truth.mat_to_px @ np.array([[1, 0, 5], [0, 1, 0], [0, 0, 1]])
    assert truth.white is not None
    wrong = replace(truth, mat_to_px=aside, white=truth.white / 2)
    found = flatness(mat_picture(_LIGHT), wrong)
    assert found.corner_mm == pytest.approx(5, abs=0.5)
    assert found.stops == pytest.approx(-1, abs=0.05)


def test_the_table_names_each_group_and_what_was_not_found() -> None:
    lines = table([Flatness("a", "no mat", found=False), Flatness("b", "4 markers", True, 0.5, 0.1, 2, 3)])
    assert "no mat" in lines
    assert "0.50" in lines


@pytest.mark.parametrize("lacking", ["markers", "inner_mm", "tray"])
def test_a_picture_whose_mat_or_tray_is_unknown_is_left_out(tmp_path: Path, lacking: str) -> None:
    """Without the tray's size or shape it used to be a traceback."""
    picture, known = render(3, Options(size_px=(320, 240), mat=True))
    cv2.imwrite(str(tmp_path / "a.png"), picture)
    entries = [{**known, "file": "a.png"}, {**known, "file": "a.png", lacking: None}]
    (tmp_path / "labels.json").write_text(json.dumps({"pictures": entries}))
    assert len(list(labelled_pictures(tmp_path, None))) == 1


def test_a_folder_that_is_not_there_gets_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It used to be a traceback."""
    assert main([str(tmp_path / "nowhere")]) == 2
    assert capsys.readouterr().err.startswith("There is no folder")
