"""Damage that cameras, cables and rooms do to a picture; the truth stays the same but may not be visible."""

from collections.abc import Callable, Mapping

import cv2
import numpy as np
import numpy.typing as npt

from vision.pictures import Picture, decode_picture
from vision.scene.light import linear_to_srgb, srgb_to_linear
from vision.scene.plane import Points

Spoil = Callable[[Picture, Points], Picture]
"""Spoils a (H, W, 3) uint8 BGR picture, given the (N, 2) outline of its tray in pixels."""


def _to_levels(levels: npt.ArrayLike) -> Picture:
    return np.asarray(np.clip(np.round(np.asarray(levels, np.float64)), 0, 255), np.uint8)


def _lit(blue: float, green: float, red: float) -> Spoil:
    """Scale each channel in linear light."""
    gains = np.array([blue, green, red])
    table = _to_levels(linear_to_srgb(srgb_to_linear(np.arange(256))[:, None] * gains)).reshape(256, 1, 3)
    return lambda picture, _: _to_levels(cv2.LUT(picture, table))


def _fogged(share: float) -> Spoil:
    table = _to_levels(linear_to_srgb(srgb_to_linear(np.arange(256)) * (1 - share / 2) + share))
    return lambda picture, _: _to_levels(cv2.LUT(picture, table))


def _jpeg(quality: int) -> Spoil:
    def spoil(picture: Picture, _: Points) -> Picture:
        packed = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])[1]
        return decode_picture(packed.tobytes(), "bench")

    return spoil


def _blurred(px: float) -> Spoil:
    """Blur by `px` pixels at a width of 1280."""
    return lambda picture, _: _to_levels(cv2.GaussianBlur(picture, (0, 0), px * picture.shape[1] / 1280))


def _moved(px: float) -> Spoil:
    def spoil(picture: Picture, _: Points) -> Picture:
        length = max(1, round(px * picture.shape[1] / 1280))
        return _to_levels(cv2.filter2D(picture, -1, np.full((1, length), 1 / length, np.float32)))

    return spoil


def _smaller(width: int) -> Spoil:
    def spoil(picture: Picture, _: Points) -> Picture:
        size = (width, round(picture.shape[0] * width / picture.shape[1]))
        return _to_levels(cv2.resize(picture, size, interpolation=cv2.INTER_AREA))

    return spoil


def _grainy(levels: float) -> Spoil:
    def spoil(picture: Picture, _: Points) -> Picture:
        return _to_levels(picture + np.random.default_rng(1).normal(0, levels, picture.shape))

    return spoil


def _sharpened(times: float) -> Spoil:
    def spoil(picture: Picture, _: Points) -> Picture:
        soft = cv2.GaussianBlur(picture, (0, 0), 1.5).astype(np.float32)
        return _to_levels(picture + times * (picture - soft))

    return spoil


def _coloured(share: float) -> Spoil:
    def spoil(picture: Picture, _: Points) -> Picture:
        grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)[:, :, None].astype(np.float32)
        return _to_levels(grey + share * (picture - grey))

    return spoil


def _smoothed(picture: Picture, _: Points) -> Picture:
    """Smooth as phones do in the dark."""
    return _to_levels(cv2.bilateralFilter(cv2.medianBlur(picture, 7), 11, 70, 7))


def _lost_from(share: float, *, repeated: bool) -> Spoil:
    """Lose the last rows: a decoder fills them with grey or repeats the last row it had."""

    def spoil(picture: Picture, tray: Points) -> Picture:
        broken, row = picture.copy(), round(float(tray[:, 1].max() - share * np.ptp(tray[:, 1])))
        broken[row:] = broken[row] if repeated else 128
        return broken

    return spoil


def _cut(share: float) -> Spoil:
    """Cut off this share of the tray at its right side."""
    return lambda picture, tray: np.ascontiguousarray(
        picture[:, : round(float(tray[:, 0].max() - share * np.ptp(tray[:, 0])))]
    )


def _interlaced(px: int) -> Spoil:
    def spoil(picture: Picture, _: Points) -> Picture:
        combed = picture.copy()
        combed[1::2] = np.roll(picture[1::2], px, axis=1)
        return combed

    return spoil


SPOILT: Mapping[str, Spoil] = {
    "as they are": lambda picture, _: picture,
    "JPEG of quality 30": _jpeg(30),
    "JPEG of quality 15": _jpeg(15),
    "blurred by 2 px": _blurred(2),
    "blurred by 5 px": _blurred(5),
    "blurred by 8 px": _blurred(8),
    "moved by 20 px": _moved(20),
    "320 px wide": _smaller(320),
    "grain of 10 levels": _grainy(10),
    "smoothed": _smoothed,
    "sharpened": _sharpened(1.5),
    "half of the colour": _coloured(0.5),
    "a tenth of the colour": _coloured(0.1),
    "fog": _fogged(0.3),
    "2 stops brighter": _lit(4, 4, 4),
    "3 stops darker": _lit(1 / 8, 1 / 8, 1 / 8),
    "a candle taken for daylight": _lit(0.27, 0.62, 1),
    "a magenta lamp": _lit(1, 0.18, 1),
    "red and blue exchanged": lambda picture, _: np.ascontiguousarray(picture[:, :, ::-1]),
    "the last rows grey": _lost_from(0.25, repeated=False),
    "the last rows repeated": _lost_from(0.25, repeated=True),
    "interlaced": _interlaced(3),
    "on its side": lambda picture, _: np.ascontiguousarray(np.rot90(picture)),
    "mirrored": lambda picture, _: np.ascontiguousarray(picture[:, ::-1]),
    "a twentieth of the tray cut off": _cut(0.05),
    "a tenth of the tray cut off": _cut(0.1),
    "a quarter of the tray cut off": _cut(0.25),
}
