"""The tray: floor, fillet, walls and rim in black or clear plastic, with the lamps' glare on them."""

from itertools import pairwise

import cv2
import numpy as np

from calibration.synth.ground import bounding_slices, fill, hull, mask_of
from calibration.synth.lighting import lambert
from calibration.synth.scene import Box, Floats, Lamp, Scene, floats

_FILLET = ((0.0, 0.0), (0.35, 0.06), (0.6, 0.2), (0.8, 0.5), (1.0, 1.0))
"""Wall profile from floor to rim: share of the flare, share of the height."""


class Dish:
    """One tray in one scene, drawn in order: floor on the table, walls, lamps reflected in the floor."""

    def __init__(self, scene: Scene) -> None:
        rng = np.random.default_rng(scene.texture_seed + 1)
        self._scene = scene
        self._black = scene.tray.plastic == "black"
        self._black_albedo = (rng.uniform(0.008, 0.03) * np.exp(rng.normal(0, 0.06, 3))).astype(np.float32)
        self._transmission = float(rng.uniform(0.78, 0.95))
        self._haze = float(rng.uniform(0.0, 0.05))
        self._shine = float(np.exp(rng.uniform(np.log(0.01), np.log(0.4))))
        self._exponent = float(np.exp(rng.uniform(np.log(8), np.log(300))))
        ripples = np.tile(rng.normal(0, 1, (8, 72)).astype(np.float32), 3)  # tripled: no seam
        smooth = floats(cv2.GaussianBlur(ripples, (0, 0), 2.5, None, 0.6)[:, 72:144])
        self._streaks = smooth / smooth.std()
        self.opening_px = self._ring(0.0, scene.tray.wall_mm)
        self._region = bounding_slices(self._outer_outline(), scene.camera.size_px)
        self._floor_mask = mask_of(self._ring(-scene.tray.flare_mm, 0), scene.camera.size_px)
        self._walls_mask = mask_of(self._outer_outline(), scene.camera.size_px) & ~self._floor_mask
        if self._black:
            self._floor_mask &= mask_of(self.opening_px, scene.camera.size_px)

    @property
    def is_opaque(self) -> bool:
        """Whether the walls hide what is behind them."""
        return self._black

    @property
    def floor_albedo(self) -> Floats:
        """(3,) albedo of the floor, for light that bounces to the cubes."""
        if self._black:
            return self._black_albedo
        return np.full(3, 0.6 if self._scene.mat else 0.25, np.float32)

    @property
    def wall_light(self) -> Floats:
        """(3,) light that comes sideways from the walls."""
        return self._scene.sky * np.float32(0.25 if self._black else 0.7)

    def draw_floor(self, albedo: Floats) -> None:
        """Draw the floor's own colour into the albedo map, before light falls on it."""
        region = self._region
        if self._black:
            albedo[region][self._floor_mask[region] > 0] = self._black_albedo
        else:
            inside = mask_of(self._outer_outline(), self._scene.camera.size_px)[region] > 0
            albedo[region][inside] *= self._transmission

    def draw_walls(self, picture: Floats) -> None:
        """Draw the parts of the tray that are not flat floor."""
        scene, tray = self._scene, self._scene.tray
        size = scene.camera.size_px
        layer = self._copy_region(picture)
        if self._black:
            [rim] = self._shade_plastic(np.array([[0, 1, 0.2]], np.float32), np.zeros(1, np.float32)).tolist()
            fill(layer, self._outer_outline(), tuple(rim))
        inner = self._copy_region(layer)
        for level, (below, above) in enumerate(pairwise(_FILLET)):
            self._draw_band(inner, level, below, above)
        if self._black:
            cv2.copyTo(picture, self._floor_mask, inner)
            cv2.copyTo(inner, mask_of(self.opening_px, size), layer)
        else:
            layer = inner
        rim = [self._ring(g * tray.rim_mm, tray.wall_mm) for g in (0.0, 0.5, 1.0)]
        for level, (low, high) in enumerate(pairwise(rim)):
            self._draw_quads(layer, 4 + level, low, high, lean=-0.9 if level == 0 else 0.9)
        alpha = 1.0 if self._black else 0.55
        seen = picture[self._region]
        seen += (layer[self._region] - seen) * np.float32(alpha)

    def _copy_region(self, picture: Floats) -> Floats:
        """Copy the tray's part; the rest of the array is uninitialised, since nothing is drawn there."""
        copied = np.empty_like(picture)
        copied[self._region] = picture[self._region]
        return copied

    def _draw_band(
        self, layer: Floats, level: int, below: tuple[float, float], above: tuple[float, float]
    ) -> None:
        tray = self._scene.tray
        rings = [self._ring((g - 1) * tray.flare_mm, z * tray.wall_mm) for g, z in (below, above)]
        rise = (above[1] - below[1]) * tray.wall_mm
        run = (above[0] - below[0]) * tray.flare_mm + 0.3
        self._draw_quads(layer, level, rings[0], rings[1], lean=-rise / run)

    def _draw_quads(self, layer: Floats, level: int, inner: Floats, outer: Floats, lean: float) -> None:
        """Draw a ring of facets; `lean` is how far their normals tip outwards (inwards if negative)."""
        outline = self._scene.tray.outline()
        outwards = outline - np.array(self._scene.tray.centre_mm, np.float32)
        outwards /= np.linalg.norm(outwards, axis=1, keepdims=True)
        streaks = self._streaks[level % len(self._streaks)]
        normals = np.concatenate([outwards * lean, np.ones((len(outwards), 1), np.float32)], axis=1)
        colours = self._shade_plastic(normals, streaks).tolist()
        for i, colour in enumerate(colours):
            j = (i + 1) % len(inner)
            fill(layer, np.array([inner[i], inner[j], outer[j], outer[i]]), tuple(colour))

    def _shade_plastic(self, normals: Floats, streaks: Floats) -> Floats:
        """(N, 3) light from facets with (N, 3) normals: a matt part and the reflected lamps."""
        scene = self._scene
        unit_normals = floats(normals / np.linalg.norm(normals.astype(float), axis=1, keepdims=True))
        centre = np.array([[*scene.tray.centre_mm, scene.tray.wall_mm / 2]], np.float32)
        light = scene.sky * (0.35 + 0.4 * unit_normals[:, 2:])
        shine = scene.sky * np.float32(0.02)
        for lamp in scene.lamps:
            light = light + lamp.colour * lambert(lamp, centre, unit_normals) * 0.7
            shine = shine + lamp.colour * self._highlight(
                lamp, centre, unit_normals, min(self._exponent, 40.0)
            )
        if self._black:
            return floats(light * self._black_albedo + shine * self._shine * 0.6)
        # what a clear wall refracts into view: bright room or dark corner
        refracted = floats(np.clip(0.35 + 0.3 * streaks.astype(float), 0.02, 1.2))[:, None]
        return floats((scene.sky + light) * refracted + shine)

    def draw_glare(self, picture: Floats) -> None:
        """Draw the lamps reflected in the floor: a haze on rough plastic, a disc on smooth."""
        scene = self._scene
        size = scene.camera.size_px
        step = 8
        small = (size[0] // step, size[1] // step)
        y, x = np.mgrid[0 : small[1], 0 : small[0]].astype(np.float32) * step + (step - 1) / 2
        homogeneous = np.stack([x, y, np.ones_like(x)], -1) @ np.linalg.inv(scene.camera.plane(0)).T
        points = np.concatenate(
            [homogeneous[..., :2] / homogeneous[..., 2:], np.zeros_like(homogeneous[..., :1])], -1
        )
        points = points.astype(np.float32)
        up = np.array([0, 0, 1], np.float32)
        light = np.zeros((*small[::-1], 3), np.float32)
        for lamp in scene.lamps:
            if self._black:
                light += lamp.colour * self._highlight(lamp, points, up, self._exponent) * self._shine
            else:
                light += lamp.colour * self._mirrored_disc(lamp, points) * (self._shine * 2.5)
        if self._black:
            light += scene.sky * np.float32(self._shine * 0.05)
        else:
            light += scene.sky * np.float32(self._haze)
        grown = cv2.resize(light, size, interpolation=cv2.INTER_LINEAR)
        seen = picture[self._region]
        cv2.add(seen, grown[self._region], seen, self._floor_mask[self._region])

    def _highlight(self, lamp: Lamp, points: Floats, normals: Floats, exponent: float) -> Floats:
        """(..., 1) Blinn-Phong highlight, widened by a wide lamp."""
        to_lamp = lamp.place_mm - points
        to_eye = self._scene.camera.place_mm - points
        to_lamp = to_lamp / np.linalg.norm(to_lamp, axis=-1, keepdims=True)
        to_eye = to_eye / np.linalg.norm(to_eye, axis=-1, keepdims=True)
        half = to_lamp + to_eye
        half = half / np.linalg.norm(half, axis=-1, keepdims=True)
        power = 1 / (1 / exponent + (lamp.radius_mm / float(np.linalg.norm(lamp.place_mm))) ** 2)
        shine = np.maximum((half * normals).sum(-1, keepdims=True), 0) ** power
        return floats(shine)

    def _mirrored_disc(self, lamp: Lamp, points: Floats) -> Floats:
        """(..., 1) the lamp's disc mirrored in a smooth floor."""
        mirrored = lamp.place_mm * np.array([1, 1, -1], np.float32)
        eye = self._scene.camera.place_mm
        ray = points - eye
        share = (mirrored[2] - eye[2]) / ray[..., 2:]
        hit = eye + ray * share
        distance = np.linalg.norm((hit - mirrored)[..., :2], axis=-1, keepdims=True)
        soft = 0.04 * float(np.linalg.norm(lamp.place_mm))
        return floats(np.clip((lamp.radius_mm * 1.5 - distance) / soft + 0.5, 0, 1))

    def draw_ghost(self, picture: Floats, cube: Box, light: Floats) -> None:
        """Draw the squeezed reflection of a cube in a near clear wall; it must never be counted."""
        if self._black:
            return
        tray = self._scene.tray
        outline = tray.outline(-tray.flare_mm)
        distances = np.linalg.norm(outline - cube.centre_mm[:2], axis=1)
        nearest = int(distances.argmin())
        if distances[nearest] > 4 * float(cube.size_mm[0]):
            return
        outwards = outline[nearest] - np.array(tray.centre_mm, np.float32)
        outwards /= np.linalg.norm(outwards)
        corners = cube.corners()
        across = (corners[:, :2] - outline[nearest]) @ outwards
        corners[:, :2] += outwards * (-across - across * 0.25 + 1.5)[:, None]
        corners[:, 2] = corners[:, 2] * 0.8 + 0.3 * tray.wall_mm
        size = self._scene.camera.size_px
        shape = hull(self._scene.camera.project(corners))
        region = bounding_slices(shape, size)
        inside = (mask_of(shape, size)[region] & self._walls_mask[region]) > 0
        strength = float(0.3 + 0.5 * abs(self._streaks[0, nearest]) / 2)
        seen = picture[region]
        seen[inside] += (cube.albedo * light * 0.7 - seen[inside]) * np.float32(min(strength, 0.85))

    def _ring(self, grow_mm: float, z_mm: float) -> Floats:
        """(N, 2) px outline of the opening, grown by `grow_mm`, at height `z_mm`."""
        outline = self._scene.tray.outline(grow_mm)
        raised = np.concatenate([outline, np.full((len(outline), 1), z_mm, np.float32)], axis=1)
        return self._scene.camera.project(raised)

    def _outer_outline(self) -> Floats:
        tray = self._scene.tray
        return hull(np.concatenate([self._ring(tray.rim_mm, tray.wall_mm), self._ring(0, -1)]))
