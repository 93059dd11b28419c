"""Which cube lies on which."""

import numpy as np

from calibration.training.stacks import find_covering_cubes


def _square(x: float, y: float, side: float = 20.0) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
    return np.array([(x, y), (x + side, y), (x + side, y + side), (x, y + side)], np.float32)


def test_the_higher_one_that_covers_most_lies_on_it() -> None:
    outlines = [_square(0, 0), _square(15, 0), _square(5, 5)]
    assert find_covering_cubes(outlines, [4, 12, 12], 8) == [2, -1, -1]


def test_cubes_side_by_side_lie_on_nothing() -> None:
    assert find_covering_cubes([_square(0, 0), _square(10, 0)], [4.0, 4.4], 8) == [-1, -1]
