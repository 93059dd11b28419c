"""Many path-traced pictures of one table: the counterpart of `calibration.synth.staged`.

The tray is empty, holds five cubes of one colour apart from each other, as a calibration wants them, or a
throw. Light, tray, camera and dyes stay the same, and nobody reaches in.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from calibration.synth import Options
from calibration.synth.layout import Pose
from calibration.synth.scene import COLOURS, Bytes, Scene, floats
from calibration.synth.sensor import expose
from calibration.synth.staged import StagedTable
from calibration.traced.drop import drop_cubes
from calibration.traced.picture import draw_profile, render_light
from calibration.traced.stage import clear_scene, furnish
from calibration.traced.truth import scene_label
from calibration.traced.window import tray_window

_SIZES = ((960, 720), (1280, 960))
_CUBES_SHOWN = 5
_SMALL_THROW, _LARGE_THROW, _SMALL_SHARE = (3, 15), (12, 31), 0.7
"""Ranges of the number of cubes in small and large throws, end exclusive, and the share of small ones."""
_KINDS = (3, 6)
"""Range of the number of colours in a throw, end exclusive."""

Taken = tuple[Bytes, dict[str, object]]
"""(H, W, 3) uint8 BGR, label."""


def names(throws: int) -> list[str]:
    """Return the names of a table's pictures: `empty`, one for each colour, `t0`, `t1` … for the throws."""
    return ["empty", *COLOURS, *(f"t{number}" for number in range(throws))]


class TracedTable:
    """The table of a seed: two of each four have a mat, and every other is rendered 1280 px wide."""

    def __init__(self, seed: int, samples: int, threads: int) -> None:
        self._seed, self._samples, self._threads = seed, samples, threads
        self._staged = StagedTable(seed, Options(size_px=_SIZES[seed % 2], mat=bool(seed // 2 % 2)))
        self._bare: Scene = replace(self._staged.scene, finger_mm=None)
        self._profile = draw_profile(np.random.default_rng(seed + 13))

    def take(self, name: str) -> Taken:
        """Render the picture with one of `names`."""
        if name == "empty":
            return self._render((), (), self._seed)
        if name not in COLOURS:
            return self._take_throw(int(name.removeprefix("t")))
        floor_offset = floats([0, 0, self._profile.floor_mm])
        spread_poses = [
            Pose(floats(p.centre_mm + floor_offset), p.axes) for p in self._staged.poses_apart(_CUBES_SHOWN)
        ]
        return self._render([name] * _CUBES_SHOWN, spread_poses, self._seed + 100 + list(COLOURS).index(name))

    def _take_throw(self, number: int) -> Taken:
        seed = self._seed * 100 + number
        rng = np.random.default_rng(seed)
        cubes = int(rng.integers(*(_SMALL_THROW if rng.random() < _SMALL_SHARE else _LARGE_THROW)))
        kinds = [str(colour) for colour in rng.permutation(list(COLOURS))[: int(rng.integers(*_KINDS))]]
        wanted = [kinds[int(kind)] for kind in rng.integers(0, len(kinds), cubes)]
        clear_scene()
        poses = drop_cubes(rng, self._bare.tray, self._profile, self._bare.cube_mm, cubes)
        return self._render(wanted, poses, seed)

    def _render(self, colours: Sequence[str], poses: Sequence[Pose], seed: int) -> Taken:
        cubes = tuple(self._staged.box(colour, pose) for colour, pose in zip(colours, poses, strict=False))
        scene = replace(self._bare, cubes=cubes)
        clear_scene()
        furnish(
            np.random.default_rng(self._seed + 17),
            scene,
            self._profile,
            np.random.default_rng(self._seed + 99),
        )
        light = render_light(scene, tray_window(scene), self._samples, self._threads, seed, quick=True)
        return expose(light, scene.sensor, np.random.default_rng(seed + 7)), scene_label(scene, self._profile)
