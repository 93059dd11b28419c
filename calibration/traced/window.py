"""The part of a picture that needs several paths a pixel: the tray and its heap, or a half hidden cube."""

import numpy as np

from calibration.synth.scene import Camera, Floats, Scene, floats
from calibration.traced.seen import visible_shares

Window = tuple[int, int, int, int]
"""Left, top, right, bottom in px, the last two exclusive."""

_AROUND_MM = 4.0
_HEAP_EDGES = 2.5
"""Height of a heap above the mat, in cube edges."""
_STACK_REACH = 4.0
"""Surroundings of a stack that the closer look may see, in cube edges."""
_HALF_HIDDEN = (0.15, 0.75)
"""Range of a cube's visible share in which there is something to learn from its stack."""


def tray_window(scene: Scene) -> Window:
    """Return the window around floor, walls and heap, clipped to the picture."""
    ring = scene.tray.outline(scene.tray.rim_mm + _AROUND_MM)
    heights = (0.0, scene.tray.wall_mm, _HEAP_EDGES * scene.cube_mm)
    return _bounding_window(scene.camera, floats([(x, y, height) for height in heights for x, y in ring]))


def stack_window(scene: Scene) -> Window | None:
    """Return the window around the first half hidden cube; None if all are visible or hidden."""
    least, most = _HALF_HIDDEN
    seen = visible_shares(scene.cubes, (), scene.camera, None, None)
    hidden = [box for box, share in zip(scene.cubes, seen, strict=True) if least <= share <= most]
    if not hidden:
        return None
    reach = _STACK_REACH * scene.cube_mm
    sides = [(x, y, 0) for x in (-reach, reach) for y in (-reach, reach)]
    return _bounding_window(scene.camera, floats(hidden[0].centre_mm + floats(sides)))


def _bounding_window(camera: Camera, places_mm: Floats) -> Window:
    seen = camera.project(places_mm)
    width, height = camera.size_px
    left, top = np.clip(np.floor(seen.min(axis=0)), 0, (width - 2, height - 2))
    right, bottom = np.clip(np.ceil(seen.max(axis=0)) + 1, (left + 2, top + 2), (width, height))
    return int(left), int(top), int(right), int(bottom)
