"""What a picture says about mat, light and tray before any cube is counted."""

import cv2
import numpy as np
import pytest

from calibration.profiles.scene import inspect_scene
from tests.vision.mat_picture import PX_PER_MM, mat_picture
from vision.scene.fiducials import project


def test_mat_is_measured() -> None:
    """All markers, the paper under its light, and the tray's floor."""
    scene = inspect_scene(mat_picture(light=(0.5, 0.8, 0.9), tray_grey=100))
    assert scene.missing_markers == ()
    assert scene.white_bgr == pytest.approx((125, 201, 226), abs=2)
    assert scene.tray_level == pytest.approx(90, abs=2)
    assert (scene.dark_tray, scene.too_dark, scene.too_bright) == (False, False, False)


@pytest.mark.parametrize(
    ("light", "tray", "too_dark", "too_bright", "dark_tray"),
    [
        ((0.2, 0.2, 0.2), 120, True, False, False),
        ((1.3, 1.3, 1.3), 120, False, True, False),
        (
            (1.3, 1.1, 0.6),
            120,
            False,
            False,
            False,
        ),  # one channel clips in warm or cold light: still measurable
        ((0.9, 0.9, 0.9), 40, False, False, True),
    ],
)
def test_light_and_tray_are_judged(
    light: tuple[float, float, float], tray: int, too_dark: bool, too_bright: bool, dark_tray: bool
) -> None:
    """Too dark, clipped, and a tray in which black cubes vanish."""
    scene = inspect_scene(mat_picture(light=light, tray_grey=tray))
    assert (scene.too_dark, scene.too_bright, scene.dark_tray) == (too_dark, too_bright, dark_tray)


def test_hidden_markers_are_named() -> None:
    """So that a person knows which corner to clear."""
    scene = inspect_scene(mat_picture(hidden_markers=(1, 2)))
    assert scene.missing_markers == (1, 2)
    assert scene.white_level is not None


def test_homography_leads_from_millimetres_to_pixels() -> None:
    """In an oblique view the mat's centre is projected to where it is seen."""
    picture = mat_picture()
    height, width = picture.shape[:2]
    corners = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
    askew = np.array([(40, 30), (width - 60, 10), (width - 20, height - 50), (10, height - 20)], np.float32)
    turn = cv2.getPerspectiveTransform(corners, askew)
    seen = cv2.warpPerspective(picture, turn, (width, height), borderValue=(90, 90, 90))
    to_px = inspect_scene(np.asarray(seen, np.uint8)).to_px
    assert to_px is not None
    middle = cv2.perspectiveTransform(np.array([[[297 / 2 * PX_PER_MM, 210 / 2 * PX_PER_MM]]]), turn)
    assert project(np.array([(0.0, 0.0)]), to_px)[0] == pytest.approx(np.asarray(middle).ravel(), abs=0.7)


def test_picture_without_a_mat_says_only_its_light() -> None:
    """No tray level, but still the brightness."""
    scene = inspect_scene(np.full((480, 640, 3), 90, np.uint8))
    assert scene.white_level == pytest.approx(90)
    assert scene.tray_level is None
