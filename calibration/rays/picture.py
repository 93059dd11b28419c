"""Path-trace the picture of a seed, with its ground truth: `calibration.traced.picture` without Blender."""

from dataclasses import replace

import cv2
import numpy as np

from calibration.rays.build import Tracer, trace
from calibration.rays.staged import Table, stage_scene
from calibration.synth.sample import sample_scene
from calibration.synth.scene import Bytes, Options, floats
from calibration.synth.sensor import expose
from calibration.traced.shapes import Profile
from calibration.traced.truth import scene_label
from calibration.traced.window import tray_window

_COARSE_STEP, _COARSE_SAMPLES = 2, 4
"""Pixel step and paths per pixel for the surroundings of the tray."""
_BOUNCES = 1
"""Bounces between surfaces, after the first that a path meets."""


def trace_picture(
    library: Tracer, seed: int, options: Options, table: Table, samples: int
) -> tuple[Bytes, dict[str, object]]:
    """Return ((H, W, 3) uint8 BGR, label) of a seed; `samples`: paths per pixel. Raises `TracerError`."""
    rng = np.random.default_rng(seed + 17)
    profile = Profile(float(rng.uniform(1.0, 2.5)), float(rng.uniform(2, 8)))
    sketch = sample_scene(seed, options)
    floor = floats([0, 0, profile.floor_mm])
    cubes = tuple(replace(box, centre_mm=floats(box.centre_mm + floor)) for box in sketch.cubes)
    scene = replace(sketch, cubes=cubes)
    converted = stage_scene(rng, scene, profile, table)
    width, height = scene.camera.size_px
    coarse = trace(
        library,
        converted,
        (0, 0, width, height),
        samples=_COARSE_SAMPLES,
        seed=seed + 1,
        step=_COARSE_STEP,
        bounces=_BOUNCES,
    )
    light = floats(cv2.resize(coarse, (width, height)))
    left, top, right, bottom = tray_window(scene)
    light[top:bottom, left:right] = trace(
        library, converted, (left, top, right, bottom), samples=samples, seed=seed, bounces=_BOUNCES
    )
    picture = expose(light, scene.sensor, np.random.default_rng(seed + 7))
    return picture, scene_label(scene, profile)
