"""The reader of one calibrated table: its colours, its cubes, its tray, its light."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TypedDict

import numpy as np

from calibration.profile import ColourSample, Point, Profile
from vision.light import Light, whitened
from vision.palette import COLOURS_AT_LEAST, SHOGUN, Palette
from vision.pictures import Picture
from vision.reader import TrayReader
from vision.reading import TrayReading
from vision.rectify import KnownTable
from vision.straight import Straightener


def reader_of(profile: Profile) -> TrayReader:
    """A reader that knows what the profile knows. Ask `drift.changes` whether that still holds."""
    straight = straightener(profile)
    return TrayReader(**_taught(profile)) if straight is None else _WideReader(profile, straight)


class _WideReader(TrayReader):
    """Reads through a lens that bends: straight inside, in the camera's own pixels outside."""

    def __init__(self, profile: Profile, straight: Straightener) -> None:
        super().__init__(**_taught(profile))
        self._straight = straight

    def read(self, picture: Picture) -> TrayReading:
        """What lies in the tray of a (H, W, 3) uint8 BGR picture."""
        reading = super().read(self._straight.picture(picture))
        if not self._straight.fits(picture):
            return reading
        cubes = tuple(
            replace(cube, centre_px=self._bent((cube.centre_px,))[0], outline_px=self._bent(cube.outline_px))
            for cube in reading.cubes
        )
        return replace(reading, cubes=cubes, tray_outline_px=self._bent(reading.tray_outline_px))

    def _bent(self, points: Sequence[Point]) -> tuple[Point, ...]:
        if not points:
            return ()
        return tuple((float(x), float(y)) for x, y in self._straight.bent(np.array(points, np.float64)))


def straightener(profile: Profile) -> Straightener | None:
    """Of the profile's lens; None when it has none."""
    lens = profile.lens
    return None if lens is None else Straightener(lens.matrix, lens.distortion, profile.size_px)


class _Taught(TypedDict):
    palette: Palette
    cube_mm: float
    inner_mm: tuple[float, float]
    known: KnownTable


def _taught(profile: Profile) -> _Taught:
    return {
        "palette": palette_of(profile),
        "cube_mm": profile.cube_mm,
        "inner_mm": profile.tray.inner_mm,
        "known": known_table(profile),
    }


def known_table(profile: Profile) -> KnownTable:
    """Tray and light, for pictures in which the mat is not seen."""
    light = Light(profile.white_bgr, measured=bool(profile.markers_px))
    return KnownTable(profile.tray.tray(), light, profile.size_px)


def palette_of(profile: Profile) -> Palette:
    """Fitted to the cubes of this table under white light; the usual one when fewer than two were taught."""
    if len(profile.colours) < COLOURS_AT_LEAST:
        return SHOGUN
    return Palette.of_samples({colour: _white_rgb(sample) for colour, sample in profile.colours.items()})


def _white_rgb(sample: ColourSample) -> np.ndarray:
    """(N, 3) sRGB as if seen under white light."""
    pixels = np.round(np.array(sample.pixels_bgr)).astype(np.uint8).reshape(1, -1, 3)
    return whitened(pixels, Light(sample.white_bgr, measured=True)).reshape(-1, 3)[:, ::-1]
