"""One table, many throws: camera, tray, lamps and dyes stay, cubes come and go."""

from collections.abc import Callable, Mapping
from dataclasses import replace

import numpy as np

from calibration.synth.layout import Pose, is_on_floor, sample_poses, upright_axes
from calibration.synth.render import render_scene
from calibration.synth.sample import sample_scene
from calibration.synth.scene import COLOURS, Box, Bytes, Floats, Options, Scene, floats
from calibration.synth.throws import draw_throw, read_throws
from calibration.synth.worn import sample_albedos

_APART_EDGES = 2.6
"""Distance between the centres of cubes that are laid out apart."""
_ON_FLOOR, _TOUCHES = 0.9, 1.3
"""Height of a centre, and distance of two seen from above, in edges: on its corner a cube's is 0.87."""


class StagedTable:
    """The table of a seed; each picture has its own noise."""

    def __init__(self, seed: int, options: Options) -> None:
        self._seed = seed
        self._options = options
        self._empty_scene: Scene = replace(sample_scene(seed, options), cubes=())

    @property
    def scene(self) -> Scene:
        """The scene without cubes."""
        return self._empty_scene

    def with_scene_change(self, change: Callable[[Scene], Scene]) -> "StagedTable":
        """Return this table after a change to its scene, with the same cubes."""
        later = StagedTable(self._seed, self._options)
        later._empty_scene = change(self._empty_scene)
        return later

    def render_empty(self) -> Bytes:
        """(H, W, 3) uint8 BGR picture of the empty tray."""
        return render_scene(self._empty_scene, self._seed)[0]

    def render_apart(self, colour: str, number: int) -> tuple[Bytes, dict[str, object]]:
        """Return picture and label of cubes of one colour laid out apart from each other."""
        return self._render_cubes([colour] * number, self.poses_apart(number), self._seed + number)

    def poses_apart(self, number: int) -> list[Pose]:
        """Return poses of `number` cubes laid out apart on the floor."""
        edge, tray = self._empty_scene.cube_mm, self._empty_scene.tray
        step = _APART_EDGES * edge
        rng = np.random.default_rng(self._seed + 11)
        poses = []
        for index in range(number):
            offset = np.array([(index - (number - 1) / 2) * step, step * (0.8 if index % 2 else -0.8)])
            x, y = offset + np.array(tray.centre_mm)
            centre = floats([x, y, edge / 2])
            poses.append(Pose(centre, upright_axes(float(rng.uniform(0, np.pi / 2)))))
        return poses

    def render_thrown(self, counts: Mapping[str, int], seed: int) -> tuple[Bytes, dict[str, object]]:
        """Return picture and label of cubes as they fall out of a tower.

        If the recorded throw fell into a different tray of the same shape, cubes that do not fit this one are
        left out, together with those that lay on them.
        """
        rng = np.random.default_rng(seed)
        wanted = [colour for colour, number in counts.items() for _ in range(number)]
        order = [wanted[i] for i in rng.permutation(len(wanted))]
        return self._render_cubes(order, self._fallen_poses(rng, len(order)), seed)

    def _fallen_poses(self, rng: np.random.Generator, number: int) -> list[Pose]:
        tray, edge = self._empty_scene.tray, self._empty_scene.cube_mm
        throws = () if self._options.throws is None else read_throws(self._options.throws)
        throw = draw_throw(rng, throws, shape=tray.shape, edge_mm=edge, number=number)
        if throw is None:
            return sample_poses(rng, tray, edge, number)
        shift = floats([*(np.array(tray.centre_mm) - throw.tray.centre_mm), 0])
        moved = [Pose(floats(pose.centre_mm + shift), pose.axes) for pose in throw.poses]
        return drop_unsupported([pose for pose in moved if is_on_floor(pose, tray, edge)], edge)

    def box(self, colour: str, pose: Pose) -> Box:
        """Return one cube in its colour's dye on this table; the dyes are drawn from the table's seed."""
        rng = np.random.default_rng(self._seed + 3)
        albedo = sample_albedos(rng, self._options.colours or COLOURS, self._options.plain)
        return self._dyed_box(colour, pose, albedo(colour))

    def _dyed_box(self, colour: str, pose: Pose, albedo: Floats) -> Box:
        return Box(
            name=colour,
            centre_mm=pose.centre_mm,
            size_mm=np.full(3, self._empty_scene.cube_mm, np.float32),
            axes=pose.axes,
            albedo=albedo,
            gloss=0.02,
        )

    def _render_cubes(
        self, colours: list[str], poses: list[Pose], seed: int
    ) -> tuple[Bytes, dict[str, object]]:
        rng = np.random.default_rng(self._seed + 3)
        albedo = sample_albedos(rng, self._options.colours or COLOURS, self._options.plain)
        cubes = tuple(
            self._dyed_box(colour, pose, albedo(colour)) for colour, pose in zip(colours, poses, strict=False)
        )
        return render_scene(replace(self._empty_scene, cubes=cubes), seed)


def drop_unsupported(poses: list[Pose], edge: float) -> list[Pose]:
    """Drop poses that nothing supports: neither the floor nor a lower cube that touches them."""
    kept: list[Pose] = []
    for pose in sorted(poses, key=lambda pose: float(pose.centre_mm[2])):
        offsets = np.array([pose.centre_mm - other.centre_mm for other in kept]).reshape(-1, 3)
        supports = (np.hypot(offsets[:, 0], offsets[:, 1]) < _TOUCHES * edge) & (offsets[:, 2] > edge / 4)
        if pose.centre_mm[2] < _ON_FLOOR * edge or supports.any():
            kept.append(pose)
    return kept
