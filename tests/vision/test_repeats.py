"""What lies in the same place beside every cube, and looked black each time, is their shadow."""

from collections.abc import Sequence

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.vision.cells import candidate_at
from vision.comparing.repeats import without_repeats
from vision.finding.candidates import Candidate
from vision.palette import SHOGUN, Palette
from vision.pictures import Picture

FLOOR, SHADE = 150, 40
Place = tuple[float, float]
CUBES: list[Place] = [(60.0, 60.0), (160.0, 70.0), (70.0, 170.0), (170.0, 170.0)]


def _shadow_place(at: Place, offset: Place = (18.0, 10.0)) -> Place:
    return at[0] + offset[0], at[1] + offset[1]


def _picture(dark: Sequence[Place], floor: int = FLOOR) -> Picture:
    picture = np.full((224, 224, 3), floor, np.uint8)
    for x, y in dark:
        cv2.rectangle(picture, (int(x) - 9, int(y) - 9), (int(x) + 9, int(y) + 9), (SHADE,) * 3, -1)
    return picture


def _presences(cubes: Sequence[Candidate], doubted: Sequence[Candidate], floor: int = FLOOR) -> list[float]:
    """Presences of the doubted candidates; the cubes beside them must stay unchanged."""
    picture = _picture([candidate.centre_px for candidate in doubted], floor)
    found = without_repeats([*cubes, *doubted], picture, np.ones((224, 224), np.uint8), SHOGUN)
    assert found[: len(cubes)] == list(cubes)
    return [candidate.presence for candidate in found[len(cubes) :]]


GREEN = [candidate_at(at, "green", 0.999) for at in CUBES]
SHADOWS = [candidate_at(_shadow_place(at), "black", 0.99) for at in CUBES]


def test_the_like_of_it_beside_every_cube_is_a_shadow() -> None:
    assert max(_presences(GREEN, SHADOWS)) < 0.05
    assert max(_presences(GREEN[:3], SHADOWS[:3])) < 0.5


def test_two_pairs_alone_may_be_chance_and_are_doubted() -> None:
    assert all(0.5 < presence < 0.97 for presence in _presences(GREEN[:2], SHADOWS[:2]))


def test_of_a_black_cube_and_its_shadow_the_surer_is_the_cube() -> None:
    black = [candidate_at(at, "black", 0.9995) for at in CUBES]
    assert max(_presences(black, SHADOWS)) < 0.05
    assert max(_presences(black, SHADOWS[:3])) < 0.5  # the fourth one's shadow has been recognised


def test_where_other_cubes_have_bare_floor_there_it_is_a_cube() -> None:
    assert _presences(GREEN, SHADOWS[:1]) == [0.99]
    assert _presences(GREEN, SHADOWS[:2]) == [0.99, 0.99]


def test_of_what_others_have_there_only_black_ones_tell() -> None:
    red = [candidate_at(_shadow_place(at), "red", 0.4) for at in CUBES[2:]]  # too doubtful to cast shadows
    assert _presences([*GREEN, *red], SHADOWS[:2]) == pytest.approx(_presences(GREEN[:2], SHADOWS[:2]))


@given(st.lists(st.floats(0, 2 * np.pi), min_size=3, max_size=4))
def test_cubes_that_lie_as_they_fell_stay(ways: list[float]) -> None:
    """Each touches another cube, no two in nearly the same direction."""
    around = [
        _shadow_place(at, (20 * np.cos(way), 20 * np.sin(way))) for at, way in zip(CUBES, ways, strict=False)
    ]
    directions = [np.exp(1j * way) for way in ways]
    gaps = [abs(first - second) for n, first in enumerate(directions) for second in directions[:n]]
    if min(gaps) > 0.35:
        assert _presences(GREEN[: len(ways)], [candidate_at(at, "black", 0.99) for at in around]) == [
            0.99
        ] * len(ways)


@pytest.mark.parametrize("floor", [30, SHADE - 5])
def test_on_a_dark_floor_shadows_do_not_show(floor: int) -> None:
    assert _presences(GREEN, SHADOWS, floor) == [0.99] * 4


def test_other_colours_and_what_lies_under_are_not_in_question() -> None:
    red = [candidate_at(_shadow_place(at), "red", 0.99) for at in CUBES]
    under = [candidate_at(_shadow_place(at), "black", 0.99, under=True) for at in CUBES]
    assert _presences(GREEN, red) == _presences(GREEN, under) == [0.99] * 4


def test_a_palette_without_black_has_nothing_to_ask() -> None:
    palette = Palette.of_colours({"red": (200, 30, 30), "green": (30, 150, 60)})
    found = [*GREEN, *SHADOWS]
    picture = _picture([_shadow_place(at) for at in CUBES])
    assert without_repeats(found, picture, np.ones((224, 224), np.uint8), palette) == found
    assert without_repeats([], picture, np.ones((224, 224), np.uint8), SHOGUN) == []
