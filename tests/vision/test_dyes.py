"""Colours that cannot be right, if neither mat nor calibration tells the light: the cubes do."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibration.synth import Options
from calibration.synth.staged import StagedTable
from tests.vision.test_spoilt import faded, foggy, swap_red_and_blue
from vision import reader
from vision.doubting.dyes import Faces, are_colours_false, exchange_gain, faces_of, strangeness, usual_dyes
from vision.finding.candidates import Candidate
from vision.palette import SHOGUN, SHOGUN_SRGB, Palette
from vision.pictures import Picture
from vision.reader import TrayReader
from vision.reading import Doubt
from vision.scene.light import linear_to_srgb, srgb_to_linear
from vision.scene.rectify import KnownTable, rectify
from vision.scene.trouble import is_pale
from vision.scene.veil import lacks_black

BARE = Options(size_px=(960, 720), mat=False, plastic="clear", tray="square", light="daylight", plain=True)
THROWN = {"red": 2, "blue": 2, "yellow": 2, "green": 1}
COLOURED = tuple(colour for colour in SHOGUN_SRGB if colour != "black")
AS_THEY_LOOK = {"red": "blue", "blue": "yellow", "yellow": "blue", "purple": "red", "green": "green"}
"""What each dye is named, relative to the others, with red and blue exchanged."""


def lit(colour: str, gains: tuple[float, float, float] = (1.0, 1.0, 1.0)) -> np.ndarray:
    """(1, 3) BGR of a usual cube with its channels multiplied by `gains` in linear light."""
    bgr = np.array([SHOGUN_SRGB[colour][::-1]], np.float64)
    return np.asarray(linear_to_srgb(srgb_to_linear(bgr) * np.array(gains)))


def tray(colours: tuple[str, ...], gains: tuple[float, float, float] = (1.0, 1.0, 1.0)) -> Faces:
    return {colour: lit(colour, gains) for colour in colours}


@given(
    colours=st.sets(st.sampled_from(tuple(SHOGUN_SRGB)), min_size=1),
    level=st.floats(0.3, 1.4),
    warm=st.floats(-0.06, 0.06),
)
def test_usual_cubes_are_never_strange(colours: set[str], level: float, warm: float) -> None:
    """However many there are, at any exposure, and with white a little off."""
    gains = (level * (1 - warm), level, level * (1 + warm))
    assert not are_colours_false(tray(tuple(sorted(colours)), gains))


@pytest.mark.parametrize("missing", [(), ("yellow",), ("red", "purple"), ("green",)])
def test_exchanged_red_and_blue_are_told_by_what_they_would_be(missing: tuple[str, ...]) -> None:
    """Blue is dark and yellow is bright: a yellow cube that looks blue is brighter than any blue one."""
    seen: dict[str, list[np.ndarray]] = {}
    for colour in COLOURED:
        if colour not in missing:
            seen.setdefault(AS_THEY_LOOK[colour], []).append(lit(colour)[:, ::-1])
    faces = {name: np.vstack(cubes) for name, cubes in seen.items()}
    assert exchange_gain(faces) > 2
    assert are_colours_false(faces)
    assert exchange_gain(tray(tuple(c for c in COLOURED if c not in missing))) < -5


def test_two_dyes_of_one_name_are_told_apart_though_their_mean_is_usual() -> None:
    """Red and yellow cubes both look blue, one dark and one bright: their mean is not strange."""
    faces = {"blue": np.vstack([lit("red")[:, ::-1], lit("yellow")[:, ::-1]])}
    assert strangeness(faces) < 8
    assert are_colours_false(faces)


def test_an_exchange_leaves_green_and_black_as_they_are() -> None:
    """Nothing is concluded if it cannot be known."""
    for colours in (("green",), ("black",), ("green", "black")):
        turned = {colour: lit(colour)[:, ::-1] for colour in colours}
        assert exchange_gain(turned) < 2


@pytest.mark.parametrize("gains", [(1.0, 0.25, 1.0), (0.2, 0.8, 1.2), (1.3, 0.9, 0.25)])
def test_a_coloured_lamp_is_no_usual_light(gains: tuple[float, float, float]) -> None:
    """Given a magenta lamp, and candles taken for daylight."""
    assert strangeness(tray(COLOURED, gains)) > strangeness(tray(COLOURED)) + 5
    assert are_colours_false(tray(COLOURED, gains))


def test_black_cubes_alone_are_black_by_any_light() -> None:
    magenta = tray(("black",), (1.6, 0.4, 1.6))
    assert strangeness(magenta) > 11
    assert not are_colours_false(magenta)
    assert not are_colours_false({})
    assert strangeness({}) == 0.0


def test_only_sure_cubes_that_lie_on_top_are_witnesses() -> None:
    """Each is measured in the middle of its face."""
    image = np.full((100, 100, 3), 128, np.uint8)
    image[40:60, 40:60] = (30, 40, 190)
    red = Candidate((50.0, 50.0), 20.0, 0.99, tuple(float(c == "red") for c in SHOGUN.colours))
    seen = faces_of(image, [red], SHOGUN)
    assert {colour: cubes.tolist() for colour, cubes in seen.items()} == {"red": [[30.0, 40.0, 190.0]]}
    doubted, under = replace(red, presence=0.8), replace(red, under=True)
    two_names = replace(red, shares=tuple(0.4 if c in ("red", "blue") else 0.05 for c in SHOGUN.colours))
    assert faces_of(image, [doubted, under, two_names], SHOGUN) == {}


def test_the_reader_has_a_look_for_every_colour() -> None:
    assert set(usual_dyes()) == set(SHOGUN.colours)


@pytest.fixture(scope="module")
def bare() -> Picture:
    return StagedTable(12, BARE).render_thrown(THROWN, 8)[0]


@pytest.mark.parametrize(
    ("spoil", "doubt"),
    [
        (swap_red_and_blue, Doubt.FALSE_COLOURS),
        (faded, Doubt.FALSE_COLOURS),
        (lambda picture: foggy(picture, 0.4), Doubt.VEILED),
    ],
    ids=["exchanged", "faded", "foggy"],
)
def test_what_the_mat_would_tell_is_asked_about_without_it(
    bare: Picture, spoil: Callable[[Picture], Picture], doubt: Doubt
) -> None:
    """The unspoilt picture of the same throw raises none of these doubts and is answered."""
    reading = TrayReader().read(bare)
    assert (reading.certain, reading.mat_seen) == (True, False)
    assert {colour: n for colour, n in reading.counts.items() if n} == THROWN
    assert doubt in TrayReader().read(spoil(bare)).doubts


@pytest.mark.parametrize("spoil", [swap_red_and_blue, faded])
def test_a_calibration_without_mat_and_cubes_does_not_know_the_light(
    bare: Picture, spoil: Callable[[Picture], Picture]
) -> None:
    """It counted as knowing the light, so no cube was consulted."""
    empty = StagedTable(12, BARE).render_empty()
    flat = rectify(empty)
    assert flat is not None
    calibrated = TrayReader(known=KnownTable(flat.tray, flat.light, flat.size_px, empty))
    reading = calibrated.read(bare)
    assert (reading.certain, {colour: n for colour, n in reading.counts.items() if n}) == (True, THROWN)
    assert Doubt.FALSE_COLOURS in calibrated.read(spoil(bare)).doubts


def test_who_knows_the_light_asks_no_cube_for_it(bare: Picture, monkeypatch: pytest.MonkeyPatch) -> None:
    """Known with the mat, after a calibration with a mat, and if the very cubes were taught."""
    monkeypatch.setattr(reader, "are_colours_false", lambda faces: True)
    asked = TrayReader().read(bare)
    assert Doubt.FALSE_COLOURS in asked.doubts
    with_mat = StagedTable(12, replace(BARE, mat=True)).render_thrown(THROWN, 8)[0]
    assert Doubt.FALSE_COLOURS not in TrayReader().read(with_mat).doubts
    taught = Palette.of_colours(SHOGUN_SRGB)
    assert Doubt.FALSE_COLOURS not in TrayReader(taught).read(bare).doubts
    flat = rectify(bare)
    assert flat is not None
    found = TrayReader().find(bare)
    assert found is not None
    assert TrayReader()._doubts_of_dyes(flat, found.candidates) == (Doubt.FALSE_COLOURS,)
    known = replace(flat, known=True)
    measured = replace(known, light=replace(flat.light, measured=True))
    assert TrayReader()._doubts_of_dyes(measured, found.candidates) == ()
    for unlit in (known, replace(measured, stale=True)):
        assert TrayReader()._doubts_of_dyes(unlit, found.candidates) == (Doubt.FALSE_COLOURS,)


@pytest.mark.parametrize("level", [255, 120, 40])
def test_a_picture_without_colour_is_pale_at_any_exposure(level: int) -> None:
    """One coloured cube in a thousand pixels is enough to show that there is colour."""
    rng = np.random.default_rng(3)
    grey = np.repeat(rng.integers(level // 4, level, (480, 640, 1), dtype=np.uint8), 3, axis=2)
    assert is_pale(grey)
    grey[200:232, 200:232] = np.array([level // 5, level // 5, level - 1], np.uint8)
    assert not is_pale(grey)


@pytest.mark.parametrize("share", [0.05, 0.3])
def test_fog_leaves_nothing_dark(bare: Picture, share: float) -> None:
    assert lacks_black(foggy(bare, share)) is (share > 0.2)
    assert not lacks_black(bare)
