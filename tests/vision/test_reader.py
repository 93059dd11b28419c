"""From a picture to counts, through the entry point that the game uses."""

import subprocess
import sys
from pathlib import Path
from unittest import mock

import cv2
import numpy as np
import pytest
from sklearn.mixture import GaussianMixture

from calibration.synth import Options, render
from calibration.synth.throws import THROWS
from tests.vision.drawn_tray import Placed, drawn_tray
from vision import reader
from vision.doubting.doubts import find_spoiling_doubts
from vision.finding import detector
from vision.finding.finer import look_finer
from vision.network import network
from vision.overlay import colour_letters, draw_reading
from vision.palette import SHOGUN, SHOGUN_SRGB, Palette
from vision.pictures import Picture
from vision.reader import TrayReader

ROOT = Path(__file__).parents[2]
COLOURS = ("red", "blue", "black", "yellow", "purple", "green")
THROW: tuple[Placed, ...] = tuple(
    (COLOURS[i % 6], -55.0 + 22.0 * (i % 6), -30.0 + 20.0 * (i // 6)) for i in range(14)
)


def test_counts_every_colour() -> None:
    reading = TrayReader().read(drawn_tray(THROW))
    assert reading.counts == {c: sum(t[0] == c for t in THROW) for c in COLOURS}
    assert reading.mat_seen


@pytest.mark.parametrize("light", [(0.55, 0.8, 1.0), (0.95, 0.8, 0.7)])
def test_counts_do_not_depend_on_the_lamp(light: tuple[float, float, float]) -> None:
    reading = TrayReader().read(drawn_tray(THROW, light=light))
    assert reading.counts == {c: sum(t[0] == c for t in THROW) for c in COLOURS}


def test_each_cube_has_its_place_in_millimetres_and_pixels() -> None:
    reading = TrayReader().read(drawn_tray([("red", 30.0, -40.0)]))
    (cube,) = reading.cubes
    assert cube.centre_mm == pytest.approx((30.0, -40.0), abs=1.5)
    assert cube.centre_px == pytest.approx(((30 + 297 / 2) * 3, (-40 + 105) * 3), abs=5)


def test_an_empty_tray_reads_as_zero() -> None:
    reading = TrayReader().read(drawn_tray([]))
    assert reading.total == 0
    assert set(reading.counts) == set(COLOURS)


def test_what_lies_outside_of_the_tray_is_never_counted() -> None:
    outside: list[Placed] = [("red", 100.0, 0.0), ("blue", -100.0, 30.0), ("green", 0.0, 97.0)]
    assert TrayReader().read(drawn_tray(outside)).total == 0


@pytest.mark.parametrize("level", [0, 255])
def test_a_picture_of_nothing_is_doubted_not_refused(level: int) -> None:
    reading = TrayReader().read(np.full((480, 640, 3), level, np.uint8))
    assert reading.total == 0
    assert not reading.certain
    assert reading.doubts


def test_other_colours_can_be_taught() -> None:
    taught = Palette.of_colours({"coal": SHOGUN_SRGB["black"], "sun": SHOGUN_SRGB["yellow"]})
    reading = TrayReader(taught).read(drawn_tray([("yellow", 0, 0), ("yellow", 40, 0), ("black", -40, 0)]))
    assert reading.counts == {"coal": 1, "sun": 2}


@pytest.mark.parametrize("lacking", [(), ("black",)])
def test_taught_colours_are_fitted_while_the_reader_warms(lacking: tuple[str, ...]) -> None:
    """The first reading of an evening is then as quick as the others, even if a colour was not taught."""
    taught = Palette.of_samples(
        {name: np.tile(srgb, (50, 1)) for name, srgb in SHOGUN_SRGB.items() if name not in lacking}
    )
    TrayReader(taught).warm()
    begun = set(sys.modules)
    with mock.patch.object(GaussianMixture, "fit", side_effect=AssertionError("fitted in a reading")):
        counted = TrayReader(taught).read(drawn_tray(THROW)).total
    assert counted == sum(colour not in lacking for colour, *_ in THROW)
    assert set(sys.modules) == begun


def test_usual_colours_start_without_what_fits_taught_ones() -> None:
    """Loading it takes longer than everything else the camera's process does at start-up."""
    begins = "import sys, companion.table.sensing.process, vision.reader; vision.reader.TrayReader().warm()"
    done = subprocess.run(
        [sys.executable, "-c", f"{begins}; print('sklearn' in sys.modules)"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == "False"


@pytest.mark.parametrize("number", [1, 9])
def test_a_palette_has_two_to_eight_colours(number: int) -> None:
    with pytest.raises(ValueError, match="2 to 8"):
        Palette.of_colours({str(i): (i, i, i) for i in range(number)})


@pytest.mark.parametrize(
    ("seed", "looks", "in_doubt"),
    [(9_100_004, 1, False), (9_100_002, 2, False), (9_100_006, 2, True), (9_100_016, 2, True)],
    ids=["sure", "sure under another light", "in doubt", "in doubt under another light"],
)
def test_the_detector_looks_twice_at_most(seed: int, looks: int, *, in_doubt: bool) -> None:
    """It is the slowest step: under another light it has already looked twice before anything is doubted."""
    picture, _ = render(seed, Options(mat=False, throws=THROWS))
    with (
        mock.patch.object(detector, "network", wraps=network) as taken,
        mock.patch.object(reader, "look_finer", wraps=look_finer) as finer,
    ):
        TrayReader().read(picture)
    assert (taken.call_count, finer.called) == (looks, in_doubt)


@pytest.mark.parametrize(("seed", "lights"), [(9_100_004, 1), (9_100_002, 2)])
def test_what_spoils_a_picture_is_asked_under_the_light_that_its_cubes_told(seed: int, lights: int) -> None:
    """This runs alongside the looks, before that light is known, and once more if there is another light."""
    picture, _ = render(seed, Options(mat=False, throws=THROWS))
    with mock.patch.object(reader, "find_spoiling_doubts", wraps=find_spoiling_doubts) as asked:
        found = TrayReader().find(picture)
    assert found is not None
    seen = [call.args[0].light for call in asked.call_args_list]
    assert len(set(seen)) == len(seen) == lights
    assert seen[-1] == found.flat.light


@pytest.mark.parametrize(
    ("seed", "colour", "too_many"),
    [
        (190_000_270, "black", 0.4),
        (46_000_361, "black", 0.15),
        (190_000_059, "yellow", 1.0),
    ],
    ids=["shadows", "a shadow as under a cube", "gaps on yellow felt"],
)
def test_what_only_looks_like_a_cube_is_hardly_one(seed: int, colour: str, too_many: float) -> None:
    """Rendered throws in which the networks alone expect more cubes of a colour than there are."""
    picture, _ = render(seed, Options(throws=THROWS))
    with (
        mock.patch.object(reader, "without_cast", side_effect=lambda found, *_: list(found)),
        mock.patch.object(reader, "without_gaps", side_effect=lambda found, *_: list(found)),
    ):
        by_looks = _expected_count(picture, colour)
    assert _expected_count(picture, colour) < by_looks - too_many


@pytest.mark.parametrize(
    ("seed", "colour", "lies_there"),
    [(410_000_066, "blue", 0), (6_100_065, "purple", 7)],
    ids=["all purple", "violet beside blue"],
)
def test_what_looks_alike_is_named_alike(seed: int, colour: str, lies_there: int) -> None:
    """Rendered throws in which the networks alone name some cubes differently from the rest."""
    picture, _ = render(seed, Options(throws=THROWS))
    with mock.patch.object(reader, "settle_colours", side_effect=lambda found, _: list(found)):
        by_looks = _expected_count(picture, colour)
    off = abs(_expected_count(picture, colour) - lies_there)
    assert off < abs(by_looks - lies_there) - 0.4


@pytest.mark.parametrize(
    ("seed", "lie_there"), [(46_000_364, 10), (410_000_112, 9)], ids=["a warm bulb", "grain"]
)
def test_a_dark_trays_black_cubes_look_alike(seed: int, lie_there: int) -> None:
    """Rendered throws with a black cube that the networks doubt."""
    picture, _ = render(seed, Options(throws=THROWS))
    with mock.patch.object(reader, "compare_black", side_effect=lambda found, *_: list(found)):
        by_looks = _expected_count(picture, "black")
    off = abs(_expected_count(picture, "black") - lie_there)
    assert off < abs(by_looks - lie_there) - 0.05


def _expected_count(picture: Picture, colour: str) -> float:
    """Expected number of cubes of a colour, over all candidates."""
    found = TrayReader().find(picture)
    assert found is not None
    return sum(
        candidate.presence * candidate.shares[SHOGUN.colours.index(colour)] for candidate in found.candidates
    )


def test_letters_of_the_overlay_stand_out_on_every_colour() -> None:
    """A white Y on yellow was hardly visible; the letter is for people who cannot tell the colours."""
    picture = np.full((750, 1000, 3), 128, np.uint8)
    reading = TrayReader().read(picture)
    strip = draw_reading(picture, reading)[750:].astype(float) @ [0.114, 0.587, 0.299]
    for place, colour in enumerate(reading.counts):
        left = round(1000 / (len(reading.counts) + 1.6) * place + 12)
        swatch = strip[12:32, left + 2 : left + 22]
        ground = float(np.median(swatch))
        assert np.abs(swatch - ground).max() > 110, colour


def test_overlay_leaves_the_picture_alone_and_adds_a_strip() -> None:
    picture = drawn_tray(THROW)
    before = picture.copy()
    drawn = draw_reading(picture, TrayReader().read(picture))
    assert np.array_equal(picture, before)
    assert drawn.shape[1] == picture.shape[1]
    assert drawn.shape[0] > picture.shape[0]
    assert cv2.absdiff(drawn[: picture.shape[0]], picture).any()


def test_letters_differ_and_black_is_not_blue() -> None:
    assert list(colour_letters(COLOURS).values()) == ["R", "B", "K", "Y", "P", "G"]
    assert len(set(colour_letters(("blue", "brown", "beige")).values())) == 3
