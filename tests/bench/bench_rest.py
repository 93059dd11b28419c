"""How often a tray at rest is taken for moving, and how often a slight move of a cube is noticed.

Rendered trays in any light: `python -m tests.bench.bench_rest -n 60 --size 640x480 --quality 45`.
"""

import argparse
import sys
from collections.abc import Iterator
from dataclasses import replace

import cv2
import numpy as np

from calibration.synth.render import render_light
from calibration.synth.sample import sample_scene
from calibration.synth.scene import Floats, Options, Scene, floats
from calibration.synth.sensor import expose
from tests.bench.rows import Row, size_px, table
from vision.settling.settle import Motion, SettleWatch

_SEED, _TRAYS = 62_000, 12
_FRAMES, _FRAME_MS = 40, 1000 / 15
_MOVED_MM = (0.4, 0.7, 1.2)
_SHAKEN_PX = (0.1, 0.2, 0.3)
"""Shift of the picture, in pixels at a width of 640."""
_FLICKER = (0.1, 0.2, 0.3)
"""Amplitude of a lamp's flicker, which a rolling shutter shows as moving bands."""


def run(
    trays: int = _TRAYS, size: tuple[int, int] = (640, 480), quality: int | None = None, seed: int = _SEED
) -> list[Row]:
    """Count frames taken for motion: of still, flickering and shaken pictures, and after a cube moved."""
    still: list[bool] = []
    restless: list[bool] = []
    shaken: dict[float, list[bool]] = {px: [] for px in _SHAKEN_PX}
    flickered: dict[float, list[bool]] = {share: [] for share in _FLICKER}
    moved: dict[float, list[bool]] = {mm: [] for mm in _MOVED_MM}
    for scene in _sample_scenes(range(seed, seed + trays), size, quality):
        rng = np.random.default_rng(scene.texture_seed)
        light = render_light(scene)[0]
        disturbed = _frames_taken_for_motion(scene, rng, [light] * _FRAMES)
        still += disturbed
        restless.append(any(disturbed))
        for share, seen in flickered.items():
            seen.append(any(_frames_taken_for_motion(scene, rng, _add_flicker(light, share, rng))))
        for px, seen in shaken.items():
            way = floats(rng.normal(0, px * size[0] / 640, 2))
            seen.extend(_frames_taken_for_motion(scene, rng, [light, _shift(light, way)]))
        for mm, seen in moved.items():
            seen.extend(
                _frames_taken_for_motion(scene, rng, [light, render_light(_move_one_cube(scene, rng, mm))[0]])
            )
    rows = [
        Row("rest", f"still frames, {size[0]} px wide, that disturb", _count_of_all(still), None),
        Row("rest", "trays with such a frame", _count_of_all(restless), None),
    ]
    rows += [
        Row("rest", f"a lamp flickers by {share:.0%}: trays with such a frame", _count_of_all(seen), None)
        for share, seen in flickered.items()
    ]
    rows += [
        Row("rest", f"shifted by {px} px, disturbs", _count_of_all(seen), None) for px, seen in shaken.items()
    ]
    return rows + [
        Row("rest", f"a cube {mm} mm on, seen", _count_of_all(seen), None) for mm, seen in moved.items()
    ]


def _sample_scenes(seeds: range, size: tuple[int, int], quality: int | None) -> Iterator[Scene]:
    for seed in seeds:
        scene = sample_scene(seed, Options(size_px=size))
        packed = scene.sensor.jpeg_quality if quality is None else quality
        if scene.cubes:
            yield replace(scene, sensor=replace(scene.sensor, jpeg_quality=packed))


def _frames_taken_for_motion(scene: Scene, rng: np.random.Generator, lights: list[Floats]) -> list[bool]:
    """Return for each frame but the first whether it is taken for motion."""
    watch = SettleWatch()
    seen = [
        watch.feed(expose(light, scene.sensor, rng), number * _FRAME_MS).motion
        for number, light in enumerate(lights)
    ]
    return [motion is Motion.MOVING for motion in seen[1:]]


def _add_flicker(light: Floats, share: float, rng: np.random.Generator) -> list[Floats]:
    """Frames with about two to four bands each, as with a lamp on mains power."""
    bands, speed = rng.uniform(1.5, 3.5), rng.uniform(0.3, 3)
    rows = np.linspace(0, 2 * np.pi * bands, len(light))[:, None, None]
    return [floats(light * floats(1 + share * np.sin(rows + speed * i))) for i in range(_FRAMES)]


def _shift(light: Floats, by_px: Floats) -> Floats:
    matrix = np.array([[1, 0, by_px[0]], [0, 1, by_px[1]]], np.float32)
    return floats(cv2.warpAffine(light, matrix, light.shape[1::-1], borderMode=cv2.BORDER_REPLICATE))


def _move_one_cube(scene: Scene, rng: np.random.Generator, by_mm: float) -> Scene:
    number, angle = int(rng.integers(len(scene.cubes))), rng.uniform(0, 2 * np.pi)
    cube = scene.cubes[number]
    moved_centre = floats(cube.centre_mm + by_mm * np.array([np.cos(angle), np.sin(angle), 0]))
    cubes = (*scene.cubes[:number], replace(cube, centre_mm=moved_centre), *scene.cubes[number + 1 :])
    return replace(scene, cubes=cubes)


def _count_of_all(seen: list[bool]) -> str:
    return f"{sum(seen)} of {len(seen)}"


def main() -> int:
    """Print the rows of the requested trays."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.bench_rest", description=__doc__)
    parser.add_argument("-n", type=int, default=_TRAYS, help="trays")
    parser.add_argument("--seed", type=int, default=_SEED, help="of the first; the next follow")
    parser.add_argument("--size", type=size_px, default=(640, 480), metavar="WxH", help="pixels (640x480)")
    parser.add_argument("--quality", type=int, help="of the camera's JPEG, 1 to 100; 62 to 95 otherwise")
    args = parser.parse_args()
    sys.stdout.write(table(run(args.n, args.size, args.quality, args.seed)) + "\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
