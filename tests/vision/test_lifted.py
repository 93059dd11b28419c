"""Black cubes in a black tray that was seen empty: they stand out compared with that picture."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibration.synth import Options
from calibration.synth.scene import COLOURS, Plastic
from calibration.synth.staged import StagedTable
from calibration.synth.throws import THROWS
from vision.finding.detector import CHANNELS
from vision.finding.detector import COLOURS as DETECTED
from vision.finding.lifted import Lifted, lift_contrast
from vision.palette import SHOGUN_SRGB, Palette
from vision.reader import TrayReader
from vision.scene.rectify import KnownTable, Rectified, rectify


def table(seed: int, plastic: Plastic = "black") -> tuple[StagedTable, KnownTable]:
    """A tray without a mat, and what a calibration knows about it."""
    staged = StagedTable(seed, Options(size_px=(1280, 960), mat=False, plastic=plastic, throws=THROWS))
    empty = staged.render_empty()
    flat = rectify(empty)
    assert flat is not None
    return staged, KnownTable(flat.tray, flat.light, flat.size_px, empty)


def seen(picture: np.ndarray, known: KnownTable) -> Rectified:
    """Rectify a picture, with its change since the empty tray."""
    flat = rectify(picture, known=known)
    assert flat is not None
    assert flat.change is not None
    return flat


def test_black_cubes_that_the_plain_picture_hides_are_found() -> None:
    """They lie on plastic of their own colour."""
    staged, known = table(981016)
    chance = np.random.default_rng(98101601)
    counts = {colour: int(chance.integers(0, 6)) for colour in COLOURS}
    counts["black"] += int(chance.integers(1, 4))
    picture, label = staged.render_thrown(counts, 98101601)
    truth = label["visible_counts"]
    assert isinstance(truth, dict)
    palette = Palette.of_colours(SHOGUN_SRGB)  # taught, or the cubes would tell a better light
    blind, beside = (
        TrayReader(palette, known=one).read(picture) for one in (replace(known, empty=None), known)
    )
    assert blind.counts["black"] < truth["black"]
    assert beside.counts == truth


@pytest.mark.parametrize("seed", [970000, 970023])
def test_an_empty_dark_tray_stays_empty(seed: int) -> None:
    """Nothing but noise has changed, so nothing is lifted."""
    staged, known = table(seed)
    empty = staged.render_apart("red", 0)[0]
    dark = Lifted.of(seen(empty, known))
    assert dark is not None
    assert abs(float(np.median(dark.image)) - 60) < 3
    reading = TrayReader(known=known).read(empty)
    assert sum(reading.counts.values()) == 0


def test_light_floors_need_no_lifting() -> None:
    """Black cubes show clearly there, and shadows would stand out too."""
    staged, known = table(985000, "clear")
    assert Lifted.of(seen(staged.render_empty(), known)) is None


@pytest.mark.parametrize("logit", [30.0, 0.0])
def test_a_place_is_as_probable_as_both_pictures_say_in_the_mean(logit: float) -> None:
    """However sure one of them is; the colours are those of the plain picture."""
    cells = np.zeros((CHANNELS, 16, 16), np.float32)
    cells[0] = -6.0
    stands_out = cells.copy()
    stands_out[0, 8, 5] = logit
    cells[1 + DETECTED.index("black")] = 9.0
    dark = Lifted(np.zeros((64, 64, 3), np.uint8), stands_out, np.ones((64, 64), np.uint8))
    (place,) = dark.add_new_peaks(cells, [])
    assert place.colour == "black"
    assert place.centre_px == (21.5, 33.5)
    assert place.score == pytest.approx(1 / (1 + np.exp((6 - min(logit, 6.9)) / 2)), abs=0.01)
    assert dark.add_new_peaks(cells, [place]) == [place]


def test_walls_mirror_cubes_and_are_left_alone() -> None:
    """Outside, no place is added and no known one is raised."""
    cells = np.zeros((CHANNELS, 16, 16), np.float32)
    cells[0] = -6.0
    cells[0, 8, 5] = 5.0
    image = np.full((64, 64, 3), 60, np.uint8)
    image[24:44, 12:32] = (60, 190, 230)
    everywhere, nowhere = (Lifted(image, cells, np.full((64, 64), on, np.uint8)) for on in (1, 0))
    (place,) = everywhere.add_new_peaks(cells, [])
    assert nowhere.add_new_peaks(cells, []) == []
    weak = replace(place, score=0.3)
    assert everywhere.raise_scores([weak])[0].score > 0.5
    assert nowhere.raise_scores([weak]) == [weak]


levels = st.integers(0, 255)


@given(levels, levels, levels)
def test_what_differs_more_stands_out_more(floor: int, first_level: int, second_level: int) -> None:
    """The order of levels is kept, an unchanged floor has one level, and small differences are doubled."""
    empty = np.full((32, 32, 3), floor, np.uint8)
    first, second = (
        lift_contrast(np.full_like(empty, level), empty)[16, 16, 0] for level in (first_level, second_level)
    )
    assert lift_contrast(empty, empty)[16, 16, 0] == 60
    if first_level <= second_level:
        assert first <= second
    if abs(first_level - floor) <= 10:
        assert int(first) - 60 == pytest.approx(2 * (first_level - floor), abs=1.5)
