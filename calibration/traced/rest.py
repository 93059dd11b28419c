"""Which of the resting cubes lie in the tray. No Blender in here."""

from collections.abc import Sequence

import cv2
import numpy as np

from calibration.synth.layout import Pose
from calibration.synth.scene import Tray
from calibration.traced.shapes import Profile

_REACH = 1.8
"""Distance within which two cubes may touch, centre to centre, in cube edges: above the diagonal, 1.73."""


def select_in_tray(poses: Sequence[Pose], tray: Tray, profile: Profile, edge_mm: float) -> list[Pose]:
    """Return the cubes over the tray's opening, no higher than a cube above the rim, and not on the chute."""
    candidates = [
        p for p in poses if _is_over_floor(p, tray, profile) and p.centre_mm[2] < tray.wall_mm + edge_mm
    ]
    return [pose for pose in candidates if not _hangs_on_chute(pose, candidates, profile, edge_mm)]


def _hangs_on_chute(pose: Pose, poses: Sequence[Pose], profile: Profile, edge_mm: float) -> bool:
    """Whether a cube can only be held by the chute, which no picture shows: it is still in the tower."""
    lowest = pose.centre_mm[2] - np.abs(pose.axes[:, 2]).sum() * edge_mm / 2 - profile.floor_mm
    near = (np.linalg.norm(other.centre_mm - pose.centre_mm) < _REACH * edge_mm for other in poses)
    return bool(lowest > profile.fillet_mm / 2 + edge_mm / 2 and sum(near) < 2)  # it counts itself


def _is_over_floor(pose: Pose, tray: Tray, profile: Profile) -> bool:
    """Whether a cube's centre is over the opening and the floor: one in thirty thousand falls through."""
    x, y, z = (float(v) for v in pose.centre_mm)
    is_over_opening = cv2.pointPolygonTest(tray.outline()[:, None], (x, y), measureDist=False) > 0
    return is_over_opening and z > profile.floor_mm
