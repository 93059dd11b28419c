"""Recoloured cubes of labelled pictures."""

from collections.abc import Mapping

import numpy as np

from calibration.synth.scene import Floats
from calibration.training.dye import redye

_SQUARE = np.array([(20, 20), (40, 20), (40, 40), (20, 40)], np.float32)


def _cube(colour: str, height_mm: float = 4.0) -> Mapping[str, object]:
    return {"colour": colour, "height_mm": height_mm}


def _redye_square(
    seed: int, colour: str, outline: Floats = _SQUARE
) -> tuple[Mapping[str, object], np.ndarray[tuple[int, ...], np.dtype[np.uint8]], list[str]]:
    picture = np.full((80, 80, 3), 180, np.uint8)
    picture[20:41, 20:41] = (40, 40, 190)
    cube = _cube(colour)
    out, colours = redye(np.random.default_rng(seed), picture, [cube], [outline])
    return cube, out, colours


def test_only_the_cube_changes() -> None:
    _, out, _ = _redye_square(1, "red")
    assert (out[:15] == 180).all()
    assert (out[50:] == 180).all()


def test_what_becomes_blue_is_blue() -> None:
    blue = [
        out for seed in range(20) for _, out, colours in (_redye_square(seed, "red"),) if colours == ["blue"]
    ]
    assert blue
    for out in blue:
        b, _, r = out[26:35, 26:35].reshape(-1, 3).mean(0)
        assert b > r


def test_black_cubes_stay() -> None:
    _, out, colours = _redye_square(3, "black")
    assert colours == ["black"]
    assert np.abs(out[25:36, 25:36].astype(int) - (40, 40, 190)).mean() < 4


def test_a_cube_of_a_few_pixels_is_no_trouble() -> None:
    sliver = np.array([(20, 20), (22, 20), (20, 21)], np.float32)
    _, out, _ = _redye_square(4, "red", sliver)
    assert out.shape == (80, 80, 3)
