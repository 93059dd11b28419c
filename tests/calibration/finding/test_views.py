"""What the tray finder learns from: corners stay on the tray whatever is done to the picture."""

import numpy as np
import pytest

from calibration.finding.views import floor_map, rendered, view
from vision.locator import CORNER_INSET, INPUT_PX
from vision.plane import Points


@pytest.mark.parametrize("seed", [3, 4])
def test_corners_lie_on_the_floor_and_in_their_order(seed: int) -> None:
    table = rendered(seed)
    for i in range(4):
        seen = view(np.random.default_rng(i), table)
        assert seen.picture.shape == (INPUT_PX[1], INPUT_PX[0], 3)
        assert _clockwise(seen.corners_px)
        assert seen.corners_px[0, 0] < seen.corners_px[1, 0]
        assert 0.03 < float(seen.floor.mean()) < 0.9


def test_a_floor_map_is_the_share_of_each_cell() -> None:
    cells = floor_map(np.array([(40.0, 40.0), (79.0, 40.0), (79.0, 79.0), (40.0, 79.0)]))
    assert cells.shape == (32, 40)
    assert float(cells.sum()) == pytest.approx(100, abs=6)
    assert CORNER_INSET < 1


def _clockwise(corners: Points) -> bool:
    x, y = corners.T
    return float(np.sum(x * np.roll(y, -1) - np.roll(x, -1) * y)) > 0
