"""The table, the mat and the light that reaches them: maps on the plane z = 0, warped into the picture."""

from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from calibration.synth.lighting import lambert
from calibration.synth.scene import Box, Bytes, Camera, Floats, Lamp, Scene, floats, linear
from vision.scene.mat import MARKER_CENTRES_MM, MARKER_DICTIONARY, PATCH_MM, PATCHES, marker_corners_mm

_PX_PER_MM = 2.0
_HALF_MM = (230.0, 190.0)
_SAMPLES = 6
"""Points of a lamp's disc, each of which casts a shadow."""
_SHIFT = 4
_TO_PLANE = np.array(
    [[_PX_PER_MM, 0, _HALF_MM[0] * _PX_PER_MM], [0, _PX_PER_MM, _HALF_MM[1] * _PX_PER_MM], [0, 0, 1]],
    np.float32,
)
_SIZE = (int(2 * _HALF_MM[0] * _PX_PER_MM), int(2 * _HALF_MM[1] * _PX_PER_MM))


def fill(image: npt.NDArray[Any], points: Floats, value: float | tuple[float, ...]) -> None:
    """Fill a polygon of (N, 2) px with subpixel corners."""
    colour = value if isinstance(value, tuple) else (value,)
    corners = np.round(points * (1 << _SHIFT)).astype(np.int32)
    cv2.fillPoly(image, [corners], colour, cv2.LINE_8, _SHIFT)


def hull(points: Floats) -> Floats:
    """(M, 2) convex outline of (N, 2) points."""
    return cv2.convexHull(points.astype(np.float32))[:, 0].astype(np.float32)


def ground_maps(scene: Scene) -> tuple[Floats, Floats]:
    """Return two (H, W, 3) maps in the picture: albedo of table and mat, and the light falling on them."""
    camera = scene.camera
    albedo = _render_tabletop(scene)
    if scene.mat:
        print_mat(scene, albedo)
    to_picture = camera.plane(0) @ np.linalg.inv(_TO_PLANE)
    light = cv2.warpPerspective(
        light_map(scene), to_picture, camera.size_px, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    return albedo, light.astype(np.float32)


def _render_tabletop(scene: Scene) -> Floats:
    """Draw wood with grain, cloth, or a plain board, as seen by the camera."""
    rng = np.random.default_rng(scene.texture_seed)
    size = (400, 400)  # 2 mm per pixel
    colours = {
        "wood": ((205, 175, 135), 0.16, (90, 3)),
        "dark wood": ((85, 60, 48), 0.3, (70, 2)),
        "cloth": (tuple(rng.uniform(25, 130, 3)), 0.1, (1, 1)),
        "plain": (tuple(np.full(3, rng.uniform(90, 235)) + rng.uniform(-15, 15, 3)), 0.03, (30, 30)),
    }
    srgb, contrast, grain = colours[scene.table]
    base = linear(tuple(np.clip(np.array(srgb) + rng.normal(0, 8, 3), 5, 250)))
    noise = cv2.GaussianBlur(rng.normal(0, 1, size).astype(np.float32), (0, 0), grain[0] / 2, None, grain[1])
    texture = base * np.exp(noise * (contrast / (float(noise.std()) + 1e-6)))[..., None]
    angle = float(rng.choice([0.0, np.pi / 2])) + float(rng.normal(0, 0.1))
    c, s = np.cos(angle), np.sin(angle)
    to_mm = np.array([[2 * c, -2 * s, -400 * (c - s)], [2 * s, 2 * c, -400 * (c + s)], [0, 0, 1]])
    warped = cv2.warpPerspective(
        texture.astype(np.float32),
        scene.camera.plane(0) @ to_mm,
        scene.camera.size_px,
        flags=cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REFLECT,
    )
    return floats(warped)


def print_mat(scene: Scene, albedo: Floats) -> None:
    """Draw the mat into an albedo map as the scene's camera sees it."""
    camera = scene.camera

    def fill_rectangle(
        centre: tuple[float, float], half: tuple[float, float], srgb: tuple[float, ...]
    ) -> None:
        corners = [[centre[0] + i * half[0], centre[1] + j * half[1], 0] for i, j in _CORNER_SIGNS]
        ink = linear(srgb) * scene.mat_albedo + 0.01
        fill(albedo, camera.project(np.array(corners)), tuple(float(v) for v in ink))

    fill_rectangle((0, 0), (148.5, 105), (255, 255, 255))
    dictionary = cv2.aruco.getPredefinedDictionary(MARKER_DICTIONARY)
    for marker, centre in enumerate(MARKER_CENTRES_MM):
        cells = cv2.aruco.generateImageMarker(dictionary, marker, 6)
        pitch = (marker_corners_mm(marker)[1][0] - marker_corners_mm(marker)[0][0]) / 6
        for (row, column), value in np.ndenumerate(cells):
            place = (centre[0] + (column - 2.5) * pitch, centre[1] + (row - 2.5) * pitch)
            fill_rectangle(place, (pitch / 2, pitch / 2), (255, 255, 255) if value else (18, 18, 18))
    for patch in PATCHES:
        fill_rectangle(patch.centre_mm, (PATCH_MM / 2, PATCH_MM / 2), patch.srgb)


_CORNER_SIGNS = ((-1, -1), (1, -1), (1, 1), (-1, 1))


def light_map(scene: Scene) -> Floats:
    """(H, W, 3) light on the plane z = 0: room and lamps, minus shadows."""
    small = (_SIZE[0] // 8, _SIZE[1] // 8)
    points = _grid(small)
    up = np.array([0, 0, 1], np.float32)
    openness = _openness(scene)
    light = _tint(openness, scene.sky)
    for number, lamp in enumerate(scene.lamps):
        reaching = cv2.resize(lambert(lamp, points, up), _SIZE, interpolation=cv2.INTER_LINEAR)
        lit = _lamp_visibility(scene, lamp)
        if number == 0:
            for polygon, soft in scene.shade_mm:
                lit *= _shade_mask(polygon, soft)
        light += _tint(floats(reaching * lit), lamp.colour)
    return light


def _tint(level: Floats, colour: Floats) -> Floats:
    """(H, W, 3) product of (H, W) and (3,), channel by channel, which is faster than broadcasting."""
    return floats(cv2.merge([floats(level * share) for share in colour.astype(np.float32)]))


def _grid(size: tuple[int, int]) -> Floats:
    x = (np.arange(size[0], dtype=np.float32) + 0.5) / size[0] * 2 * _HALF_MM[0] - _HALF_MM[0]
    y = (np.arange(size[1], dtype=np.float32) + 0.5) / size[1] * 2 * _HALF_MM[1] - _HALF_MM[1]
    return np.stack([*np.meshgrid(x, y), np.zeros(size[::-1], np.float32)], axis=-1)


def _plane_px(points_mm: Floats) -> Floats:
    return floats(points_mm[:, :2] * _PX_PER_MM + _TO_PLANE[:2, 2])


def _openness(scene: Scene) -> Floats:
    """How much of the room each place on the floor sees: less beside walls and cubes."""
    half = (_SIZE[0] // 2, _SIZE[1] // 2)
    covered = np.zeros(half[::-1], np.uint8)
    for cube in scene.cubes:
        fill(covered, floats(_plane_px(hull(cube.corners()[:, :2])) / 2), 255)
    shadowed = cv2.GaussianBlur(covered, (0, 0), 0.45 * scene.cube_mm * _PX_PER_MM / 2)
    floor = np.zeros(half[::-1], np.uint8)
    fill(floor, floats(_plane_px(scene.tray.outline()) / 2), 255)
    from_wall = cv2.distanceTransform(floor, cv2.DIST_L2, 3) / (_PX_PER_MM / 2)
    depth = (0.45 if scene.tray.plastic == "black" else 0.2) * (floor > 0)
    walls = 1 - depth * np.exp(-from_wall / (0.5 * scene.tray.wall_mm))
    openness = (1 - 0.62 * shadowed.astype(np.float32) / 255) * walls
    return floats(cv2.resize(floats(openness), _SIZE, interpolation=cv2.INTER_LINEAR))


def lamp_points(lamp: Lamp, number: int) -> Floats:
    """(number, 3) points spread evenly over a lamp's disc."""
    angles = np.arange(number) * 2.399963
    radii = lamp.radius_mm * np.sqrt((np.arange(number) + 0.5) / number)
    return floats(lamp.place_mm + np.stack([np.cos(angles) * radii, np.sin(angles) * radii, angles * 0], 1))


def _project_shadow(points_mm: Floats, lamp_mm: Floats) -> Floats:
    """Shadow on z = 0 of (N, 3) points below a lamp, in (N, 2) plane pixels."""
    z = np.minimum(points_mm[:, 2:], 0.8 * lamp_mm[2])
    return _plane_px(points_mm + (points_mm - lamp_mm) * (z / (lamp_mm[2] - z)))


def _lamp_visibility(scene: Scene, lamp: Lamp) -> Floats:
    """Share, 0..1, of a lamp that each place on the floor sees."""
    total = np.zeros(_SIZE[::-1], np.float32)
    tray = scene.tray
    wall = 0.0 if tray.plastic == "black" else 0.72
    rim_outer = _at_height(tray.outline(tray.rim_mm), tray.wall_mm)
    rim_inner = _at_height(tray.outline(), tray.wall_mm)
    inside = _plane_px(tray.outline(-tray.flare_mm))
    boxes = [hull_points for box in (*scene.cubes, *scene.others) for hull_points in (box.corners(),)]
    for place in lamp_points(lamp, _SAMPLES):
        mask = np.full(_SIZE[::-1], 255, np.uint8)
        fill(mask, _project_shadow(rim_outer, place), int(255 * wall))
        fill(mask, inside, int(255 * wall))
        lit = np.zeros_like(mask)
        fill(lit, _project_shadow(rim_inner, place), 255)
        mask[lit > 0] = 255
        for corners in boxes:
            fill(mask, hull(_project_shadow(corners, place)), 0)
        total += mask
    return cv2.GaussianBlur(total / (255 * _SAMPLES), (0, 0), 0.6 + 0.01 * lamp.radius_mm).astype(np.float32)


def _at_height(outline_mm: Floats, z_mm: float) -> Floats:
    return np.concatenate([outline_mm, np.full((len(outline_mm), 1), z_mm, np.float32)], axis=1)


def _shade_mask(polygon_mm: Floats, soft_mm: float) -> Floats:
    quarter = (_SIZE[0] // 4, _SIZE[1] // 4)
    mask = np.full(quarter[::-1], 255, np.uint8)
    fill(mask, floats(_plane_px(polygon_mm) / 4), 0)
    soft = max(soft_mm * _PX_PER_MM / 4, 0.8)  # less would show the mask's pixel steps
    lit = cv2.GaussianBlur(mask, (0, 0), soft, borderType=cv2.BORDER_REPLICATE).astype(np.float32) / 255
    return cv2.resize(lit, _SIZE, interpolation=cv2.INTER_LINEAR).astype(np.float32)


def floor_light(scene: Scene) -> Floats:
    """(3,) approximate light on the open floor, for what bounces off it."""
    up = np.array([0, 0, 1], np.float32)
    middle = np.array([[*scene.tray.centre_mm, 0]], np.float32)
    lamps = sum((lamp.colour * lambert(lamp, middle, up)[0] for lamp in scene.lamps), np.zeros(3, np.float32))
    return floats(scene.sky * 0.8 + lamps * 0.8)


def outline_of(box: Box, camera: Camera) -> Floats:
    """(N, 2) px outline of a box in the picture."""
    return hull(camera.project(box.corners()))


def mask_of(outline_px: Floats, size_px: tuple[int, int]) -> Bytes:
    """(H, W) uint8, 255 inside."""
    mask = np.zeros(size_px[::-1], np.uint8)
    fill(mask, outline_px, 255)
    return mask


def bounding_slices(points_px: Floats, size_px: tuple[int, int]) -> tuple[slice, slice]:
    """(rows, columns) slices of the picture that contain a polygon filled between these points."""
    low = np.clip(np.floor(points_px.min(0)) - 2, 0, size_px).astype(int)
    high = np.clip(np.ceil(points_px.max(0)) + 3, low, size_px).astype(int)
    return slice(int(low[1]), int(high[1])), slice(int(low[0]), int(high[0]))
