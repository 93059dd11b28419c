"""Draw something over a view as a camera would take it, with the shadow it casts."""

from collections.abc import Callable

import cv2
import numpy as np

from calibration.covering.cloth import Floats, ramp
from calibration.covering.things import Thing, cup, fingers, hand, lump, sheet, sleeve
from vision.pictures import Picture
from vision.scene.covered import STRIDE, VIEW_PX

_THINGS: tuple[Callable[[np.random.Generator], Thing], ...] = (sleeve, hand, fingers, sheet, cup, lump)
_PROBABILITIES = (0.34, 0.1, 0.1, 0.28, 0.06, 0.12)


def cover(rng: np.random.Generator, view: Picture) -> tuple[Picture, Floats]:
    """Return the view with something over it, and (32, 32) the share of each cell that it covers."""
    thing = _THINGS[int(rng.choice(len(_THINGS), p=_PROBABILITIES))](rng)
    colour, mask = _photograph(rng, thing)
    shadow = _cast_shadow(rng, mask)
    shadowed = view * (1 - shadow)[..., None]
    out = shadowed * (1 - mask[..., None]) + colour * mask[..., None]
    cells = cv2.resize(mask, None, fx=1 / STRIDE, fy=1 / STRIDE, interpolation=cv2.INTER_AREA)
    return np.clip(out, 0, 255).astype(np.uint8), np.asarray(np.clip(cells, 0, 1), np.float32)


def shade(rng: np.random.Generator, view: Picture) -> Picture:
    """Cast the shadow of something outside the picture, sometimes with brighter light beside it."""
    mask = _outline_mask(rng)
    dark = cv2.GaussianBlur(mask, (0, 0), float(rng.uniform(0.5, 5))) * rng.uniform(0.2, 0.75)
    brighter = 1.0 if rng.random() < 0.6 else float(rng.uniform(1.2, 3))
    return np.clip(view * (brighter * (1 - dark))[..., None], 0, 255).astype(np.uint8)


def glare(rng: np.random.Generator, view: Picture) -> Picture:
    """Add a lamp or a window mirrored in the floor: light on top of everything, often all there is to see."""
    mask = _outline_mask(rng) if rng.random() < 0.3 else _lamp_mask(rng)
    bright = cv2.GaussianBlur(mask, (0, 0), float(rng.uniform(0.5, 4)))[..., None]
    added = bright * rng.uniform(40, 255) * np.exp(rng.normal(0, 0.08, 3))
    return np.clip(view + added, 0, 255).astype(np.uint8)


def _outline_mask(rng: np.random.Generator) -> Floats:
    """Return an (H, W) mask of the view, 0..1: the outline of some thing."""
    shape = _THINGS[int(rng.integers(len(_THINGS)))](rng).mask
    return np.asarray(cv2.resize(shape, (VIEW_PX, VIEW_PX), interpolation=cv2.INTER_AREA), np.float32)


def _lamp_mask(rng: np.random.Generator) -> Floats:
    """Return an (H, W) mask of the view, 0..1: one or two lamps."""
    mask = np.zeros((VIEW_PX, VIEW_PX), np.uint8)
    for _ in range(int(rng.integers(1, 3))):
        x, y = (int(v) for v in rng.uniform(0.15, 0.85, 2) * VIEW_PX)
        wide = int(rng.uniform(2, 24))
        cv2.ellipse(mask, (x, y), (wide, max(1, int(wide * rng.uniform(0.6, 1)))), 0, 0, 360, 255, -1)
    return np.asarray(mask / np.float32(255), np.float32)


def _photograph(rng: np.random.Generator, thing: Thing) -> tuple[Floats, Floats]:
    """Return colour and mask as a camera takes them: out of focus, differently lit, with grain."""
    soft = float(rng.choice([0.6, rng.uniform(0.6, 4)]))
    mask = cv2.GaussianBlur(thing.mask, (0, 0), soft)
    colour = cv2.GaussianBlur(thing.colour, (0, 0), soft)
    mask, colour = (cv2.resize(m, (VIEW_PX, VIEW_PX), interpolation=cv2.INTER_AREA) for m in (mask, colour))
    uneven = 1 + ramp(rng, VIEW_PX) * rng.uniform(0, 0.4)
    colour = colour * uneven[..., None] * np.exp(rng.normal(0, 0.25))
    colour = colour + rng.normal(0, rng.uniform(0, 4), colour.shape)
    return np.asarray(colour, np.float32), np.asarray(mask, np.float32)


def _cast_shadow(rng: np.random.Generator, mask: Floats) -> Floats:
    """Return the share of light that a thing takes away around it: almost none if flat under a wide lamp."""
    shift = np.array([[1, 0, rng.normal(0, 7)], [0, 1, rng.normal(0, 7)]])
    moved = cv2.warpAffine(mask, shift, (VIEW_PX, VIEW_PX), borderMode=cv2.BORDER_REPLICATE)
    moved = cv2.GaussianBlur(moved, (0, 0), float(rng.uniform(0.8, 7)))
    return np.asarray(moved * rng.uniform(0, 0.7), np.float32)
