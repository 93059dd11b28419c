"""Textures: colours of clothes and hands, cloth with folds, printed sheets."""

import cv2
import numpy as np
import numpy.typing as npt

from vision.scene.covered import MM_PER_PX, VIEW_PX

FINE = 2
"""Factor by which things are drawn larger than the view."""
SIZE_PX = VIEW_PX * FINE
FINE_MM = MM_PER_PX / FINE
_SHEET_PX = 256

Floats = npt.NDArray[np.float32]
Doubles = npt.NDArray[np.float64]


def any_colour(rng: np.random.Generator) -> Doubles:
    """Draw a (3,) BGR colour: dark, light, grey or vivid, as of clothes and boxes."""
    kind = rng.random()
    if kind < 0.25:
        colour = np.full(3, rng.uniform(12, 60)) + rng.normal(0, 6, 3)
    elif kind < 0.45:
        colour = np.full(3, rng.uniform(60, 245)) + rng.normal(0, 8, 3)
    else:
        hue, depth, value = rng.uniform(0, 180), rng.uniform(60, 255), rng.uniform(40, 240)
        pixel = np.array([[[hue, depth, value]]], np.uint8)
        colour = cv2.cvtColor(pixel, cv2.COLOR_HSV2BGR)[0, 0].astype(np.float64)
    return np.asarray(np.clip(colour, 4, 250), np.float64)


def skin_colour(rng: np.random.Generator) -> Doubles:
    """Draw a (3,) BGR skin colour, dark to light, under white light."""
    light = rng.uniform(0.25, 1.0)
    return np.asarray(np.clip(np.array([150, 178, 224]) * light + rng.normal(0, 8, 3), 10, 250), np.float64)


def cloth(rng: np.random.Generator, colour: Doubles) -> Floats:
    """Draw cloth with folds and a weave, often with stripes, checks or blots of another colour."""
    folds = noise(rng, rng.uniform(6, 30)) * rng.uniform(0.05, 0.35)
    weave = noise(rng, rng.uniform(0.7, 3)) * rng.uniform(0, 0.15)
    woven = np.asarray(colour, np.float32) * np.exp(folds + weave)[..., None]
    if rng.random() < 0.45:
        other = np.asarray(any_colour(rng), np.float32) * np.exp(folds)[..., None]
        where = _pattern(rng)[..., None] * rng.uniform(0.3, 1)
        woven = woven * (1 - where) + other * where
    return np.asarray(woven, np.float32)


def draw_printed_sheet(rng: np.random.Generator, ground: Doubles, corners_mm: Doubles) -> Floats:
    """Draw a sheet with lines of text, a frame, a picture or nothing, warped to `corners_mm`."""
    size = _SHEET_PX
    sheet = np.broadcast_to(ground, (size, size, 3)).astype(np.float32).copy()
    ink = any_colour(rng) if rng.random() < 0.4 else np.full(3, rng.uniform(10, 80))
    if rng.random() < 0.4:
        for row in np.arange(20, size - 20, rng.uniform(6, 16)):
            stop = int(rng.uniform(0.5, 0.95) * size)
            sheet[int(row) : int(row) + 3, 15:stop] = ink * 0.6 + ground * 0.4
    if rng.random() < 0.4:
        low, high = rng.uniform(0.05, 0.4, 2), rng.uniform(0.6, 0.95, 2)
        box = tuple(slice(int(a * size), int(b * size)) for a, b in zip(low, high, strict=True))
        picture = cv2.resize(cloth(rng, any_colour(rng)), (size, size))
        sheet[box] = picture[box]
    if rng.random() < 0.3:
        cv2.rectangle(sheet, (8, 8), (size - 9, size - 9), ink.tolist(), int(rng.uniform(3, 14)))
    source = np.array([[0, 0], [size, 0], [size, size], [0, size]], np.float32)
    target = (corners_mm / FINE_MM + (SIZE_PX - 1) / 2).astype(np.float32)
    matrix = cv2.getPerspectiveTransform(source, target)
    laid = cv2.warpPerspective(sheet, matrix, (SIZE_PX, SIZE_PX), borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(laid, np.float32)


def _pattern(rng: np.random.Generator) -> Floats:
    """Draw an (H, W) pattern, 0..1: stripes, checks or blots."""
    pitch = float(rng.uniform(4, 30)) / FINE_MM
    stripes = np.sin(ramp(rng, SIZE_PX) * SIZE_PX / pitch * 2 * np.pi) > rng.uniform(-0.6, 0.6)
    kind = rng.random()
    if kind < 0.4:
        return np.asarray(stripes, np.float32)
    if kind < 0.7:
        crossing = np.sin(ramp(rng, SIZE_PX) * SIZE_PX / pitch * 2 * np.pi) > rng.uniform(-0.6, 0.6)
        return np.asarray((stripes.astype(np.float32) + crossing) / 2, np.float32)
    blots = noise(rng, pitch / 3) > rng.uniform(-0.5, 1)
    return blots.astype(np.float32)


def noise(rng: np.random.Generator, smooth_px: float) -> Floats:
    """Return (H, W) noise of mean 0 and standard deviation 1, smooth over about `smooth_px`."""
    coarse = max(8, int(SIZE_PX / max(1.0, smooth_px / 1.5)))
    small = rng.normal(0, 1, (coarse, coarse)).astype(np.float32)
    soft = cv2.GaussianBlur(small, (0, 0), 1.0)
    grown = cv2.resize(soft, (SIZE_PX, SIZE_PX), interpolation=cv2.INTER_CUBIC)
    return np.asarray((grown - grown.mean()) / (grown.std() + 1e-6), np.float32)


def ramp(rng: np.random.Generator, size: int) -> Floats:
    """Return a (size, size) gradient within -1..1 in a random direction."""
    turn = rng.uniform(0, 2 * np.pi)
    rows, columns = np.mgrid[-1 : 1 : size * 1j, -1 : 1 : size * 1j]
    return np.asarray((rows * np.sin(turn) + columns * np.cos(turn)) / np.sqrt(2), np.float32)
