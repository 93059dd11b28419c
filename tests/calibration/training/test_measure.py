"""The shipped detector on freshly rendered pictures with true geometry."""

from collections import Counter

import numpy as np
import pytest

from calibration.synth import Options
from calibration.synth.scene import Shape
from calibration.training.crops import Crop, synthetic_crop
from calibration.training.measure import measure, true_counts

_EACH = {"red": 3, "blue": 3, "yellow": 3, "purple": 3, "green": 3, "black": 3}


@pytest.mark.parametrize("edge_mm", [8.0, 10.0])
@pytest.mark.parametrize("tray", ["square", "oval"])
def test_plain_pictures_are_counted(edge_mm: float, tray: Shape) -> None:
    """Except for the colour of one: two fifths of a black cube under a green one are visible."""
    options = Options(plain=True, plastic="clear", mat=True, tray=tray, cube_mm=edge_mm, counts=_EACH)
    crop = synthetic_crop(77_000 + int(edge_mm), options)
    figures = measure([crop])
    assert figures.exact_number == 1
    assert figures.wrong <= 2


def test_most_of_the_wild_ones_are_too() -> None:
    figures = measure([synthetic_crop(seed) for seed in range(77_100, 77_112)])
    assert figures.wrong <= 0.07 * figures.cubes


def test_figures_count_what_differs() -> None:
    empty = Crop(np.full((448, 448, 3), 90, np.uint8), np.array([[200, 200, 1, 1.0, 20, -1]], np.float32))
    figures = measure([empty])
    assert (figures.trays, figures.exact, figures.cubes, figures.wrong) == (1, 0, 1, 1)


def test_hardly_visible_cubes_do_not_count() -> None:
    table = np.array([[100, 100, 0, 0.1, 20, -1], [200, 200, 0, 0.2, 20, -1]], np.float32)
    assert true_counts(Crop(np.zeros((448, 448, 3), np.uint8), table)) == Counter({"red": 1})
