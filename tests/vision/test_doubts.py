"""Each doubt is reported for its own cause."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from tests.vision.drawn_tray import drawn_tray
from vision.doubting.doubts import find_doubts
from vision.doubting.scene_doubts import find_scene_doubts, is_hand_over
from vision.finding.candidates import Candidate
from vision.palette import SHOGUN
from vision.pictures import Picture
from vision.reading import Doubt
from vision.scene.rectify import Rectified, rectify

SKIN = (135, 160, 212)


@pytest.fixture(scope="module")
def tray() -> Rectified:
    flat = rectify(drawn_tray([]))
    assert flat is not None
    return flat


def candidate(x: float, y: float, presence: float = 0.99, share: float = 0.99, colour: int = 0) -> Candidate:
    """A candidate at `x`, `y` mm from the tray's centre."""
    shares = [(1 - share) / 5] * 6
    shares[colour] = share
    return Candidate((223.5 + 2.5 * x, 223.5 + 2.5 * y), 20.0, presence, tuple(shares))


def doubts(tray: Rectified, *candidates: Candidate, sure: float = 0.5) -> tuple[Doubt, ...]:
    return find_doubts(tray, candidates, {"red": sure}, SHOGUN)


def test_nothing_is_asked_when_every_count_is_sure(tray: Rectified) -> None:
    assert doubts(tray, candidate(0, 0), sure=0.999) == ()


def test_an_unsure_reading_always_has_a_reason(tray: Rectified) -> None:
    assert doubts(tray) == (Doubt.UNCLEAR_COUNT,)


def test_a_cube_of_two_colours_is_named(tray: Rectified) -> None:
    assert doubts(tray, candidate(0, 0, share=0.6))[0] is Doubt.UNCLEAR_COLOUR


def test_a_cube_upon_another_is_named(tray: Rectified) -> None:
    assert doubts(tray, candidate(0, 0), candidate(3, 3, presence=0.6))[0] is Doubt.STACKED


def test_a_crowd_is_named(tray: Rectified) -> None:
    around = [candidate(0, 10), candidate(10, 0), candidate(-10, 0)]
    assert doubts(tray, *around, candidate(0, 0, presence=0.6))[0] is Doubt.CROWDED


def test_a_cube_over_the_rim_is_named(tray: Rectified) -> None:
    assert doubts(tray, candidate(87, 0, presence=0.7))[0] is Doubt.ON_RIM


def test_black_in_a_dark_tray_is_named() -> None:
    flat = rectify(drawn_tray([], tray_grey=40))
    assert flat is not None
    black = SHOGUN.colours.index("black")
    assert doubts(flat, candidate(0, 0, presence=0.5, colour=black))[0] is Doubt.BLACK_ON_BLACK


@pytest.mark.parametrize(
    ("floor", "asks"), [((150, 140, 75), False), ((60, 130, 20), True), ((20, 30, 120), True)]
)
def test_without_a_mat_a_vivid_floor_leaves_the_lamps_colour_open(
    tray: Rectified, floor: tuple[int, int, int], *, asks: bool
) -> None:
    """On green felt a camera takes grey for pink: no count is sure, however clear the cubes are."""
    felt = np.full_like(tray.image, floor)
    on_mat, without = replace(tray, image=felt), replace(tray, image=felt, fiducials=None)
    assert doubts(on_mat, sure=0.999) == ()
    assert (Doubt.VIVID_FLOOR in doubts(without, sure=0.999)) == asks
    assert doubts(replace(without, known=True), sure=0.999) == ()


def test_a_finger_over_the_tray_is_a_hand_and_cubes_are_not() -> None:
    flat = rectify(drawn_tray([("red", 0, 0), ("yellow", 20, 0)]))
    assert flat is not None
    assert not is_hand_over(flat.image, flat.floor())
    finger = _with_finger(flat.image, SKIN)
    assert is_hand_over(finger, flat.floor())


def test_wood_that_was_there_when_the_tray_was_calibrated_is_no_hand() -> None:
    flat = rectify(drawn_tray([("red", 0, 0)]))
    assert flat is not None
    wooden = flat.image.copy()
    cv2.line(wooden, (0, 430), (300, 430), SKIN, 36)
    finger = _with_finger(wooden, SKIN)
    assert is_hand_over(wooden, flat.floor())
    assert not is_hand_over(wooden, flat.floor(), wooden)
    assert is_hand_over(finger, flat.floor(), wooden)


def test_a_table_of_skins_colour_about_the_tray_is_no_hand() -> None:
    """Without a mat the corners of the picture outside an oval tray show the table."""
    flat = rectify(drawn_tray([("red", 0, 0)]))
    assert flat is not None
    oval = np.zeros_like(flat.floor())
    height, width = oval.shape
    cv2.ellipse(oval, (width // 2, height // 2), (width // 2 - 20, height // 2 - 20), 0, 0, 360, 1, -1)
    wooden = flat.image.copy()
    wooden[oval == 0] = SKIN
    assert not is_hand_over(wooden, oval)
    assert is_hand_over(_with_finger(wooden, SKIN), oval)


def test_a_table_of_skins_colour_under_a_clear_tray_is_no_hand() -> None:
    flat = rectify(drawn_tray([("red", 0, 0)]))
    assert flat is not None
    wooden = np.full_like(flat.image, SKIN)
    wooden[:, ::40] = (90, 120, 150)  # its grain
    cv2.circle(wooden, (220, 330), 60, (225, 230, 240), -1)  # the light of a lamp, which makes it pale
    assert not is_hand_over(wooden, flat.floor())
    assert is_hand_over(_with_finger(wooden, (120, 140, 220)), flat.floor())


def _with_finger(picture: Picture, colour: tuple[int, int, int]) -> Picture:
    finger = picture.copy()
    cv2.line(finger, (0, 220), (160, 200), colour, 40)
    return finger


def test_a_marker_that_should_show_is_missed() -> None:
    picture = drawn_tray([])
    picture[:110, :140] = (90, 120, 150)
    flat = rectify(picture)
    assert flat is not None
    assert Doubt.MAT_COVERED in find_scene_doubts(flat)
    whole = rectify(drawn_tray([]))
    assert whole is not None
    assert Doubt.MAT_COVERED not in find_scene_doubts(whole)


def test_a_blurred_picture_is_named() -> None:
    picture = cv2.GaussianBlur(drawn_tray([("red", 0, 0)]), (0, 0), 5)
    flat = rectify(np.asarray(picture, np.uint8))
    if flat is not None:
        assert Doubt.BLURRED in find_scene_doubts(flat)
