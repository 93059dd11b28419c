"""The tray's floor seen from straight above under white light: what every later stage works on."""

from dataclasses import dataclass, field, replace
from functools import cached_property

import cv2
import numpy as np

from vision.alongside import run_alongside
from vision.levels import floor_level, quantile, subsample, weakest_channel
from vision.pictures import Picture
from vision.scene.blur import blur_px
from vision.scene.change import Change, compare_floors
from vision.scene.fiducials import Fiducials, find_fiducials
from vision.scene.light import Light, guess_light, light_of_mat, srgb_to_linear, whiten
from vision.scene.locator import Located, locate
from vision.scene.plane import Points, project
from vision.scene.tray import INNER_MM, Tray, find_offset, find_tray, is_centred, outline
from vision.scene.trouble import is_uncoloured

PX_PER_MM = 2.5
MULTIPLE_PX = 32
"""The rectified picture's sides are multiples of this, as the detector's strides require."""
_FULL = 252
_BRIGHT_SHARE = 0.9
_OTHER_LIGHT = 2.5
"""How many times brighter than the mat's paper, in linear light, the brightest tenth of the floor is at least
if another light falls on it: so in 6 of 775 labelled pictures, one of which was confidently read as empty."""
_BRIGHTER_THAN_WHITE = 1.2
_SEEMS_OFF_MM = 9.0
"""Distance from the mat's middle, in millimetres, beyond which a tray stands elsewhere, however it was
calibrated."""
_AS_PAPER = 0.4
"""Share of the mat's white, in linear light, above which a floor is clear, or white itself."""
_STEP = 4
_MARGIN_MM = 4.0
"""Margin about the floor, to which the uncertainty of its edge is added."""


@dataclass(frozen=True)
class Rectified:
    """One tray, laid flat."""

    image: Picture
    """(H, W, 3) uint8 BGR, `PX_PER_MM` on the tray's floor, centred on the tray; white paper is near 235."""
    to_picture: Points
    """3×3, pixels of `image` to pixels of the picture."""
    tray: Tray
    light: Light
    fiducials: Fiducials | None
    size_px: tuple[int, int]
    """Width and height of the picture."""
    burnt: float
    """Share of the tray that the camera stored at full scale in every channel."""
    known: bool = False
    """Whether tray and light are those of a calibration: no mat was seen, but nothing was guessed."""
    stored: Picture = field(default_factory=lambda: np.empty((0, 0, 3), np.uint8))
    """`image` as the camera stored it, before any light was taken out."""
    change: Change | None = None
    """Change since the calibration, if the floor can be compared with the empty tray's."""
    uncoloured: bool = False
    """Whether the mat was printed without colour, so that it does not tell if the camera keeps or swaps
    colours."""
    stale: bool = False
    """Whether the light is still the calibration's, as a different floor does not show today's."""

    def with_light(self, light: Light) -> "Rectified":
        """Return the same floor under another white."""
        whitened_again = replace(self, image=whiten(self.stored, light), light=light)
        if "blur_mm" in self.__dict__:  # another white makes no edge wider
            whitened_again.__dict__["blur_mm"] = self.blur_mm
        return whitened_again

    @property
    def mat_seen(self) -> bool:
        """Whether scale and light come from the mat."""
        return self.fiducials is not None

    @property
    def guessed(self) -> bool:
        """Whether neither a mat nor a calibration tells where the tray lies and how it is lit."""
        return not (self.mat_seen or self.known)

    @cached_property
    def level(self) -> float:
        """Brightness of the floor (`vision.levels.floor_level`)."""
        return floor_level(self.image)

    @cached_property
    def blur_mm(self) -> float:
        """Blur of the picture as a standard deviation on the floor, in millimetres (`vision.scene.blur`)."""
        return blur_px(self.image) / PX_PER_MM

    def to_mm(self, points_px: Points) -> Points:
        """Convert (N, 2) pixels of `image` to millimetres from the tray's centre."""
        height, width = self.image.shape[:2]
        centre = np.array([(width - 1) / 2, (height - 1) / 2])
        return np.asarray((np.asarray(points_px, np.float64) - centre) / PX_PER_MM, np.float64)

    def floor(self, grown_mm: float = 0.0) -> Picture:
        """Return a (H, W) uint8 mask, 1 on the tray's floor, widened by `grown_mm` on every side."""
        height, width = self.image.shape[:2]
        across, down = self.tray.inner_mm
        edge = outline((across + 2 * grown_mm, down + 2 * grown_mm), self.tray.shape) * PX_PER_MM
        mask = np.zeros((height, width), np.uint8)
        middle = np.array([(width - 1) / 2, (height - 1) / 2])
        cv2.fillPoly(mask, [np.round(edge + middle).astype(np.int32)], 1)
        return mask


@dataclass(frozen=True)
class KnownTable:
    """A calibrated table: where the tray stands as long as the camera does not move, and the light it had."""

    tray: Tray
    light: Light
    size_px: tuple[int, int]
    """Size of the pictures for which this holds."""
    empty: Picture | None = None
    """The whole picture of the empty tray, (H, W, 3) uint8 BGR as the camera stored it."""

    @cached_property
    def floor(self) -> Picture | None:
        """The empty tray laid flat, as stored."""
        return None if self.empty is None else _floor_of(self.empty, self.tray)

    @cached_property
    def over_paper(self) -> bool:
        """Whether the mat's paper shows through the floor: without the mat it is a different floor."""
        if self.floor is None or not self.light.measured:
            return False
        level = srgb_to_linear(quantile(subsample(self.floor, _STEP).reshape(-1, 3), 0.5))
        return bool((level / self.light.linear).min() > _AS_PAPER)

    @cached_property
    def mat(self) -> Fiducials | None:
        """The mat under the empty tray; None if none was seen."""
        return None if self.empty is None else find_fiducials(self.empty)

    @property
    def fitted(self) -> bool:
        """Whether the outline was found without a mat and the picture of the empty tray is kept."""
        return self.empty is not None and self.mat is None

    @cached_property
    def tray_on_mat(self) -> Tray | None:
        """The empty tray as the mat locates it."""
        if self.empty is None or self.mat is None:
            return None
        return find_tray(self.empty, self.mat, self.tray.inner_mm)

    @cached_property
    def offset_when_calibrated(self) -> tuple[float, float] | None:
        """Offset of the located empty tray from the calibrated one: a person may have drawn that."""
        return (
            None
            if self.empty is None
            else find_offset(locate(self.empty), self.tray.to_px, self.tray.inner_mm)
        )

    def offset_without_mat(self, located: Located) -> tuple[float, float] | None:
        """Return the offset of a tray without the mat: as located, or its change since then if less."""
        now = find_offset(located, self.tray.to_px, self.tray.inner_mm)
        when_calibrated = self.offset_when_calibrated
        if now is None or when_calibrated is None:
            return now
        change = (now[0] - when_calibrated[0], now[1] - when_calibrated[1])
        return min(now, change, key=lambda offset: float(np.hypot(*offset)))

    def moved(self, tray: Tray, mat: Fiducials) -> tuple[float, float] | None:
        """Return the offset of a tray on the mat, relative to the empty tray's if that seemed off.

        This needs the markers that were seen then. With others, or if the empty tray seemed centred or too
        far off, the offset from the mat's middle is returned as without a calibration.
        """
        empty_tray = self.tray_on_mat
        if tray.off is None or empty_tray is None or empty_tray.off is None or self.mat is None:
            return tray.off
        if (
            is_centred(empty_tray)
            or empty_tray.off_mm > _SEEMS_OFF_MM
            or mat.markers_px.keys() != self.mat.markers_px.keys()
        ):
            return tray.off
        return tray.off[0] - empty_tray.off[0], tray.off[1] - empty_tray.off[1]


def rectify(
    picture: Picture, inner_mm: tuple[float, float] | None = None, known: KnownTable | None = None
) -> Rectified | None:
    """Lay flat the tray of a (H, W, 3) uint8 BGR picture; None if no tray shows.

    `inner_mm` and `known` come from a profile.
    """
    # Search for markers and tray concurrently: neither search keeps two cores busy.
    located = run_alongside(locate, picture)
    fiducials = find_fiducials(picture)
    is_known = fiducials is None and known is not None and known.size_px == picture.shape[1::-1]
    tray = known.tray if known and is_known else find_tray(picture, fiducials, inner_mm, located.result())
    if tray is None:
        return None
    if known and is_known:
        tray = replace(tray, off=known.offset_without_mat(located.result()))
    elif known and fiducials:
        tray = replace(tray, off=known.moved(tray, fiducials))
    stored = _floor_of(picture, tray)
    change = _change_since(stored, known) if known and is_known else None
    measured = light_of_mat(picture, fiducials) if fiducials else None
    light = measured or (_light_today(known, change) if known and is_known else guess_light(picture))
    stale = known is not None and is_known and change is None and known.floor is not None
    rectified = _rectify_under(picture, stored, tray, light)
    rectified = replace(rectified, fiducials=fiducials, known=is_known, change=change, stale=stale)
    if fiducials is None or measured is None:
        return rectified
    return _correct_shaded_white(replace(rectified, uncoloured=is_uncoloured(picture, fiducials, measured)))


def lay_flat(picture: Picture, tray: Tray, light: Light) -> Rectified:
    """Lay flat a known tray in a (H, W, 3) uint8 BGR picture, under a known light."""
    return replace(_rectify_under(picture, _floor_of(picture, tray), tray, light), known=True)


def _rectify_under(picture: Picture, stored: Picture, tray: Tray, light: Light) -> Rectified:
    """Return the floor `stored` of a picture under a light."""
    burnt = float((weakest_channel(subsample(stored, _STEP)) >= _FULL).mean())
    size_px = (picture.shape[1], picture.shape[0])
    image, to_picture = whiten(stored, light), _flat_to_picture(tray)
    return Rectified(image, to_picture, tray, light, None, size_px, burnt, stored=stored)


def _correct_shaded_white(rectified: Rectified) -> Rectified:
    """Replace the white if only the mat lies in a shadow: by the mat's white the cubes would be clipped."""
    floor_pixels = rectified.stored[::_STEP, ::_STEP][rectified.floor()[::_STEP, ::_STEP] > 0]
    brighter = float((srgb_to_linear(quantile(floor_pixels, _BRIGHT_SHARE)) / rectified.light.linear).max())
    if brighter < _OTHER_LIGHT:
        return rectified
    white = rectified.light.linear * brighter / _BRIGHTER_THAN_WHITE
    return rectified.with_light(Light.of_linear(white, measured=True))


def _change_since(stored: Picture, known: KnownTable) -> Change | None:
    return None if known.floor is None or known.over_paper else compare_floors(stored, known.floor)


def _light_today(known: KnownTable, change: Change | None) -> Light:
    """Return today's light; if the floor does not show it, the calibration's, no longer as measured."""
    if change is None:
        return known.light if known.floor is None else replace(known.light, measured=False)
    return change.todays_light(known.light)


def _floor_of(picture: Picture, tray: Tray) -> Picture:
    """Return a tray's floor as the camera stored it, (H, W, 3) uint8 BGR."""
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return np.asarray(
        cv2.warpPerspective(picture, _flat_to_picture(tray), _canvas_size(tray), flags=flags), np.uint8
    )


def _canvas_size(tray: Tray) -> tuple[int, int]:
    """Return (width, height) in pixels that hold a tray, at least a usual one, with a margin."""
    sides = np.maximum(tray.inner_mm, INNER_MM) + 2 * (_MARGIN_MM + tray.edge_mm)
    width, height = (int(v) for v in np.ceil(sides * PX_PER_MM / MULTIPLE_PX) * MULTIPLE_PX)
    return width, height


def _flat_to_picture(tray: Tray) -> Points:
    width, height = _canvas_size(tray)
    to_mm = np.array(
        [
            [1 / PX_PER_MM, 0, -(width - 1) / 2 / PX_PER_MM],
            [0, 1 / PX_PER_MM, -(height - 1) / 2 / PX_PER_MM],
            [0, 0, 1],
        ]
    )
    return np.asarray(tray.to_px @ to_mm, np.float64)


def outline_px(tray: Tray) -> tuple[tuple[float, float], ...]:
    """Return the outline of the tray's floor in the picture."""
    return tuple((float(x), float(y)) for x, y in project(tray.outline_mm, tray.to_px))
