"""A reader that was taught one table, used without the mat."""

from dataclasses import replace

import numpy as np
import pytest

from calibration.profiles.taught import known_table, palette_of, reader_of
from tests.calibration.test_profile import COLOURS, EMPTY, learned, with_cubes
from tests.vision.mat_picture import mat_picture
from vision.doubting.doubts import find_doubts
from vision.palette import SHOGUN
from vision.reading import Doubt
from vision.scene.light import linear_to_srgb, srgb_to_linear
from vision.scene.rectify import rectify
from vision.settling.voting import vote

BARE = mat_picture(tray_grey=120, hidden_markers=(0, 1, 2, 3))


def test_tray_and_light_come_from_the_profile_when_the_mat_is_gone() -> None:
    """The same place and the same white as at the calibration."""
    profile = learned()
    flat = rectify(BARE, known=known_table(profile))
    with_mat = rectify(EMPTY)
    assert flat is not None
    assert with_mat is not None
    assert flat.known
    assert not flat.mat_seen
    assert flat.light.white_bgr == pytest.approx(with_mat.light.white_bgr, abs=1)
    assert np.abs(flat.image[50:-50, 50:-50].astype(int) - with_mat.image[50:-50, 50:-50]).mean() < 3


def test_white_of_today_is_measured_on_the_floor_when_the_mat_is_gone() -> None:
    """Under another lamp the floor comes out as at the calibration, not darker and yellower."""
    lamp = np.array((0.4, 0.6, 0.8))  # blue first
    dimmed = np.round(linear_to_srgb(srgb_to_linear(BARE) * lamp)).astype(np.uint8)
    known = known_table(learned())
    today, then = rectify(dimmed, known=known), rectify(BARE, known=known)
    assert today is not None
    assert then is not None
    assert today.light.linear == pytest.approx(then.light.linear * lamp, rel=0.03)
    assert np.abs(today.image[50:-50, 50:-50].astype(int) - then.image[50:-50, 50:-50]).mean() < 3


def test_profile_without_a_picture_of_the_empty_tray_reads_as_before() -> None:
    """Older profiles have none."""
    flat = rectify(BARE, known=known_table(replace(learned(), empty_jpeg=b"")))
    assert flat is not None
    assert flat.known
    assert flat.change is None


def test_profile_of_another_picture_size_is_not_used() -> None:
    """Its pixels would be in the wrong place."""
    known = replace(known_table(learned()), size_px=(640, 480))
    flat = rectify(BARE, known=known)
    assert flat is None or not flat.known


def test_mat_that_is_seen_wins_over_the_profile() -> None:
    """The mat shows the present state."""
    flat = rectify(EMPTY, known=known_table(learned()))
    assert flat is not None
    assert flat.mat_seen
    assert not flat.known


def test_taught_colours_are_told_apart() -> None:
    """The palette has the names of this table's cubes; without any it is the usual one."""
    palette = palette_of(learned())
    assert palette.colours == tuple(COLOURS)
    assert palette_of(replace(learned(), colours={})) is SHOGUN


@pytest.mark.parametrize("colour", COLOURS)
def test_taught_reader_counts_without_the_mat(colour: str) -> None:
    """Five cubes of each colour, by the profile alone."""
    reading = reader_of(learned()).read(with_cubes(COLOURS[colour], empty=BARE))
    assert reading.counts == {name: 5 if name == colour else 0 for name in COLOURS}
    assert not reading.mat_seen


def test_a_colour_that_was_not_taught_is_asked_about_and_not_left_out() -> None:
    """Black cubes lie in plain sight, but the profile knows only the other colours."""
    taught = replace(learned(), colours={c: s for c, s in learned().colours.items() if c != "black"})
    reading = reader_of(taught).read(with_cubes(COLOURS["black"]))
    assert not reading.certain
    assert Doubt.UNTAUGHT_COLOUR in reading.doubts
    assert vote([reading, reading]).certain is False


def test_a_guessed_size_is_not_told_to_a_mat_that_is_laid_down_later() -> None:
    with_mat = learned()
    without = replace(with_mat, markers_px={})
    assert reader_of(with_mat).inner_mm == with_mat.tray.inner_mm
    assert reader_of(without).inner_mm is None


def test_a_tray_that_was_pushed_is_asked_about() -> None:
    """Without a mat only the profile says where it stands."""
    known = known_table(learned())
    pushed = np.roll(BARE, 70, axis=1)
    in_place, elsewhere = (rectify(picture, known=known) for picture in (BARE, pushed))
    assert in_place is not None
    assert elsewhere is not None
    assert in_place.tray.off_mm < 12 < elsewhere.tray.off_mm
    assert Doubt.TRAY_MOVED in find_doubts(elsewhere, [], dict.fromkeys(SHOGUN.colours, 1.0), SHOGUN)
