"""Set up a scene for Cycles: objects, lamps, the room and the camera."""

from collections.abc import Sequence

import bmesh
import bpy
import numpy as np
from mathutils import Matrix

from calibration.synth.scene import Box, Floats, Lamp, Scene, floats
from calibration.traced import materials, surfaces
from calibration.traced.shapes import FINGER_MM, Mesh, Profile, cap_radius, finger_mesh, tray_mesh
from calibration.traced.space import MM, camera_to_world, points_to_world, to_world

_LAMP_GAIN = np.pi**2
"""Power of an area lamp in watts, over distance squared times the light of white paper that faces it."""


def empty() -> None:
    """Clear Blender's scene completely."""
    bpy.ops.wm.read_factory_settings(use_empty=True)


def furnish(
    rng: np.random.Generator, scene: Scene, profile: Profile, paint: np.random.Generator | None = None
) -> str:
    """Build all that the camera can see and the lights; return the table's name.

    `paint`: generator for the cubes alone, so that all else is the same whatever lies in the tray.
    """
    table, albedo, rough = surfaces.table(rng)
    _sheet("table", surfaces.TABLE_MM, -0.3, materials.pictured("table", albedo, rough), beyond=3.0)
    if scene.mat:
        sheet = surfaces.printed_mat(scene, 4.0)
        _sheet("mat", (297, 210), 0.0, materials.pictured("mat", sheet, float(rng.uniform(0.5, 0.95))))
    black = scene.tray.plastic == "black"
    plastic = materials.black_plastic(rng) if black else materials.clear_plastic(rng)
    _thing("tray", tray_mesh(scene.tray, profile), plastic)
    _cubes(paint or rng, scene.cubes)
    for box in scene.others:
        grain = 0.3 if box.name == "tower" else 0.0
        material = materials.solid(box.name, box.albedo, float(rng.uniform(0.3, 0.8)), grain)
        _box(box, _rounded(2.0 if box.name == "die" else 0.4, box.size_mm), material)
    if scene.finger_mm is not None:
        skin = np.array([0.2, 0.3, 0.55]) * rng.uniform(0.35, 1.15) * np.exp(rng.normal(0, 0.06, 3))
        _thing(
            "finger", finger_mesh(scene.finger_mm, FINGER_MM), materials.solid("skin", floats(skin), 0.5, 0.4)
        )
    _room(rng, scene.sky)
    for lamp in scene.lamps:
        _lamp(rng, lamp)
    if scene.lamps:
        for polygon, soft_mm in scene.shade_mm:
            _shade(polygon, soft_mm, scene.lamps[0])
    _camera(scene)
    return table


def _link(name: str, mesh: bpy.types.Mesh, material: bpy.types.Material) -> bpy.types.Object:
    thing = bpy.data.objects.new(name, mesh)
    if not mesh.materials:
        mesh.materials.append(material)
    bpy.context.scene.collection.objects.link(thing)
    return thing


def _mesh(name: str, corners_mm: Floats, faces: Sequence[Sequence[int]]) -> bpy.types.Mesh:
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(points_to_world(corners_mm).tolist(), [], faces)
    return mesh


def _thing(name: str, shape: Mesh, material: bpy.types.Material) -> bpy.types.Object:
    mesh = _mesh(name, shape.corners_mm, shape.faces)
    work = bmesh.new()
    work.from_mesh(mesh)
    bmesh.ops.recalc_face_normals(work, faces=work.faces)
    work.to_mesh(mesh)
    work.free()
    mesh.shade_smooth()
    return _link(name, mesh, material)


def _sheet(
    name: str,
    size_mm: tuple[float, float],
    z_mm: float,
    material: bpy.types.Material,
    beyond: float = 1.0,
) -> None:
    """Add a flat rectangle with a picture, `beyond` times as large as the picture."""
    half = np.array(size_mm) / 2 * beyond
    ring = [(-1, 1), (1, 1), (1, -1), (-1, -1)]
    corners = floats([(i * half[0], j * half[1], z_mm) for i, j in ring])
    mesh = _mesh(name, corners, [(0, 1, 2, 3)])
    uv = mesh.uv_layers.new()
    for loop, (i, j) in zip(uv.data, ring, strict=True):
        loop.uv = (0.5 + i * beyond / 2, 0.5 - j * beyond / 2)
    _link(name, mesh, material)


def _rounded(radius_mm: float, size_mm: Floats) -> bpy.types.Mesh:
    """Return a box centred on the origin with rounded edges."""
    mesh = bpy.data.meshes.new("box")
    work = bmesh.new()
    bmesh.ops.create_cube(work, size=1.0)
    bmesh.ops.scale(work, vec=[float(v) * MM for v in size_mm], verts=work.verts)
    radius = min(radius_mm, 0.9 * cap_radius(size_mm)) * MM
    bmesh.ops.bevel(
        work,
        geom=list(work.edges),
        offset=radius,
        segments=3,
        profile=0.5,
        affect="EDGES",
        offset_type="OFFSET",
        clamp_overlap=True,
    )
    work.to_mesh(mesh)
    work.free()
    return mesh


def _box(box: Box, mesh: bpy.types.Mesh, material: bpy.types.Material) -> bpy.types.Object:
    thing = _link(box.name, mesh, material)
    frame = np.eye(4, dtype=np.float32)
    frame[:3, :3] = box.axes.T
    frame[:3, 3] = box.centre_mm
    thing.matrix_world = Matrix(to_world(frame).tolist())
    return thing


def _cubes(rng: np.random.Generator, cubes: Sequence[Box]) -> None:
    if not cubes:
        return
    mesh = _rounded(float(rng.uniform(0.15, 0.7)), cubes[0].size_mm)
    material = materials.painted(rng)
    shine = rng.choice([rng.uniform(0.2, 0.45), rng.uniform(0.4, 0.9)])
    for cube in cubes:
        thing = _box(cube, mesh, material)
        rough = float(np.clip(shine + rng.normal(0, 0.05), 0.1, 1))
        thing.color = (*materials.rgba(cube.albedo)[:3], rough)


def _room(rng: np.random.Generator, sky: Floats) -> None:
    world = bpy.data.worlds.new("room")
    bpy.context.scene.world = world
    world.use_nodes = True
    # the room's light is soft: a finer importance map takes longer to build than all paths of a picture
    world.cycles.sampling_method, world.cycles.sample_map_resolution = "MANUAL", 128
    nodes, links = world.node_tree.nodes, world.node_tree.links
    around = nodes.new("ShaderNodeTexEnvironment")
    around.image = materials.image("room", surfaces.room(rng, sky))
    links.new(around.outputs["Color"], nodes["Background"].inputs["Color"])


def _lamp(rng: np.random.Generator, lamp: Lamp) -> None:
    """Add a disc lamp, or a window of the same area, that faces the mat's centre."""
    light = bpy.data.lights.new("lamp", "AREA")
    light.shape = "DISK"
    light.size = 2 * lamp.radius_mm * MM
    if lamp.radius_mm > 60 and rng.random() < 0.5:
        light.shape = "RECTANGLE"
        stretch = float(rng.uniform(0.6, 1.6))
        light.size = 1.77 * lamp.radius_mm * MM * stretch
        light.size_y = 1.77 * lamp.radius_mm * MM / stretch
    distance = float(np.linalg.norm(lamp.place_mm)) * MM
    strongest = float(lamp.colour.max())
    light.color = tuple(float(v) / strongest for v in lamp.colour[::-1])
    light.energy = _LAMP_GAIN * distance**2 * strongest
    thing = bpy.data.objects.new("lamp", light)
    bpy.context.scene.collection.objects.link(thing)
    place = points_to_world(lamp.place_mm[None])[0]
    back = place / np.linalg.norm(place)
    side = np.cross([0.3, 1.0, 0.1], back)
    side /= np.linalg.norm(side)
    frame = np.eye(4)
    frame[:3, :3] = np.stack([side, np.cross(back, side), back], 1)
    frame[:3, 3] = place
    thing.matrix_world = Matrix(frame.tolist())


def _shade(polygon_mm: Floats, soft_mm: float, lamp: Lamp) -> None:
    """Add an invisible occluder between lamp and table whose shadow is the polygon."""
    share = float(np.clip(soft_mm / (soft_mm + lamp.radius_mm), 0.25, 0.85))
    ground = np.concatenate([polygon_mm, np.zeros((len(polygon_mm), 1), np.float32)], 1)
    corners = ground + (lamp.place_mm - ground) * share
    material = materials.solid("shade", np.full(3, 0.1, np.float32), 0.9)
    thing = _link("shade", _mesh("shade", floats(corners), [tuple(range(len(corners)))]), material)
    thing.visible_camera = thing.visible_diffuse = thing.visible_glossy = thing.visible_transmission = False


def _camera(scene: Scene) -> None:
    camera = bpy.data.cameras.new("camera")
    camera.sensor_fit = "HORIZONTAL"
    camera.angle = float(np.radians(scene.camera.hfov_deg))
    camera.clip_start, camera.clip_end = 0.5, 1000.0
    thing = bpy.data.objects.new("camera", camera)
    thing.matrix_world = Matrix(camera_to_world(scene.camera).tolist())
    bpy.context.scene.collection.objects.link(thing)
    bpy.context.scene.camera = thing
