"""The part of a path-traced picture that gets several paths a pixel holds the tray and its contents."""

from dataclasses import replace

import pytest

from calibration.synth.layout import upright_axes
from calibration.synth.sample import sample_scene
from calibration.synth.scene import Box, Options, floats
from calibration.traced.window import stack_window, tray_window


@pytest.mark.parametrize("seed", range(6))
def test_every_cube_in_the_picture_lies_in_the_window(seed: int) -> None:
    scene = sample_scene(seed, Options(size_px=(800, 600)))
    left, top, right, bottom = tray_window(scene)
    assert 0 <= left < right <= 800
    assert 0 <= top < bottom <= 600
    for cube in scene.cubes:
        for x, y in scene.camera.project(cube.corners()):
            if 0 <= x < 799 and 0 <= y < 599:
                assert left <= x < right
                assert top <= y < bottom


def test_a_window_is_less_than_the_picture() -> None:
    scenes = [sample_scene(seed, Options(size_px=(800, 600), mat=True)) for seed in range(8)]
    windows = [tray_window(scene) for scene in scenes]
    shares = [(right - left) * (bottom - top) / (800 * 600) for left, top, right, bottom in windows]
    assert max(shares) < 0.8


def test_a_stack_gets_a_window_and_cubes_apart_get_none() -> None:
    bare = replace(sample_scene(4, Options(size_px=(800, 600), mat=True)), cubes=())
    low, high = (_cube(x, z * bare.cube_mm, bare.cube_mm) for x, z in ((0.0, 0.5), (0.5 * bare.cube_mm, 1.5)))
    away = _cube(4 * bare.cube_mm, 0.5 * bare.cube_mm, bare.cube_mm)
    assert stack_window(replace(bare, cubes=(low, away))) is None
    window = stack_window(replace(bare, cubes=(away, low, high)))
    assert window is not None
    left, top, right, bottom = window
    ((x, y),) = bare.camera.project(low.centre_mm[None])
    assert left < x < right
    assert top < y < bottom
    assert (right - left) * (bottom - top) < 0.2 * 800 * 600


def _cube(x: float, z: float, edge: float) -> Box:
    return Box("red", floats([x, 0, z]), floats([edge] * 3), upright_axes(0), floats([0.5] * 3))
