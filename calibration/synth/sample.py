"""Sampling of a scene from a seed: lamps, table, tray, camera and throw; a caller may fix some of them."""

from collections.abc import Mapping
from dataclasses import replace
from typing import cast, get_args

import numpy as np

from calibration.synth.layout import sample_poses, upright_axes
from calibration.synth.lighting import sample_light, sample_shade
from calibration.synth.scene import (
    COLOURS,
    Box,
    Floats,
    LightName,
    Options,
    Plastic,
    Scene,
    Sensor,
    Shape,
    Tray,
    linear,
)
from calibration.synth.throws import Throw, draw_throw, read_throws
from calibration.synth.view import sample_camera
from calibration.synth.worn import sample_albedos

MOST_CUBES = 46


def sample_scene(seed: int, options: Options, throw: Throw | None = None) -> Scene:
    """Sample the scene of a seed; a given `throw` provides the tray and the cubes, in order."""
    rng = np.random.default_rng(seed)
    plain = options.plain
    names: tuple[LightName, ...] = ("daylight", "led") if plain else get_args(LightName)
    light = options.light or names[rng.integers(len(names))]
    mat = bool(rng.random() < 0.75) if options.mat is None else options.mat
    tray = _sample_tray(rng, options)
    throw = throw or _draw_recorded_throw(rng, options)
    tray = tray if throw is None else replace(throw.tray, plastic=tray.plastic)
    camera = sample_camera(rng, options, mat, tray)
    palette = options.colours or COLOURS
    if throw is None:
        edge = options.cube_mm or float(rng.choice([8.0, 8.0, 8.0, 10.0, 10.0, rng.uniform(7.5, 10.5)]))
        cube_colours = _sample_colours(rng, palette, options.counts)
        poses = sample_poses(rng, tray, edge, len(cube_colours), options.stacked)
    else:
        edge, poses = throw.edge_mm, list(throw.poses)
        cube_colours = _sample_colours(rng, palette, options.counts, len(poses))
    albedos = sample_albedos(rng, palette, plain)
    cubes = tuple(
        Box(
            name=colour,
            centre_mm=pose.centre_mm,
            size_mm=np.full(3, edge, np.float32),
            axes=pose.axes,
            albedo=albedos(colour),
            gloss=float(rng.uniform(0, 0.05)),
            bevel=float(rng.uniform(0.8, 1.4)),
        )
        for colour, pose in zip(cube_colours, poses, strict=False)
    )
    distractors = () if plain else _sample_distractor_names(rng)
    lamps, sky = sample_light(rng, light)
    others = (
        *(_sample_distractor(rng, name, tray) for name in distractors if name != "finger"),
        _sample_tower(rng, tray, float(camera.place_mm[2])),
    )
    return Scene(
        camera=camera,
        tray=tray,
        mat=mat,
        mat_albedo=float(rng.uniform(0.75, 0.9)),
        light=light,
        lamps=lamps,
        sky=sky,
        shade_mm=sample_shade(rng, light),
        cubes=cubes,
        cube_mm=edge,
        colours=tuple(palette),
        others=others,
        finger_mm=_sample_finger(rng, tray) if "finger" in distractors else None,
        table=str(rng.choice(["wood", "wood", "dark wood", "cloth", "plain"])),
        sensor=_sample_sensor(rng, light, max(camera.size_px), plain),
        texture_seed=int(rng.integers(1 << 31)),
        distractors=distractors,
    )


def _sample_tray(rng: np.random.Generator, options: Options) -> Tray:
    shape = options.tray or cast("Shape", rng.choice(["square", "square", "oval"]))
    width = float(rng.choice([170.0, rng.uniform(150, 178)]))
    depth = width if shape == "square" else float(rng.uniform(0.68, 1.0)) * width
    if shape == "square" and rng.random() < 0.25:
        depth = width * float(rng.uniform(0.8, 1.0))
    return Tray(
        shape=shape,
        plastic=options.plastic or cast("Plastic", rng.choice(["black", "clear"])),
        inner_mm=(width, depth),
        corner_mm=float(rng.uniform(12, 34)),
        wall_mm=float(rng.uniform(16, 38)),
        flare_mm=float(rng.uniform(1, 9)),
        rim_mm=float(rng.uniform(2, 9)),
        centre_mm=(float(rng.normal(0, 1.5)), float(rng.normal(0, 1.5))),
        yaw_rad=float(rng.normal(0, 0.012)),
    )


def _draw_recorded_throw(rng: np.random.Generator, options: Options) -> Throw | None:
    """Draw a recorded throw; None if the heap is to be made up."""
    if options.throws is None:
        return None
    number = None if options.counts is None else sum(options.counts.values())
    throws = read_throws(options.throws)
    return draw_throw(rng, throws, shape=options.tray, edge_mm=options.cube_mm, number=number)


def _sample_colours(
    rng: np.random.Generator,
    palette: Mapping[str, tuple[int, int, int]],
    counts: Mapping[str, int] | None,
    number: int | None = None,
) -> list[str]:
    """Return the colours of the cubes; of `number` cubes if no counts are given."""
    if counts is None:
        names = list(palette)
        present = rng.choice(names, rng.integers(1, len(names) + 1), replace=False)
        share = rng.dirichlet(np.full(len(present), 1.5))
        if number is None:
            number = int(rng.choice([rng.integers(0, 8), rng.integers(4, 20), rng.integers(12, MOST_CUBES)]))
        return [str(c) for c in rng.choice(present, number, p=share)]
    wanted = [colour for colour, number in counts.items() for _ in range(number)]
    return [wanted[i] for i in rng.permutation(len(wanted))]


def _sample_distractor_names(rng: np.random.Generator) -> tuple[str, ...]:
    names = ("die", "finger", "card", "chest", "orange-chest")
    return (str(rng.choice(names)),) if rng.random() < 0.4 else ()


def _sample_distractor(rng: np.random.Generator, name: str, tray: Tray) -> Box:
    size, colour = {
        "die": ((15, 15, 15), (240, 240, 235)),
        "card": ((63, 88, 1), tuple(int(v) for v in rng.integers(20, 230, 3))),
        "chest": ((14, 10, 10), (190, 150, 90)),
        "orange-chest": ((14, 10, 10), (220, 120, 30)),
    }[name]
    azimuth = rng.uniform(0, 2 * np.pi)
    direction = np.array([np.cos(azimuth), np.sin(azimuth)])
    reach = np.array(tray.inner_mm) / 2 + tray.rim_mm + tray.flare_mm
    distance = (
        min(reach / np.maximum(np.abs(direction), 1e-6)) + float(np.hypot(*size[:2])) / 2 + rng.uniform(2, 40)
    )
    return Box(
        name=name,
        centre_mm=np.array([*(direction * distance), size[2] / 2 - 1], np.float32),
        size_mm=np.array(size, np.float32),
        axes=upright_axes(float(rng.uniform(0, np.pi))),
        albedo=linear(colour),
        gloss=0.05,
    )


def _sample_tower(rng: np.random.Generator, tray: Tray, camera_mm: float) -> Box:
    """Sample the tower, never so tall that the camera is inside it."""
    size = np.array(
        [rng.uniform(70, 110), rng.uniform(50, 80), min(rng.uniform(120, 220), 0.6 * camera_mm)], np.float32
    )
    behind = tray.centre_mm[1] - tray.inner_mm[1] / 2 - tray.rim_mm - rng.uniform(-2, 20) - size[1] / 2
    colour = rng.choice([(40, 38, 36), (150, 125, 80), (120, 120, 100), (190, 160, 110)])
    return Box(
        name="tower",
        centre_mm=np.array([rng.normal(0, 6), behind, size[2] / 2], np.float32),
        size_mm=size,
        axes=upright_axes(float(rng.normal(0, 0.02))),
        albedo=linear(colour),
    )


def _sample_finger(rng: np.random.Generator, tray: Tray) -> Floats:
    side = rng.choice([-1.0, 1.0])
    edge = tray.inner_mm[0] / 2
    height = tray.wall_mm + 10
    tip = [side * (edge + rng.uniform(-12, 15)), rng.uniform(-60, 60), height]
    knuckle = [side * (edge + 130), tip[1] + rng.uniform(-60, 60), height + rng.uniform(0, 30)]
    return np.array([tip, knuckle], np.float32)


def _sample_sensor(rng: np.random.Generator, light: LightName, long_px: int, plain: bool) -> Sensor:
    scale = long_px / 1280
    if plain:
        return Sensor(1.0, np.ones(3, np.float32), 0.08, 0.7 * scale, 0.004, 0.6, 0.0, 92)
    noise = rng.uniform(0.008, 0.035) if light == "dim" else rng.uniform(0.002, 0.014)
    return Sensor(
        exposure=float(np.exp(rng.normal(-0.1 if light != "dim" else -0.45, 0.28))),
        balance=np.exp(rng.normal(0, 0.07, 3)).astype(np.float32),
        vignette=float(rng.uniform(0, 0.3)),
        blur_px=float(rng.choice([rng.uniform(0.45, 0.9), rng.uniform(0.8, 2.0)]) * scale),
        noise=float(noise),
        noise_px=float(rng.uniform(0.3, 0.9)),
        sharpen=float(rng.choice([0.0, rng.uniform(0, 0.6)])),
        jpeg_quality=int(rng.integers(62, 96)),
    )
