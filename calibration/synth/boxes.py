"""Lit boxes: each face has a small light map, gathered by rays to lamps, sky, floor and neighbours."""

from collections.abc import Sequence

import cv2
import numpy as np
import numpy.typing as npt

from calibration.synth.ground import lamp_points
from calibration.synth.lighting import lambert
from calibration.synth.scene import Box, Camera, Floats, Lamp, floats

_CELLS = 5
"""Places along each side of a face where light is gathered."""
_TEXELS = 16
_NEAREST = 8
_OVERSAMPLING = 3
"""Subpixels along each side of a pixel, for smooth edges."""
_LAMP_POINTS = 3


def _sky_directions() -> Floats:
    """(R, 3) directions spread evenly over the whole sphere."""
    number = 14
    i = np.arange(number) + 0.5
    height = 1 - 2 * i / number
    angle = i * 2.399963
    flat = np.sqrt(1 - height**2)
    return floats(np.stack([np.cos(angle) * flat, np.sin(angle) * flat, height], 1))


_DIRECTIONS = _sky_directions()


class Surround:
    """Everything that a box can receive light from; made once per scene."""

    def __init__(
        self, boxes: Sequence[Box], lamps: Sequence[Lamp], sky: Floats, floor: Floats, walls: Floats
    ) -> None:
        self._boxes = boxes
        self._lamps = lamps
        self._sky, self._floor, self._walls = sky, floor, walls
        self._centres = np.array([b.centre_mm for b in boxes], np.float32).reshape(-1, 3)
        light = sky + sum((lamp.colour for lamp in lamps), np.zeros(3, np.float32))
        self._glow = np.array([b.albedo * light * 0.45 for b in boxes], np.float32).reshape(-1, 3)

    def faces(self, box: Box, camera_mm: Floats) -> list[tuple[Floats, Floats]]:
        """Return (4, 3) mm corners and (n, n, 3) light of each face that the camera sees."""
        seen = []
        points, normals, corners = [], [], []
        half = box.size_mm / 2
        for axis in range(3):
            for sign in (-1.0, 1.0):
                normal = box.axes[axis] * sign
                middle = box.centre_mm + normal * half[axis]
                if float(normal @ (camera_mm - middle)) <= 0:
                    continue
                u, v = box.axes[(axis + 1) % 3] * half[(axis + 1) % 3], box.axes[axis - 1] * half[axis - 1]
                corners.append(np.array([middle - u - v, middle + u - v, middle + u + v, middle - u + v]))
                step = (np.arange(_CELLS) + 0.5) / _CELLS * 2 - 1
                rows, columns = np.meshgrid(step, step, indexing="ij")
                points.append(middle + columns[..., None] * u + rows[..., None] * v + normal * 0.02)
                normals.append(np.broadcast_to(normal, (_CELLS, _CELLS, 3)))
        samples = np.stack(points).astype(np.float32)
        light = self._gather_light(
            box, samples.reshape(-1, 3), np.stack(normals).reshape(-1, 3).astype(np.float32)
        )
        for quad, texture in zip(corners, light.reshape(samples.shape), strict=True):
            seen.append((quad.astype(np.float32), texture))
        return seen

    def _nearest_boxes(self, box: Box) -> npt.NDArray[np.intp]:
        distances = np.linalg.norm(self._centres - box.centre_mm, axis=1)
        order = np.argsort(distances)[1 : _NEAREST + 1]
        near: npt.NDArray[np.intp] = order[distances[order] < 4 * float(box.size_mm.max())]
        return near

    def _gather_light(self, box: Box, points: Floats, normals: Floats) -> Floats:
        near = self._nearest_boxes(box)
        facing = np.maximum(normals @ _DIRECTIONS.T, 0)  # (M, R)
        facing /= facing.sum(1, keepdims=True)
        hit = self._first_hits(points, np.broadcast_to(_DIRECTIONS, (len(points), *_DIRECTIONS.shape)), near)
        elevation = _DIRECTIONS[:, 2:]
        above = np.where(elevation > 0.3, self._sky, self._walls)
        below = self._floor * np.ones_like(above)
        open_light = np.where(elevation > 0, above, below)  # (R, 3)
        incoming = np.where(hit[..., None] < 0, open_light, self._glow[hit])
        # the floor right below is in the box's own shadow
        low = np.clip(points[:, 2:] / float(box.size_mm[2]), 0, 1)
        dim = np.where((elevation[:, 0] <= 0) & (hit < 0), 0.35 + 0.65 * low, 1.0)
        light = (incoming * (facing * dim)[..., None]).sum(1)
        for lamp in self._lamps:
            to_lamp = lamp_points(lamp, _LAMP_POINTS)[None] - points[:, None]
            visible = (self._first_hits(points, to_lamp, near) < 0).mean(1, keepdims=True)
            light += lambert(lamp, points, normals) * visible * lamp.colour
        return floats(light)

    def _first_hits(
        self, points: Floats, directions: Floats, near: npt.NDArray[np.intp]
    ) -> npt.NDArray[np.intp]:
        """(M, R) index of a neighbour in the way, or -1."""
        found = np.full(directions.shape[:2], -1, np.intp)
        for index in near:
            neighbour = self._boxes[index]
            start = (points - neighbour.centre_mm) @ neighbour.axes.T
            along = directions @ neighbour.axes.T
            along = np.where(np.abs(along) < 1e-6, 1e-6, along)
            middle = -start[:, None] / along
            reach = neighbour.size_mm / 2 / np.abs(along)
            enter, leave = (middle - reach).max(-1), (middle + reach).min(-1)
            found[(enter < leave) & (leave > 0) & (enter > -1e-3) & (found < 0)] = index
        return found


def paint(
    picture: Floats, box: Box, camera: Camera, faces: Sequence[tuple[Floats, Floats]], keep: Floats | None
) -> None:
    """Draw a box into the picture; `keep` (H, W), 0..1, is where it can be seen at all."""
    quads = [camera.project(quad) for quad, _ in faces]
    corners = np.concatenate(quads)
    low = np.maximum(np.floor(corners.min(0)).astype(int) - 1, 0)
    high = np.minimum(np.ceil(corners.max(0)).astype(int) + 2, camera.size_px)
    if (high <= low).any():
        return
    oversampling = 1 if (high - low).max() > 300 else _OVERSAMPLING
    width, height = ((high - low) * oversampling).tolist()
    colour = np.zeros((height, width, 3), np.float32)
    alpha = np.zeros((height, width), np.float32)
    for quad, (_, light) in zip(quads, faces, strict=True):
        local = ((quad - low + 0.5) * oversampling - 0.5).astype(np.float32)
        mask = np.zeros((height, width), np.uint8)
        cv2.fillConvexPoly(mask, np.round(local * 16).astype(np.int32), 255, cv2.LINE_8, 4)
        face = _warp(_texture(box, light), local, (width, height))
        cv2.copyTo(face, mask, colour)
        cv2.fillConvexPoly(alpha, np.round(local * 16).astype(np.int32), 1, cv2.LINE_8, 4)
    shape = ((high - low)[0], (high - low)[1])
    colour = cv2.resize(colour, shape, interpolation=cv2.INTER_AREA).astype(np.float32)
    alpha = cv2.resize(alpha, shape, interpolation=cv2.INTER_AREA).astype(np.float32)
    region = (slice(low[1], high[1]), slice(low[0], high[0]))
    if keep is not None:
        alpha *= keep[region]
        colour *= keep[region][..., None]
    picture[region] = picture[region] * (1 - alpha[..., None]) + colour


def _texture(box: Box, light: Floats) -> Floats:
    """Light times albedo, with the shine of worn edges around the face."""
    grown = cv2.resize(light, (_TEXELS, _TEXELS), interpolation=cv2.INTER_LINEAR)
    mean = grown.mean((0, 1))
    texture = grown * box.albedo + mean * box.gloss
    edge = np.zeros((_TEXELS, _TEXELS), np.float32)
    edge[[0, -1]] = edge[:, [0, -1]] = 1
    gain = 1 + (box.bevel - 1) * edge[..., None]
    shine = 0.02 * max(box.bevel - 1, 0) * edge[..., None] * mean
    return floats(texture * gain + shine)


def _warp(texture: Floats, quad_px: Floats, size: tuple[int, int]) -> Floats:
    n = _TEXELS
    source = np.array([[-0.5, -0.5], [n - 0.5, -0.5], [n - 0.5, n - 0.5], [-0.5, n - 0.5]], np.float32)
    matrix = cv2.getPerspectiveTransform(source, quad_px)
    return cv2.warpPerspective(
        texture, matrix, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    ).astype(np.float32)
