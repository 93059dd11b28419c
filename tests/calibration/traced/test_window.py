"""The part of a path-traced picture that gets several paths holds the tray and all that lies in it."""

import pytest

from calibration.synth.sample import sample_scene
from calibration.synth.scene import Options
from calibration.traced.window import tray_window


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
