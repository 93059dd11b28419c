"""Training data of the network that sees covered trays: the truth of a drawn cover is where it lies."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.covering.covers import cover, glare, shade
from calibration.covering.staged import stage_tables
from calibration.covering.views import labelled, rendered
from calibration.measuring.labels import entries_of
from calibration.synth import Options, render
from vision.scene.covered import STRIDE, VIEW_PX


@pytest.mark.parametrize("seed", range(24))
def test_beside_what_covers_it_a_tray_is_only_darker(seed: int) -> None:
    view = np.full((VIEW_PX, VIEW_PX, 3), 180, np.uint8)
    seen, cells = cover(np.random.default_rng(seed), view)
    assert seen.shape == view.shape
    assert 0 <= cells.min() <= cells.max() <= 1
    free = cv2.resize(cells, (VIEW_PX, VIEW_PX), interpolation=cv2.INTER_NEAREST) == 0
    assert (seen[free] <= 180).all()


def test_most_covers_hide_some_of_the_view_and_few_all_of_it() -> None:
    shares = []
    for seed in range(60):
        view = np.full((VIEW_PX, VIEW_PX, 3), 180, np.uint8)
        shares.append(float(cover(np.random.default_rng(seed), view)[1].mean()))
    assert np.mean(np.array(shares) > 0.02) > 0.8
    assert np.mean(np.array(shares) > 0.6) < 0.2


def test_a_shade_is_the_same_light_over_everything_and_glare_only_adds() -> None:
    """A shade keeps black black and glare never darkens: nothing is hidden."""
    view = np.random.default_rng(1).integers(20, 90, (VIEW_PX, VIEW_PX, 3), dtype=np.uint8)
    black = np.zeros_like(view)
    for seed in range(8):
        assert not shade(np.random.default_rng(seed), black).any()
        assert (glare(np.random.default_rng(seed), view) >= view).all()


def test_pictures_with_a_finger_teach_nothing(tmp_path: Path) -> None:
    picture, entry = render(21, Options(size_px=(640, 480), mat=True))
    cv2.imwrite(str(tmp_path / "one.png"), picture)
    entries = [{**entry, "file": "one.png", "distractors": names} for names in ([], ["finger"])]
    (tmp_path / "labels.json").write_text(json.dumps({"pictures": entries[:1]}))
    (seen,) = labelled(tmp_path, entries_of(tmp_path))
    assert seen.view.shape == (VIEW_PX, VIEW_PX, 3)
    assert seen.floor.shape == (VIEW_PX // STRIDE, VIEW_PX // STRIDE)
    assert labelled(tmp_path, entries[1:]) == []


def test_the_same_seed_is_the_same_tray() -> None:
    first, second = rendered(2_290_001), rendered(2_290_001)
    assert first is not None
    assert second is not None
    assert np.array_equal(first.view, second.view)


def test_what_is_held_over_a_staged_tray_changes_the_picture_there() -> None:
    for table in stage_tables(range(2_400_000, 2_400_003)):
        assert table.bare.shape == table.covered.shape
        assert np.abs(table.bare.astype(int) - table.covered).max() > 20
        assert table.hidden >= 0
