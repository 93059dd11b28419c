"""A calibrated floor: today's lamps from what most of it changed by, and shadows told from cubes."""

import numpy as np
import pytest

from vision.comparing.shade import without_shadows
from vision.finding.candidates import Candidate
from vision.palette import SHOGUN, SHOGUN_SRGB
from vision.pictures import Picture
from vision.scene.change import Change, compare_floors
from vision.scene.light import PAPER_LEVEL, Light, linear_to_srgb, srgb_to_linear

EDGE = 20
WHITE = Light((float(PAPER_LEVEL),) * 3, measured=True)
WOOD = np.array((0.16, 0.24, 0.36))
"""Linear BGR, like all reflectances here."""
PLASTIC = np.full(3, 0.012)
CUBE = 60, 60
BESIDE = 60, 80
SHADE = 0.45


def _floor(reflectance: np.ndarray) -> np.ndarray:
    """(160, 160, 3) linear light from a floor with some grain."""
    grain = np.exp(np.random.default_rng(1).normal(0, 0.03, (160, 160, 1)))
    return np.asarray(reflectance * grain, np.float64)


def _paint_square(light: np.ndarray, at: tuple[int, int], value: np.ndarray | float, *, scaled: bool) -> None:
    row, column = at
    place = light[row - EDGE // 2 : row + EDGE // 2, column - EDGE // 2 : column + EDGE // 2]
    place[:] = place * value if scaled else value


def _to_picture(light: np.ndarray) -> Picture:
    return np.round(linear_to_srgb(light)).astype(np.uint8)


def _dye(colour: str) -> np.ndarray:
    return srgb_to_linear(np.array(SHOGUN_SRGB[colour][::-1]))


def _candidate(colour: str, at: tuple[int, int], presence: float = 0.95) -> Candidate:
    shares = tuple(float(name == colour) for name in SHOGUN.colours)
    return Candidate((float(at[1]), float(at[0])), EDGE, presence, shares)


def _change(now: np.ndarray, then: np.ndarray) -> Change:
    change = compare_floors(_to_picture(now), _to_picture(then))
    assert change is not None
    return change


def _presences(found: list[Candidate], now: np.ndarray, then: np.ndarray) -> list[float]:
    change = _change(now, then)
    inside = np.ones(now.shape[:2], np.uint8)
    return [
        candidate.presence
        for candidate in without_shadows(found, change, inside, SHOGUN, change.todays_light(WHITE))
    ]


@pytest.mark.parametrize("colour", SHOGUN.colours)
def test_a_cube_on_a_wooden_floor_is_as_probable_as_before(colour: str) -> None:
    then = _floor(WOOD)
    now = then.copy()
    _paint_square(now, CUBE, _dye(colour), scaled=False)
    assert _presences([_candidate(colour, CUBE)], now, then) == pytest.approx([0.95], abs=0.02)


@pytest.mark.parametrize("colour", SHOGUN.colours)
def test_a_cubes_shadow_is_no_second_cube(colour: str) -> None:
    """Rendered tables 890007 and 890008: shadows of cubes were counted as black and yellow cubes."""
    then = _floor(WOOD)
    now = then.copy()
    _paint_square(now, CUBE, _dye("green"), scaled=False)
    _paint_square(now, BESIDE, SHADE, scaled=True)
    cube, shadow = _presences([_candidate("green", CUBE), _candidate(colour, BESIDE)], now, then)
    assert cube > 0.9
    assert shadow < 0.4


def test_a_faded_cube_in_a_light_that_nobody_knows_is_no_shadow() -> None:
    """Calibrated without mat and cubes: blue cubes on a reddish table were left out, with certainty."""
    then = _floor(np.array((0.33, 0.28, 0.40)))
    now = then.copy()
    _paint_square(now, CUBE, np.array((0.31, 0.18, 0.18)), scaled=False)
    _paint_square(now, BESIDE, SHADE, scaled=True)
    cube, shadow = _presences([_candidate("blue", CUBE), _candidate("blue", BESIDE)], now, then)
    assert cube > 0.9
    assert shadow < 0.4


@pytest.mark.parametrize("colour", ["red", "blue", "green", "purple"])
def test_a_cube_that_mirrors_a_lamp_is_not_lost(colour: str) -> None:
    """Path-traced tables 1002 and 1003: as pale and light as a shadow on paper, yet the networks are sure."""
    then = _floor(np.full(3, 0.85))
    now = then.copy()
    _paint_square(now, CUBE, 0.15 * _dye(colour) + 0.25, scaled=False)
    for x in range(0, 160, 40):  # equally deep shadows
        _paint_square(now, (140, x), 0.3, scaled=True)
    (sure,) = _presences([_candidate(colour, CUBE, presence=0.9999)], now, then)
    (unsure,) = _presences([_candidate(colour, CUBE, presence=0.8)], now, then)
    assert sure > 0.98
    assert unsure < 0.5


def test_a_shadow_on_black_plastic_is_darker_than_any_black_cube() -> None:
    then = _floor(PLASTIC)
    then[:40] = WOOD  # the surrounding table, by which lamps are compared
    now = then.copy()
    _paint_square(now, CUBE, _dye("black"), scaled=False)
    _paint_square(now, BESIDE, 0.1, scaled=True)
    now[120:] *= 0.1  # the tower's shadow is just as dark
    cube, shadow = _presences([_candidate("black", CUBE), _candidate("black", BESIDE)], now, then)
    assert cube == pytest.approx(0.95, abs=0.02)
    assert shadow < 0.4


def test_what_lies_under_a_shadow_goes_with_it() -> None:
    then = _floor(WOOD)
    now = then.copy()
    _paint_square(now, BESIDE, SHADE, scaled=True)
    above = _candidate("yellow", BESIDE)
    under = Candidate(above.centre_px, EDGE, 0.5, above.shares, under=True)
    upper, lower = _presences([above, under], now, then)
    assert lower / 0.5 == pytest.approx(upper / 0.95)


def test_other_lamps_are_measured_on_the_floor() -> None:
    """Half as bright and warmer, with a cube in the picture: white is scaled down accordingly."""
    then = _floor(WOOD)
    now = then * (0.4, 0.5, 0.6)
    _paint_square(now, CUBE, _dye("blue"), scaled=False)
    lit = _change(now, then).todays_light(WHITE)
    assert lit.linear / WHITE.linear == pytest.approx((0.4, 0.5, 0.6), rel=0.04)


def test_grain_of_a_dark_floor_is_the_cameras() -> None:
    """The same amount of it on a light floor is a different table's pattern."""
    cells = np.exp(np.random.default_rng(2).normal(0, 0.12, (20, 20, 1))).repeat(8, axis=0).repeat(8, axis=1)
    for reflectance, same in ((np.full(3, 0.02), True), (WOOD, False)):
        then = _floor(reflectance)
        assert (compare_floors(_to_picture(then * cells), _to_picture(then)) is not None) is same


def test_another_floor_is_not_compared() -> None:
    """Nor one of another size, nor one too dark to judge."""
    then = _floor(WOOD)
    planks = np.exp(0.15 * np.sin(np.arange(160) / 8))[:, None, None]
    assert compare_floors(_to_picture(then * planks), _to_picture(then)) is None
    assert (
        compare_floors(_to_picture(then * planks * (0.4, 0.5, 0.6)), _to_picture(then * planks)) is not None
    )
    assert compare_floors(_to_picture(then * (3.0, 0.6, 0.6)), _to_picture(then)) is None
    stripes = then * np.array((0.4, 1.0, 2.2))[np.arange(160) // 20 % 3][:, None, None]
    assert compare_floors(_to_picture(stripes), _to_picture(then)) is None
    assert compare_floors(_to_picture(then)[:96], _to_picture(then)) is None
    assert compare_floors(_to_picture(then * 0.02), _to_picture(then)) is None
