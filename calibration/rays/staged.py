"""Convert a scene of `calibration.synth` to the tracer's form: boxes, triangles, lamps, materials."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from calibration.rays.build import Staged
from calibration.synth.scene import Box, Floats, Lamp, Scene, floats
from calibration.traced import surfaces
from calibration.traced.shapes import FINGER_MM, Mesh, Profile, cap_radius, finger_mesh, tray_mesh

_TABLE_Z = -0.3
_MIRROR = 0.04
"""Share of light at normal incidence that paint, skin and plastic reflect specularly."""
_ROOT = 255.0


@dataclass(frozen=True, slots=True)
class Table:
    """What the tray stands on; drawn once for many pictures, since that takes as long as a picture."""

    name: str
    roots: npt.NDArray[np.uint8]
    rough: float

    @classmethod
    def draw(cls, rng: np.random.Generator) -> "Table":
        """Draw a random table."""
        name, albedo, rough = surfaces.table(rng)
        return cls(name, encode_albedo(albedo), rough)


def encode_albedo(albedo: Floats) -> npt.NDArray[np.uint8]:
    """Encode albedos in 8 bits as square roots, finer in the dark."""
    return np.asarray(np.sqrt(np.clip(albedo, 0, 1)) * _ROOT + 0.5, np.uint8)


@dataclass(slots=True)
class _Things:
    """The rows of the scene, collected thing by thing."""

    materials: list[list[float]] = field(default_factory=list)
    boxes: list[list[float]] = field(default_factory=list)
    corners: list[Floats] = field(default_factory=list)
    normals: list[Floats] = field(default_factory=list)
    triangles: list[npt.NDArray[np.int32]] = field(default_factory=list)

    def add_material(
        self,
        albedo: npt.ArrayLike,
        rough: float,
        *,
        mirror: float = _MIRROR,
        grain: float = 0.0,
        grime: tuple[float, float] = (1.0, 1.0),
        clear: tuple[float, Floats] | None = None,
    ) -> int:
        """Add a material; return its index.

        `grime`: share of the albedo left in dirt, and the size of its spots in mm; `clear`: refractive index
        and transmittance.
        """
        index, transmittance = (1.0, np.zeros(3)) if clear is None else clear
        self.materials.append(
            [
                *np.asarray(albedo, float),
                rough,
                mirror,
                grain,
                *grime,
                float(clear is not None),
                index,
                *transmittance,
                0.0,
            ]
        )
        return len(self.materials) - 1

    def add_box(self, box: Box, radius: float, material: int) -> None:
        size = min(radius, 0.9 * cap_radius(box.size_mm))
        self.boxes.append([*box.centre_mm, *(box.size_mm / 2), *box.axes.ravel(), size, material])

    def add_mesh(self, mesh: Mesh, material: int) -> None:
        """Add a mesh of triangles and larger faces, all of the same orientation."""
        faces = [(f[0], f[i], f[i + 1]) for f in mesh.faces for i in range(1, len(f) - 1)]
        triangles = np.array(faces, np.int32)
        corners = mesh.corners_mm.astype(float)
        a, b, c = (corners[triangles[:, k]] for k in range(3))
        face_normals = np.cross(b - a, c - a)
        if float((face_normals * a).sum()) < 0:  # six times the volume: positive if the faces point outwards
            triangles, face_normals = triangles[:, ::-1], -face_normals
        normals = np.zeros_like(corners)
        for k in range(3):
            np.add.at(normals, triangles[:, k], face_normals)
        normals /= np.linalg.norm(normals, axis=1, keepdims=True) + 1e-12
        before = sum(len(array) for array in self.corners)
        numbers = np.full((len(triangles), 1), material, np.int32)
        self.triangles.append(np.concatenate([triangles + np.int32(before), numbers], 1))
        self.corners.append(floats(corners))
        self.normals.append(floats(normals))


def stage_scene(rng: np.random.Generator, scene: Scene, profile: Profile, table: Table) -> Staged:
    """Convert all that the camera can see and the lights."""
    things = _Things()
    things.add_mesh(
        tray_mesh(scene.tray, profile), _add_plastic(rng, things, black=scene.tray.plastic == "black")
    )
    _add_cubes(rng, things, scene.cubes)
    for box in scene.others:
        grain = 0.3 if box.name == "tower" else 0.0
        material = things.add_material(box.albedo, float(rng.uniform(0.3, 0.8)), grain=grain)
        things.add_box(box, 2.0 if box.name == "die" else 0.4, material)
    if scene.finger_mm is not None:
        skin = np.array([0.2, 0.3, 0.55]) * rng.uniform(0.35, 1.15) * np.exp(rng.normal(0, 0.06, 3))
        things.add_mesh(finger_mesh(scene.finger_mm, FINGER_MM), things.add_material(skin, 0.5, grain=0.4))
    lamps = [_lamp_row(rng, lamp) for lamp in scene.lamps]
    shades = [_occluder_row(polygon, soft, scene.lamps[0]) for polygon, soft in scene.shade_mm if scene.lamps]
    camera = scene.camera
    return Staged(
        boxes=floats(things.boxes).reshape(-1, 17),
        lamps=floats(lamps).reshape(-1, 13),
        shades=floats(shades).reshape(-1, 12),
        materials=floats(things.materials),
        corners=np.concatenate(things.corners),
        normals=np.concatenate(things.normals),
        triangles=np.concatenate(things.triangles),
        table=table.roots,
        table_mm=surfaces.TABLE_MM,
        table_z=_TABLE_Z,
        table_rough=table.rough,
        mat=encode_albedo(surfaces.printed_mat(scene, 4.0)) if scene.mat else None,
        mat_mm=(297.0, 210.0),
        mat_rough=float(rng.uniform(0.5, 0.95)),
        room=surfaces.room(rng, scene.sky),
        to_ray=floats(np.linalg.inv(camera.matrix[:, :3].astype(float))),
        eye=camera.place_mm,
    )


def _add_plastic(rng: np.random.Generator, things: _Things, *, black: bool) -> int:
    """Add the tray's plastic, as in `calibration.traced.materials`; return its index."""
    if black:
        ink = rng.uniform(0.006, 0.03) * np.exp(rng.normal(0, 0.06, 3))
        rough = float(rng.choice([rng.uniform(0.08, 0.3), rng.uniform(0.25, 0.6)]))
        return things.add_material(ink, rough, grain=float(rng.choice([0.0, rng.uniform(0.05, 0.5)])))
    tint = np.minimum(rng.uniform(0.96, 1.0) * np.exp(rng.normal(0, 0.01, 3)), 1)
    rough = float(rng.choice([0.0, rng.uniform(0.0, 0.12)]))
    transmittance = np.full(3, rng.uniform(0.72, 0.96))
    return things.add_material(tint, rough, clear=(float(rng.uniform(1.45, 1.58)), floats(transmittance)))


def _add_cubes(rng: np.random.Generator, things: _Things, cubes: Sequence[Box]) -> None:
    """Add cubes of dyed wood: worn edges, matt to glossy, grime that depends on the position."""
    radius = float(rng.uniform(0.15, 0.7))
    mirror = 0.08 * float(rng.uniform(0.2, 0.6))
    grime = (float(rng.uniform(0.75, 1.0)), 10 / float(rng.uniform(3, 14)))
    shine = float(rng.choice([rng.uniform(0.2, 0.45), rng.uniform(0.4, 0.9)]))
    for cube in cubes:
        rough = float(np.clip(shine + rng.normal(0, 0.05), 0.1, 1))
        things.add_box(cube, radius, things.add_material(cube.albedo, rough, mirror=mirror, grime=grime))


def _lamp_row(rng: np.random.Generator, lamp: Lamp) -> list[float]:
    """Return a disc lamp, or a window of the same area, that faces the mat's centre."""
    disc, wide, high = True, lamp.radius_mm, lamp.radius_mm
    if lamp.radius_mm > 60 and rng.random() < 0.5:
        stretch = float(rng.uniform(0.6, 1.6))
        disc, wide, high = False, 0.885 * lamp.radius_mm * stretch, 0.885 * lamp.radius_mm / stretch
    place = lamp.place_mm.astype(float)
    distance = float(np.linalg.norm(place))
    side = np.cross([0.3, 1.0, 0.1], place / distance)
    side /= np.linalg.norm(side)
    down = np.cross(place / distance, side)
    area = (np.pi if disc else 4.0) * wide * high
    light = lamp.colour * (np.pi * distance**2 / area)
    return [*place, *(side * wide), *(down * high), *light, float(disc)]


def _occluder_row(polygon_mm: Floats, soft_mm: float, lamp: Lamp) -> Floats:
    """Return the corners of an occluder between lamp and table whose shadow is the polygon."""
    share = float(np.clip(soft_mm / (soft_mm + lamp.radius_mm), 0.25, 0.85))
    ground = np.concatenate([polygon_mm, np.zeros((len(polygon_mm), 1), np.float32)], 1)
    return floats(ground + (lamp.place_mm - ground) * share).ravel()
