"""Path-trace the picture of a seed, with its ground truth: the counterpart of `calibration.synth.render`."""

import tempfile
from dataclasses import dataclass, replace
from pathlib import Path

import bpy
import cv2
import numpy as np

from calibration.synth.falls import FALLS_FPS, Fall
from calibration.synth.layout import Pose
from calibration.synth.sample import sample_scene
from calibration.synth.scene import Bytes, Floats, LightName, Options, Plastic, Scene, floats
from calibration.synth.sensor import expose
from calibration.synth.throws import Throw
from calibration.traced.drop import FRAMES_A_SECOND, drop_cubes, tumble_cubes
from calibration.traced.rest import select_in_tray
from calibration.traced.shapes import Profile
from calibration.traced.stage import clear_scene, furnish
from calibration.traced.truth import scene_label
from calibration.traced.window import Window, stack_window, tray_window

_SIZES = ((800, 600), (800, 600), (800, 600), (960, 720), (640, 480))
_HIGHEST_MM = 300.0
_FINE_SIZES = ((800, 600), (960, 720), (1280, 960))
"""For stacks: little of the lower cube is visible."""


@dataclass(frozen=True, slots=True)
class Wish:
    """What is fixed instead of left to the seed."""

    stacks: bool = False
    """Only throws in which a cube half hides another; only the surroundings of that one are rendered well."""
    stacked: float | None = None
    """Nothing falls: the heap is made up, and this share of its cubes (0..1) lies flat on others."""
    light: LightName | None = None
    plastic: Plastic | None = None
    fine: bool = False
    """Large pictures, as cameras store them; made-up heaps always are."""
    quick: bool = False
    """The surroundings of the tray at half the resolution: for networks that only see the tray."""


def take_picture(seed: int, samples: int, threads: int, wish: Wish) -> tuple[Bytes, dict[str, object]] | None:
    """Return ((H, W, 3) uint8 BGR, label) of a seed; None if `wish.stacks` is set and the throw has none."""
    rng, sketch = _sketch(seed, wish)
    profile, poses = _drop_cubes(rng, sketch) if wish.stacked is None else _lay_cubes(rng, sketch)
    cubes = tuple(
        replace(box, centre_mm=pose.centre_mm, axes=pose.axes)
        for box, pose in zip(sketch.cubes, poses, strict=False)
    )
    scene = replace(sketch, cubes=cubes)
    window = stack_window(scene) if wish.stacks else tray_window(scene)
    if window is None:
        return None
    clear_scene()
    furnish(rng, scene, profile)
    light = render_light(scene, window, samples, threads, seed, quick=wish.quick)
    picture = expose(light, scene.sensor, np.random.default_rng(seed + 7))
    return picture, scene_label(scene, profile)


def simulate_throw(seed: int) -> Throw:
    """Return only where the cubes come to rest: thousands in the time of a hundred pictures."""
    rng, sketch = _sketch(seed, Wish())
    profile, poses = _drop_cubes(rng, sketch)
    floor = floats([0, 0, profile.floor_mm])
    return Throw(sketch.tray, sketch.cube_mm, tuple(Pose(floats(p.centre_mm - floor), p.axes) for p in poses))


def simulate_fall(seed: int) -> Fall | None:
    """Return the fall frame by frame, of the cubes that end up in the tray; None if none does."""
    rng, sketch = _sketch(seed, Wish())
    profile = draw_profile(rng)
    clear_scene()
    frames = tumble_cubes(rng, sketch.tray, profile, sketch.cube_mm, len(sketch.cubes))
    lying = (
        {id(pose) for pose in select_in_tray(frames[-1], sketch.tray, profile, sketch.cube_mm)}
        if frames
        else {}
    )
    kept = [number for number, pose in enumerate(frames[-1]) if id(pose) in lying] if frames else []
    if not kept:
        return None
    floor = floats([0, 0, profile.floor_mm])
    steps = np.arange(0, len(frames) - 1, FRAMES_A_SECOND / FALLS_FPS)
    throws = [
        Throw(
            sketch.tray,
            sketch.cube_mm,
            tuple(_interpolate_poses(frames[int(t)][k], frames[int(t) + 1][k], t % 1, floor) for k in kept),
        )
        for t in (*steps, len(frames) - 1.001)
    ]
    return Fall(tuple(throws))


def _interpolate_poses(before: Pose, after: Pose, share: float, floor: Floats) -> Pose:
    """Interpolate two poses; positions count from the floor, clipped to the range that can be stored."""
    centre = (1 - share) * before.centre_mm + share * after.centre_mm - floor
    u, _, v = np.linalg.svd((1 - share) * before.axes + share * after.axes)
    return Pose(floats(np.clip(centre, -_HIGHEST_MM, _HIGHEST_MM)), floats(u @ v))


def number_of_cubes(seed: int, wish: Wish, colour: str | None = None) -> int:
    """Return how many cubes, or cubes of a colour, a seed throws or lays down, in a tenth of a second."""
    return sum(colour in (None, cube.name) for cube in _sketch(seed, wish)[1].cubes)


def _sketch(seed: int, wish: Wish) -> tuple[np.random.Generator, Scene]:
    rng = np.random.default_rng(seed + 13)
    sizes = _FINE_SIZES if wish.fine or wish.stacked is not None else _SIZES
    size = sizes[rng.integers(len(sizes))]
    options = Options(size_px=size, stacked=wish.stacked, light=wish.light, plastic=wish.plastic)
    return rng, sample_scene(seed, options)


def _drop_cubes(rng: np.random.Generator, sketch: Scene) -> tuple[Profile, list[Pose]]:
    profile = draw_profile(rng)
    clear_scene()
    return profile, drop_cubes(rng, sketch.tray, profile, sketch.cube_mm, len(sketch.cubes))


def _lay_cubes(rng: np.random.Generator, sketch: Scene) -> tuple[Profile, list[Pose]]:
    """Return the profile and the made-up poses, raised to stand on the tray's floor."""
    profile = draw_profile(rng)
    floor = floats([0, 0, profile.floor_mm])
    return profile, [Pose(floats(box.centre_mm + floor), box.axes) for box in sketch.cubes]


def draw_profile(rng: np.random.Generator) -> Profile:
    """Draw the thickness of a tray's bottom and the radius of its fillet."""
    return Profile(float(rng.uniform(1.0, 2.5)), float(rng.uniform(2, 8)))


def render_light(
    scene: Scene, window: Window, samples: int, threads: int, seed: int, *, quick: bool
) -> Floats:
    """Render (H, W, 3) linear BGR: everything with one path per pixel, the window again with `samples`."""
    render = bpy.context.scene.render
    render.engine = "CYCLES"
    render.resolution_x, render.resolution_y = width, height = scene.camera.size_px
    render.threads_mode, render.threads = "FIXED", threads
    render.use_persistent_data = True
    cycles = bpy.context.scene.cycles
    cycles.device = "CPU"
    cycles.seed = seed % (1 << 30)
    cycles.use_adaptive_sampling = False
    cycles.use_denoising = True
    cycles.denoiser = "OPENIMAGEDENOISE"
    cycles.denoising_input_passes = "RGB_ALBEDO_NORMAL"
    cycles.denoising_quality = "FAST"  # its residual noise is less than the sensor's grain
    # behind clear plastic the denoiser's guide passes are noisy too: unfiltered, they leave speckles
    cycles.denoising_prefilter = "ACCURATE" if scene.tray.plastic == "clear" else "FAST"
    cycles.max_bounces, cycles.diffuse_bounces, cycles.glossy_bounces = 8, 1, 1
    cycles.use_light_tree = False  # one to three lamps: sampling one at random is quicker
    cycles.light_sampling_threshold = 0.05
    cycles.transmission_bounces, cycles.transparent_max_bounces = 7, 8
    cycles.caustics_reflective = cycles.caustics_refractive = False
    cycles.sample_clamp_indirect = 3.0
    cycles.samples = 1
    render.resolution_percentage = 50 if quick else 100
    picture = _render_pixels()
    if quick:
        picture = floats(cv2.resize(picture, (width, height)))
    render.resolution_percentage = 100
    left, top, right, bottom = window
    render.use_border = render.use_crop_to_border = True
    render.border_min_x, render.border_max_x = left / width, right / width
    render.border_min_y, render.border_max_y = 1 - bottom / height, 1 - top / height
    cycles.samples = samples
    window_pixels = _render_pixels()
    high, wide = min(bottom - top, window_pixels.shape[0]), min(right - left, window_pixels.shape[1])
    picture[top : top + high, left : left + wide] = window_pixels[:high, :wide]
    return picture


def _render_pixels() -> Floats:
    """Render and return (H, W, 3) linear BGR, only of the border's window if one is set."""
    render = bpy.context.scene.render
    render.image_settings.file_format = "OPEN_EXR"
    render.image_settings.color_depth = "32"
    render.image_settings.color_mode = "RGB"
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "light.exr"
        render.filepath = str(path)
        bpy.ops.render.render(write_still=True)
        image = bpy.data.images.load(str(path))
        width, height = image.size
        pixels = np.empty(width * height * image.channels, np.float32)
        image.pixels.foreach_get(pixels)
        bpy.data.images.remove(image)
    rows = pixels.reshape(height, width, -1)
    return floats(np.ascontiguousarray(rows[::-1, :, 2::-1]))
