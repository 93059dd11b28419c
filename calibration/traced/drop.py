"""Simulate cubes that slide out of the tower over a chute, tumble into the tray and come to rest.

Uses Bullet through bpy. One unit of its world is a centimetre, and gravity is a tenth of the real one: the
same fall, 3.16 times slower.
"""

from collections.abc import Iterator

import bpy
import numpy as np
from mathutils import Matrix

from calibration.synth.layout import Pose
from calibration.synth.scene import Floats, Tray, floats
from calibration.traced.rest import select_in_tray
from calibration.traced.shapes import Profile
from calibration.traced.space import MM, from_world, to_world

_GRAVITY = -98.1
_SUBSTEPS = 6
"""Substeps per frame: at 24 frames a second 144 steps per simulated second, 455 per real one."""
FRAMES_A_SECOND = 24 * 10**0.5
"""Frames per real second: there are 24 per simulated second, in which things fall 3.16 times slower."""
_MOST_FRAMES = 330
_AT_REST_MM = 0.02
"""Movement per frame below which the cubes count as at rest."""
_QUIET_FRAMES = 10
_SEGMENTS = 40


def drop_cubes(
    rng: np.random.Generator, tray: Tray, profile: Profile, edge_mm: float, number: int
) -> list[Pose]:
    """Return the final poses of those of `number` cubes that end up in the tray; z counts from the mat."""
    frames = tumble_cubes(rng, tray, profile, edge_mm, number)
    return select_in_tray(frames[-1], tray, profile, edge_mm) if frames else []


def tumble_cubes(
    rng: np.random.Generator, tray: Tray, profile: Profile, edge_mm: float, number: int
) -> list[list[Pose]]:
    """Return the poses of all cubes at `FRAMES_A_SECOND` until they rest or time is up; z is from the mat."""
    if not number:
        return []
    scene = bpy.context.scene
    scene.gravity = (0, 0, _GRAVITY)
    scene.frame_end = _MOST_FRAMES + 1
    bpy.ops.rigidbody.world_add()
    world = scene.rigidbody_world
    world.collection = bpy.data.collections.new("bodies")
    world.substeps_per_frame = _SUBSTEPS
    world.solver_iterations = 12
    world.point_cache.frame_end = _MOST_FRAMES + 1
    mesh = _unit_cube()
    grip = float(rng.uniform(0.55, 0.85))
    for frame, size in _tray_boxes(tray, profile):
        _add_body(mesh, frame, size, "PASSIVE", float(rng.uniform(0.55, 0.8)))
    slide = float(rng.uniform(0.25, 0.7))
    for frame, size in _chute_boxes(rng, tray):
        _add_body(mesh, frame, size, "PASSIVE", slide)
    cubes = [
        _add_body(mesh, frame, np.full(3, edge_mm), "ACTIVE", grip)
        for frame in _initial_frames(rng, tray, edge_mm, number)
    ]
    return _run_until_rest(scene, cubes)


def _unit_cube() -> bpy.types.Mesh:
    mesh = bpy.data.meshes.new("unit")
    signs = [(i & 1, i >> 1 & 1, i >> 2 & 1) for i in range(8)]
    faces = [(0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5)]
    mesh.from_pydata([tuple(v - 0.5 for v in s) for s in signs], [], faces)
    return mesh


def _add_body(
    mesh: bpy.types.Mesh, frame: Floats, size_mm: Floats, kind: str, friction: float
) -> bpy.types.Object:
    thing = bpy.data.objects.new("body", mesh)
    thing.scale = tuple(float(v) * MM for v in size_mm)
    bpy.context.scene.rigidbody_world.collection.objects.link(thing)
    bpy.context.scene.collection.objects.link(thing)
    world_frame = to_world(frame)
    thing.location = Matrix(world_frame.tolist()).translation
    thing.rotation_mode = "QUATERNION"
    thing.rotation_quaternion = Matrix(world_frame.tolist()).to_quaternion()
    body = thing.rigid_body
    body.type = kind
    body.collision_shape = "BOX"
    body.use_margin = True
    body.collision_margin = 0.002
    body.friction = friction
    body.restitution = 0.5
    body.linear_damping = 0.02
    body.angular_damping = 0.05
    body.mass = 1.0
    return thing


def _frame(centre: Floats, x: Floats, y: Floats, z: Floats) -> Floats:
    """Return a (4, 4) frame with the axes and the centre as columns; x is flipped if they are left-handed."""
    if np.linalg.det(np.stack([x, y, z])) < 0:
        x = -x
    out = np.eye(4, dtype=np.float32)
    for column, vector in enumerate((x, y, z, centre)):
        out[:3, column] = vector
    return out


def _tray_boxes(tray: Tray, profile: Profile) -> Iterator[tuple[Floats, Floats]]:
    """Yield frame and size of each box: floor, walls, and the slopes that approximate the fillet."""
    t, r = profile.floor_mm, profile.fillet_mm
    up = np.array([0, 0, 1.0])
    centre = np.array([*tray.centre_mm, t - 20])
    yield _frame(floats(centre), floats([1, 0, 0]), floats([0, 1, 0]), floats(up)), floats([400, 400, 40])
    foot = tray.outline(-tray.flare_mm, _SEGMENTS)
    for i in range(_SEGMENTS):
        a, b = foot[i].astype(float), foot[(i + 1) % _SEGMENTS].astype(float)
        along = np.array([*(b - a), 0])
        length = float(np.linalg.norm(along))
        along /= length
        outward = np.cross(along, up)
        middle = np.array([*((a + b) / 2), t])
        if outward[:2] @ (middle[:2] - np.array(tray.centre_mm)) < 0:
            outward = -outward
        lean = np.arctan2(tray.flare_mm, tray.wall_mm)
        wall_up = np.cos(lean) * up + np.sin(lean) * outward
        wall_out = np.cos(lean) * outward - np.sin(lean) * up
        size = floats([length + 3, 20, tray.wall_mm])
        at = middle + wall_out * 10 + wall_up * tray.wall_mm / 2
        yield _frame(floats(at), floats(along), floats(wall_out), floats(wall_up)), size
        slope_up = (up + outward) / np.sqrt(2)
        slope_out = (outward - up) / np.sqrt(2)
        at = middle - outward * r / 2 + up * r / 2 + slope_out * (4 + 0.2 * r)
        yield (
            _frame(floats(at), floats(along), floats(slope_out), floats(slope_up)),
            floats([length + 1, 8, r * 1.4]),
        )


def _lip(tray: Tray) -> Floats:
    """Return the point on top of the tray's wall on the tower's side."""
    return floats([tray.centre_mm[0], tray.centre_mm[1] - tray.inner_mm[1] / 2, tray.wall_mm])


def _chute_boxes(rng: np.random.Generator, tray: Tray) -> Iterator[tuple[Floats, Floats]]:
    steep, turn = rng.uniform(0.6, 0.95), rng.normal(0, 0.08)
    width = rng.uniform(40, 75)
    x = np.array([np.cos(turn), np.sin(turn), 0])
    down = np.array([-np.sin(turn) * np.cos(steep), np.cos(turn) * np.cos(steep), -np.sin(steep)])
    normal = np.array([-np.sin(turn) * np.sin(steep), np.cos(turn) * np.sin(steep), np.cos(steep)])
    exit_mm = _lip(tray) + np.array([rng.normal(0, 8), rng.uniform(2, 22), rng.uniform(2, 14)])
    plate = exit_mm - down * 70 - normal * 1.5
    yield _frame(floats(plate), floats(x), floats(down), floats(normal)), floats([width + 10, 140, 3])
    for sign in (-1, 1):
        side = exit_mm - down * 75 + x * sign * (width / 2 + 2) + normal * 60
        yield _frame(floats(side), floats(x), floats(down), floats(normal)), floats([4, 150, 120])
    back = exit_mm - down * 140 + np.array([0, 0, 60.0])
    yield _frame(floats(back), floats(x), floats([0, 1, 0]), floats([0, 0, 1])), floats([width + 10, 4, 260])
    front = exit_mm - down * rng.uniform(75, 100) + normal * rng.uniform(34, 55) + np.array([0, 2, 100.0])
    yield _frame(floats(front), floats(x), floats([0, 1, 0]), floats([0, 0, 1])), floats([width + 10, 4, 200])


def _initial_frames(rng: np.random.Generator, tray: Tray, edge: float, number: int) -> Iterator[Floats]:
    """Yield the cubes' initial frames: in loose layers above the chute's upper end, randomly rotated."""
    step = 1.75 * edge
    base_height = _lip(tray)[2] + 120
    gap = step * rng.choice([1.0, 1.0, rng.uniform(1, 4)])
    places = [(i * step, j * step) for i in (-0.5, 0.5) for j in (-0.5, 0.5)]
    for k in range(number):
        column, layer = places[k % 4], k // 4
        rotation, _ = np.linalg.qr(rng.normal(size=(3, 3)))
        frame = np.eye(4, dtype=np.float32)
        frame[:3, :3] = rotation * np.sign(np.linalg.det(rotation))
        y = _lip(tray)[1] - 70 + column[1] + rng.normal(0, 0.6)
        frame[:3, 3] = (tray.centre_mm[0] + column[0] + rng.normal(0, 0.6), y, base_height + layer * gap)
        yield frame


def _run_until_rest(scene: bpy.types.Scene, cubes: list[bpy.types.Object]) -> list[list[Pose]]:
    frames: list[list[Pose]] = []
    quiet_frames = 0
    while len(frames) < _MOST_FRAMES and (quiet_frames < _QUIET_FRAMES or len(frames) <= 40):
        scene.frame_set(len(frames) + 1)
        frames.append([_pose(cube) for cube in cubes])
        places = [np.array([pose.centre_mm for pose in frame]) for frame in frames[-2:]]
        largest_move = float(np.abs(places[-1] - places[0]).max()) if len(frames) > 1 else np.inf
        quiet_frames = quiet_frames + 1 if largest_move < _AT_REST_MM else 0
    return frames


def _world_matrix(thing: bpy.types.Object) -> Floats:
    graph = bpy.context.evaluated_depsgraph_get()
    return floats(np.array(thing.evaluated_get(graph).matrix_world))


def _pose(thing: bpy.types.Object) -> Pose:
    frame = from_world(_world_matrix(thing))
    axes = frame[:3, :3].T
    return Pose(floats(frame[:3, 3]), floats(axes / np.linalg.norm(axes, axis=1, keepdims=True)))
