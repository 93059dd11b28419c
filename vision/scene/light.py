"""The light of one picture: how white paper looks in it, and the picture as if that light were white."""

from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
import numpy.typing as npt

from vision.levels import quantile
from vision.pictures import Picture
from vision.scene.fiducials import Fiducials
from vision.scene.mat import MARKER_CENTRES_MM, MARKER_MM, PATCH_MM, PATCHES
from vision.scene.plane import Points, project

PAPER_LEVEL = 235
"""Stored level (of 255) to which white paper is brought in every channel."""
_GAIN_AT_MOST = 8.0
_GAIN_AT_LEAST = 0.25
_CLIPPED = 250.0
"""Stored level from which paper is clipped: it is at least that bright, and how much brighter is unknown."""
_BRIGHTEST = 4.0
"""Brightest white assumed of a clipped picture, in linear light relative to full scale."""
_TOWARDS_FULL = 0.65
"""Exponent applied to the brightest parts' share of full scale, since cameras expose so that white comes near
it. Fitted on 26 pictures whose white was known; off by 0.7 of a natural logarithm."""


_LEAST_BRIGHT = 0.02
_GREYS_DIFFER = 0.4
"""Largest difference between channels of a grey patch, relative to its strongest: one more colourful than any
lamp makes it is covered."""


@dataclass(frozen=True, slots=True)
class Light:
    """The white of one picture."""

    white_bgr: tuple[float, float, float]
    """White paper, or what is taken for it, as stored; above 255 where the picture is clipped."""
    measured: bool
    """Whether it comes from the mat's paper; otherwise it is guessed from the whole picture."""

    @property
    def linear(self) -> npt.NDArray[np.float64]:
        """(3,) BGR in linear light, 1 at full scale."""
        return srgb_to_linear(np.array(self.white_bgr))

    @classmethod
    def of_linear(cls, white: npt.ArrayLike, *, measured: bool) -> "Light":
        """Return the light whose white is (3,) BGR in linear light; it may lie above full scale."""
        blue, green, red = _encode_srgb(np.clip(white, 1e-4, _BRIGHTEST))
        return cls((float(blue), float(green), float(red)), measured)


def srgb_to_linear(stored: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """Convert stored levels 0..255 to linear light 0..1 (IEC 61966-2-1)."""
    share = np.asarray(stored, np.float64) / 255
    return np.where(share <= 0.04045, share / 12.92, ((share + 0.055) / 1.055) ** 2.4)


def linear_to_srgb(light: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """Convert linear light 0..1 to stored levels 0..255 (IEC 61966-2-1), clipped."""
    return _encode_srgb(np.clip(light, 0, 1))


def _encode_srgb(light: npt.ArrayLike) -> npt.NDArray[np.float64]:
    share = np.asarray(light, np.float64)
    return 255 * np.where(share <= 0.0031308, share * 12.92, 1.055 * share ** (1 / 2.4) - 0.055)


def light_of_mat(picture: Picture, fiducials: Fiducials) -> Light | None:
    """Return the white of the paper about the markers and of the white patch, or if clipped of the grey ones.

    None if none of it is in the picture.
    """
    places = [_paper_points(marker) for marker in range(len(MARKER_CENTRES_MM))] + [_patch_points("white")]
    levels = [_level_at(picture, project(place, fiducials.to_px)) for place in places]
    visible_levels = np.array([level for level in levels if level is not None])
    if not len(visible_levels):
        return None
    # Half of the mat may lie in a shadow, with the tray in between: take the middle of what was seen.
    bright_levels = visible_levels[visible_levels.max(axis=1) >= 0.4 * visible_levels.max()]
    white = srgb_to_linear(np.median(bright_levels, axis=0))
    clipped = np.median(bright_levels, axis=0) >= _CLIPPED
    grey = _white_of_grey(picture, fiducials) if clipped.any() else None
    if grey is not None:  # in a clipped channel paper gives a lower bound only
        white = np.where(clipped, np.maximum(white, grey), white)
    return Light.of_linear(white, measured=True)


def _white_of_grey(picture: Picture, fiducials: Fiducials) -> npt.NDArray[np.float64] | None:
    """Return (3,) white by the lighter grey patch that is not clipped itself; None if neither shows."""
    for name in ("grey50", "grey20"):
        level = _level_at(picture, project(_patch_points(name), fiducials.to_px), share=0.5)
        grey = next(p for p in PATCHES if p.name == name)
        if level is not None and level.max() < _CLIPPED and np.ptp(level) < _GREYS_DIFFER * level.max():
            return np.asarray(srgb_to_linear(level) / srgb_to_linear(grey.srgb[0]), np.float64)
    return None


def guess_light(picture: Picture) -> Light:
    """Return what white probably is in a picture without paper."""
    return likely_white(brightest_light(picture))


def brightest_light(picture: Picture) -> Light:
    """Return the brightest parts, their colour halfway to grey: not white, but it changes with the light."""
    sample = picture[::8, ::8].reshape(-1, 3)
    bright = srgb_to_linear(quantile(sample, 0.97))
    level = max(float(bright.max()), _LEAST_BRIGHT)
    return Light.of_linear(level * np.sqrt(np.maximum(bright, 1e-6) / level), measured=False)


def likely_white(brightest: Light) -> Light:
    """Return a neutral white as bright as cameras make it.

    The brightest parts do not tell its colour: a wooden table is not a warm lamp, and automatic white balance
    has already removed most of the lamp's colour.
    """
    return Light.of_linear(np.full(3, float(brightest.linear.max()) ** _TOWARDS_FULL), measured=False)


def whiten(picture: Picture, light: Light) -> Picture:
    """Return the picture under white light: in linear light each channel is scaled to `PAPER_LEVEL`."""
    return np.asarray(cv2.LUT(picture, _whitening_table(tuple(round(v) for v in light.white_bgr))), np.uint8)


@cache
def _whitening_table(white_bgr: tuple[int, ...]) -> npt.NDArray[np.uint8]:
    stored = srgb_to_linear(np.arange(256))
    gains = srgb_to_linear(PAPER_LEVEL) / np.maximum(srgb_to_linear(np.array(white_bgr)), 1e-4)
    gains = np.clip(gains, _GAIN_AT_LEAST, _GAIN_AT_MOST)
    table = linear_to_srgb(stored[:, None] * gains[None, :])
    return np.asarray(np.round(table), np.uint8).reshape(256, 1, 3)


def _patch_points(name: str) -> Points:
    """Return points of a printed patch, clear of its edge."""
    x, y = next(p for p in PATCHES if p.name == name).centre_mm
    reach = PATCH_MM * 0.3
    return np.array([(x + dx, y + dy) for dx in (-reach, 0, reach) for dy in (-reach, 0, reach)])


def _paper_points(marker: int) -> Points:
    """Return points on the paper just outside a marker's black square."""
    x, y = MARKER_CENTRES_MM[marker]
    reach = MARKER_MM / 2 + 2.5
    along = np.linspace(-reach, reach, 7)
    sides = [((a, -reach), (a, reach), (-reach, a), (reach, a)) for a in along]
    return np.array([(x + dx, y + dy) for side in sides for dx, dy in side])


def _level_at(picture: Picture, points_px: Points, share: float = 0.75) -> npt.NDArray[np.float64] | None:
    """Return the quantile per channel of the points inside the picture; None if fewer than five are."""
    height, width = picture.shape[:2]
    columns, rows = np.round(points_px).astype(int).T
    inside = (columns >= 0) & (columns < width) & (rows >= 0) & (rows < height)
    if int(inside.sum()) < 5:
        return None
    return quantile(picture[rows[inside], columns[inside]], share)
