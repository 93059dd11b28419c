"""What truly lies at the places that the detector names."""

from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.measuring.labels import entries_of
from calibration.synth import Options
from calibration.synth.folder import write_folder
from calibration.training.crops import crops_from_labels, synthetic_crop
from calibration.training.packed import CHANNELS, pack_view, unpack_view
from calibration.training.pairs import NOT_KNOWN, STACK, pair_with_cubes, truth_of
from calibration.training.peaks import (
    STORED_PX,
    UPRIGHT_STORED_PX,
    cut_turned_view,
    cut_wide_view,
    join_peaks,
    peaks_of,
    upright_peaks_of,
)
from tests.vision.cells import peak_at
from vision.finding.closer import PATCH_PX
from vision.finding.stored import SIDE_PX, patch_to_flat
from vision.pictures import Picture

_RED, _BLACK = 0, 2


def _cubes(*rows: tuple[float, int, float, int]) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
    """Make cubes given as (x, colour, visible share, index of the one that lies on it)."""
    table = [(x, 100, colour, visible, 20, on_it) for x, colour, visible, on_it in rows]
    return np.array(table, np.float32).reshape(-1, 6)


def test_a_peak_is_the_nearest_cube_and_no_cube_is_two_peaks() -> None:
    truths = truth_of([peak_at(104), peak_at(101)], _cubes((100, _RED, 1.0, -1)))
    assert truths == [(0, NOT_KNOWN, NOT_KNOWN), (1, _RED, NOT_KNOWN)]


def test_a_cube_without_a_peak_lies_under_the_one_that_covers_it() -> None:
    truths = truth_of([peak_at(100)], _cubes((100, _RED, 1.0, -1), (106, _BLACK, 0.3, 0)))
    assert truths == [(STACK, _RED, _BLACK)]


def test_a_lower_cube_with_a_peak_of_its_own_is_told_by_that() -> None:
    truths = truth_of([peak_at(100), peak_at(107)], _cubes((100, _RED, 1.0, -1), (107, _BLACK, 0.5, 0)))
    assert truths == [(1, _RED, NOT_KNOWN), (1, _BLACK, NOT_KNOWN)]


def test_a_cube_of_which_too_little_can_be_seen_does_not_count() -> None:
    """If less than 15 % is visible of a lower cube, or of the found one, the truth agrees with the counts."""
    assert truth_of([peak_at(100)], _cubes((100, _RED, 1.0, -1), (101, _BLACK, 0.1, 0))) == [
        (1, _RED, NOT_KNOWN)
    ]
    assert truth_of([peak_at(100)], _cubes((100, _BLACK, 0.1, -1))) == [(0, NOT_KNOWN, NOT_KNOWN)]


def test_a_cube_that_all_but_counts_teaches_nothing() -> None:
    cubes = _cubes((100, _RED, 1.0, -1), (104, _BLACK, 0.14, 0), (200, _RED, 1.0, -1))
    assert truth_of([peak_at(100), peak_at(200)], cubes) == [(NOT_KNOWN,) * 3, (1, _RED, NOT_KNOWN)]


def test_of_two_lower_ones_the_one_that_shows_more_is_told() -> None:
    cubes = _cubes((100, _RED, 1.0, -1), (104, _BLACK, 0.4, 0), (96, _RED, 0.1, 0))
    assert truth_of([peak_at(100)], cubes) == [(STACK, _RED, _BLACK)]


def test_places_of_a_rendered_tray_are_looked_at_with_their_truth() -> None:
    crop = synthetic_crop(
        88_002, Options(plain=True, mat=True, plastic="clear", counts={"red": 3, "blue": 2})
    )
    peaks = peaks_of([crop])
    assert peaks.patches.shape == (len(peaks), STORED_PX, STORED_PX, 4)
    found = peaks.truth[peaks.truth[:, 0] > 0]
    assert sorted(found[:, 1].tolist()) == [0, 0, 0, 1, 1]
    assert len(join_peaks([peaks, peaks_of([])])) == len(peaks)


def test_a_cube_on_the_one_that_was_found_counts_with_it_too() -> None:
    """The lower of two has the only peak, and the upper one's centre is out of its reach."""
    truths = truth_of([peak_at(100)], _cubes((100, _RED, 0.6, 1), (119, _BLACK, 1.0, -1)))
    assert truths == [(STACK, _RED, _BLACK)]


def test_a_cube_that_nothing_covers_counts_with_the_nearest_within_its_reach() -> None:
    cubes = _cubes((100, _RED, 1.0, -1), (116, _BLACK, 1.0, -1), (300, _RED, 1.0, -1))
    assert truth_of([peak_at(100)], cubes) == [(STACK, _RED, _BLACK)]
    assert truth_of([peak_at(100)], _cubes((100, _RED, 1.0, -1), (121, _BLACK, 1.0, -1))) == [
        (1, _RED, NOT_KNOWN)
    ]


def test_a_labelled_crop_and_its_dyed_copy_show_their_source_where_the_crop_is(tmp_path: Path) -> None:
    """Cut from the source at the crop's scale, each cube looks as it does in the crop."""
    options = Options(plain=True, mat=True, plastic="clear", size_px=(960, 720), counts={"red": 3, "blue": 3})
    list(write_folder(tmp_path / "one", range(88_030, 88_031), options))
    crops = [*crops_from_labels(tmp_path / "one", entries_of(tmp_path / "one"), dyed=1)]
    assert len(crops) == 2
    assert crops[0].cubes[:, 2].tolist() != crops[1].cubes[:, 2].tolist()
    for crop in crops:
        assert crop.source is not None
        for x, y, *_ in crop.cubes.tolist():
            again = crop.source.cut_patch(patch_to_flat((x, y), 1.0, 32), 32)
            shown = cv2.getRectSubPix(crop.picture, (32, 32), (x, y))
            assert np.abs(again.astype(float) - shown).mean() < 4


def test_places_held_upright_are_every_stack_and_few_that_are_clear() -> None:
    crop = synthetic_crop(88_012, Options(plain=True, mat=True, plastic="clear", stacked=0.3))
    all_, upright = peaks_of([crop]), upright_peaks_of([crop])
    assert upright.patches.shape == (len(upright), UPRIGHT_STORED_PX, UPRIGHT_STORED_PX, CHANNELS)
    assert (upright.truth[:, 0] == STACK).sum() >= (all_.truth[:, 0] == STACK).sum() > 0
    assert (upright.truth[:, 0] == 1).sum() < (all_.truth[:, 0] == 1).sum()
    assert len(join_peaks([upright, upright_peaks_of([])])) == len(upright)


@pytest.mark.parametrize(
    ("stored_px", "side", "channels", "turn"),
    [
        (STORED_PX, PATCH_PX, 4, cut_turned_view),
        (UPRIGHT_STORED_PX, SIDE_PX, CHANNELS, cut_wide_view),
    ],
)
def test_what_a_patch_shows_stays_in_its_middle_however_it_is_turned(
    stored_px: int, side: int, channels: int, turn: Callable[[np.random.Generator, Picture], Picture]
) -> None:
    rng = np.random.default_rng(3)
    stored = np.full((stored_px, stored_px, channels), 60, np.uint8)
    middle = slice(stored_px // 2 - side // 6, stored_px // 2 + side // 6)
    stored[middle, middle] = 220
    for _ in range(40):
        seen = turn(rng, stored)
        assert seen.shape == (side, side, channels)
        rows, columns = np.nonzero(seen[:, :, 3] > 140)  # the channel that lighting does not change
        assert (rows.mean(), columns.mean()) == pytest.approx(((side - 1) / 2,) * 2, abs=side / 20)


def test_places_that_are_held_upright_stay_so() -> None:
    """Something bright above the centre stays there in every view, and the slope is about the same."""
    rng = np.random.default_rng(5)
    stored = np.full((UPRIGHT_STORED_PX, UPRIGHT_STORED_PX, CHANNELS), 60, np.uint8)
    middle = UPRIGHT_STORED_PX // 2
    stored[middle - 40 : middle - 30, middle - 5 : middle + 5, 3] = 220
    stored[:, :, 4] = 80
    for _ in range(40):
        seen = cut_wide_view(rng, stored)
        rows, columns = np.nonzero(seen[:, :, 3] > 140)
        up = (SIDE_PX - 1) / 2 - rows.mean()
        assert up > 24
        assert abs(columns.mean() - (SIDE_PX - 1) / 2) < up
        assert np.unique(seen[:, :, 4]).size == 1
        assert abs(int(seen[0, 0, 4]) - 80) < 40


def test_a_place_and_what_stands_about_it_are_varied_together() -> None:
    """Something bright up and to one side stays there in both, in the same light."""
    rng = np.random.default_rng(5)
    near = np.full((UPRIGHT_STORED_PX, UPRIGHT_STORED_PX, CHANNELS), 100, np.uint8)
    wide = np.full((UPRIGHT_STORED_PX // 2, UPRIGHT_STORED_PX // 2, 4), 100, np.uint8)
    for seen, middle, step in ((near, UPRIGHT_STORED_PX // 2, 8), (wide, UPRIGHT_STORED_PX // 4, 1)):
        seen[middle - 5 * step : middle - 3 * step, middle + 3 * step : middle + 5 * step, 3] = 250
    near[:, :, 5] = pack_view(wide)
    for _ in range(40):
        seen = cut_wide_view(rng, near)
        about = unpack_view(np.ascontiguousarray(seen[:, :, 5]))
        rows, columns = np.nonzero(seen[:, :, 3] > 180)
        rows_about, columns_about = np.nonzero(about[:, :, 3] > 180)
        off = np.array([rows.mean(), columns.mean()]) - (SIDE_PX - 1) / 2
        off_about = np.array([rows_about.mean(), columns_about.mean()]) - (SIDE_PX // 2 - 1) / 2
        assert off / 8 == pytest.approx(off_about, abs=1.0)
        light, light_about = np.median(seen[40:88, 40:88, :3]), np.median(about[29:35, 29:35, :3])
        assert light == pytest.approx(light_about, abs=8)


def test_the_truth_needs_cubes() -> None:
    assert truth_of([peak_at(100)], _cubes()) == [(0, NOT_KNOWN, NOT_KNOWN)]


def test_a_cube_beside_no_place_is_nobodys() -> None:
    cubes = _cubes((100, _RED, 1.0, -1), (106, _BLACK, 0.3, 0), (200, _RED, 1.0, -1))
    assert pair_with_cubes([peak_at(101), peak_at(300)], cubes) == ({0: 0}, {0: 1})
