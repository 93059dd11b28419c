"""Random views of labelled crops, hard ones more often. No torch in here."""

from collections.abc import Sequence
from functools import cache

import cv2
import numpy as np
import numpy.typing as npt

from calibration.synth.scene import floats
from calibration.training.crops import Crop

VIEW_PX = 224
SLANTED = 0.04
"""Standard deviation of the camera's tilt, as the logarithm of the foreshortening along one direction."""
SHADED = 0.4
"""Share of views with another lamp's shadow across them."""
BLURRED, GRAINED, COARSE_GRAIN = 0.25, 0.35, 0.6
"""Shares of the views; the last is a share of those with grain."""
Floats = npt.NDArray[np.float32]


class Drawer:
    """Draws crops, more often those whose recent losses were high."""

    def __init__(self, rng: np.random.Generator, crops: Sequence[Crop]) -> None:
        self.crops = crops
        self._rng = rng
        self._recent_losses = np.full(len(crops), 10.0)

    def draw(self) -> int:
        """Return the index of a random crop."""
        share = np.sqrt(self._recent_losses) + 0.3
        return int(self._rng.choice(len(self.crops), p=share / share.sum()))

    def note_loss(self, index: int, loss: float) -> None:
        """Note the loss of a crop this time."""
        self._recent_losses[index] = 0.6 * self._recent_losses[index] + 0.4 * loss


def view(rng: np.random.Generator, crop: Crop) -> tuple[npt.NDArray[np.uint8], Floats]:
    """Return a random part of a crop with its cubes: turned, mirrored, scaled, in another light."""
    turn, scale = rng.uniform(0, 2 * np.pi), float(np.exp(rng.uniform(-0.17, 0.17)))
    mirror = rng.choice([-1.0, 1.0])
    c, s = np.cos(turn) * scale, np.sin(turn) * scale
    matrix = slant_matrix(rng) @ np.array([[c * mirror, -s], [s * mirror, c]])
    if len(crop.cubes) and rng.random() < 0.8:
        look_at = crop.cubes[rng.integers(len(crop.cubes)), :2] + rng.normal(0, 40, 2)
    else:
        height, width = crop.picture.shape[:2]
        look_at = rng.uniform((60, 60), (width - 60, height - 60))
    shift = VIEW_PX / 2 - matrix @ look_at
    affine = np.concatenate([matrix, shift[:, None]], axis=1)
    border = [int(v) for v in crop.picture[0, 0]]
    flags = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    picture = cv2.warpAffine(
        np.asarray(crop.picture), affine, (VIEW_PX, VIEW_PX), flags=flags, borderValue=border
    )
    cubes = crop.cubes.copy()
    cubes[:, :2] = crop.cubes[:, :2] @ matrix.T + shift
    cubes[:, 4] *= scale
    return vary_light(rng, picture.astype(np.uint8)), cubes


def slant_matrix(rng: np.random.Generator) -> npt.NDArray[np.float64]:
    """Return a (2, 2) matrix that foreshortens along a random direction, and stretches as much across it."""
    turn, shorter = rng.uniform(0, np.pi), np.exp(rng.normal(0, SLANTED))
    axes = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    return np.asarray(axes.T @ np.diag([shorter, 1 / shorter]) @ axes, np.float64)


def vary_light(rng: np.random.Generator, picture: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """Apply another white balance (gain) and tone curve, sometimes shadow, blur or grain."""
    return add_blur_and_grain(rng, vary_tone(rng, picture))


def vary_tone(
    rng: np.random.Generator, picture: npt.NDArray[np.uint8], side: float | None = None
) -> npt.NDArray[np.uint8]:
    """Apply another white balance and tone curve, sometimes a shadow's edge.

    `side`: side in pixels of the central square that the edge falls across; by default the picture's longer
    side.
    """
    if rng.random() < SHADED:
        picture = _cast_shadow(rng, picture, max(picture.shape[:2]) if side is None else side)
    gain = np.exp(rng.normal(0.1, 0.3) + rng.normal(0, 0.08, 3))
    gamma = 2.2 * np.exp(rng.normal(0, 0.08))
    light = (np.arange(256) / 255) ** gamma
    table = (np.clip(light[:, None] * gain, 0, 1) ** (1 / 2.2) * 255).astype(np.uint8)
    return np.asarray(cv2.LUT(picture, table[:, None]), np.uint8)


def add_blur_and_grain(rng: np.random.Generator, out: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """Sometimes add blur or grain."""
    if rng.random() < BLURRED:
        out = np.asarray(cv2.GaussianBlur(out, (0, 0), rng.uniform(0.4, 1.3)), np.uint8)
    if rng.random() < GRAINED:
        grain = _grain(rng, out.shape[0], out.shape[1])
        if rng.random() < COARSE_GRAIN:  # a brightened dim picture has coarse grain
            size = float(rng.uniform(0.4, 1.0))
            grain = floats(cv2.GaussianBlur(grain, (0, 0), size) * (2.5 * size))
        out = np.clip(out + grain * np.float32(np.exp(rng.uniform(0, np.log(16)))), 0, 255).astype(np.uint8)
    return out


def _cast_shadow(
    rng: np.random.Generator, picture: npt.NDArray[np.uint8], side: float
) -> npt.NDArray[np.uint8]:
    """Cast a shadow's edge, hard or as soft as from a wide lamp, across an (H, W, 3) picture."""
    turn, softness = rng.uniform(0, 2 * np.pi), side * float(np.exp(rng.uniform(np.log(0.01), np.log(1.5))))
    across, down = _offsets_from_centre(*picture.shape[:2])
    edge = rng.normal(0, 0.25) * side
    depth = np.clip((np.cos(turn) * across + np.sin(turn) * down - edge) / softness + 0.5, 0, 1)
    remaining = rng.uniform(0.25, 0.9) * np.exp(rng.normal(0, 0.06, 3))  # a little bluer or redder
    brightness = 1 - depth[:, :, None] * (1 - np.minimum(remaining, 1) ** (1 / 2.2)).astype(np.float32)
    return np.asarray(picture * brightness, np.uint8)


@cache
def _noise() -> Floats:
    """Return grain of which each view takes a random part: drawing it anew took longer than a step."""
    return floats(np.random.default_rng(5).standard_normal((1024, 1024, 3), np.float32))


def _grain(rng: np.random.Generator, height: int, width: int) -> Floats:
    whole = _noise()
    top, left = (
        int(rng.integers(side - length + 1))
        for side, length in zip(whole.shape, (height, width), strict=False)
    )
    return whole[top : top + height, left : left + width]


@cache
def _offsets_from_centre(height: int, width: int) -> tuple[Floats, Floats]:
    """Return two (H, W) arrays: each pixel's offset right of and below the centre."""
    down, across = np.mgrid[:height, :width]
    return floats(across - (width - 1) / 2), floats(down - (height - 1) / 2)
