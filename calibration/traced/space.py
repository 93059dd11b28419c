"""Convert the mat's millimetres (x right, y towards the person, z up) to Blender's right-handed world."""

import numpy as np

from calibration.synth.scene import Camera, Floats, floats
from calibration.synth.view import focal_px

MM = 0.1
"""World units per millimetre: one unit is a centimetre."""
_FLIP = np.diag([1, -1, 1, 1]).astype(np.float32)


def points_to_world(points_mm: Floats) -> Floats:
    """Convert (N, 3) points in mm to world units."""
    return floats(points_mm * np.array([MM, -MM, MM], np.float32))


def to_world(frame: Floats) -> Floats:
    """Convert a (4, 4) frame, axes as columns and position in mm, to the world."""
    out = _FLIP @ frame @ _FLIP
    out[:3, 3] *= MM
    return floats(out)


def from_world(frame: Floats) -> Floats:
    """Convert a world frame back; scale stays in the axes."""
    out = _FLIP @ frame @ _FLIP
    out[:3, 3] /= MM
    return floats(out)


def camera_to_world(camera: Camera) -> Floats:
    """Return the (4, 4) world frame of a camera that looks along its own -z with y up, as Blender's do."""
    focal = focal_px(camera.size_px, camera.hfov_deg)
    width, height = camera.size_px
    inner = np.array([[focal, 0, (width - 1) / 2], [0, focal, (height - 1) / 2], [0, 0, 1]])
    right, down, forward = np.linalg.inv(inner) @ camera.matrix[:, :3]
    out = np.eye(4, dtype=np.float32)
    for column, axis in enumerate((right, -down, -forward)):
        out[:3, column] = axis * np.array([1, -1, 1]) / np.linalg.norm(axis)
    out[:3, 3] = points_to_world(camera.place_mm[None])[0]
    return out
