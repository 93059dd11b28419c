"""Which of the cubes that came to rest lie in the tray. No Blender in here."""

from collections.abc import Sequence

import cv2
import numpy as np

from calibration.synth.layout import Pose
from calibration.synth.scene import Tray
from calibration.traced.shapes import Profile

_REACH = 1.8
"""Edges between the middles of two cubes that may touch: more than a cube's diagonal, 1.73."""


def in_tray(poses: Sequence[Pose], tray: Tray, profile: Profile, edge_mm: float) -> list[Pose]:
    """Those that lie over the opening, no higher than a cube above the rim, and not on the chute."""
    fallen = [p for p in poses if _over(p, tray, profile) and p.centre_mm[2] < tray.wall_mm + edge_mm]
    return [pose for pose in fallen if not _hangs(pose, fallen, profile, edge_mm)]


def _hangs(pose: Pose, poses: Sequence[Pose], profile: Profile, edge_mm: float) -> bool:
    """Whether only the chute can hold a cube, which no picture shows: it is still in the tower."""
    lowest = pose.centre_mm[2] - np.abs(pose.axes[:, 2]).sum() * edge_mm / 2 - profile.floor_mm
    near = (np.linalg.norm(other.centre_mm - pose.centre_mm) < _REACH * edge_mm for other in poses)
    return bool(lowest > profile.fillet_mm / 2 + edge_mm / 2 and sum(near) < 2)  # itself is near


def _over(pose: Pose, tray: Tray, profile: Profile) -> bool:
    """The cube's middle is over the opening, and over the floor: one in thirty thousand falls through."""
    x, y, z = (float(v) for v in pose.centre_mm)
    over = cv2.pointPolygonTest(tray.outline()[:, None], (x, y), measureDist=False) > 0
    return over and z > profile.floor_mm
