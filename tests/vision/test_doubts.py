"""Each doubt is named for what causes it."""

import cv2
import numpy as np
import pytest

from tests.vision.drawn_tray import drawn_tray
from vision.candidates import Candidate
from vision.doubts import find_doubts, unseen_odds
from vision.palette import SHOGUN
from vision.reading import Doubt
from vision.rectify import Rectified, rectify
from vision.scene_doubts import hand_over, of_scene


@pytest.fixture(scope="module")
def tray() -> Rectified:
    flat = rectify(drawn_tray([]))
    assert flat is not None
    return flat


def candidate(x: float, y: float, presence: float = 0.99, share: float = 0.99, colour: int = 0) -> Candidate:
    """At millimetres from the tray's centre."""
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


def test_heaps_hide_more_than_single_cubes() -> None:
    alone = unseen_odds([candidate(-40, 0), candidate(40, 0)], SHOGUN)["red"]
    heap = unseen_odds([candidate(0, 0), candidate(8, 0), candidate(0, 8)], SHOGUN)["red"]
    assert heap < alone < 1


def test_a_finger_over_the_tray_is_a_hand_and_cubes_are_not() -> None:
    flat = rectify(drawn_tray([("red", 0, 0), ("yellow", 20, 0)]))
    assert flat is not None
    assert not hand_over(flat.image)
    finger = flat.image.copy()
    cv2.line(finger, (0, 220), (160, 200), (135, 160, 212), 40)
    assert hand_over(finger)


def test_wood_that_was_there_when_the_tray_was_calibrated_is_no_hand() -> None:
    flat = rectify(drawn_tray([("red", 0, 0)]))
    assert flat is not None
    wooden = flat.image.copy()
    cv2.line(wooden, (0, 430), (300, 430), (135, 160, 212), 36)
    finger = wooden.copy()
    cv2.line(finger, (0, 220), (160, 200), (135, 160, 212), 40)
    assert hand_over(wooden)
    assert not hand_over(wooden, wooden)
    assert hand_over(finger, wooden)


def test_a_marker_that_should_show_is_missed() -> None:
    picture = drawn_tray([])
    picture[:110, :140] = (90, 120, 150)
    flat = rectify(picture)
    assert flat is not None
    assert Doubt.MAT_COVERED in of_scene(flat)
    whole = rectify(drawn_tray([]))
    assert whole is not None
    assert Doubt.MAT_COVERED not in of_scene(whole)


def test_a_blurred_picture_is_named() -> None:
    picture = cv2.GaussianBlur(drawn_tray([("red", 0, 0)]), (0, 0), 5)
    flat = rectify(np.asarray(picture, np.uint8))
    if flat is not None:
        assert Doubt.BLURRED in of_scene(flat)
