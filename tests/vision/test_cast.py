"""Shadows that fall like the other cubes' are no black cubes, beside a cube or under it."""

import cv2
import numpy as np
import pytest

from tests.vision.cells import candidate_at
from vision.comparing.cast import without_cast
from vision.finding.candidates import Candidate
from vision.palette import SHOGUN, Palette
from vision.pictures import Picture

EDGE = 20.0
FLOOR, SHADE = 150, 60
CUBES = [(60.0, 60.0), (160.0, 70.0), (70.0, 170.0), (170.0, 170.0)]
SHADOW_OFFSET = (18.0, 10.0)
"""Offset from a cube to the middle of its shadow, in pixels."""
BLACK = SHOGUN.colours.index("black")


def _shadow_place(at: tuple[float, float]) -> tuple[float, float]:
    return at[0] + SHADOW_OFFSET[0], at[1] + SHADOW_OFFSET[1]


def _picture(casting: list[tuple[float, float]], floor: int = FLOOR, shade: int = SHADE) -> Picture:
    """(224, 224, 3): green cubes, with a dark square beside those that are `casting`."""
    picture = np.full((224, 224, 3), floor, np.uint8)
    for x, y in map(_shadow_place, casting):
        cv2.rectangle(picture, (int(x) - 9, int(y) - 9), (int(x) + 9, int(y) + 9), (shade,) * 3, -1)
    for x, y in CUBES:
        cv2.rectangle(picture, (int(x) - 9, int(y) - 9), (int(x) + 9, int(y) + 9), (60, 140, 40), -1)
    return picture


def _doubted_after_cast(
    picture: Picture, doubted: Candidate, cubes: list[tuple[float, float]] = CUBES
) -> Candidate:
    found = [*(candidate_at(at, "green", 0.999) for at in cubes), doubted]
    inside = np.ones(picture.shape[:2], np.uint8)
    *others, after = without_cast(found, picture, inside, SHOGUN)
    assert others == found[:-1]
    return after


DOUBTED = candidate_at(_shadow_place(CUBES[0]), "black", 0.6)
UNDER = candidate_at(CUBES[0], "black", 0.6, under=True)


@pytest.mark.parametrize("doubted", [DOUBTED, UNDER], ids=["beside a cube", "under it"])
def test_what_all_cubes_have_beside_them_is_their_shadow(doubted: Candidate) -> None:
    assert _doubted_after_cast(_picture(CUBES), doubted).presence < 0.6 / 4


@pytest.mark.parametrize("shade", [SHADE, 90, 115])
def test_soft_shadows_are_shadows_too(shade: int) -> None:
    """Up to three quarters of the floor's level, here 150."""
    assert _doubted_after_cast(_picture(CUBES, shade=shade), DOUBTED).presence < 0.6 / 4


@pytest.mark.parametrize("doubted", [DOUBTED, UNDER], ids=["beside a cube", "under it"])
def test_what_one_alone_has_may_be_a_cube(doubted: Candidate) -> None:
    assert _doubted_after_cast(_picture(CUBES[:1]), doubted) == doubted


@pytest.mark.parametrize("doubted", [DOUBTED, UNDER], ids=["beside a cube", "under it"])
def test_a_single_other_cube_tells_nothing(doubted: Candidate) -> None:
    assert _doubted_after_cast(_picture(CUBES), doubted, CUBES[:2]) == doubted


def test_on_a_dark_floor_shadows_do_not_show() -> None:
    assert _doubted_after_cast(_picture(CUBES, floor=30, shade=12), DOUBTED) == DOUBTED


def test_a_sure_black_cube_stays() -> None:
    sure = candidate_at(_shadow_place(CUBES[0]), "black", 0.99995)
    assert _doubted_after_cast(_picture(CUBES), sure) == sure


def test_a_lighter_thing_than_the_shadows_is_none() -> None:
    picture = _picture(CUBES)
    x, y = (int(v) for v in DOUBTED.centre_px)
    cv2.rectangle(picture, (x - 4, y - 4), (x + 9, y + 9), (110,) * 3, -1)
    assert _doubted_after_cast(picture, DOUBTED) == DOUBTED


def test_where_another_cube_lies_no_shadow_is_looked_for() -> None:
    """Given three cubes whose shadows are hidden by more cubes."""
    picture, hiding = _picture(CUBES), [candidate_at(_shadow_place(at), "red", 0.9) for at in CUBES[1:]]
    found = [*(candidate_at(at, "green", 0.999) for at in CUBES), *hiding, DOUBTED]
    assert without_cast(found, picture, np.ones(picture.shape[:2], np.uint8), SHOGUN)[-1] == DOUBTED


def test_only_the_black_share_is_in_question() -> None:
    """What may be black or green under a cube becomes hardly black, and stays as green as before."""
    shares = [0.0] * len(SHOGUN.colours)
    shares[BLACK], shares[SHOGUN.colours.index("green")] = 0.7, 0.3
    either = Candidate(CUBES[0], EDGE, 0.6, tuple(shares), under=True)
    after = _doubted_after_cast(_picture(CUBES), either)
    green = SHOGUN.colours.index("green")
    odds_before = either.presence * either.shares[green] / (1 - either.presence)
    assert after.presence * after.shares[green] / (1 - after.presence) == pytest.approx(odds_before)
    assert after.presence * after.shares[BLACK] < either.presence / 4 * either.shares[BLACK]
    assert sum(after.shares) == pytest.approx(1)


def test_a_palette_without_black_has_nothing_to_ask() -> None:
    palette = Palette.of_colours({"red": (200, 30, 30), "green": (30, 150, 60)})
    found = [candidate_at(at, "green", 0.999) for at in CUBES] + [DOUBTED]
    assert without_cast(found, _picture(CUBES), np.ones((224, 224), np.uint8), palette) == found
