"""A floor pattern that looks like cubes is told from cubes by the empty tray of a calibration."""

import numpy as np
import pytest

from vision.comparing.unchanged import without_pattern
from vision.finding.candidates import Candidate
from vision.palette import SHOGUN, SHOGUN_SRGB
from vision.scene.change import Change
from vision.scene.light import linear_to_srgb, srgb_to_linear

EDGE = 20.0
PLACE = (70, 50)
"""Row and column of a black square of the cloth, as large as a cube."""
ORANGE, PLASTIC = np.array((0.03, 0.12, 0.45)), np.array((0.02, 0.018, 0.017))
"""Linear BGR."""
NOISE = 1.5
"""Levels of noise, from a dim room's camera."""


def chequered() -> np.ndarray:
    """(160, 160, 3) linear BGR of a chequered cloth."""
    rows, columns = np.mgrid[0:160, 0:160]
    black = ((rows + 20) // 20 % 2 == 0) & ((columns + 10) // 20 % 2 == 1)
    return np.where(black[..., None], 0.02, ORANGE)


def to_picture(linear: np.ndarray, seed: int) -> np.ndarray:
    grain = np.random.default_rng(seed).normal(0, NOISE, linear.shape)
    return np.clip(np.round(linear_to_srgb(np.clip(linear, 0, 1)) + grain), 0, 255).astype(np.uint8)


def with_cube(floor: np.ndarray, colour: str, at: tuple[int, int] = PLACE, turned: bool = True) -> np.ndarray:
    """Add a square of a cube's dye, an edge wide, with a shadow beside it."""
    out = floor.copy()
    rows, columns = np.mgrid[0 : len(floor), 0 : floor.shape[1]]
    down, across = rows - at[0], columns - at[1]
    if turned:
        down, across = (down + across) / 2**0.5, (down - across) / 2**0.5
    out[np.maximum(np.abs(down), np.abs(across - 6)) < EDGE / 2] *= 0.3
    out[np.maximum(np.abs(down), np.abs(across)) < EDGE / 2] = srgb_to_linear(
        np.array(SHOGUN_SRGB[colour][::-1])
    )
    return out


def presence_after(
    now: np.ndarray, then: np.ndarray, at: tuple[int, int] = PLACE, lamps: float = 0.0
) -> float:
    """Presence left of a cube that the networks are sure of."""
    change = Change(to_picture(then, 1), to_picture(now * np.exp(lamps), 2), np.full(3, lamps, np.float32))
    shares = tuple(float(name == "black") for name in SHOGUN.colours)
    [after] = without_pattern([Candidate((float(at[1]), float(at[0])), EDGE, 0.999, shares)], change)
    return after.presence


@pytest.mark.parametrize("lamps", [0.0, -0.5])
def test_a_black_square_of_the_cloth_is_no_cube(lamps: float) -> None:
    """Path-traced table 1028: seven of them were black cubes, at every throw and in the empty tray."""
    floor = chequered()
    assert presence_after(floor, floor, lamps=lamps) < 0.01


def test_a_neighbour_may_reach_into_its_place() -> None:
    floor = chequered()
    assert presence_after(with_cube(floor, "red", (PLACE[0], PLACE[1] + 25), turned=False), floor) < 0.01


@pytest.mark.parametrize("colour", SHOGUN.colours)
def test_a_cube_that_lies_on_such_a_square_stays(colour: str) -> None:
    floor = chequered()
    assert presence_after(with_cube(floor, colour), floor) == pytest.approx(0.999)


def test_a_black_cube_on_black_plastic_stays_however_little_it_shows() -> None:
    """Such a floor has no pattern that a cube could cover."""
    floor = np.full((160, 160, 3), 1.0) * PLASTIC
    now = floor.copy()
    now[PLACE[0] - 10 : PLACE[0] + 10, PLACE[1] - 10 : PLACE[1] + 10] *= 1.05
    assert presence_after(now, floor) == pytest.approx(0.999)
