"""A closer look at what the detector found: it rejects stains and shadows and recognises stacked cubes."""

from dataclasses import replace
from importlib.resources import files

import cv2
import numpy as np
import pytest

from calibration.synth import Options
from calibration.training.crops import synthetic_crop
from calibration.training.pairs import STACK, truth_of
from tests.vision.cells import peak_at
from vision.finding.closer import (
    CLOSER_CURVES,
    LOWEST,
    MOST,
    OUTPUTS,
    PATCH_PX,
    Places,
    combine_looks,
    crowd_of,
    doubt_of,
    is_doubtful,
    is_slightly_doubtful,
    look_at_places,
    look_closer,
    patches,
)
from vision.finding.detector import COLOURS, Detection, compute_cells, decode

_LARGEST_BYTES = 3_000_000
"""Limit for all networks together."""


def test_all_weights_that_read_cubes_are_together_small_enough_to_ship() -> None:
    data = files("vision").joinpath("data")
    sizes = {file.name: len(file.read_bytes()) for file in data.iterdir() if file.name.endswith(".onnx")}
    del sizes["sums.onnx"]  # not a reading network: it tests how a processor calculates
    of_tray = sizes.pop("tray.onnx") + sizes.pop("cover.onnx")
    assert len(sizes) == 3
    assert sum(sizes.values()) < _LARGEST_BYTES
    assert of_tray < _LARGEST_BYTES / 4


def test_a_patch_shows_its_place_in_its_middle_and_cubes_at_their_usual_size() -> None:
    image = np.zeros((200, 300, 3), np.uint8)
    cv2.rectangle(image, (137, 77), (162, 102), (255, 255, 255), -1)  # an edge of 26 px about (149.5, 89.5)
    [patch] = patches(image, [peak_at(149.5, 89.5)], 26.0)
    seen = patch[:, :, :3].max(axis=2) > 127
    rows, columns = np.nonzero(seen)
    assert (rows.mean(), columns.mean()) == pytest.approx(((PATCH_PX - 1) / 2,) * 2, abs=0.3)
    assert seen.sum() == pytest.approx(20**2, rel=0.08)


def test_a_patch_shows_where_other_peaks_are_and_not_its_own() -> None:
    image = np.zeros((200, 300, 3), np.uint8)
    first, second = patches(image, [peak_at(100, 100), peak_at(116, 100, score=0.4)], 20.0)
    rows, columns = np.nonzero(first[:, :, 3])
    assert (columns.mean() - rows.mean()) == pytest.approx(16, abs=0.6)
    assert first[:, :, 3].max() == pytest.approx(0.4 * 255, abs=1)
    assert second[:, :, 3].max() == pytest.approx(0.9 * 255, abs=1)


def _logits_for(**colours: float) -> np.ndarray[tuple[int, int], np.dtype[np.float32]]:
    """(1, OUTPUTS) logits for one cube, with the given ones for the upper cube's colours."""
    logits = np.zeros((1, OUTPUTS), np.float32)
    logits[0, 1] = 5
    for colour, logit in colours.items():
        logits[0, MOST + COLOURS.index(colour)] = logit
    return logits


def _detection_after_look(shares: dict[str, float], **colours: float) -> Detection:
    detector_shares = tuple(shares.get(colour, 0.0) for colour in COLOURS)
    peak = Detection(max(shares, key=lambda c: shares[c]), detector_shares, (20, 20), 20.0, 0.9)
    return combine_looks([peak], _logits_for(**colours), np.zeros(1, np.float32), CLOSER_CURVES)[0]


def test_a_colour_is_what_detector_and_look_say_together() -> None:
    combined = _detection_after_look({"purple": 0.6, "blue": 0.4}, blue=6.0, purple=1.0)
    assert combined.colour == "blue"
    assert sum(combined.colour_shares) == pytest.approx(1)
    confirmed = _detection_after_look({"red": 0.95, "purple": 0.05}, red=3.0)
    contradicted = _detection_after_look({"red": 0.95, "purple": 0.05}, purple=3.0)
    neither = _detection_after_look({"red": 0.95, "purple": 0.05})
    red = COLOURS.index("red")
    assert confirmed.colour_shares[red] > neither.colour_shares[red] > contradicted.colour_shares[red]


def test_a_stack_is_the_likelier_the_more_cubes_stand_about_it_not_the_more_were_thrown() -> None:
    far = [peak_at(40.0 * n, 300.0) for n in range(30)]
    about = [peak_at(100, 79), peak_at(121, 100), peak_at(100, 121)]
    alone, *others = (crowd_of([peak_at(100, 100), *about[:n], *far])[0] for n in range(4))
    assert [alone, *others] == sorted([alone, *others])
    assert others[-1] - alone > 1.0
    assert alone == crowd_of([peak_at(100, 100)])[0] < 0
    weak = crowd_of([peak_at(100, 100), peak_at(121, 100, score=0.1), *far])[0]
    assert alone < weak < others[0]


@pytest.mark.parametrize(
    ("score", "under", "share", "doubtful"),
    [
        (0.999, 0.001, 0.999, False),
        (0.9, 0.001, 0.999, True),
        (0.999, 0.2, 0.999, True),
        (0.999, 0, 0.8, True),
    ],
)
def test_a_place_is_in_doubt_by_its_cube_by_what_lies_under_and_by_its_colour(
    score: float, under: float, share: float, doubtful: bool
) -> None:
    shares = (share, 1 - share, 0.0, 0.0, 0.0, 0.0)
    assert is_doubtful(Detection("red", shares, (20, 20), 20.0, score, under, shares)) == doubtful


@pytest.mark.parametrize(
    ("score", "under", "share", "slightly"),
    [(0.9995, 0.001, 0.8, False), (0.995, 0.001, 1.0, True), (0.9995, 0.005, 1.0, True)],
)
def test_a_place_is_slightly_in_doubt_by_its_number_alone(
    score: float, under: float, share: float, slightly: bool
) -> None:
    shares = (share, 1 - share, 0.0, 0.0, 0.0, 0.0)
    assert is_slightly_doubtful(Detection("red", shares, (20, 20), 20.0, score, under, shares)) == slightly


def test_without_peaks_there_is_nothing_to_look_at() -> None:
    assert look_closer(np.zeros((64, 64, 3), np.uint8), []) == []


def test_what_was_seen_at_a_place_stands_until_it_is_to_be_seen_anew() -> None:
    """A second look of the detector moves places by less than a pixel, and each closer look takes time."""
    image = np.random.default_rng(3).integers(0, 255, (96, 96, 3), dtype=np.uint8)
    peaks = [peak_at(30, 30), peak_at(60, 60), peak_at(30, 62)]
    fresh = look_at_places(image, peaks)
    before = Places(peaks[:2], np.full((2, fresh.logits.shape[1]), 7, np.float32))
    moved = [peak_at(30.4, 30.3), peak_at(61.5, 60), peaks[2]]
    logits = look_at_places(image, moved, before).logits
    assert (logits[0] == 7).all()
    np.testing.assert_allclose(logits[1:], look_at_places(image, moved).logits[1:], atol=1e-4)
    np.testing.assert_allclose(
        look_at_places(image, peaks, before, anew=(0, 1)).logits, fresh.logits, atol=1e-4
    )


def test_peaks_at_the_very_edge_are_looked_at_too() -> None:
    image = np.full((96, 96, 3), 200, np.uint8)
    assert len(look_closer(image, [peak_at(0, 0), peak_at(95, 95)])) == 2


@pytest.mark.parametrize("level", [30, 128, 235])
def test_a_peak_on_an_empty_floor_becomes_unlikely(level: int) -> None:
    image = np.full((448, 448, 3), level, np.uint8)
    [peak] = look_closer(image, [peak_at(224, 224, score=0.5)])
    assert peak.score < 0.4  # a bright floor without grain was not in the training data


def test_a_cube_on_another_tells_of_it_more_than_one_that_lies_alone() -> None:
    under_by_number: dict[int, list[float]] = {1: [], STACK: []}
    for seed in range(88_010, 88_016):
        crop = synthetic_crop(seed, Options(plain=True, mat=True, plastic="clear", stacked=0.3))
        found = decode(compute_cells(crop.picture), LOWEST)
        seen = look_closer(crop.picture, found)
        for (number, _, _), peak in zip(truth_of(found, crop.cubes), seen, strict=True):
            if number:
                under_by_number[number].append(peak.under)
    assert len(under_by_number[STACK]) >= 5
    assert float(np.median(under_by_number[STACK])) > 5 * float(np.median(under_by_number[1]))


def test_rendered_cubes_stay_what_they_are() -> None:
    counts = dict.fromkeys(COLOURS, 2)
    crop = synthetic_crop(88_001, Options(plain=True, mat=True, plastic="clear", counts=counts))
    peaks = look_closer(crop.picture, decode(compute_cells(crop.picture), LOWEST))
    assert sum(peak.score > 0.5 for peak in peaks) == 12


def test_the_colour_of_what_lies_under_may_be_in_doubt_too() -> None:
    sure = Detection("red", (1, 0, 0, 0, 0, 0), (9, 9), 20.0, 0.999, 0.999, (0, 1, 0, 0, 0, 0))
    unclear = replace(sure, under_shares=(0.3, 0.7, 0, 0, 0, 0))
    assert not is_doubtful(sure)
    assert doubt_of(unclear) == pytest.approx(0.3)
    assert not is_doubtful(replace(unclear, under=0.001))  # then its colour does not matter
