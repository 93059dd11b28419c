"""Trays and fingers are closed surfaces of the right size, and the world's axes match the mat's."""

from collections import Counter

import numpy as np
import pytest

from calibration.synth.sample import sample_scene
from calibration.synth.scene import Options, Shape
from calibration.traced.shapes import Mesh, Profile, finger_mesh, tray_mesh
from calibration.traced.space import MM, camera_to_world, from_world, points_to_world, to_world


def edges(mesh: Mesh) -> Counter[tuple[int, int]]:
    """Count the faces that share each edge."""
    pairs = ((a, b) for face in mesh.faces for a, b in zip(face, (*face[1:], face[0]), strict=True))
    return Counter((min(p), max(p)) for p in pairs)


@pytest.mark.parametrize("shape", ["square", "oval"])
def test_a_tray_is_one_closed_skin(shape: Shape) -> None:
    """Every edge has a face on both sides: refraction needs closed surfaces."""
    tray = sample_scene(4, Options(tray=shape)).tray
    mesh = tray_mesh(tray, Profile(1.5, 4.0))
    assert set(edges(mesh).values()) == {2}


@pytest.mark.parametrize("seed", range(6))
def test_a_tray_has_its_floor_and_its_rim_where_they_are_said_to_be(seed: int) -> None:
    tray = sample_scene(seed, Options()).tray
    mesh = tray_mesh(tray, Profile(1.5, 4.0))
    high = mesh.corners_mm[:, 2]
    assert high.min() == pytest.approx(0.02)
    assert high.max() == pytest.approx(tray.wall_mm)
    assert mesh.corners_mm[-1, 2] == pytest.approx(1.5)
    turned = mesh.corners_mm[:, :2] - np.array(tray.centre_mm, np.float32)
    c, s = np.cos(-tray.yaw_rad), np.sin(-tray.yaw_rad)
    reach = np.abs(turned @ np.array([[c, s], [-s, c]])).max(0)
    assert reach == pytest.approx(np.array(tray.inner_mm) / 2 + tray.rim_mm, abs=0.6)


def test_a_finger_is_closed_and_keeps_its_length() -> None:
    ends = np.array([[80, 0, 40], [210, 30, 55]], np.float32)
    mesh = finger_mesh(ends, 8.0)
    assert set(edges(mesh).values()) == {2}
    away = np.linalg.norm(np.cross(mesh.corners_mm - ends[0], ends[1] - ends[0]), axis=1)
    assert away.max() / np.linalg.norm(ends[1] - ends[0]) < 8.0 * 1.4


def test_the_world_and_back_is_where_it_was() -> None:
    frame = np.eye(4, dtype=np.float32)
    frame[:3, :3] = np.array([(0, -1, 0), (0.6, 0, -0.8), (0.8, 0, 0.6)], np.float32)
    frame[:3, 3] = np.array((10, -20, 30))
    assert from_world(to_world(frame)) == pytest.approx(frame, abs=1e-5)
    assert to_world(frame)[:3, 3] == pytest.approx(points_to_world(frame[:3, 3][None])[0])


@pytest.mark.parametrize("seed", range(4))
def test_a_camera_of_the_world_sees_a_point_at_the_same_pixel(seed: int) -> None:
    """Blender's convention (looks along -z, y up, horizontal field of view) gives the labels' pixels."""
    camera = sample_scene(seed, Options(size_px=(640, 480))).camera
    points = np.array([[0, 0, 0], [60, -40, 10], [-70, 50, 25]], np.float32)
    frame = camera_to_world(camera)
    assert np.linalg.det(frame[:3, :3]) == pytest.approx(1, abs=1e-4)
    local = (points_to_world(points) - frame[:3, 3]) @ frame[:3, :3]
    focal = 320 / np.tan(np.radians(camera.hfov_deg) / 2)
    pixels = np.stack([local[:, 0], -local[:, 1]], 1) / -local[:, 2:] * focal + [319.5, 239.5]
    assert pixels == pytest.approx(camera.project(points), abs=0.05)
    assert camera.place_mm * MM == pytest.approx(frame[:3, 3] * [1, -1, 1], rel=1e-4)
