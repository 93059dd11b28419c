"""A camera over a plane, fitted from few points."""

import cv2
import numpy as np
import pytest

from vision.scene.camera import fitted_homography, plane_aspect
from vision.scene.plane import Points, project

SIZE = (1280, 960)


def seen_from(tilt_deg: float, hfov_deg: float) -> Points:
    """Homography from millimetres on the table to pixels."""
    focal = SIZE[0] / 2 / np.tan(np.radians(hfov_deg) / 2)
    rotation, _ = cv2.Rodrigues(np.radians([tilt_deg, -5.0, 8.0]))
    placed = np.column_stack([rotation[:, :2], (5.0, -8.0, 380.0)])
    whole = np.array([[focal, 0, 639.5], [0, focal, 479.5], [0, 0, 1]]) @ placed
    return np.asarray(whole / whole[2, 2], np.float64)


@pytest.mark.parametrize("tilt_deg", [3.0, 12.0, 22.0])
def test_one_marker_of_25_mm_fixes_the_far_side_of_the_mat(tilt_deg: float) -> None:
    to_px = seen_from(tilt_deg, 56)
    marker = np.array([(-132.5, -102.5), (-107.5, -102.5), (-107.5, -77.5), (-132.5, -77.5)])
    noise = np.random.default_rng(5).normal(0, 0.15, (4, 2))
    fitted = fitted_homography(marker, project(marker, to_px) + noise, SIZE)
    assert fitted is not None
    assert np.abs(project([(0.0, 0.0)], fitted) - project([(0.0, 0.0)], to_px)).max() < 25


@pytest.mark.parametrize("aspect", [0.7, 1.4])
def test_camera_on_its_side_sees_as_much_along_its_longer_side(aspect: float) -> None:
    """An upright phone: taken from the shorter side, its focal length would be a quarter too small."""
    square = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)], np.float64)
    seen = project(square * (60 * aspect, 60), seen_from(30, 58))
    on_its_side = np.stack([seen[:, 1], SIZE[0] - 1 - seen[:, 0]], axis=1)
    assert plane_aspect(square, on_its_side, SIZE[::-1]) == pytest.approx(aspect, rel=0.01)


@pytest.mark.parametrize("aspect", [1.0, 1.4])
def test_aspect_of_a_rectangle_is_seen_through_the_tilt(aspect: float) -> None:
    square = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)], np.float64)
    seen = project(square * (60 * aspect, 60), seen_from(18, 58))
    assert plane_aspect(square, seen, SIZE) == pytest.approx(aspect, rel=0.03)
