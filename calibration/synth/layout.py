"""Where cubes come to rest: loose, touching, in rows, leaning, stacked. Geometry only, no light."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from calibration.synth.scene import Floats, Tray, floats

Inside = Callable[[Floats], bool]


@dataclass(frozen=True, slots=True)
class Pose:
    """Position and orientation of one cube; the rows of `axes` are the directions of its edges."""

    centre_mm: Floats
    axes: Floats


def sample_poses(
    rng: np.random.Generator, tray: Tray, edge_mm: float, number: int, stacked: float | None = None
) -> list[Pose]:
    """Return poses of up to `number` cubes that do not intersect; `stacked` is as in `Options`."""
    sample_spot = _landing_sampler(rng, tray, number)
    poses: list[Pose] = []
    crowd, stack, lean = rng.uniform(0, 0.7), rng.choice([0.0, 0.04, 0.12]), rng.choice([0.0, 0.01, 0.04])
    stack = stack if stacked is None else stacked
    for _ in range(number):
        for _attempt in range(60):
            draw = rng.random()
            if poses and draw < stack:
                pose = _pose_on_top(rng, poses[rng.integers(len(poses))], edge_mm)
            elif draw < stack + lean:
                pose = _pose_leaning(rng, sample_spot(), edge_mm)
            elif poses and draw < stack + lean + crowd:
                pose = _pose_beside(rng, poses[rng.integers(len(poses))], edge_mm)
            else:
                pose = _pose_flat(sample_spot(), rng.uniform(0, np.pi / 2), edge_mm)
            if _fits(pose, poses, tray, edge_mm):
                poses.append(pose)
                break
    return poses


def _landing_sampler(rng: np.random.Generator, tray: Tray, number: int) -> Callable[[], Floats]:
    """Sampler of landing spots: around one place near the tower, wider the more cubes there are."""
    half = np.array(tray.inner_mm) / 2 - tray.flare_mm
    middle = np.array([rng.normal(0, 0.15), rng.normal(-0.2, 0.25)]) * half
    spread = half * (rng.uniform(0.2, 0.5) + 0.004 * number)
    is_uniform = rng.random() < 0.3

    def sample_spot() -> Floats:
        place = rng.uniform(-1, 1, 2) * half if is_uniform else rng.normal(middle, spread)
        return floats(place + tray.centre_mm)

    return sample_spot


def upright_axes(yaw_rad: float) -> Floats:
    """Axes of an upright box."""
    c, s = np.cos(yaw_rad), np.sin(yaw_rad)
    return np.array([[c, s, 0], [-s, c, 0], [0, 0, 1]], np.float32)


def _pose_flat(place: Floats, yaw: float, edge: float) -> Pose:
    return Pose(np.array([place[0], place[1], edge / 2], np.float32), upright_axes(yaw))


def _pose_beside(rng: np.random.Generator, other: Pose, edge: float) -> Pose:
    """Pose a cube against another's face: flush in a row, or touching with a corner."""
    flush = rng.random() < 0.45
    base = np.arctan2(other.axes[0][1], other.axes[0][0])
    yaw = base if flush else rng.uniform(0, np.pi / 2)
    direction = base + rng.integers(4) * np.pi / 2
    sideways = np.array([-np.sin(direction), np.cos(direction)]) * edge * rng.uniform(-0.8, 0.8)
    gap = np.cos(yaw - base) + np.sin(np.abs(yaw - base) % (np.pi / 2)) if not flush else 1.0
    gap = edge * (0.5 + 0.5 * abs(gap)) + rng.exponential(0.15) + 0.05
    place = other.centre_mm[:2] + np.array([np.cos(direction), np.sin(direction)]) * gap + sideways
    return _pose_flat(place.astype(np.float32), yaw, edge)


def _pose_on_top(rng: np.random.Generator, other: Pose, edge: float) -> Pose:
    shift = rng.uniform(-0.45, 0.45, 2) * edge
    centre = other.centre_mm + np.array([shift[0], shift[1], edge + 0.02])
    return Pose(centre.astype(np.float32), upright_axes(rng.uniform(0, np.pi / 2)))


def _pose_leaning(rng: np.random.Generator, place: Floats, edge: float) -> Pose:
    """Pose a cube on an edge or a corner, as if held by something beside it."""
    tilt, roll = rng.uniform(0.15, 0.8), rng.choice([0.0, rng.uniform(0, 0.6)])
    c, s = np.cos(tilt), np.sin(tilt)
    about_x = np.array([[1, 0, 0], [0, c, s], [0, -s, c]])
    c, s = np.cos(roll), np.sin(roll)
    about_y = np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]])
    axes = (about_y @ about_x @ upright_axes(rng.uniform(0, 2 * np.pi))).astype(np.float32)
    lowest = np.abs(axes[:, 2]).sum() * edge / 2
    return Pose(np.array([place[0], place[1], lowest], np.float32), axes)


def _fits(pose: Pose, poses: list[Pose], tray: Tray, edge: float) -> bool:
    if not is_on_floor(pose, tray, edge):
        return False
    is_stacked = pose.centre_mm[2] > 0.9 * edge
    for other in poses:
        gap = pose.centre_mm - other.centre_mm
        if float(gap @ gap) < 3.1 * edge * edge and _overlap(pose, other, edge):
            return False
    # a stacked cube needs another close below it
    return not is_stacked or any(np.linalg.norm(pose.centre_mm - o.centre_mm) < 1.25 * edge for o in poses)


def is_on_floor(pose: Pose, tray: Tray, edge: float) -> bool:
    """Whether the cube's vertical projection lies on the flat floor or barely on the fillet."""
    c, s = np.cos(tray.yaw_rad), np.sin(tray.yaw_rad)
    offsets = np.array([[i, j] for i in (-1, 1) for j in (-1, 1)], np.float32) * edge / 2
    corners_mm = pose.centre_mm[:2] + offsets @ pose.axes[:2, :2] - tray.centre_mm
    local = np.abs(corners_mm @ np.array([[c, -s], [s, c]]))
    half = np.array(tray.inner_mm) / 2 - tray.flare_mm - 0.2
    if tray.shape == "oval":
        return bool(((local / half) ** 2).sum(1).max() <= 1)
    corner = max(tray.corner_mm - tray.flare_mm, 1.0)
    beyond = np.maximum(local - (half - corner), 0)
    return bool((np.hypot(beyond[:, 0], beyond[:, 1]) <= corner).all())


def _overlap(a: Pose, b: Pose, edge: float) -> bool:
    """Separating axis test with the face normals of both and the cross products of their edges."""
    crosses = np.cross(a.axes[:, None], b.axes[None]).reshape(-1, 3)
    axes = np.concatenate([a.axes, b.axes, crosses])
    length = np.linalg.norm(axes, axis=1)
    axes = axes[length > 1e-3] / length[length > 1e-3, None]
    reach = (np.abs(axes @ a.axes.T).sum(1) + np.abs(axes @ b.axes.T).sum(1)) * edge / 2
    distances = np.abs(axes @ (a.centre_mm - b.centre_mm))
    return bool((distances < reach - 0.02).all())
