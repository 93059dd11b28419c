"""The part of the picture that needs many paths: the tray with what lies in it."""

import numpy as np

from calibration.synth.scene import Scene, floats

_AROUND_MM = 4.0
_HEAP = 2.5
"""Cubes that may lie on one another, in edges."""


def tray_window(scene: Scene) -> tuple[int, int, int, int]:
    """Left, top, right, bottom in px, the last two excluded: floor, walls and heap, within the picture."""
    ring = scene.tray.outline(scene.tray.rim_mm + _AROUND_MM)
    heights = (0.0, scene.tray.wall_mm, _HEAP * scene.cube_mm)
    seen = np.concatenate(
        [scene.camera.project(floats([(x, y, height) for x, y in ring])) for height in heights]
    )
    width, height = scene.camera.size_px
    left, top = np.clip(np.floor(seen.min(axis=0)), 0, (width - 2, height - 2))
    right, bottom = np.clip(np.ceil(seen.max(axis=0)) + 1, (left + 2, top + 2), (width, height))
    return int(left), int(top), int(right), int(bottom)
