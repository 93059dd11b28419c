"""Rendered tables with a solid thing held over the tray, unlike what the network learned from."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from calibration.synth import Options
from calibration.synth.layout import upright_axes
from calibration.synth.render import render_scene
from calibration.synth.sample import sample_scene
from calibration.synth.scene import Box, Scene, Tray, floats, linear
from calibration.synth.throws import THROWS
from vision.pictures import Picture

_COLOURS = (
    (25, 30, 60),
    (240, 240, 235),
    (30, 30, 32),
    (120, 40, 40),
    (200, 180, 150),
    (60, 90, 60),
    (90, 90, 95),
    (222, 170, 140),
)
"""sRGB colours of cloth, paper, leather and skin."""
_FLAT_MM = {"card": (63, 88, 1), "sheet": (210, 297, 1), "phone": (150, 75, 8)}
_ARM_MM = (300, 70, 55)
_PAINTED_LAST = "tower"
"""Name of what the renderer paints over everything else."""


@dataclass(frozen=True, slots=True)
class Staged:
    """The same table without and with a thing over the tray."""

    bare: Picture
    covered: Picture
    name: str
    """Name of what is over the tray."""
    hidden: int
    """Number of cubes that it hides."""


def stage_tables(seeds: range) -> Iterator[Staged]:
    """Yield the tables of the seeds, a third of them without a mat."""
    for seed in seeds:
        options = Options(size_px=(1280, 960), throws=THROWS, mat=bool(seed % 3))
        scene = replace(sample_scene(seed, options), finger_mm=None)
        name, thing = _draw_thing(np.random.default_rng(seed), scene.tray)
        yield render_pair(scene, seed, thing, name)


def render_pair(scene: Scene, seed: int, thing: Box, name: str = "thing") -> Staged:
    """Render a scene without and with a thing over it."""
    bare, before = render_scene(scene, seed)
    over, after = render_scene(replace(scene, others=(*scene.others, thing)), seed)
    return Staged(bare, over, name, _visible_count(before) - _visible_count(after))


def held_thing(
    place_mm: tuple[float, float, float],
    size_mm: tuple[float, float, float],
    turn_rad: float,
    srgb: tuple[float, ...],
) -> Box:
    """Return a box that a person holds, at a place from the mat's centre."""
    place, size = floats(np.array(place_mm)), floats(np.array(size_mm))
    return Box(_PAINTED_LAST, place, size, upright_axes(turn_rad), linear(srgb), gloss=0.03)


def _draw_thing(rng: np.random.Generator, tray: Tray) -> tuple[str, Box]:
    """Draw a thing and its name: an arm in two of five, else a card, a sheet or a phone."""
    srgb = _COLOURS[int(rng.integers(len(_COLOURS)))]
    name = str(rng.choice([*_FLAT_MM, "arm", "arm"]))
    turn = float(rng.uniform(0, 2 * np.pi))
    x, y = rng.uniform(-0.75, 0.75, 2) * np.array(tray.inner_mm) / 2
    high = tray.wall_mm + float(rng.uniform(5, 40))
    if name != "arm":
        return name, held_thing((x, y, high), _FLAT_MM[name], turn, srgb)
    along = _ARM_MM[0] / 2 * np.array([np.cos(turn), np.sin(turn)])  # so that its hand is over the tray
    return name, held_thing((x + along[0], y + along[1], high + 25), _ARM_MM, turn, srgb)


def _visible_count(truth: dict[str, object]) -> int:
    counts = truth["visible_counts"]
    assert isinstance(counts, dict)
    return int(sum(counts.values()))
