"""Visible share of each cube: samples points on the faces towards the camera and tests what hides them."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from calibration.synth.scene import Box, Camera, Floats, Tray, floats

_POINTS_A_SIDE = 8
_SURFACE_GAP_MM = 0.05


def visible_shares(
    cubes: Sequence[Box],
    others: Sequence[Box],
    camera: Camera,
    wall: Tray | None,
    finger_mm: tuple[Floats, float] | None,
) -> list[float]:
    """Return the visible share of each cube, 0..1, weighted by the apparent size of its faces.

    `wall`: an opaque tray, its rim's height counted from the mat; `finger_mm`: a finger's ends and radius.
    """
    boxes = [*cubes, *others]
    visible = []
    for number, cube in enumerate(cubes):
        points, weights = _surface_points(cube, camera.place_mm)
        hidden = np.zeros(len(points), bool)
        for index, box in enumerate(boxes):
            if index != number and _may_hide(box, cube, camera):
                hidden |= _hidden_by_box(box, points, camera.place_mm)
        if wall is not None:
            hidden |= _hidden_by_wall(wall, points, camera.place_mm)
        if finger_mm is not None:
            hidden |= _hidden_by_finger(finger_mm[0], finger_mm[1], points, camera.place_mm)
        hidden |= _outside_picture(camera, points)
        visible.append(float((weights * ~hidden).sum() / weights.sum()))
    return visible


def _surface_points(box: Box, camera_mm: Floats) -> tuple[Floats, Floats]:
    """Return (N, 3) points on the faces towards the camera, and (N,) weights: their projected areas."""
    step = (np.arange(_POINTS_A_SIDE) + 0.5) / _POINTS_A_SIDE - 0.5
    points, weights = [], []
    for axis in range(3):
        for sign in (-1.0, 1.0):
            normal = box.axes[axis] * sign
            u, v = ((i, box.axes[i] * box.size_mm[i]) for i in ((axis + 1) % 3, (axis + 2) % 3))
            middle = box.centre_mm + normal * (box.size_mm[axis] / 2 + _SURFACE_GAP_MM)
            to_camera = camera_mm - middle
            facing = float(normal @ to_camera) / float(np.linalg.norm(to_camera))
            if facing <= 0:
                continue
            grid = middle + step[:, None, None] * u[1] + step[None, :, None] * v[1]
            points.append(grid.reshape(-1, 3))
            area = box.size_mm[u[0]] * box.size_mm[v[0]]
            weights.append(np.full(_POINTS_A_SIDE * _POINTS_A_SIDE, facing * area))
    return floats(np.concatenate(points)), floats(np.concatenate(weights))


def _may_hide(box: Box, cube: Box, camera: Camera) -> bool:
    """Whether a box may hide a cube at all: its bounding sphere touches the cube's tube to the camera."""
    to_camera = camera.place_mm - cube.centre_mm
    to_camera = to_camera / np.linalg.norm(to_camera)
    gap = box.centre_mm - cube.centre_mm
    offset = np.linalg.norm(gap - (gap @ to_camera) * to_camera)
    return bool(offset < (np.linalg.norm(box.size_mm) + np.linalg.norm(cube.size_mm)) / 2)


def _hidden_by_box(box: Box, points: Floats, camera_mm: Floats) -> npt.NDArray[np.bool_]:
    """Return (N,) whether the ray from each point to the camera passes through a box."""
    start = (points - box.centre_mm) @ box.axes.T
    along = (camera_mm - points) @ box.axes.T
    along = np.where(np.abs(along) < 1e-6, 1e-6, along)
    middle, reach = -start / along, box.size_mm / 2 / np.abs(along)
    enter, leave = (middle - reach).max(1), (middle + reach).min(1)
    is_hidden: npt.NDArray[np.bool_] = (enter < leave) & (leave > 0) & (enter < 1)
    return is_hidden


def _hidden_by_wall(tray: Tray, points: Floats, camera_mm: Floats) -> npt.NDArray[np.bool_]:
    """Return (N,) whether the ray from each point to the camera leaves the tray below its rim."""
    share = (tray.wall_mm - points[:, 2]) / (camera_mm[2] - points[:, 2])
    at = points + np.clip(share, 0, 1)[:, None] * (camera_mm - points)
    outline = tray.outline(0, 144).astype(float)
    edge = np.roll(outline, -1, 0) - outline
    gap = at[:, None, :2] - outline
    side = edge[:, 0] * gap[..., 1] - edge[:, 1] * gap[..., 0]
    is_inside = np.abs(np.sign(side).sum(1)) == len(outline)
    is_hidden: npt.NDArray[np.bool_] = np.asarray((share > 0) & ~is_inside)
    return is_hidden


def _hidden_by_finger(
    ends_mm: Floats, radius_mm: float, points: Floats, camera_mm: Floats
) -> npt.NDArray[np.bool_]:
    """Return (N,) whether the ray from each point passes closer to the finger's axis than its radius."""
    tip, bone = ends_mm[0], ends_mm[1] - ends_mm[0]
    to_camera = camera_mm - points
    t = np.linspace(0, 1, 60)[:, None]
    along = tip + t * bone  # (60, 3)
    gap = along[None] - points[:, None]
    ray_share = np.clip(
        (gap * to_camera[:, None]).sum(2) / (to_camera * to_camera).sum(1, keepdims=True), 0, 1
    )
    distances = np.linalg.norm(gap - ray_share[..., None] * to_camera[:, None], axis=2)
    is_hidden: npt.NDArray[np.bool_] = (distances < radius_mm).any(1)
    return is_hidden


def _outside_picture(camera: Camera, points: Floats) -> npt.NDArray[np.bool_]:
    seen = camera.project(points)
    last = np.array(camera.size_px) - 1
    is_outside: npt.NDArray[np.bool_] = (seen != np.clip(seen, 0, last)).any(axis=1)
    return is_outside
