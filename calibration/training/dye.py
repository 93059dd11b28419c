"""Labelled trays with their cubes recoloured: the light stays real, the colours become many."""

from collections.abc import Mapping, Sequence
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from calibration.synth.scene import COLOURS as SRGB
from calibration.synth.scene import Floats, floats
from calibration.synth.worn import sample_albedos

Entry = Mapping[str, Any]
Bytes = npt.NDArray[np.uint8]
_TOO_DARK = "black"
"""The light on black cubes cannot be told from the grain, so they are left alone."""


def redye(
    rng: np.random.Generator, picture: Bytes, cubes: Sequence[Entry], outlines_px: Sequence[Floats]
) -> tuple[Bytes, list[str]]:
    """Return the picture with all cubes but the black ones recoloured, and each cube's new colour."""
    names = list(SRGB)
    is_drawn_per_cube = rng.random() < 0.5  # otherwise each old colour gets one new colour
    new_colour_of = {name: str(rng.choice(names)) for name in names}
    albedo = sample_albedos(rng, SRGB, plain=False)
    light = _linear_picture(picture)
    colours = [
        str(rng.choice(names)) if is_drawn_per_cube else new_colour_of[str(cube["colour"])] for cube in cubes
    ]
    colours = [_TOO_DARK if c["colour"] == _TOO_DARK else new for c, new in zip(cubes, colours, strict=True)]
    order = sorted(range(len(cubes)), key=lambda i: -float(cubes[i]["height_mm"]))
    recoloured = np.zeros(picture.shape[:2], np.uint8)
    for i in order:  # topmost first: those below leave its pixels alone
        mask = np.zeros(picture.shape[:2], np.uint8)
        cv2.fillPoly(mask, [np.round(outlines_px[i]).astype(np.int32)], (255,))
        mask[recoloured > 0] = 0
        recoloured |= mask
        old = str(cubes[i]["colour"])
        if old != _TOO_DARK and mask.any():
            _dye(rng, light, mask, albedo(colours[i]))
    stored = np.clip(light, 0, 1) ** (1 / 2.2) * 255 + rng.normal(0, 1.5, light.shape)
    changed = cv2.dilate(recoloured, np.ones((3, 3), np.uint8)) > 0
    out = picture.copy()
    out[changed] = np.clip(stored, 0, 255).astype(np.uint8)[changed]
    return out, colours


def _dye(rng: np.random.Generator, light: Floats, mask: Bytes, albedo: Floats) -> None:
    """Recolour a cube in place, keeping each pixel's brightness relative to its brightest ones."""
    rows, columns = np.nonzero(mask)
    top, left, bottom, right = rows.min() - 2, columns.min() - 2, rows.max() + 3, columns.max() + 3
    part = light[max(top, 0) : bottom, max(left, 0) : right]
    soft = cv2.GaussianBlur(mask[max(top, 0) : bottom, max(left, 0) : right], (0, 0), 0.7)[..., None] / 255.0
    strength = part.max(axis=2)
    sunlit = max(float(np.percentile(strength[soft[..., 0] >= 0.5 * soft.max()], 85)), 1e-3)
    level = float(np.clip(rng.normal(0.75, 0.2), 0.3, 1.1))
    new = (strength / sunlit)[..., None] * albedo * level
    part += floats((new - part) * soft)


def _linear_picture(picture: Bytes) -> Floats:
    return floats((picture / 255.0) ** 2.2)
