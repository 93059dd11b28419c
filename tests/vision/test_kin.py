"""Doubtful colours by comparison: what looks alike has one dye, what looks different has not."""

import random
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.comparing.kin import compare_black, distances, settle_colours
from vision.finding.candidates import Candidate
from vision.palette import SHOGUN
from vision.pictures import Picture

EDGE = 20.0
BLUE, PURPLE = 0, 1
VIOLET, CLEAR_BLUE, GREY = (140, 75, 90), (160, 90, 40), (60, 60, 60)
BGR = tuple[float, float, float]


def _tray(*faces: BGR) -> Picture:
    """Draw a face every 40 pixels."""
    picture: Picture = np.full((40, 40 * len(faces), 3), 200, np.uint8)
    for n, face in enumerate(faces):
        picture[10:31, 40 * n + 10 : 40 * n + 31] = face
    return picture


def _cube(n: int, *shares: float, presence: float = 1.0, under: bool = False, beside: float = 0) -> Candidate:
    return Candidate((40.0 * n + 20 + beside, 20.0), EDGE, presence, shares, under=under)


def _settle(cubes: Sequence[Candidate], *faces: BGR) -> list[tuple[float, ...]]:
    return [cube.shares for cube in settle_colours(cubes, _tray(*faces))]


def test_cubes_that_look_alike_are_named_alike() -> None:
    """Without this, half of them would be named blue."""
    cubes = [_cube(n, *(0.7, 0.3) if n % 2 else (0.2, 0.8)) for n in range(6)]
    after = _settle(cubes, *[VIOLET] * 6)
    assert {shares.index(max(shares)) for shares in after} == {PURPLE}
    assert np.ptp([shares[BLUE] for shares in after]) < 0.01


def test_so_is_one_in_a_shadow() -> None:
    """A third of the light, with the same hue."""
    dark = tuple(255 * ((c / 255) ** 2.2 / 3) ** (1 / 2.2) for c in VIOLET)
    cubes = [*(_cube(n, 0.1, 0.9) for n in range(3)), _cube(3, 0.7, 0.3)]
    assert _settle(cubes, VIOLET, VIOLET, VIOLET, dark)[3][PURPLE] > 0.7


def test_what_a_sure_cube_is_another_dye_is_not() -> None:
    alone = _settle([_cube(0, 0.7, 0.3), _cube(1, 0.7, 0.3)], VIOLET, VIOLET)
    assert alone[0][BLUE] > 0.6
    beside = _settle([_cube(0, 0.7, 0.3), _cube(1, 0.7, 0.3), _cube(2, 1.0, 0.0)], VIOLET, VIOLET, CLEAR_BLUE)
    assert beside[0][BLUE] < 0.2
    assert beside[2] == (1.0, 0.0)


def test_a_top_that_mirrors_a_lamp_is_compared_with_none() -> None:
    """Red and black tops are then equally white: the networks see their sides."""
    white, black = (252, 250, 251), (40, 40, 40)
    cubes = [_cube(0, 0.95, 0.05), _cube(1, 0.0, 1.0), _cube(2, 1.0, 0.0)]
    assert _settle(cubes, white, white, (60, 60, 200))[0][0] == 0.95
    assert _settle(cubes, white, black, (60, 60, 200))[0][0] == 0.95
    assert _settle(cubes, black, black, (60, 60, 200))[0][0] < 0.5
    beside = [_cube(0, 0.7, 0.3), _cube(1, 0.0, 1.0)]
    assert _settle(beside, VIOLET, white)[0][BLUE] == pytest.approx(0.7, abs=0.01)


def test_a_fainter_cube_says_as_much_less() -> None:
    def blue(presence: float) -> float:
        return _settle([_cube(0, 0.7, 0.3), _cube(1, 0.0, 1.0, presence=presence)], VIOLET, VIOLET)[0][BLUE]

    assert blue(1.0) < blue(0.6) < blue(0.2) == 0.7


@pytest.mark.parametrize(
    "doubtful",
    [
        _cube(2, 0.7, 0.3, under=True),
        _cube(2, 0.7, 0.3, presence=0.6),
        _cube(1, 0.7, 0.3, beside=10.0),
        _cube(2, 0.985, 0.015),
    ],
    ids=["under another", "of which little shows", "half under another", "as good as sure"],
)
def test_what_cannot_be_compared_stays_as_it_was(doubtful: Candidate) -> None:
    sure = [_cube(0, 0.0, 1.0), _cube(1, 0.0, 1.0)]
    assert settle_colours([*sure, doubtful], _tray(VIOLET, VIOLET, VIOLET)) == [*sure, doubtful]


def test_one_that_another_half_covers_tells_nothing() -> None:
    """Its centre shows the upper cube: here a blue one, as if purple cubes looked so."""
    alone = [_cube(0, 0.7, 0.3), _cube(1, 1.0, 0.0)]
    covered = _cube(1, 0.0, 1.0, beside=10.0)
    faces = (CLEAR_BLUE, CLEAR_BLUE)
    assert _settle([*alone, covered], *faces)[0] == pytest.approx((0.7, 0.3), abs=0.01)
    assert _settle([alone[0], _cube(1, 0.0, 1.0)], *faces)[0][PURPLE] > 0.9


def test_nothing_and_one_are_compared_with_nothing() -> None:
    assert settle_colours([], _tray(VIOLET)) == []
    assert settle_colours([_cube(0, 0.7, 0.3)], _tray(VIOLET)) == [_cube(0, 0.7, 0.3)]


SHARES = st.tuples(*[st.floats(0.001, 1.0)] * 3).map(lambda s: tuple(x / sum(s) for x in s))
CUBES = st.lists(st.tuples(SHARES, st.tuples(*[st.integers(0, 255)] * 3)), min_size=2, max_size=7)


@given(CUBES, st.randoms(use_true_random=False))
def test_shares_stay_shares_and_the_order_says_nothing(
    drawn: list[tuple[tuple[float, ...], tuple[int, int, int]]], chance: random.Random
) -> None:
    cubes = [_cube(n, *shares) for n, (shares, _) in enumerate(drawn)]
    picture = _tray(*(face for _, face in drawn))
    after = settle_colours(cubes, picture)
    assert [sum(cube.shares) for cube in after] == pytest.approx([1.0] * len(cubes))
    assert all(0 <= share <= 1 for cube in after for share in cube.shares)
    order = list(range(len(cubes)))
    chance.shuffle(order)
    again = settle_colours([cubes[n] for n in order], picture)
    for n, cube in zip(order, again, strict=True):
        assert cube.shares == pytest.approx(after[n].shares)


@given(st.lists(st.tuples(*[st.floats(-4.0, 0.0)] * 3), min_size=1, max_size=6), st.floats(-1.0, 1.0))
def test_distances_are_the_same_both_ways_and_in_any_light(
    looks: list[tuple[float, float, float]], level: float
) -> None:
    gaps = distances(np.array(looks))
    assert np.allclose(gaps, gaps.T)
    assert np.allclose(np.diag(gaps), 0)
    assert (gaps >= 0).all()
    assert np.allclose(gaps, distances(np.array(looks) + level))


def test_a_grey_cube_is_far_from_a_colourful_one() -> None:
    looks = np.log(np.array([VIOLET, CLEAR_BLUE, GREY, (90, 90, 90)]) / 255)
    gaps = distances(looks)
    assert gaps[2, 3] < 1e-6
    assert min(gaps[0, 1], gaps[0, 2], gaps[1, 2]) > 0.2


FLOOR, BLACK, WARMER, DARKER = (38, 38, 38), (40, 40, 42), (26, 40, 60), (14, 14, 15)


def _black(n: int, presence: float, *, under: bool = False, colour: str = "black") -> Candidate:
    shares = tuple(float(name == colour) for name in SHOGUN.colours)
    return Candidate((40.0 * n + 20, 20.0), EDGE, presence, shares, under=under)


def _presence(doubtful: Candidate, face: BGR, sure: float = 0.999) -> float:
    """Return the presence of the doubtful cube, the third, beside two black ones."""
    found = [_black(0, sure), _black(1, sure), doubtful]
    after = compare_black(found, _tray(BLACK, BLACK, face), SHOGUN)
    assert after[:2] == found[:2]
    return after[2].presence


def test_a_black_cube_looks_like_the_other_black_ones() -> None:
    alike = _presence(_black(2, 0.5), BLACK)
    assert alike > 0.8
    assert _presence(_black(2, 0.5), WARMER) < 0.6 * alike
    assert _presence(_black(2, 0.5), DARKER) < alike - 0.05


def test_what_is_all_but_ruled_out_needs_more_than_a_look() -> None:
    """Of 197 places between 0.3 and 3 % none held a cube."""
    assert _presence(_black(2, 0.01), BLACK) < 0.015
    assert _presence(_black(2, 0.01), WARMER) < 0.005


@pytest.mark.parametrize(
    "doubtful",
    [_black(2, 0.5, under=True), _black(2, 0.5, colour="green"), _black(2, 0.002), _black(2, 0.98)],
    ids=["under another", "of another colour", "ruled out", "sure"],
)
def test_nothing_else_is_held_against_them(doubtful: Candidate) -> None:
    assert _presence(doubtful, WARMER) == doubtful.presence


def test_without_a_sure_one_nobody_knows_how_they_look() -> None:
    assert _presence(_black(2, 0.5), WARMER, sure=0.9) == 0.5
