"""A seed in, frames of a fall and their truth out: what a camera sees of a throw, 15 times a second."""

from dataclasses import dataclass, replace

import cv2
import numpy as np

from calibration.synth.falls import FALLS, FALLS_FPS, Fall, draw_fall, read_falls
from calibration.synth.layout import Pose
from calibration.synth.render import render_light, render_scene
from calibration.synth.sample import sample_scene
from calibration.synth.scene import Bytes, Floats, Options, Scene, Tray, floats
from calibration.synth.sensor import expose
from calibration.synth.throws import Throw

FPS = 15
_SIZE = (640, 480)
_BEFORE, _AFTER = 2, 8
"""Least number of frames before the first cube appears and after the last lies still."""
_MOUTH_MM = 60.0
"""Height above the tray's rim beyond which a cube is still in the tower."""
_FINER = 2
"""Supersampling factor: corners are rounded to whole pixels there, and a cube must not jump by one."""


@dataclass(frozen=True, slots=True)
class Film:
    """(H, W, 3) uint8 BGR frames, `FPS` a second."""

    frames: list[Bytes]
    motion_ends: int
    """Index of the first frame from which nothing moves."""
    label: dict[str, object]
    """Label of the last frame, as from `calibration.synth.render.render`."""


def render_film(seed: int, options: Options) -> Film:
    """Render the film of a seed: same seed, same options, same frames.

    The number, size and final places of the cubes come from the recorded fall, not from the options.
    """
    rng = np.random.default_rng(seed + 29)
    fall = draw_fall(rng, read_falls(FALLS), options.tray)
    width, height = options.size_px or _SIZE
    rest = fall.frames[-1]
    scene = sample_scene(seed, replace(options, size_px=(width, height)), rest)
    large_scene = sample_scene(seed, replace(options, size_px=(_FINER * width, _FINER * height)), rest)
    step = FALLS_FPS // FPS
    ends = fall.motion_ends
    shown = range(int(rng.integers(step)) - step * _BEFORE, ends + step * _AFTER, step)
    empty = _render_frame(large_scene, None)
    frames = [
        expose(_render_frame(large_scene, _frame_at(fall, i)) if i >= 0 else empty, scene.sensor, rng)
        for i in shown
    ]
    return Film(frames, sum(i < ends for i in shown), render_scene(scene, seed)[1])


def _frame_at(fall: Fall, number: int) -> Throw:
    return fall.frames[min(number, len(fall.frames) - 1)]


def _render_frame(scene: Scene, throw: Throw | None) -> Floats:
    """Light of the scene with the cubes of this frame; None if none has come out of the tower yet."""
    poses = throw.poses if throw is not None else ()
    cubes = tuple(
        replace(cube, centre_mm=pose.centre_mm, axes=pose.axes)
        for cube, pose in zip(scene.cubes, poses, strict=False)
        if _is_in_sight(pose, scene.tray)
    )
    width, height = scene.camera.size_px
    light = render_light(replace(scene, cubes=cubes))[0]
    return floats(cv2.resize(light, (width // _FINER, height // _FINER), interpolation=cv2.INTER_AREA))


def _is_in_sight(pose: Pose, tray: Tray) -> bool:
    x, y, z = (float(v) for v in pose.centre_mm)
    is_above_tray = cv2.pointPolygonTest(tray.outline()[:, None], (x, y), measureDist=False) > 0
    return is_above_tray and z < tray.wall_mm + _MOUTH_MM
