"""The cube detector: what its cells mean, and that the shipped weights find cubes in new renderings."""

from importlib.resources import files

import numpy as np
import pytest

from tests.vision.cells import Cells, blank, put
from vision.finding.detector import EDGE_PX, STRIDE, average_with_mirrored, compute_cells, decode, detect

_LARGEST_BYTES = 3_000_000


def _cells(*peaks: tuple[int, int, float, str]) -> Cells:
    """Raw cells with presence at (row, column), its logit, and a colour."""
    cells = blank()
    for row, column, logit, colour in peaks:
        put(cells, (row, column), logit, colour)
    return cells


def test_weights_are_small_enough_to_ship() -> None:
    assert len(files("vision").joinpath("data/cubes.onnx").read_bytes()) < _LARGEST_BYTES


def test_a_peak_is_one_cube_at_the_middle_of_its_cell() -> None:
    (cube,) = decode(_cells((5, 7, 3.0, "blue")))
    assert cube.colour == "blue"
    assert cube.centre_px == (7.5 * STRIDE - 0.5, 5.5 * STRIDE - 0.5)
    assert cube.edge_px == pytest.approx(EDGE_PX)
    assert cube.score == pytest.approx(1 / (1 + np.exp(-3.0)))
    assert sum(cube.colour_shares) == pytest.approx(1)


def test_offset_and_size_move_the_cube() -> None:
    cells = _cells((5, 7, 3.0, "red"))
    cells[-3:, 5, 7] = 0.25, -0.5, np.log(1.3)
    (cube,) = decode(cells)
    assert np.allclose(cube.centre_px, (7.75 * STRIDE - 0.5, 5.0 * STRIDE - 0.5))
    assert cube.edge_px == pytest.approx(1.3 * EDGE_PX)


def test_two_peaks_nearer_than_cubes_can_be_are_one() -> None:
    found = decode(_cells((5, 7, 3.0, "red"), (5, 8, 2.0, "blue")))
    assert [cube.colour for cube in found] == ["red"]


def test_cubes_an_edge_apart_are_two_the_surest_first() -> None:
    found = decode(_cells((5, 7, 1.0, "red"), (5, 12, 2.0, "blue")))
    assert [cube.colour for cube in found] == ["blue", "red"]


def test_what_is_unlikely_is_not_reported() -> None:
    assert decode(_cells((5, 7, -1.0, "red")), minimum=0.5) == []


@pytest.mark.parametrize("level", [0, 40, 128, 255])
def test_nothing_lies_on_an_empty_floor(level: int) -> None:
    assert detect(np.full((448, 448, 3), level, np.uint8), minimum=0.3) == []


@pytest.mark.parametrize("size", [(320, 448), (448, 480), (288, 352)])
def test_any_side_that_32_divides_is_read(size: tuple[int, int]) -> None:
    assert isinstance(detect(np.zeros((*size, 3), np.uint8)), list)


def test_looked_at_twice_left_and_right_are_alike() -> None:
    picture = np.random.default_rng(4).integers(0, 255, (96, 128, 3), np.uint8)
    picture[30:50, 40:60] = (40, 30, 200)
    turned = np.ascontiguousarray(picture[:, ::-1])
    seen = decode(average_with_mirrored(picture, compute_cells(picture)), minimum=0.01)
    mirrored = decode(average_with_mirrored(turned, compute_cells(turned)), minimum=0.01)
    assert seen
    places = sorted((127 - cube.centre_px[0], cube.centre_px[1]) for cube in mirrored)
    assert np.allclose(places, sorted(cube.centre_px for cube in seen), atol=0.05)
