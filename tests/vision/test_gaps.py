"""Gaps between cubes on a colourful floor are floor."""

import numpy as np
import pytest

from vision.comparing.gaps import without_gaps
from vision.finding.candidates import Candidate
from vision.pictures import Picture

FELT, GREY = (150, 70, 40), (120, 120, 120)
AT = (100.0, 100.0)


def _presence(floor: tuple[int, int, int], face: tuple[int, int, int], *, under: bool = False) -> float:
    """Return what is left of a presence of 0.6 if a face of this BGR lies on such a floor."""
    picture: Picture = np.full((200, 200, 3), floor, np.uint8)
    picture[90:111, 90:111] = face
    doubted = Candidate(AT, 20.0, 0.6, (0.0, 1.0, 0.0, 0.0, 0.0, 0.0), under=under)
    [after] = without_gaps([doubted], picture, np.ones((200, 200), np.uint8))
    return after.presence


@pytest.mark.parametrize("face", [FELT, (135, 62, 34)], ids=["as the floor", "in the shade of cubes"])
def test_what_has_the_floors_very_colour_is_floor(face: tuple[int, int, int]) -> None:
    assert _presence(FELT, face) < 0.05


@pytest.mark.parametrize(
    "face",
    [(185, 95, 62), (40, 55, 110), (60, 28, 16)],
    ids=["the same hue in more light", "another colour", "in a deep shadow"],
)
def test_a_cube_differs_from_it(face: tuple[int, int, int]) -> None:
    assert _presence(FELT, face) == 0.6


def test_a_grey_floor_has_no_colour_to_share() -> None:
    assert _presence(GREY, GREY) == 0.6


def test_what_lies_under_a_cube_has_no_face() -> None:
    assert _presence(FELT, FELT, under=True) == 0.6


def test_without_a_floor_or_a_candidate_nothing_changes() -> None:
    picture: Picture = np.full((200, 200, 3), FELT, np.uint8)
    assert without_gaps([], picture, np.ones((200, 200), np.uint8)) == []
    candidate = Candidate(AT, 20.0, 0.6, (0.0, 1.0, 0.0, 0.0, 0.0, 0.0))
    assert without_gaps([candidate], picture, np.zeros((200, 200), np.uint8)) == [candidate]
