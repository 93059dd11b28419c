"""Training data of the tray finder: corners stay on the tray whatever is done to the picture."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.finding.measure import measure
from calibration.finding.views import floor_map, labelled, rendered, view
from calibration.measuring.labels import LabelsError, entries_of
from calibration.synth import Options, render
from vision.scene.locator import CORNER_INSET, INPUT_PX
from vision.scene.plane import Points


@pytest.mark.parametrize("seed", [3, 4])
def test_corners_lie_on_the_floor_and_in_their_order(seed: int) -> None:
    table = rendered(seed)
    for i in range(4):
        seen = view(np.random.default_rng(i), table)
        assert seen.picture.shape == (INPUT_PX[1], INPUT_PX[0], 3)
        assert _is_clockwise(seen.corners_px)
        assert seen.corners_px[0, 0] < seen.corners_px[1, 0]
        assert 0.03 < float(seen.floor.mean()) < 0.9


def test_a_floor_map_is_the_share_of_each_cell() -> None:
    cells = floor_map(np.array([(40.0, 40.0), (79.0, 40.0), (79.0, 79.0), (40.0, 79.0)]))
    assert cells.shape == (32, 40)
    assert float(cells.sum()) == pytest.approx(100, abs=6)
    assert CORNER_INSET < 1


def _is_clockwise(corners: Points) -> bool:
    x, y = corners.T
    return float(np.sum(x * np.roll(y, -1) - np.roll(x, -1) * y)) > 0


def test_a_labelled_floor_and_the_mat_say_the_same(tmp_path: Path) -> None:
    picture, entry = render(21, Options(size_px=(640, 480), mat=True))
    (tmp_path / "labels.json").write_text(json.dumps({"pictures": [{**entry, "file": "one.png"}]}))
    cv2.imwrite(str(tmp_path / "one.png"), picture)
    (known,) = entries_of(tmp_path)
    (by_floor,) = labelled(tmp_path, [known])
    (by_mat,) = labelled(tmp_path, [{**known, "floor": None}])
    assert np.allclose(by_floor.corners_px, by_mat.corners_px, atol=0.3)
    assert labelled(tmp_path, [{**known, "floor": None, "markers": {}}]) == []


def test_the_shipped_finder_is_measured_on_what_is_known(tmp_path: Path) -> None:
    picture, entry = render(22, Options(size_px=(640, 480), mat=True, tray="square", plain=True))
    cv2.imwrite(str(tmp_path / "one.png"), picture)
    known = {**entry, "file": "one.png"}
    measured = measure(tmp_path, [known, {**known, "floor": None, "markers": {}}])
    assert measured.pictures == 1
    assert measured.median_px < 60
    floor = np.array(known["floor"])
    turned = measure(tmp_path, [{**known, "floor": np.roll(floor, 1, axis=0).tolist()}])
    assert turned.median_px > 200
    for lacking in ("inner_mm", "tray"):
        entry_without = {key: value for key, value in known.items() if key != lacking}
        assert labelled(tmp_path, [entry_without]) == []
        for unknown in ([], [entry_without]):  # the latter ended in a traceback
            with pytest.raises(LabelsError, match=r"where the floor is .* its `inner_mm` and `tray`"):
                measure(tmp_path, unknown)


def test_a_wrong_folder_is_told_in_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(LabelsError, match="no folder"):
        entries_of(tmp_path / "none")
    with pytest.raises(LabelsError, match=r"no labels\.json"):
        entries_of(tmp_path)
    (tmp_path / "labels.json").write_text('{"pictures": 3}')
    with pytest.raises(LabelsError, match="not a list"):
        entries_of(tmp_path, "tune")
