"""The light of one picture: how paper white looks in it, and the picture as if that light were white."""

from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
import numpy.typing as npt

from vision.fiducials import Fiducials
from vision.mat import MARKER_CENTRES_MM, MARKER_MM, PATCH_MM, PATCHES
from vision.pictures import Picture
from vision.plane import Points, project

PAPER_LEVEL = 235
"""Of 255 as stored: where white paper is brought to in every channel."""
_GAIN_AT_MOST = 8.0
_GAIN_AT_LEAST = 0.5


@dataclass(frozen=True, slots=True)
class Light:
    """White of one picture."""

    white_bgr: tuple[float, float, float]
    """0..255 as stored: white paper, or what is taken for it."""
    measured: bool
    """From the mat's paper; otherwise guessed from the whole picture."""


def srgb_to_linear(stored: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """0..255 as stored to 0..1 of light (IEC 61966-2-1)."""
    share = np.asarray(stored, np.float64) / 255
    return np.where(share <= 0.04045, share / 12.92, ((share + 0.055) / 1.055) ** 2.4)


def linear_to_srgb(light: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """0..1 of light to 0..255 as stored (IEC 61966-2-1), clipped."""
    share = np.clip(np.asarray(light, np.float64), 0, 1)
    return 255 * np.where(share <= 0.0031308, share * 12.92, 1.055 * share ** (1 / 2.4) - 0.055)


def light_of_mat(picture: Picture, fiducials: Fiducials) -> Light | None:
    """From the paper about the markers and the white patch; None when all of it is outside or dark."""
    places = [_around(marker) for marker in range(len(MARKER_CENTRES_MM))]
    white = next(p for p in PATCHES if p.name == "white")
    x, y = white.centre_mm
    reach = PATCH_MM * 0.3
    places.append(np.array([(x + dx, y + dy) for dx in (-reach, 0, reach) for dy in (-reach, 0, reach)]))
    levels = [_typical(picture, project(place, fiducials.to_px)) for place in places]
    seen = np.array([level for level in levels if level is not None])
    if not len(seen):
        return None
    # Half of the mat may lie in a shadow; the tray lies between: the middle of what was seen.
    bright = seen[seen.max(axis=1) >= 0.4 * seen.max()]
    blue, green, red = np.median(bright, axis=0)
    return Light((float(blue), float(green), float(red)), measured=True)


def guessed_light(picture: Picture) -> Light:
    """Without paper: brightest parts, drawn halfway to grey, for a brown table is no warm lamp."""
    sample = picture[::8, ::8].reshape(-1, 3).astype(np.float64)
    bright = np.percentile(sample, 97, axis=0)
    level = max(60.0, float(bright.max()))
    tint = srgb_to_linear(bright) / max(1e-6, float(srgb_to_linear(bright).max()))
    blue, green, red = linear_to_srgb(srgb_to_linear(level) * np.sqrt(tint))
    return Light((float(blue), float(green), float(red)), measured=False)


def whitened(picture: Picture, light: Light) -> Picture:
    """The picture under white light: each channel scaled (in linear light) so that paper is `PAPER_LEVEL`."""
    return np.asarray(cv2.LUT(picture, _table(tuple(round(v) for v in light.white_bgr))), np.uint8)


@cache
def _table(white_bgr: tuple[int, ...]) -> npt.NDArray[np.uint8]:
    stored = srgb_to_linear(np.arange(256))
    gains = srgb_to_linear(PAPER_LEVEL) / np.maximum(srgb_to_linear(np.array(white_bgr)), 1e-4)
    gains = np.clip(gains, _GAIN_AT_LEAST, _GAIN_AT_MOST)
    table = linear_to_srgb(stored[:, None] * gains[None, :])
    return np.asarray(np.round(table), np.uint8).reshape(256, 1, 3)


def _around(marker: int) -> Points:
    """Points on the paper just outside of a marker's black square."""
    x, y = MARKER_CENTRES_MM[marker]
    reach = MARKER_MM / 2 + 2.5
    along = np.linspace(-reach, reach, 7)
    sides = [((a, -reach), (a, reach), (-reach, a), (reach, a)) for a in along]
    return np.array([(x + dx, y + dy) for side in sides for dx, dy in side])


def _typical(picture: Picture, points_px: Points) -> npt.NDArray[np.float64] | None:
    """Upper quartile per channel of the points inside of the picture; None for fewer than five."""
    height, width = picture.shape[:2]
    columns, rows = np.round(points_px).astype(int).T
    inside = (columns >= 0) & (columns < width) & (rows >= 0) & (rows < height)
    if int(inside.sum()) < 5:
        return None
    return np.asarray(np.percentile(picture[rows[inside], columns[inside]], 75, axis=0), np.float64)
