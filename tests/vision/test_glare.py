"""Lamps mirrored in the tray: what they may hide, and the dark side that reveals a cube in the white."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from tests.vision.test_unseen import candidate, tray
from vision.doubting.glare import hidden_by_glare
from vision.doubting.unseen import Scene, unseen_odds
from vision.finding.candidates import Candidate
from vision.palette import SHOGUN
from vision.scene.rectify import Rectified

MIDDLE = (223, 223)
FAR = candidate(-70, -70)
Stroke = tuple[tuple[int, int], tuple[int, int], int]
"""Start and end, relative to the middle of the lamp, and level."""


def mirrored(strokes: list[Stroke], size: int = 50, thick: int = 4) -> Rectified:
    """A lamp mirrored in the middle of the floor, with strokes showing in its white."""
    flat = tray(120)
    stored = flat.stored.copy()
    cv2.circle(stored, MIDDLE, size, (255, 254, 252), -1)
    for start, end, level in strokes:
        (x0, y0), (x1, y1) = (np.array(point) + MIDDLE for point in (start, end))
        cv2.line(stored, (int(x0), int(y0)), (int(x1), int(y1)), (level,) * 3, thick)
    return replace(flat, stored=stored)


SIDE: Stroke = ((-10, 0), (8, 5), 100)


@pytest.mark.parametrize("found", [[FAR], []], ids=["a cube far away", "none seen"])
def test_a_cube_that_mirrors_the_lamp_is_known_by_its_side(found: list[Candidate]) -> None:
    assert hidden_by_glare(mirrored([]), found) == 0
    assert hidden_by_glare(mirrored([SIDE]), found) == pytest.approx(1)
    assert hidden_by_glare(mirrored([SIDE, ((-10, 25), (10, 25), 90)]), found) == pytest.approx(2)


@pytest.mark.parametrize(
    ("stroke", "found"),
    [
        (((-80, 0), (80, 0), 100), [FAR]),
        (((-40, 0), (35, 0), 100), [FAR]),
        (((-1, 0), (1, 0), 100), [FAR]),
        (((-10, 0), (8, 5), 230), [FAR]),
        (((45, -8), (47, 8), 100), [FAR]),
        (SIDE, [candidate(0, -4)]),
    ],
    ids=["a bar", "a long one", "a speck", "print", "at the edge", "of a cube that is seen"],
)
def test_what_else_is_dark_in_the_white_is_none(stroke: Stroke, found: list[Candidate]) -> None:
    assert hidden_by_glare(mirrored([stroke]), found) < 0.1


@pytest.mark.parametrize("thick", [1, 16], ids=["a hair", "a blot"])
def test_a_side_is_neither_thin_nor_as_large_as_a_face(thick: int) -> None:
    assert hidden_by_glare(mirrored([((-8, 0), (8, 0), 100)], thick=thick), [FAR]) < 0.1


def test_among_cubes_a_lamp_may_hide_one_without_a_trace() -> None:
    about = [candidate(x, y) for x in (-25, 0, 25) for y in (-25, 25)]
    assert 0 < hidden_by_glare(mirrored([]), about) < 0.1
    assert hidden_by_glare(mirrored([SIDE]), about) > 1


def test_where_no_cube_is_seen_what_glare_hides_may_have_any_colour() -> None:
    odds = unseen_odds([], SHOGUN, Scene(glare=0.6))
    assert list(odds.values()) == pytest.approx([np.exp(-0.1)] * 6)
