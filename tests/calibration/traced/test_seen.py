"""Visible share of a cube by rays: neighbours, walls, fingers, the picture's edge."""

import numpy as np
import pytest

from calibration.synth.layout import upright_axes
from calibration.synth.scene import Box, Camera, Tray, floats
from calibration.synth.view import look_at
from calibration.traced.seen import visible_shares

EDGE = 8.0
TRAY = Tray("square", "black", (160.0, 160.0), 20.0, 30.0, 5.0, 4.0, (0.0, 0.0), 0.0)


def cube(x: float, y: float, z: float = EDGE / 2) -> Box:
    return Box("red", floats([x, y, z]), floats([EDGE] * 3), upright_axes(0), floats([0.5] * 3))


def camera_above(tilt_deg: float = 0.0) -> Camera:
    return look_at(
        (960, 720),
        hfov_deg=60,
        tilt_deg=tilt_deg,
        heading_rad=np.pi / 2,
        roll_rad=0,
        far_mm=400,
        aim_mm=floats([0, 0, 0]),
    )


def test_a_cube_alone_is_seen_whole() -> None:
    assert visible_shares([cube(0, 0)], [], camera_above(20), TRAY, None) == [1.0]


def test_what_lies_right_under_another_cannot_be_seen() -> None:
    low, high = visible_shares([cube(0, 0), cube(0, 0, EDGE * 1.5)], [], camera_above(), None, None)
    assert (low, high) == (0.0, 1.0)


def test_of_a_cube_half_covered_half_is_seen() -> None:
    low, high = visible_shares([cube(0, 0), cube(EDGE / 2, 0, EDGE * 1.5)], [], camera_above(), None, None)
    assert low == pytest.approx(0.5, abs=0.08)
    assert high == 1.0


def test_neighbours_side_by_side_hide_only_their_sides() -> None:
    left, right = visible_shares([cube(50, 0), cube(50 + EDGE + 0.2, 0)], [], camera_above(), None, None)
    assert left == 1.0
    assert 0.7 < right < 1.0


def test_a_black_wall_hides_what_a_clear_one_shows() -> None:
    """The camera leans towards the person, and a cube stands at the near wall."""
    near = [cube(0, 70)]
    assert visible_shares(near, [], camera_above(45), None, None) == [1.0]
    assert visible_shares(near, [], camera_above(45), TRAY, None)[0] < 0.6


def test_a_finger_over_a_cube_hides_it() -> None:
    finger = floats([[-3, 0, 40], [100, 0, 45]])
    under, beside = visible_shares([cube(10, 0), cube(10, 40)], [], camera_above(), None, (finger, 8.0))
    assert (under, beside) == (0.0, 1.0)


def test_what_lies_outside_of_the_picture_is_not_seen() -> None:
    assert visible_shares([cube(400, 0)], [], camera_above(), None, None) == [0.0]
