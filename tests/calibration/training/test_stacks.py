"""Who lies on whom."""

import numpy as np

from calibration.training.stacks import Role, cover, roles


def _square(x: float, y: float, side: float = 20.0) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
    return np.array([(x, y), (x + side, y), (x + side, y + side), (x, y + side)], np.float32)


def test_the_higher_one_that_covers_most_lies_on_it() -> None:
    outlines = [_square(0, 0), _square(15, 0), _square(5, 5)]
    assert cover(outlines, [4, 12, 12], 8) == [2, -1, -1]


def test_cubes_side_by_side_lie_on_nothing() -> None:
    assert cover([_square(0, 0), _square(10, 0)], [4.0, 4.4], 8) == [-1, -1]


def test_what_shows_most_of_itself_has_a_peak_of_its_own() -> None:
    lower = [(120, 100, 0, visible, 20, 0) for visible in (0.3, 0.5, 0.7)]
    table = np.array([(100, 100, 0, 1.0, 20, -1), *lower], np.float32)
    assert roles(table) == [Role.OWN, Role.UNDER, Role.EITHER, Role.OWN]


def test_an_upper_cube_tells_of_one_only() -> None:
    table = np.array(
        [(100, 100, 0, 1.0, 20, -1), (95, 100, 0, 0.1, 20, 0), (105, 100, 0, 0.3, 20, 0)], np.float32
    )
    assert roles(table) == [Role.OWN, Role.EITHER, Role.UNDER]
