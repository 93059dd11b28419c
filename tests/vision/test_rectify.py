"""From a picture to the floor seen from straight above: geometry and white."""

import cv2
import numpy as np
import pytest

from calibration.synth import Options, render
from calibration.synth.throws import THROWS
from tests.vision.mat_picture import PX_PER_MM, mat_picture
from vision.reader import TrayReader
from vision.scene.fiducials import find_fiducials
from vision.scene.light import light_of_mat
from vision.scene.plane import Points, project
from vision.scene.rectify import PX_PER_MM as FLAT_PX_PER_MM
from vision.scene.rectify import lay_flat, rectify


def _camera(tilt_deg: float, hfov_deg: float) -> Points:
    """Homography from the sheet's pixels to those of a camera leaning over it."""
    focal = 480 / np.tan(np.radians(hfov_deg) / 2)
    rotation, _ = cv2.Rodrigues(np.radians([tilt_deg, 0.4 * tilt_deg, 4.0]))
    placed = np.column_stack([rotation[:, :2], (0.0, -8.0, 330.0)])
    to_mm = np.array([[1 / PX_PER_MM, 0, -148.5], [0, 1 / PX_PER_MM, -105], [0, 0, 1]])
    whole = np.array([[focal, 0, 479.5], [0, focal, 359.5], [0, 0, 1]]) @ placed @ to_mm
    return np.asarray(whole / whole[2, 2], np.float64)


TILT = _camera(tilt_deg=18, hfov_deg=54)


def tilted(hidden: tuple[int, ...] = ()) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    """The mat seen obliquely by a camera in an arbitrary place."""
    flat = mat_picture(hidden_markers=hidden)
    return np.asarray(cv2.warpPerspective(flat, TILT, (960, 720), borderValue=(90, 110, 130)), np.uint8)


@pytest.mark.parametrize("hidden", [(), (0,), (1, 3), (0, 1)])
def test_mat_millimetres_lie_where_they_should_with_some_markers_missing(hidden: tuple[int, ...]) -> None:
    found = find_fiducials(tilted(hidden))
    assert found is not None
    assert set(found.missing) == set(hidden)
    on_mat = np.array([(-80.0, -80.0), (80.0, -80.0), (80.0, 80.0), (-80.0, 80.0)])
    on_sheet = (on_mat + np.array([297, 210]) / 2) * PX_PER_MM - 0.5
    assert np.abs(project(on_mat, found.to_px) - project(on_sheet, TILT)).max() < 3


@pytest.mark.parametrize("seed", [88_205, 88_209, 88_215])
def test_a_picture_of_three_times_the_size_has_its_markers_in_the_same_places(seed: int) -> None:
    """4K webcams: a pixel of the quick search is six of theirs, and corners used to end up beside the
    marker."""
    picture = render(seed, Options(mat=True, size_px=(1280, 960)))[0]
    large = np.asarray(cv2.resize(picture, None, fx=3, fy=3, interpolation=cv2.INTER_CUBIC), np.uint8)
    found, found_large = find_fiducials(picture), find_fiducials(large)
    assert found is not None
    assert found_large is not None
    for marker, corners in found.markers_px.items():
        assert np.abs((found_large.markers_px[marker] + 0.5) / 3 - 0.5 - corners).max() < 1.2


def test_rectified_tray_has_the_promised_size_and_scale() -> None:
    flat = rectify(tilted())
    assert flat is not None
    assert flat.image.shape == (448, 448, 3)
    corner = project([(0.0, 0.0)], flat.to_picture)
    assert np.allclose(
        flat.to_mm(np.array([[223.5, 223.5], [223.5 + 10 * FLAT_PX_PER_MM, 223.5]])), [[0, 0], [10, 0]]
    )
    assert np.isfinite(corner).all()


def test_paper_is_white_after_correction_whatever_the_lamp() -> None:
    for light in ((0.45, 0.75, 0.95), (0.9, 0.85, 0.8), (0.45, 0.5, 0.55)):
        picture = mat_picture(light=light, tray_grey=250)
        flat = rectify(picture)
        assert flat is not None
        assert flat.light.measured
        assert np.abs(flat.image[100:300, 100:300].mean(axis=(0, 1)) - 235).max() < 4


def test_no_marker_no_fiducials() -> None:
    assert find_fiducials(mat_picture(hidden_markers=(0, 1, 2, 3))) is None


def test_burnt_is_what_every_channel_stores_at_full_scale() -> None:
    """A vivid floor, of which only one channel does, is not burnt out."""
    picture = mat_picture(tray_grey=120)
    flat = rectify(picture)
    assert flat is not None
    assert lay_flat(np.full_like(picture, (0, 0, 255)), flat.tray, flat.light).burnt == 0
    half = np.full_like(picture, 120)
    half[:, half.shape[1] // 2 :] = 255
    assert lay_flat(half, flat.tray, flat.light).burnt == pytest.approx(0.5, abs=0.02)


def test_a_tray_in_the_sun_beside_a_mat_in_the_shade_is_not_burnt_out() -> None:
    """Taking white from the mat's paper alone made two yellow cubes white, and the tray surely empty."""
    picture, label = render(6100294, Options(throws=THROWS))
    flat = rectify(picture)
    assert flat is not None
    assert flat.mat_seen
    assert TrayReader().read(picture).counts == label["visible_counts"]


def test_white_is_the_mats_where_one_light_falls_on_all() -> None:
    """A lamp mirrored in the tray is not another light."""
    picture = mat_picture(tray_grey=120)
    fiducials = find_fiducials(picture)
    assert fiducials is not None
    lamp, (y, x) = picture.copy(), (side // 2 for side in picture.shape[:2])
    lamp[y - 20 : y + 20, x - 20 : x + 20] = 255
    for view in (picture, lamp):
        flat = rectify(view)
        assert flat is not None
        assert flat.light == light_of_mat(view, fiducials)
