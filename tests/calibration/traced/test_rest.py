"""A cube counts if a picture can show it lying in the tray, not outside and not on the unseen chute."""

import numpy as np
import pytest

from calibration.synth.layout import Pose, upright_axes
from calibration.synth.sample import sample_scene
from calibration.synth.scene import Options, Tray, floats
from calibration.traced.rest import select_in_tray
from calibration.traced.shapes import Profile

_EDGE = 10.0
_PROFILE = Profile(floor_mm=2.0, fillet_mm=5.0)


def _tray(seed: int = 3) -> Tray:
    return sample_scene(seed, Options(size_px=(800, 600))).tray


def _pose(tray: Tray, x: float, y: float, above_floor: float) -> Pose:
    """Make a flat pose with its lower face `above_floor` mm up; x and y count from the tray's centre."""
    at = [tray.centre_mm[0] + x, tray.centre_mm[1] + y, _PROFILE.floor_mm + above_floor + _EDGE / 2]
    return Pose(floats(at), upright_axes(0))


def _count_in_tray(tray: Tray, *poses: Pose) -> int:
    return len(select_in_tray(poses, tray, _PROFILE, _EDGE))


@pytest.mark.parametrize("seed", range(4))
def test_what_lies_on_the_floor_counts_and_what_lies_beside_the_tray_does_not(seed: int) -> None:
    tray = _tray(seed)
    out = max(tray.inner_mm)
    assert _count_in_tray(tray, _pose(tray, 0, 0, 0), _pose(tray, 30, -20, 0), _pose(tray, out, 0, 0)) == 2


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("side", [(1, 0), (-1, 0), (0, 1), (0, -1)])
def test_what_stands_against_the_outside_of_a_wall_does_not_count(seed: int, side: tuple[int, int]) -> None:
    """At the middle of a side, where a square has no corner and its outline no points."""
    tray = _tray(seed)
    across, down = (side[n] * (tray.inner_mm[n] / 2 + 0.6 * _EDGE) for n in (0, 1))
    assert _count_in_tray(tray, _pose(tray, 0, 0, 0), _pose(tray, across, down, 0)) == 1


def test_what_fell_through_the_floor_does_not_count() -> None:
    tray = _tray()
    assert _count_in_tray(tray, _pose(tray, 0, 0, 0), _pose(tray, 30, 0, -83_268)) == 1


def test_a_cube_that_nothing_in_the_picture_holds_is_still_in_the_tower() -> None:
    tray = _tray()
    assert _count_in_tray(tray, _pose(tray, 0, 0, 0), _pose(tray, 40, 0, 1.5 * _EDGE)) == 1


def test_a_cube_on_another_counts() -> None:
    tray = _tray()
    assert tray.wall_mm > 1.5 * _EDGE  # otherwise the rim decides
    assert _count_in_tray(tray, _pose(tray, 0, 0, 0), _pose(tray, 4, 0, _EDGE)) == 2


def test_a_cube_that_leans_on_a_wall_counts_alone() -> None:
    tray = _tray()
    lean = np.pi / 6
    axes = floats([[1, 0, 0], [0, np.cos(lean), np.sin(lean)], [0, -np.sin(lean), np.cos(lean)]])
    high = _EDGE / 2 * (np.cos(lean) + np.sin(lean))
    at = floats([tray.centre_mm[0], tray.centre_mm[1] + 30, _PROFILE.floor_mm + high])
    assert _count_in_tray(tray, Pose(at, axes)) == 1
