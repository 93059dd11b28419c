"""From which side, and how obliquely, the camera sees a place."""

import cv2
import numpy as np
import pytest

from calibration.synth import Options
from calibration.synth.render import render_scene
from calibration.synth.sample import sample_scene
from calibration.synth.scene import floats
from tests.vision.test_camera import SIZE, seen_from
from vision.finding.stored import Source
from vision.scene.camera import camera_centre
from vision.scene.plane import project
from vision.scene.rectify import PX_PER_MM, rectify
from vision.scene.viewpoint import STRAIGHT_ABOVE, Viewpoint


@pytest.mark.parametrize("tilt_deg", [2.0, 12.0, 30.0])
@pytest.mark.parametrize("hfov_deg", [52.0, 58.0, 64.0])
def test_the_camera_is_found_where_it_hangs(tilt_deg: float, hfov_deg: float) -> None:
    """To a tenth of its height: the uncertainty left by a lens between 52 and 64 degrees."""
    to_px = seen_from(tilt_deg, hfov_deg)
    rotation, _ = cv2.Rodrigues(np.radians([tilt_deg, -5.0, 8.0]))
    camera = -rotation.T @ np.array([5.0, -8.0, 380.0])
    found = camera_centre(to_px, SIZE)
    assert found is not None
    assert found[2] == pytest.approx(-camera[2], rel=0.1)
    assert np.hypot(*(found[:2] - camera[:2])) < 0.1 * found[2]


def test_no_camera_sees_a_horizon_across_the_picture() -> None:
    """For a homography whose plane ends in mid-picture, places are taken to be seen from above."""
    askew = np.array([[1.0, 0, 0], [0, 1, 0], [0, 1 / 480, -1]])
    assert camera_centre(askew, SIZE) is None
    assert Viewpoint.of(askew, SIZE) == STRAIGHT_ABOVE
    assert STRAIGHT_ABOVE.slope((100, 100)) == 0
    assert np.array_equal(STRAIGHT_ABOVE.upright((100, 100)), np.eye(2))


def test_a_reading_knows_how_aslant_its_camera_sees() -> None:
    """Rendered tables on the mat: the slope at each corner of the floor, compared with the renderer's
    camera."""
    for seed in (88_101, 88_102, 88_103):
        scene = sample_scene(seed, Options(mat=True, plain=True, size_px=(1280, 960)))
        picture = render_scene(scene, seed)[0]
        flat = rectify(picture)
        assert flat is not None
        viewpoint = Source.of(picture, flat).viewpoint
        for corner in ((-60.0, -60.0), (60.0, -60.0), (60.0, 60.0), (-60.0, 60.0)):
            foot, top = (scene.camera.project(floats([[*corner, height]])) for height in (0.0, 1.0))
            on_flat = project(np.concatenate([foot, top]), np.asarray(np.linalg.inv(flat.to_picture)))
            true = (on_flat[1] - on_flat[0]) / PX_PER_MM
            x, y = (float(v) for v in on_flat[0])
            assert viewpoint.slope((x, y)) == pytest.approx(float(np.hypot(*true)), abs=0.06)
            up = viewpoint.upright((x, y)) @ true
            if np.hypot(*true) > 0.1:
                assert abs(float(up[0])) < 0.25 * float(-up[1])
