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


def clear_scene() -> None:
    """Clear Blender's scene completely."""
    bpy.ops.wm.read_factory_settings(use_empty=True)


def furnish(
    rng: np.random.Generator, scene: Scene, profile: Profile, paint: np.random.Generator | None = None
) -> str:
    """Build all that the camera can see and the lights; return the table's name.

    `paint`: generator for the cubes alone, so that all else is the same whatever lies in the tray.
    """
    table, albedo, rough = surfaces.table(rng)
    _add_sheet(
        "table", surfaces.TABLE_MM, -0.3, materials.picture_material("table", albedo, rough), beyond=3.0
    )
    if scene.mat:
        sheet = surfaces.printed_mat(scene, 4.0)
        _add_sheet(
            "mat", (297, 210), 0.0, materials.picture_material("mat", sheet, float(rng.uniform(0.5, 0.95)))
        )
    black = scene.tray.plastic == "black"
    plastic = materials.black_plastic(rng) if black else materials.clear_plastic(rng)
    _add_shape("tray", tray_mesh(scene.tray, profile), plastic)
    _add_cubes(paint or rng, scene.cubes)
    for box in scene.others:
        grain = 0.3 if box.name == "tower" else 0.0
        material = materials.plain_material(box.name, box.albedo, float(rng.uniform(0.3, 0.8)), grain)
        _add_box(box, _rounded_box(2.0 if box.name == "die" else 0.4, box.size_mm), material)
    if scene.finger_mm is not None:
        skin = np.array([0.2, 0.3, 0.55]) * rng.uniform(0.35, 1.15) * np.exp(rng.normal(0, 0.06, 3))
        _add_shape(
            "finger",
            finger_mesh(scene.finger_mm, FINGER_MM),
            materials.plain_material("skin", floats(skin), 0.5, 0.4),
        )
    _set_room(rng, scene.sky)
    for lamp in scene.lamps:
        _add_lamp(rng, lamp)
    if scene.lamps:
        for polygon, soft_mm in scene.shade_mm:
            _add_occluder(polygon, soft_mm, scene.lamps[0])
    _add_camera(scene)
    return table


def _link(name: str, mesh: bpy.types.Mesh, material: bpy.types.Material) -> bpy.types.Object:
    thing = bpy.data.objects.new(name, mesh)
    if not mesh.materials:
        mesh.materials.append(material)
    bpy.context.scene.collection.objects.link(thing)
    return thing


def _new_mesh(name: str, corners_mm: Floats, faces: Sequence[Sequence[int]]) -> bpy.types.Mesh:
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(points_to_world(corners_mm).tolist(), [], faces)
    return mesh


def _add_shape(name: str, shape: Mesh, material: bpy.types.Material) -> bpy.types.Object:
    mesh = _new_mesh(name, shape.corners_mm, shape.faces)
    bm = bmesh.new()
    bm.from_mesh(mesh)
    bmesh.ops.recalc_face_normals(bm, faces=bm.faces)
    bm.to_mesh(mesh)
    bm.free()
    mesh.shade_smooth()
    return _link(name, mesh, material)


def _add_sheet(
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
    mesh = _new_mesh(name, corners, [(0, 1, 2, 3)])
    uv = mesh.uv_layers.new()
    for loop, (i, j) in zip(uv.data, ring, strict=True):
        loop.uv = (0.5 + i * beyond / 2, 0.5 - j * beyond / 2)
    _link(name, mesh, material)


def _rounded_box(radius_mm: float, size_mm: Floats) -> bpy.types.Mesh:
    """Return a box centred on the origin with rounded edges."""
    mesh = bpy.data.meshes.new("box")
    bm = bmesh.new()
    bmesh.ops.create_cube(bm, size=1.0)
    bmesh.ops.scale(bm, vec=[float(v) * MM for v in size_mm], verts=bm.verts)
    radius = min(radius_mm, 0.9 * cap_radius(size_mm)) * MM
    bmesh.ops.bevel(
        bm,
        geom=list(bm.edges),
        offset=radius,
        segments=3,
        profile=0.5,
        affect="EDGES",
        offset_type="OFFSET",
        clamp_overlap=True,
    )
    bm.to_mesh(mesh)
    bm.free()
    return mesh


def _add_box(box: Box, mesh: bpy.types.Mesh, material: bpy.types.Material) -> bpy.types.Object:
    thing = _link(box.name, mesh, material)
    frame = np.eye(4, dtype=np.float32)
    frame[:3, :3] = box.axes.T
    frame[:3, 3] = box.centre_mm
    thing.matrix_world = Matrix(to_world(frame).tolist())
    return thing


def _add_cubes(rng: np.random.Generator, cubes: Sequence[Box]) -> None:
    if not cubes:
        return
    mesh = _rounded_box(float(rng.uniform(0.15, 0.7)), cubes[0].size_mm)
    material = materials.dyed_wood(rng)
    shine = rng.choice([rng.uniform(0.2, 0.45), rng.uniform(0.4, 0.9)])
    for cube in cubes:
        thing = _add_box(cube, mesh, material)
        rough = float(np.clip(shine + rng.normal(0, 0.05), 0.1, 1))
        thing.color = (*materials.rgba(cube.albedo)[:3], rough)


def _set_room(rng: np.random.Generator, sky: Floats) -> None:
    world = bpy.data.worlds.new("room")
    bpy.context.scene.world = world
    world.use_nodes = True
    # the room's light is soft: a finer importance map takes longer to build than all paths of a picture
    world.cycles.sampling_method, world.cycles.sample_map_resolution = "MANUAL", 128
    nodes, links = world.node_tree.nodes, world.node_tree.links
    environment = nodes.new("ShaderNodeTexEnvironment")
    environment.image = materials.make_image("room", surfaces.room(rng, sky))
    links.new(environment.outputs["Color"], nodes["Background"].inputs["Color"])


def _add_lamp(rng: np.random.Generator, lamp: Lamp) -> None:
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
    towards_lamp = place / np.linalg.norm(place)
    side = np.cross([0.3, 1.0, 0.1], towards_lamp)
    side /= np.linalg.norm(side)
    frame = np.eye(4)
    frame[:3, :3] = np.stack([side, np.cross(towards_lamp, side), towards_lamp], 1)
    frame[:3, 3] = place
    thing.matrix_world = Matrix(frame.tolist())


def _add_occluder(polygon_mm: Floats, soft_mm: float, lamp: Lamp) -> None:
    """Add an invisible occluder between lamp and table whose shadow is the polygon."""
    share = float(np.clip(soft_mm / (soft_mm + lamp.radius_mm), 0.25, 0.85))
    ground = np.concatenate([polygon_mm, np.zeros((len(polygon_mm), 1), np.float32)], 1)
    corners = ground + (lamp.place_mm - ground) * share
    material = materials.plain_material("shade", np.full(3, 0.1, np.float32), 0.9)
    thing = _link("shade", _new_mesh("shade", floats(corners), [tuple(range(len(corners)))]), material)
    thing.visible_camera = thing.visible_diffuse = thing.visible_glossy = thing.visible_transmission = False


def _add_camera(scene: Scene) -> None:
    camera = bpy.data.cameras.new("camera")
    camera.sensor_fit = "HORIZONTAL"
    camera.angle = float(np.radians(scene.camera.hfov_deg))
    camera.clip_start, camera.clip_end = 0.5, 1000.0
    thing = bpy.data.objects.new("camera", camera)
    thing.matrix_world = Matrix(camera_to_world(scene.camera).tolist())
    bpy.context.scene.collection.objects.link(thing)
    bpy.context.scene.camera = thing
