"""The finer look: cut from the original picture, one peak a place, stacks told by what shows of them."""

import itertools
from collections.abc import Callable, Sequence
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.synth import Options, render
from calibration.synth.scene import COLOURS as DYES
from calibration.synth.throws import THROWS
from calibration.training.crops import crop_as_labelled, crops_from_labels, synthetic_crop
from calibration.training.pairs import STACK, truth_of
from tests.vision.cells import peak_at
from vision.finding import finer
from vision.finding.closer import (
    LOWEST,
    MOST,
    OUTPUTS,
    Floats,
    doubt_of,
    is_doubtful,
    is_slightly_doubtful,
    look_at_places,
    look_closer,
    peaks_edge_px,
    presence_logit,
    under_logit,
)
from vision.finding.detector import COLOURS, Detection, compute_cells, decode
from vision.finding.finer import drop_weak_neighbours, finer_logits, look_finer
from vision.finding.stored import SIDE_PX, Source, patch_to_flat
from vision.finding.stored import patches as fine_patches
from vision.pictures import Picture
from vision.reader import TrayReader
from vision.scene.light import Light

_EDGE_PX = 20.0
_NUMBERS = np.arange(OUTPUTS) < MOST
"""The outputs for the number of cubes, of which only differences count."""


def _source_of(image: Picture) -> Source:
    return Source(image, np.eye(3), None)


def test_a_patch_shows_what_the_camera_stored_and_no_less() -> None:
    """Given lines of one pixel that are lost in the rectified picture, which has half the resolution."""
    picture = np.zeros((400, 600, 3), np.uint8)
    picture[:, ::2] = 255
    to_picture = np.array([[2, 0, 0.5], [0, 2, 0.5], [0, 0, 1]])
    [patch] = fine_patches(Source(picture, to_picture, None), (200, 300, 3), [peak_at(150, 100)], [0])
    row = patch[SIDE_PX // 2, :, 0].astype(int)
    assert patch.shape == (SIDE_PX, SIDE_PX, 4)
    assert abs(np.diff(row)).min() > 120


@pytest.mark.parametrize("zoom", [0.8, 1.6, 3.0])
def test_a_cube_lies_in_the_middle_at_its_usual_size_whatever_the_camera(zoom: float) -> None:
    edge = _EDGE_PX * zoom
    picture = np.zeros((400, 500, 3), np.uint8)
    last = edge - 1  # edge pixels are filled too
    corners = np.array([(250, 200), (250 + last, 200), (250 + last, 200 + last), (250, 200 + last)])
    cv2.fillConvexPoly(picture, np.round(corners * 16).astype(np.int32), (255, 255, 255), cv2.LINE_AA, 4)
    shift = np.array([[zoom, 0, 0], [0, zoom, 0], [0, 0, 1]])
    peak = peak_at((250 + last / 2) / zoom, (200 + last / 2) / zoom)
    [patch] = fine_patches(Source(picture, shift, None), (300, 400, 3), [peak], [0])
    rows, columns = np.nonzero(patch[:, :, 0] > 127)
    assert (rows.mean(), columns.mean()) == pytest.approx(((SIDE_PX - 1) / 2,) * 2, abs=1.2)
    assert len(rows) == pytest.approx((2 * _EDGE_PX) ** 2, rel=0.12)


def test_the_light_is_taken_out_of_a_patch_too() -> None:
    """Given warm paper: it is grey afterwards."""
    warm = Light.of_linear(np.array([0.2, 0.45, 0.7]), measured=True)
    picture = np.full((64, 64, 3), warm.white_bgr, np.uint8)
    seen = Source(picture, np.eye(3), warm).cut_patch(patch_to_flat((32, 32), 1.0, 16), 16)
    assert int(np.ptp(seen.reshape(-1, 3), axis=1).max()) <= 2


def test_a_weak_peak_close_to_a_surer_one_is_no_place_of_its_own() -> None:
    sure, weak, far, also_sure = (
        peak_at(100),
        peak_at(112, score=0.3),
        peak_at(140, score=0.2),
        peak_at(113, score=0.7),
    )
    assert drop_weak_neighbours([weak, sure, far], _EDGE_PX) == ([sure, far], frozenset({0}))
    assert drop_weak_neighbours([sure, also_sure], _EDGE_PX) == ([sure, also_sure], frozenset())


@pytest.mark.parametrize(
    ("seed", "colour", "lie_there"),
    [(412_000_791, "blue", 6), (6_100_204, "purple", 21)],
    ids=["two leaning at a wall", "a heap"],
)
def test_a_cube_whose_peak_is_weak_beside_another_is_counted(
    monkeypatch: pytest.MonkeyPatch, seed: int, colour: str, lie_there: int
) -> None:
    """Rendered throws in which one of two cubes that lean on each other has the weaker peak."""
    picture, _ = render(seed, Options(throws=THROWS))
    assert TrayReader().read(picture).counts[colour] == lie_there
    monkeypatch.setattr(finer, "_separate_weak_peaks", lambda *_: [])
    assert TrayReader().read(picture).counts[colour] == lie_there - 1


def test_what_lies_under_another_is_not_counted_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    """Given a weak peak beside a place at which all looks see two cubes, or one."""
    image = np.random.default_rng(6).integers(0, 255, (96, 96, 3), dtype=np.uint8)
    peaks = [peak_at(48, 48), peak_at(48 + 0.7 * _EDGE_PX, 48, score=0.3)]
    for number in (1, STACK):
        sure = np.zeros(OUTPUTS, np.float32)
        sure[number] = 20
        monkeypatch.setattr(finer, "wide_logits", lambda seen, sure=sure: np.stack([sure] * len(seen)))
        monkeypatch.setattr(finer, "both_ways_logits", lambda _, wide: wide)
        strong, weak = look_finer(image, _source_of(image), peaks)
        assert (strong.under > 0.9) == (number == STACK)
        assert weak.score == 0 if number == STACK else weak.score > 0.9
        assert weak.under == 0


def test_a_weak_peak_is_less_likely_than_the_look_says_and_least_beside_its_own_colour(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Given a look that takes both places for single cubes, surely enough to be counted."""
    image = np.random.default_rng(6).integers(0, 255, (96, 96, 3), dtype=np.uint8)
    logits = np.zeros(OUTPUTS, np.float32)
    logits[0], logits[STACK] = -3, -9
    monkeypatch.setattr(finer, "wide_logits", lambda seen: np.stack([logits] * len(seen)))
    monkeypatch.setattr(finer, "both_ways_logits", lambda _, wide: wide)
    scores = {}
    for colour, x in itertools.product(("red", "blue"), (0.7, 2.0)):
        shares = tuple(float(colour == name) for name in COLOURS)
        weak = Detection(colour, shares, (20 + x * _EDGE_PX, 48), _EDGE_PX, 0.3)
        scores[colour, x] = look_finer(image, _source_of(image), [peak_at(20, 48), weak])[1].score
    assert scores["red", 0.7] < scores["blue", 0.7] < min(scores["red", 2.0], scores["blue", 2.0])
    assert scores["red", 0.7] > 0.05, "it is a doubt still"


def test_where_nothing_is_seen_nothing_is_looked_at() -> None:
    image = np.zeros((64, 64, 3), np.uint8)
    assert look_finer(image, _source_of(image), []) == []


def test_places_at_the_very_edge_are_looked_at_too() -> None:
    image = np.full((96, 96, 3), 200, np.uint8)
    assert len(look_finer(image, _source_of(image), [peak_at(0, 0), peak_at(95, 95)])) == 2


def test_what_only_the_picture_itself_shows_is_heard() -> None:
    """Given a rectified picture without a trace of the cube that the camera stored."""
    crop = synthetic_crop(88_001, Options(plain=True, mat=True, plastic="clear", counts={"red": 1}))
    [x, y, *_] = crop.cubes[0].tolist()
    floor = np.full((64, 64, 3), 150, np.uint8)
    to_picture = np.array([[1, 0, x - 31.5], [0, 1, y - 31.5], [0, 0, 1]])
    [without] = look_finer(floor, _source_of(floor), [peak_at(31.5, 31.5, score=0.5)])
    [with_cube] = look_finer(floor, Source(crop.picture, to_picture, None), [peak_at(31.5, 31.5, score=0.5)])
    assert with_cube.score > without.score + 0.2


def test_of_cubes_on_others_more_are_told_than_by_the_closer_look(tmp_path: Path) -> None:
    """Given rendered heaps as a camera stores them: at places with a stack and at those with one cube."""
    losses: dict[str, list[float]] = {"closer": [], "finer": []}
    under_by_number: dict[int, list[float]] = {1: [], STACK: []}
    heaps = Options(mat=True, stacked=0.3, size_px=(1280, 960))
    entries = []
    for seed in range(88_030, 88_042):
        picture, entry = render(seed, heaps)
        entries.append({**entry, "file": f"{seed}.png"})
        cv2.imwrite(str(tmp_path / f"{seed}.png"), picture)
    for crop in crops_from_labels(tmp_path, entries):
        assert crop.source is not None
        peaks = decode(compute_cells(crop.picture), LOWEST)
        found, _ = drop_weak_neighbours(peaks, peaks_edge_px(peaks))
        closer = look_closer(crop.picture, found)
        finer = look_finer(crop.picture, crop.source, peaks)
        for (number, _, _), closer_peak, finer_peak in zip(
            truth_of(found, crop.cubes), closer, finer[: len(found)], strict=True
        ):
            if number > 0:
                under_by_number[number].append(finer_peak.under)
                for name, under in (("closer", closer_peak.under), ("finer", finer_peak.under)):
                    right = under if number == STACK else 1 - under
                    losses[name].append(-float(np.log(max(right, 1e-4))))
    assert len(under_by_number[STACK]) >= 4
    assert float(np.median(under_by_number[STACK])) > 5 * float(np.median(under_by_number[1]))
    assert np.mean(losses["finer"]) < np.mean(losses["closer"])


def test_of_what_is_all_but_sure_the_wide_look_tells_besides() -> None:
    """Given a heap in which the closer look doubts some places, slightly doubts others, and no more."""
    crop = crop_as_labelled(*render(88_016, Options(mat=True, stacked=0.3, size_px=(1280, 960))))
    assert crop is not None
    assert crop.source is not None
    peaks, _ = drop_weak_neighbours(decode(compute_cells(crop.picture), LOWEST), _EDGE_PX)
    closer = look_closer(crop.picture, peaks)
    finer = look_finer(crop.picture, crop.source, peaks)
    slight = [n for n, peak in enumerate(closer) if is_slightly_doubtful(peak) and not is_doubtful(peak)]
    assert slight
    for n, (before, after) in enumerate(zip(closer, finer, strict=True)):
        if n in slight:
            assert (before.score, before.under) != (after.score, after.under)
            assert before.colour == after.colour
        elif not is_doubtful(before):
            assert before == after


def _count_places(look: Callable[..., Floats], calls: list[int]) -> Callable[..., Floats]:
    """Wrap `look` to record how many places each call is given."""

    def counting(seen: Sequence[Picture], *logits: Floats) -> Floats:
        calls.append(len(seen))
        return look(seen, *logits)

    return counting


def test_of_more_places_than_can_be_looked_at_the_most_doubted_are(monkeypatch: pytest.MonkeyPatch) -> None:
    """Given 49 places on a floor of noise: each is looked at again at most once, and few of them twice."""
    image = np.random.default_rng(7).integers(0, 90, (448, 448, 3), dtype=np.uint8)
    peaks = [peak_at(32 + 60 * x, 32 + 60 * y, score=0.4) for x in range(7) for y in range(7)]
    places_by_look: dict[str, list[int]] = {"wide_logits": [], "both_ways_logits": []}
    for look_name, calls in places_by_look.items():
        monkeypatch.setattr(finer, look_name, _count_places(getattr(finer, look_name), calls))
    closer = look_closer(image, peaks)
    after = look_finer(image, _source_of(image), peaks)
    again = {peak.centre_px for peak, before in zip(after, closer, strict=True) if peak.score != before.score}
    assert places_by_look["wide_logits"] == [len(again)] == [24]
    assert len(places_by_look["both_ways_logits"]) == 1
    assert 0 < places_by_look["both_ways_logits"][0] <= 10
    doubts = {peak.centre_px: doubt_of(peak) for peak in closer}
    assert min(doubts[at] for at in again) >= max(doubts[at] for at in doubts.keys() - again)


def test_rendered_cubes_stay_what_they_are() -> None:
    counts = dict.fromkeys(DYES, 2)
    crop = synthetic_crop(88_001, Options(plain=True, mat=True, plastic="clear", counts=counts))
    peaks = look_finer(crop.picture, _source_of(crop.picture), decode(compute_cells(crop.picture), LOWEST))
    assert sum(peak.score > 0.5 for peak in peaks) == 12


def test_the_wide_look_speaks_of_presence_more_than_of_stacks_and_colours(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Given one that is sure of everything: how far it moves what the closer look said."""
    image = np.random.default_rng(6).integers(0, 255, (96, 96, 3), dtype=np.uint8)
    place = (image, _source_of(image), look_at_places(image, [peak_at(48, 48)]), [0])
    sure = np.full((1, OUTPUTS), 40, np.float32)
    sure[0, :MOST] = (-30, 0, 30)
    monkeypatch.setattr(finer, "wide_logits", lambda *_: place[2].logits)
    monkeypatch.setattr(finer, "both_ways_logits", lambda _, wide: wide)
    plain = finer_logits(*place)
    assert plain == pytest.approx(place[2].logits - place[2].logits[:, :1] * _NUMBERS, abs=1e-4)
    monkeypatch.setattr(finer, "wide_logits", lambda *_: sure)
    combined = finer_logits(*place)
    presence, two = (
        ((logit_of(combined) - logit_of(plain)) / (logit_of(sure) - logit_of(plain))).item()
        for logit_of in (presence_logit, under_logit)
    )
    colours = (combined - plain)[:, MOST:] / (sure - plain)[:, MOST:]
    assert 0.5 < two < presence < 1
    assert ((colours > 0) & (colours < presence)).all()
