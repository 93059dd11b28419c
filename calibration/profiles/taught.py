"""The reader of one calibrated table, which knows its colours, cubes, tray and light."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TypedDict

import numpy as np

from calibration.profiles.profile import ColourSample, Point, Profile, empty_tray
from vision.comparing.relight import correct_light
from vision.counting.odds import AtMost
from vision.palette import COLOURS_AT_LEAST, SHOGUN, Palette
from vision.pictures import Picture
from vision.reader import Found, TrayReader
from vision.reading import TrayReading
from vision.scene.light import Light, likely_white, srgb_to_linear, whiten
from vision.scene.rectify import KnownTable
from vision.scene.straight import Straightener

_CUBES_TAUGHT = 5
"""Approximate number of cubes taught per colour."""


def reader_of(profile: Profile) -> TrayReader:
    """Return a reader that knows what the profile knows; `drift.changes` says whether that still holds."""
    straight = straightener(profile)
    return TrayReader(**_reader_options(profile)) if straight is None else _WideReader(profile, straight)


class _WideReader(TrayReader):
    """Straightens pictures of a lens with distortion; `read` reports places in the camera's own pixels."""

    def __init__(self, profile: Profile, straight: Straightener) -> None:
        super().__init__(**_reader_options(profile))
        self._straight = straight

    def find(self, picture: Picture, at_most: AtMost | None = None) -> Found | None:
        """Find every place that may hold a cube, in pixels of the straightened picture."""
        return super().find(self._straight.picture(picture), at_most)

    def read(self, picture: Picture, at_most: AtMost | None = None) -> TrayReading:
        """Read the tray in a (H, W, 3) uint8 BGR picture; `at_most` holds limits from a ledger, if any."""
        reading = super().read(picture, at_most)
        if not self._straight.fits(picture):
            return reading
        cubes = tuple(
            replace(
                cube,
                centre_px=self._to_camera_px((cube.centre_px,))[0],
                outline_px=self._to_camera_px(cube.outline_px),
            )
            for cube in reading.cubes
        )
        open_places = tuple(
            replace(place, centre_px=self._to_camera_px((place.centre_px,))[0])
            for place in reading.open_places
        )
        outline = self._to_camera_px(reading.tray_outline_px)
        return replace(reading, cubes=cubes, open_places=open_places, tray_outline_px=outline)

    def _to_camera_px(self, points: Sequence[Point]) -> tuple[Point, ...]:
        if not points:
            return ()
        return tuple((float(x), float(y)) for x, y in self._straight.distort(np.array(points, np.float64)))


def straightener(profile: Profile) -> Straightener | None:
    """Return the straightener of the profile's lens; None if it has none."""
    lens = profile.lens
    return None if lens is None else Straightener(lens.matrix, lens.distortion, profile.size_px)


class _ReaderOptions(TypedDict):
    palette: Palette
    cube_mm: float
    inner_mm: tuple[float, float] | None
    known: KnownTable


def _reader_options(profile: Profile) -> _ReaderOptions:
    return {
        "palette": palette_of(profile),
        "cube_mm": profile.cube_mm,
        # Without a mat the calibrated size is a guess; leave it out so that a mat can measure it.
        "inner_mm": profile.tray.inner_mm if profile.markers_px else None,
        "known": known_table(profile),
    }


def known_table(profile: Profile) -> KnownTable:
    """Return tray, light and empty floor, for pictures in which the mat is not seen."""
    return KnownTable(profile.tray.tray(), light_of(profile), profile.size_px, empty_tray(profile))


def light_of(profile: Profile) -> Light:
    """White of the table: by the mat's paper, or else by the taught cubes, whose dyes are known."""
    light = Light(profile.white_bgr, measured=bool(profile.markers_px))
    if light.measured:
        return light
    faces = {colour: _typical_face(sample, light) for colour, sample in profile.colours.items()}
    return correct_light(faces, likely_white(light))


def _typical_face(sample: ColourSample, light: Light) -> tuple[np.ndarray, int]:
    """A colour's typical face as if taken in the light of the empty tray, and the number of cubes."""
    face = np.median(srgb_to_linear(np.array(sample.pixels_bgr)), axis=0)
    return face * light.linear / Light(sample.white_bgr, measured=False).linear, _CUBES_TAUGHT


def palette_of(profile: Profile) -> Palette:
    """Fit a palette to this table's cubes under white light; the usual one if fewer than two were taught."""
    if len(profile.colours) < COLOURS_AT_LEAST:
        return SHOGUN
    correction = light_of(profile).linear / Light(profile.white_bgr, measured=False).linear
    return Palette.of_samples({c: _white_rgb(sample, correction) for c, sample in profile.colours.items()})


def _white_rgb(sample: ColourSample, correction: np.ndarray) -> np.ndarray:
    """(N, 3) sRGB as if seen under white light; `correction` corrects the sample's white, per channel."""
    pixels = np.round(np.array(sample.pixels_bgr)).astype(np.uint8).reshape(1, -1, 3)
    white = Light(sample.white_bgr, measured=True).linear * correction
    return whiten(pixels, Light.of_linear(white, measured=True)).reshape(-1, 3)[:, ::-1]
