"""Rendering: a seed in, a picture and its truth out."""

import cv2
import numpy as np
import numpy.typing as npt

from calibration.synth.boxes import Surround, paint
from calibration.synth.dish import Dish
from calibration.synth.ground import fill, floor_light, ground_maps, mask_of, outline_of
from calibration.synth.sample import sample_scene
from calibration.synth.scene import Box, Bytes, Camera, Floats, Options, Scene, floats
from calibration.synth.sensor import expose
from calibration.synth.truth import SeenBox, label

_HIDES_ALL = 1 << 14
_EVERYTHING_FREE = Options()


def render(seed: int, options: Options = _EVERYTHING_FREE) -> tuple[Bytes, dict[str, object]]:
    """Return ((H, W, 3) uint8 BGR, label) of a seed: same seed, same options, same picture."""
    return render_scene(sample_scene(seed, options), seed)


def render_scene(scene: Scene, seed: int) -> tuple[Bytes, dict[str, object]]:
    """Return the same for a given scene; the seed is for the sensor's noise."""
    frames, truth = frames_of(scene, seed, 1)
    return frames[0], truth


def frames_of(scene: Scene, seed: int, number: int) -> tuple[list[Bytes], dict[str, object]]:
    """Return `number` frames of a still scene, which differ only in noise, and the label."""
    light, seen = render_light(scene)
    rng = np.random.default_rng(seed + 7)
    return [expose(light, scene.sensor, rng) for _ in range(number)], label(scene, seen)


def render_light(scene: Scene) -> tuple[Floats, list[SeenBox]]:
    """Return ((H, W, 3) linear light, 1 = lit white paper, what is seen of each cube), before the sensor."""
    camera = scene.camera
    albedo, falling = ground_maps(scene)
    dish = Dish(scene)
    dish.draw_floor(albedo)
    picture = albedo * falling
    small_things = [box for box in scene.others if box.name != "tower"]
    _draw_boxes(picture, small_things, scene, dish, None)
    dish.draw_walls(picture)
    dish.draw_glare(picture)
    bounce = floor_light(scene)
    for cube in scene.cubes:
        dish.draw_ghost(picture, cube, bounce)
    keep = floats(mask_of(dish.opening_px, camera.size_px) / 255) if dish.is_opaque else None
    far_first = _sort_far_first(scene.cubes, camera)
    _draw_boxes(picture, far_first, scene, dish, keep)
    owner = _owner_map(far_first, camera)
    if keep is not None:
        owner[keep < 0.5] = _HIDES_ALL
    tower = [box for box in scene.others if box.name == "tower"]
    _draw_boxes(picture, tower, scene, dish, None)
    for box in tower:
        fill(owner, outline_of(box, camera), _HIDES_ALL)
    if scene.finger_mm is not None:
        _draw_finger(picture, owner, scene, scene.finger_mm)
    return picture, _seen_boxes(far_first, owner, camera)


def _sort_far_first(boxes: tuple[Box, ...], camera: Camera) -> list[Box]:
    return sorted(boxes, key=lambda b: -float(np.linalg.norm(b.centre_mm - camera.place_mm)))


def _draw_boxes(picture: Floats, boxes: list[Box], scene: Scene, dish: Dish, keep: Floats | None) -> None:
    if not boxes:
        return
    bounce = dish.floor_albedo * floor_light(scene)
    surround = Surround(boxes, scene.lamps, scene.sky, bounce, dish.wall_light)
    for box in boxes:
        paint(picture, box, scene.camera, surround.faces(box, scene.camera.place_mm), keep)


def _owner_map(order: list[Box], camera: Camera) -> npt.NDArray[np.int32]:
    """(H, W) index of the cube visible at each pixel; -1 for none."""
    owner = np.full(camera.size_px[::-1], -1, np.int32)
    for number, box in enumerate(order):
        fill(owner, outline_of(box, camera), number)
    return owner


def _seen_boxes(order: list[Box], owner: npt.NDArray[np.int32], camera: Camera) -> list[SeenBox]:
    areas = np.bincount(owner[(owner >= 0) & (owner < _HIDES_ALL)], minlength=len(order))
    seen = []
    for number, box in enumerate(order):
        outline = outline_of(box, camera)
        silhouette = np.zeros(owner.shape, np.uint8)
        fill(silhouette, outline, 1)
        area = max(int(cv2.countNonZero(silhouette)), 1)
        seen.append(SeenBox(box, outline, min(float(areas[number]) / area, 1.0)))
    return seen


def _draw_finger(picture: Floats, owner: npt.NDArray[np.int32], scene: Scene, finger_mm: Floats) -> None:
    """Draw a finger: a rounded rod in skin colour, lit from above."""
    ends = scene.camera.project(finger_mm)
    half_width = float(np.linalg.norm(scene.camera.project(finger_mm[:1] + np.array([0, 8, 0]))[0] - ends[0]))
    skin = np.array([0.22, 0.32, 0.58], np.float32) * (scene.sky + sum(lamp.colour for lamp in scene.lamps))
    for share, gain in ((1.0, 0.45), (0.85, 0.7), (0.6, 0.9), (0.3, 1.0)):
        colour = tuple(float(v) for v in skin * gain)
        start, end = (tuple(int(v) for v in np.round(p)) for p in ends)
        cv2.line(picture, start, end, colour, max(int(2 * half_width * share), 1))
        if share == 1.0:
            cv2.line(owner, start, end, _HIDES_ALL, max(int(2 * half_width), 1))
