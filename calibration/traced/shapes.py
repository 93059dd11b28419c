"""Meshes of things: vertices in the mat's millimetres, faces as tuples of their indices."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from calibration.synth.scene import Floats, Tray, floats

FINGER_MM = 8.0
"""Radius of a finger."""
_SEGMENTS = 144


@dataclass(frozen=True, slots=True)
class Mesh:
    """Vertices and faces, which may have different numbers of corners."""

    corners_mm: Floats
    """(N, 3)."""
    faces: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class Profile:
    """Dimensions of a tray's plastic beyond its outline."""

    floor_mm: float
    """Thickness of the bottom: the floor lies this high above the mat."""
    fillet_mm: float
    """Radius between floor and wall."""


def tray_mesh(tray: Tray, profile: Profile) -> Mesh:
    """Return the tray as one closed surface, from the middle of its underside to the middle of its floor."""
    t, r, wall = profile.floor_mm, profile.fillet_mm, tray.wall_mm
    foot = -tray.flare_mm
    outside = [(foot - 4, 0.02), (foot - 3, 0.02), (foot + t - 1, 0.6), (foot + t, 3), (t, wall - 2.2)]
    lip = [
        (tray.rim_mm - 0.2, wall - 2.0),
        (tray.rim_mm, wall - 1.2),
        (tray.rim_mm - 0.2, wall - 0.3),
        (tray.rim_mm - 0.8, wall),
        (0.8, wall),
        (0.2, wall - 0.3),
        (0, wall - 1.0),
    ]
    low = foot + (r / wall) * tray.flare_mm
    turns = np.linspace(0, np.pi / 2, 6)
    fillet = [(low - r * (1 - np.cos(a)), t + r * (1 - np.sin(a))) for a in turns]
    rings = [*outside, *lip, (low + 0.2, t + r + 1), *fillet, (fillet[-1][0] - 1.0, t)]
    corners = [_outline_ring(tray, grow, z) for grow, z in rings]
    middle = np.array([[*tray.centre_mm, 0.02], [*tray.centre_mm, t]], np.float32)
    return Mesh(floats(np.concatenate([*corners, middle])), _ring_faces(len(rings), _SEGMENTS))


def _outline_ring(tray: Tray, grow_mm: float, z_mm: float) -> Floats:
    outline = tray.outline(grow_mm, _SEGMENTS)
    return np.concatenate([outline, np.full((len(outline), 1), z_mm, np.float32)], 1)


def _ring_faces(rings: int, around: int) -> tuple[tuple[int, ...], ...]:
    """Return quads between rings of vertices, and fans to the two vertices that follow the last ring."""
    faces: list[tuple[int, ...]] = []
    first, last = rings * around, rings * around + 1
    for i in range(around):
        j = (i + 1) % around
        faces.append((first, j, i))
        faces += [
            (k * around + i, k * around + j, (k + 1) * around + j, (k + 1) * around + i)
            for k in range(rings - 1)
        ]
        faces.append(((rings - 1) * around + i, (rings - 1) * around + j, last))
    return tuple(faces)


def finger_mesh(ends_mm: Floats, radius_mm: float) -> Mesh:
    """Return a finger from tip to knuckle: a round end, waists at the joints, thicker towards the hand."""
    tip, knuckle = ends_mm[0].astype(float), ends_mm[1].astype(float)
    length = float(np.linalg.norm(knuckle - tip))
    along = (knuckle - tip) / length
    side = np.cross(along, [0.0, 0.0, 1.0])
    side /= np.linalg.norm(side)
    up = np.cross(side, along)
    around, rings = 24, 40
    along_mm = np.concatenate(
        [radius_mm * (1 - np.cos(np.linspace(0.2, 1.4, 8))), np.linspace(radius_mm, length, rings - 8)]
    )
    body_radii = radius_mm * (1 + 0.25 * along_mm / length + 0.05 * np.cos(along_mm / 24 * 2 * np.pi))
    dome = np.sqrt(np.clip(1 - (1 - along_mm / radius_mm) ** 2, 0, 1))
    radii = body_radii * np.where(along_mm < radius_mm, dome, 1)
    turn = np.linspace(0, 2 * np.pi, around, endpoint=False)
    ring = np.cos(turn)[:, None] * side + np.sin(turn)[:, None] * up * 0.85
    corners = tip + along_mm[:, None, None] * along + radii[:, None, None] * ring
    ends = np.array([tip, knuckle])
    return Mesh(floats(np.concatenate([corners.reshape(-1, 3), ends])), _ring_faces(rings, around))


def cap_radius(width: npt.ArrayLike) -> float:
    """Return half of the smallest edge, the widest possible bevel."""
    return float(np.min(np.asarray(width))) / 2
