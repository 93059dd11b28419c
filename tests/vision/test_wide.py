"""The surroundings of a place, reduced: shown where they are, and rotated with the place."""

import cv2
import numpy as np
import pytest

from vision.finding.detector import EDGE_PX, Detection
from vision.finding.stored import FINE
from vision.finding.wide import COARSER, Surroundings
from vision.pictures import Picture
from vision.scene.viewpoint import Viewpoint

_SIDE = 64
_PX = FINE * EDGE_PX / COARSER
"""Pixels of a view per cube edge."""


def _peak(x: float, y: float, edge_px: float = EDGE_PX, score: float = 1.0) -> Detection:
    return Detection("red", (1, 0, 0, 0, 0, 0), (x, y), edge_px, score)


def _centroid(layer: Picture) -> tuple[float, float]:
    rows, columns = np.nonzero(layer > 0.5 * float(layer.max()))
    return float(columns.mean()), float(rows.mean())


@pytest.mark.parametrize("edge_px", [EDGE_PX, 25.0])
def test_four_edges_from_a_place_are_four_edges_in_its_view(edge_px: float) -> None:
    image = np.zeros((440, 420, 3), np.uint8)
    place, thing = (200.0, 210.0), (200.0 + 4 * edge_px, 210.0)
    cv2.circle(image, (round(thing[0]), round(thing[1])), 8, (255, 255, 255), -1)
    around = Surroundings.of(image, [_peak(*place, edge_px), _peak(*thing, edge_px)])
    seen = around.cut_view(place, np.eye(2), _SIDE)
    expected = ((_SIDE - 1) / 2 + 4 * _PX, (_SIDE - 1) / 2)
    assert _centroid(seen[:, :, 0]) == pytest.approx(expected, abs=0.8)
    assert _centroid(seen[:, :, 3]) == pytest.approx(expected, abs=0.8)


def test_what_is_further_from_the_camera_is_up() -> None:
    """The view is rotated like the patch."""
    image = np.zeros((440, 440, 3), np.uint8)
    viewpoint, place = Viewpoint(220.0, 220.0, 400.0), (120.0, 220.0)
    cv2.circle(image, (60, 220), 8, (255, 255, 255), -1)
    seen = Surroundings.of(image, [_peak(*place)]).cut_view(place, viewpoint.upright(place), _SIDE)
    across, down = _centroid(seen[:, :, 0])
    assert across == pytest.approx((_SIDE - 1) / 2, abs=0.8)
    assert down == pytest.approx((_SIDE - 1) / 2 - 3 * _PX, abs=0.8)


def test_a_place_is_not_told_how_sure_it_is_itself() -> None:
    """The detector's score for it is weighed elsewhere."""
    image = np.zeros((440, 440, 3), np.uint8)
    peaks = [_peak(200, 200), _peak(260, 200, score=0.5)]
    around = Surroundings.of(image, peaks)
    assert around.cut_view((200.0, 200.0), np.eye(2), _SIDE)[31:33, 31:33, 3].max() == 0
    view = around.cut_view((260.0, 200.0), np.eye(2), _SIDE)[:, :, 3]
    assert _centroid(view)[0] == pytest.approx((_SIDE - 1) / 2 - 3 * _PX, abs=0.8)
