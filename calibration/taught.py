"""The reader of one calibrated table: its colours, its cubes, its tray, its light."""

import numpy as np

from calibration.profile import ColourSample, Profile
from vision.light import Light, whitened
from vision.palette import COLOURS_AT_LEAST, SHOGUN, Palette
from vision.reader import TrayReader
from vision.rectify import KnownTable


def reader_of(profile: Profile) -> TrayReader:
    """A reader that knows what the profile knows. Ask `drift.changes` whether that still holds."""
    return TrayReader(
        palette=palette_of(profile),
        cube_mm=profile.cube_mm,
        inner_mm=profile.tray.inner_mm,
        known=known_table(profile),
    )


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
