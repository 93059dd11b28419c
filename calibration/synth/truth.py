"""The truth of a picture in the format of `labels.json` (see docs/evaluate.md)."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from calibration.synth.scene import Box, Floats, Scene
from vision.scene.mat import MARKER_CENTRES_MM, marker_corners_mm

COUNTED = 0.15
"""A cube counts as visible if at least this share of its silhouette can be seen."""


@dataclass(frozen=True, slots=True)
class SeenBox:
    """A cube, its outline in the picture, and its visible share."""

    box: Box
    outline_px: Floats
    visible: float


def label(scene: Scene, seen: Sequence[SeenBox], floor_mm: float = 0.0) -> dict[str, object]:
    """Return the JSON object of one picture, without its file name.

    `floor_mm` is the height of the tray's floor, from which the heights of cubes are measured.
    """
    camera = scene.camera
    counts = dict.fromkeys(scene.colours, 0)
    visible = dict(counts)
    for cube in seen:
        counts[cube.box.name] += 1
        visible[cube.box.name] += cube.visible >= COUNTED
    return {
        "tray": scene.tray.shape,
        "plastic": scene.tray.plastic,
        "mat": scene.mat,
        "cube_mm": scene.cube_mm,
        "light": scene.light,
        "distractors": list(scene.distractors),
        "width": camera.size_px[0],
        "height": camera.size_px[1],
        "hfov_deg": round(camera.hfov_deg, 2),
        "tilt_deg": round(camera.tilt_deg, 1),
        "inner_mm": [round(v, 1) for v in scene.tray.inner_mm],
        "counts": counts,
        "visible_counts": visible,
        "hidden": sum(cube.visible < COUNTED for cube in seen),
        "cubes": [_cube_json(cube, scene, floor_mm) for cube in seen],
        "markers": _markers_json(scene) if scene.mat else {},
        "floor": _points_json(camera.project(_floor_corners())),
    }


def _cube_json(cube: SeenBox, scene: Scene, floor_mm: float) -> dict[str, object]:
    centre = scene.camera.project(cube.box.centre_mm[None])
    return {
        "colour": cube.box.name,
        "centre": _points_json(centre)[0],
        "polygon": _points_json(cube.outline_px),
        "visible": round(cube.visible, 2),
        "height_mm": round(float(cube.box.centre_mm[2]) - floor_mm, 1),
    }


def _markers_json(scene: Scene) -> dict[str, object]:
    corners: dict[str, object] = {}
    for marker in range(len(MARKER_CENTRES_MM)):
        flat = np.array([(*corner, 0.0) for corner in marker_corners_mm(marker)], np.float32)
        corners[str(marker)] = _points_json(scene.camera.project(flat))
    return corners


def _floor_corners() -> Floats:
    """Corners of a 100 mm square about the mat's centre, which define the plane with or without a mat."""
    return np.array([(-50, -50, 0), (50, -50, 0), (50, 50, 0), (-50, 50, 0)], np.float32)


def _points_json(points: Floats) -> list[list[float]]:
    return [[round(float(x), 1), round(float(y), 1)] for x, y in points]
