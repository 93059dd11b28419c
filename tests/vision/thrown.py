"""Throws drawn for the settling tests: textured table, cubes sliding to their places, noise, light."""

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np

from vision.pictures import Picture

FRAME_MS = 1000 / 15
PX_PER_MM = 1.6


@dataclass(frozen=True)
class Throw:
    """Cubes that all stand still from frame `ends` on; `speed_mm` is the length of their last steps."""

    ends: int
    cubes: int = 6
    noise: float = 2.0
    contrast: float = 90.0
    level: float = 110.0
    speed_mm: float = 3.0
    seed: int = 1
    size: tuple[int, int] = (640, 480)


def table(throw: Throw) -> np.ndarray:
    """Grain of several sizes around `level`, as (H, W, 3) float32."""
    rng = np.random.default_rng(throw.seed)
    width, height = throw.size
    coarse = rng.normal(0, 10, (height // 16, width // 16, 3)).astype(np.float32)
    fine = rng.normal(0, 3, (height, width, 3)).astype(np.float32)
    return cv2.resize(coarse, throw.size, interpolation=cv2.INTER_CUBIC) + fine + np.float32(throw.level)


def draw(picture: np.ndarray, centre: np.ndarray, contrast: float, channel: int) -> None:
    """Draw an 8 mm cube at a subpixel position."""
    half = 4 * PX_PER_MM
    corners = np.array([(-half, -half), (half, -half), (half, half), (-half, half)], np.float32) + centre
    colour = picture[0, 0].tolist()
    colour[channel] = float(np.clip(colour[channel] + contrast, 0, 255))
    fixed = np.round(corners * 256).astype(np.int32)
    cv2.fillConvexPoly(picture, fixed, colour, cv2.LINE_AA, shift=8)


def frames(throw: Throw, count: int) -> Iterator[Picture]:
    """Yield `count` frames with fresh noise in each."""
    rng = np.random.default_rng(throw.seed + 1)
    width, height = throw.size
    resting = rng.uniform((0.3 * width, 0.3 * height), (0.7 * width, 0.7 * height), (throw.cubes, 2))
    ways = rng.normal(0, 1, (throw.cubes, 2))
    ways *= throw.speed_mm * PX_PER_MM / np.linalg.norm(ways, axis=1, keepdims=True)
    background = table(throw)
    for index in range(count):
        picture = background.astype(np.uint8)  # anti-aliased drawing needs 8 bits
        for number in range(throw.cubes):
            left = max(0, throw.ends - number % 2 - index)  # every second cube stops a frame earlier
            draw(
                picture,
                (resting[number] + ways[number] * left).astype(np.float32),
                throw.contrast,
                number % 3,
            )
        yield noisy(picture, throw.noise, rng)


def noisy(picture: Picture, sigma: float, rng: np.random.Generator) -> Picture:
    """Add Gaussian noise to each pixel and channel."""
    noise = rng.standard_normal(picture.shape, np.float32) * np.float32(sigma)
    return np.clip(picture + noise, 0, 255).astype(np.uint8)
