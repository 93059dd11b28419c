"""Shadows that look like cubes, told apart by the empty tray of a calibration.

What is darker than the empty floor and keeps its colour, as dark as other shadows of the same picture, is
floor in a shadow: a dyed cube takes another colour, a black one is as dark as its dye and the light make it.
"""

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np

from vision.finding.candidates import Candidate, face
from vision.palette import Palette
from vision.pictures import Mask, Picture
from vision.scene.change import NOISE, Change, Floats, logs
from vision.scene.light import PAPER_LEVEL, Light, srgb_to_linear

_DARKENED = 0.35
"""Natural logarithm, as all levels here; shadows that cubes cast are deeper, noise is not."""
_SHADE = 0.2
"""From which a place counts among the picture's shadows: it may lie half in one."""
_TINT = 0.2
"""Standard deviation of a channel beside the others: in a shadow (sky and lamp differ), of a dye."""
_MOST_BY_COLOUR = 6.0
_FADED = np.arange(0.5, 1.11, 0.1, dtype=np.float32)
_AS_TAUGHT = np.ones(1, np.float32)
"""How much of its dye's colour a cube may have left: of one that was not shown nobody knows."""
_LIT, _SHADED, _IN_SHADE, _SHADED_SPREAD = 0.5, 0.1, -1.2, 0.7
"""Of a cube's level about its dye's: spread; share that lies in a shadow, by how much, spread."""
_ELSEWHERE, _ANY, _DEEPEST = 0.4, 0.3, 3.0
"""Of a shadow: weight of the levels of this picture's shadows, and of any level down to the deepest."""
_BIN, _FLOOR = 0.1, 4.0
_REDUCED = 4
"""Of the floor's pixels, the side of the square whose mean is taken: noise is no shadow."""
_FEW = 100
"""Such squares of shadow that a picture must show for its levels to count whole."""
_FREE_EDGES = 0.75
"""About a cube: what is further out is floor."""
_STRENGTH = 3.0
"""What speaks for a shadow counts so many times: the network was fooled by the same pixels. Of 97 darkened
cubes on eight rendered tables it spoke for a shadow in three, of 17 shadows taken for cubes in all."""
_LEAST = 0.01
"""It leaves no less of the odds of a cube: a lamp that is mirrored in its top makes a dye as light and pale
as a floor in a shadow. Of 6,500 places on 24 path-traced tables it took away 19 true cubes and one false."""
_LIKELY = 0.5


def without_shadows(
    found: Sequence[Candidate], change: Change, inside: Mask, palette: Palette, light: Light
) -> list[Candidate]:
    """Candidates, those less probable that a shadow on the floor explains; `light` is today's."""
    levels = _shadow_levels(found, change, inside)
    left = {one.centre_px: _left(one, change, levels, palette, light) for one in found if not one.under}
    return [replace(one, presence=one.presence * left.get(one.centre_px, 1.0)) for one in found]


def _left(one: Candidate, change: Change, levels: Floats, palette: Palette, light: Light) -> float:
    """Share of a candidate's presence that a shadow leaves."""
    before = _typical(change.then, one) + change.lamps
    seen = _typical(change.now, one) - before
    level = float(seen.mean())
    if level > -_DARKENED:
        return 1.0
    rgb = palette.srgb[palette.colours[one.colour_index]]
    dye = srgb_to_linear(np.array(rgb[::-1])) / srgb_to_linear(PAPER_LEVEL)
    due = np.asarray(np.log(dye * light.linear + NOISE) - before, np.float32)
    hue, hue_due = (np.asarray(log - log.mean(), np.float32) for log in (seen, due))
    fresh = _FADED if palette.usual else _AS_TAUGHT
    evidence = _of_colour(hue, hue_due, fresh) + _of_level(level, float(due.mean()), levels)
    against = max(_LEAST, float(np.exp(_STRENGTH * min(0.0, evidence))))
    return against / (1 - one.presence + one.presence * against)


def _of_colour(seen: Floats, due: Floats, fresh: Floats) -> float:
    """Logarithm of the odds that a cube's dye, not a shadow, makes this difference between channels.

    `fresh`: shares of the `due` difference that a dye may have left, each as likely.
    """
    away = ((seen - fresh[:, None] * due) ** 2).sum(axis=1)
    favour = float(np.log(np.exp(((seen**2).sum() - away) / 2 / _TINT**2).mean()))
    return float(np.clip(favour, -_MOST_BY_COLOUR, _MOST_BY_COLOUR))


def _of_level(level: float, due: float, levels: Floats) -> float:
    """The same of how dark it is: for its dye, and among the shadows of the picture."""
    cube = (1 - _SHADED) * _normal(level - due, _LIT)
    cube += _SHADED * _normal(level - due - _IN_SHADE, _SHADED_SPREAD)
    place = min(len(levels) - 1, int(-level / _BIN))
    shadow = _ANY / _DEEPEST * (level > -_DEEPEST) + _ELSEWHERE * float(levels[place])
    return float(np.log(cube + 1e-4) - np.log(shadow + 1e-3))


def _normal(away: float, spread: float) -> float:
    return float(np.exp(-((away / spread) ** 2) / 2) / spread / np.sqrt(2 * np.pi))


def _shadow_levels(found: Sequence[Candidate], change: Change, inside: Mask) -> Floats:
    """Density of how much darker (0, `_BIN`, 2 `_BIN` … `_FLOOR`) the shadows on this floor are."""
    then, now = (logs(_reduced(floor)) for floor in (change.then, change.now))
    seen = now - then - change.lamps
    level = seen.mean(axis=2)
    free = np.ascontiguousarray(inside[::_REDUCED, ::_REDUCED])
    for one in found:
        if one.presence > _LIKELY:
            x, y = (round(v / _REDUCED) for v in one.centre_px)
            cv2.circle(free, (x, y), round(_FREE_EDGES * one.edge_px / _REDUCED), 0, -1)
    shadow = (free > 0) & (level < -_SHADE) & (np.abs(seen - level[..., None]).max(axis=2) < _TINT)
    pixels = np.histogram(-level[shadow], bins=round(_FLOOR / _BIN), range=(0, _FLOOR))[0].astype(np.float64)
    smooth = np.convolve(pixels, (0.1, 0.2, 0.4, 0.2, 0.1), "same")
    return np.asarray(smooth / max(float(pixels.sum()), _FEW) / _BIN, np.float32)


def _reduced(floor: Picture) -> Picture:
    height, width = floor.shape[:2]
    size = (width // _REDUCED, height // _REDUCED)
    return np.asarray(cv2.resize(floor, size, interpolation=cv2.INTER_AREA), np.uint8)


def _typical(floor: Picture, one: Candidate) -> Floats:
    """(3,) of a candidate's face, in logarithms of light."""
    x, y = (round(v) for v in one.centre_px)
    pixels = face(floor, x, y, one.edge_px)
    return logs(np.median(pixels, axis=0).astype(np.uint8))
