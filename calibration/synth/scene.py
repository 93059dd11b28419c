"""What is in a scene: camera, tray, lamps, boxes. Plain values, made by `sample` and drawn by `render`."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]
Bytes = npt.NDArray[np.uint8]
Plastic = Literal["black", "clear"]
Shape = Literal["square", "oval"]
LightName = Literal["daylight", "warm", "led", "dim", "mixed", "shadow"]

COLOURS: Mapping[str, tuple[int, int, int]] = {
    "red": (200, 30, 35),
    "blue": (30, 80, 165),
    "black": (28, 28, 30),
    "yellow": (235, 195, 30),
    "purple": (125, 45, 140),
    "green": (25, 125, 55),
}
"""sRGB of the six colours of new cubes."""


def floats(value: npt.ArrayLike) -> Floats:
    """Convert to 32-bit floats, whatever numpy or OpenCV returned."""
    return np.asarray(value, np.float32)


def linear(srgb: tuple[float, ...] | Floats) -> Floats:
    """Convert sRGB 0..255 (red first) to linear light 0..1, blue first."""
    value = np.asarray(srgb, np.float32)[::-1] / 255
    return floats(np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4))


@dataclass(frozen=True, slots=True)
class Options:
    """What a caller wants to fix; None leaves it to the seed."""

    size_px: tuple[int, int] | None = None
    mat: bool | None = None
    tray: Shape | None = None
    plastic: Plastic | None = None
    light: LightName | None = None
    cube_mm: float | None = None
    counts: Mapping[str, int] | None = None
    colours: Mapping[str, tuple[int, int, int]] | None = None
    """Another palette, from name to sRGB."""
    plain: bool = False
    """An easy picture for the demo: gentle light, sharp, no distractors."""
    stacked: float | None = None
    """Share of the cubes, 0..1, that come to rest on another."""
    throws: Path | None = None
    """A file of recorded throws (see `throws`); without it, or if none matches, heaps are made up."""


@dataclass(frozen=True, slots=True)
class Camera:
    """A pinhole without distortion."""

    matrix: Floats
    """(3, 4) projection of (x, y, z, 1) mm to homogeneous pixels."""
    place_mm: Floats
    size_px: tuple[int, int]
    hfov_deg: float
    """Field of view along the longer side: an upright phone is a camera on its side."""
    tilt_deg: float

    def project(self, points_mm: npt.NDArray[Any]) -> Floats:
        """Project (N, 3) mm to (N, 2) px; pixel centres have whole coordinates."""
        seen = points_mm @ self.matrix[:, :3].T + self.matrix[:, 3]
        return floats(seen[:, :2] / seen[:, 2:])

    def plane(self, z_mm: float) -> Floats:
        """(3, 3) homography from (x, y, 1) mm on the plane at height `z_mm` to pixels."""
        m = self.matrix
        return floats(np.stack([m[:, 0], m[:, 1], m[:, 2] * z_mm + m[:, 3]], axis=1))


@dataclass(frozen=True, slots=True)
class Tray:
    """A dish around the mat's centre whose walls lean outwards."""

    shape: Shape
    plastic: Plastic
    inner_mm: tuple[float, float]
    """Width and depth of the opening."""
    corner_mm: float
    wall_mm: float
    """Height of the rim above the floor."""
    flare_mm: float
    """How much wider the opening is than the floor, on each side."""
    rim_mm: float
    centre_mm: tuple[float, float]
    yaw_rad: float

    def outline(self, grow_mm: float = 0.0, points: int = 72) -> Floats:
        """(points, 2) mm around the opening, grown outwards by `grow_mm`."""
        angles = np.linspace(0, 2 * np.pi, points, endpoint=False)
        half = np.array(self.inner_mm) / 2 + grow_mm
        if self.shape == "oval":
            ring = np.stack([np.cos(angles), np.sin(angles)], 1) * half
        else:
            corner = max(self.corner_mm + grow_mm, 1.0)
            ring = _rounded_rectangle(angles, half, corner)
        c, s = np.cos(self.yaw_rad), np.sin(self.yaw_rad)
        return floats(ring @ np.array([[c, s], [-s, c]]) + self.centre_mm)


def _rounded_rectangle(
    angles: npt.NDArray[np.float64], half: npt.NDArray[Any], corner: float
) -> npt.NDArray[np.float64]:
    """Points on a rounded rectangle about its centre, denser at the corners."""
    direction = np.stack([np.cos(angles), np.sin(angles)], 1)
    power = np.abs(direction) ** 0.5  # pulls points towards the corners
    direction = np.sign(direction) * power
    straight = half - corner
    quarter = np.sign(direction) * straight
    inside = direction / np.linalg.norm(direction, axis=1, keepdims=True)
    out: npt.NDArray[np.float64] = quarter + inside * corner
    return out


@dataclass(frozen=True, slots=True)
class Lamp:
    """A luminous disc: a small one casts hard shadows, a large one soft ones."""

    place_mm: Floats
    radius_mm: float
    colour: Floats
    """Light that a white surface at the mat's centre, facing the lamp, would send out."""


@dataclass(frozen=True, slots=True)
class Box:
    """A cube, a die, a chest, a card, the tower."""

    name: str
    centre_mm: Floats
    size_mm: Floats
    axes: Floats
    """(3, 3): rows are its own x, y, z axes."""
    albedo: Floats
    gloss: float = 0.0
    bevel: float = 1.0
    """Brightness of its rounded edges relative to its faces."""

    def corners(self) -> Floats:
        """(8, 3) corners in mm."""
        signs = np.array([[i & 1, i >> 1 & 1, i >> 2 & 1] for i in range(8)], np.float32) - 0.5
        return floats(self.centre_mm + (signs * self.size_mm) @ self.axes)


@dataclass(frozen=True, slots=True)
class Sensor:
    """What a cheap webcam does to the light."""

    exposure: float
    balance: Floats
    """Gain per channel: its white balance."""
    vignette: float
    blur_px: float
    noise: float
    noise_px: float
    """Size of the grain after the camera's own smoothing."""
    sharpen: float
    jpeg_quality: int


@dataclass(frozen=True, slots=True)
class Scene:
    """Everything that determines one picture before it is taken."""

    camera: Camera
    tray: Tray
    mat: bool
    mat_albedo: float
    light: LightName
    lamps: tuple[Lamp, ...]
    sky: Floats
    shade_mm: tuple[tuple[Floats, float], ...]
    """Shadows of distant things in the key light: polygons on the table and the softness of their edges."""
    cubes: tuple[Box, ...]
    cube_mm: float
    colours: tuple[str, ...]
    others: tuple[Box, ...]
    """Other things beside the tray, the tower last."""
    finger_mm: Floats | None
    """(2, 3) tip and knuckle; None without a finger."""
    table: str
    sensor: Sensor
    texture_seed: int
    distractors: tuple[str, ...]
