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


def settle(
    rng: np.random.Generator, tray: Tray, edge_mm: float, number: int, stacked: float | None = None
) -> list[Pose]:
    """Return poses of up to `number` cubes that do not intersect; `stacked` is as in `Options`."""
    spot = _landing(rng, tray, number)
    poses: list[Pose] = []
    crowd, stack, lean = rng.uniform(0, 0.7), rng.choice([0.0, 0.04, 0.12]), rng.choice([0.0, 0.01, 0.04])
    stack = stack if stacked is None else stacked
    for _ in range(number):
        for _attempt in range(60):
            way = rng.random()
            if poses and way < stack:
                pose = _on_top(rng, poses[rng.integers(len(poses))], edge_mm)
            elif way < stack + lean:
                pose = _leaning(rng, spot(), edge_mm)
            elif poses and way < stack + lean + crowd:
                pose = _beside(rng, poses[rng.integers(len(poses))], edge_mm)
            else:
                pose = _flat(spot(), rng.uniform(0, np.pi / 2), edge_mm)
            if _fits(pose, poses, tray, edge_mm):
                poses.append(pose)
                break
    return poses


def _landing(rng: np.random.Generator, tray: Tray, number: int) -> Callable[[], Floats]:
    """Sampler of landing spots: around one place near the tower, wider the more cubes there are."""
    half = np.array(tray.inner_mm) / 2 - tray.flare_mm
    middle = np.array([rng.normal(0, 0.15), rng.normal(-0.2, 0.25)]) * half
    spread = half * (rng.uniform(0.2, 0.5) + 0.004 * number)
    wide = rng.random() < 0.3

    def spot() -> Floats:
        place = rng.uniform(-1, 1, 2) * half if wide else rng.normal(middle, spread)
        return floats(place + tray.centre_mm)

    return spot


def turned(yaw_rad: float) -> Floats:
    """Axes of an upright box."""
    c, s = np.cos(yaw_rad), np.sin(yaw_rad)
    return np.array([[c, s, 0], [-s, c, 0], [0, 0, 1]], np.float32)


def _flat(place: Floats, yaw: float, edge: float) -> Pose:
    return Pose(np.array([place[0], place[1], edge / 2], np.float32), turned(yaw))


def _beside(rng: np.random.Generator, other: Pose, edge: float) -> Pose:
    """Pose a cube against another's face: flush in a row, or touching with a corner."""
    flush = rng.random() < 0.45
    base = np.arctan2(other.axes[0][1], other.axes[0][0])
    yaw = base if flush else rng.uniform(0, np.pi / 2)
    way = base + rng.integers(4) * np.pi / 2
    across = np.array([-np.sin(way), np.cos(way)]) * edge * rng.uniform(-0.8, 0.8)
    apart = np.cos(yaw - base) + np.sin(np.abs(yaw - base) % (np.pi / 2)) if not flush else 1.0
    apart = edge * (0.5 + 0.5 * abs(apart)) + rng.exponential(0.15) + 0.05
    place = other.centre_mm[:2] + np.array([np.cos(way), np.sin(way)]) * apart + across
    return _flat(place.astype(np.float32), yaw, edge)


def _on_top(rng: np.random.Generator, other: Pose, edge: float) -> Pose:
    shift = rng.uniform(-0.45, 0.45, 2) * edge
    centre = other.centre_mm + np.array([shift[0], shift[1], edge + 0.02])
    return Pose(centre.astype(np.float32), turned(rng.uniform(0, np.pi / 2)))


def _leaning(rng: np.random.Generator, place: Floats, edge: float) -> Pose:
    """Pose a cube on an edge or a corner, as if held by something beside it."""
    tilt, roll = rng.uniform(0.15, 0.8), rng.choice([0.0, rng.uniform(0, 0.6)])
    c, s = np.cos(tilt), np.sin(tilt)
    about_x = np.array([[1, 0, 0], [0, c, s], [0, -s, c]])
    c, s = np.cos(roll), np.sin(roll)
    about_y = np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]])
    axes = (about_y @ about_x @ turned(rng.uniform(0, 2 * np.pi))).astype(np.float32)
    lowest = np.abs(axes[:, 2]).sum() * edge / 2
    return Pose(np.array([place[0], place[1], lowest], np.float32), axes)


def _fits(pose: Pose, poses: list[Pose], tray: Tray, edge: float) -> bool:
    if not on_floor(pose, tray, edge):
        return False
    resting = pose.centre_mm[2] > 0.9 * edge
    for other in poses:
        gap = pose.centre_mm - other.centre_mm
        if float(gap @ gap) < 3.1 * edge * edge and _overlap(pose, other, edge):
            return False
    # a stacked cube needs another close below it
    return not resting or any(np.linalg.norm(pose.centre_mm - o.centre_mm) < 1.25 * edge for o in poses)


def on_floor(pose: Pose, tray: Tray, edge: float) -> bool:
    """Whether the cube's vertical projection lies on the flat floor or barely on the fillet."""
    c, s = np.cos(tray.yaw_rad), np.sin(tray.yaw_rad)
    corners = np.array([[i, j] for i in (-1, 1) for j in (-1, 1)], np.float32) * edge / 2
    across = pose.centre_mm[:2] + corners @ pose.axes[:2, :2] - tray.centre_mm
    local = np.abs(across @ np.array([[c, -s], [s, c]]))
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
    apart = np.abs(axes @ (a.centre_mm - b.centre_mm))
    return bool((apart < reach - 0.02).all())
