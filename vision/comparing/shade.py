"""Shadows that look like cubes, told apart by the empty tray of a calibration.

What is darker than the empty floor, keeps its colour and is as dark as other shadows of the picture is floor
in a shadow: a dyed cube has another colour, and a black one is as dark as its dye and the light make it.
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
"""Least darkening of a shadow that a cube casts, as a natural logarithm like all levels here; noise is
less."""
_SHADE = 0.2
"""Darkening from which a place counts among the picture's shadows: it may lie only half in one."""
_TINT = 0.2
"""Standard deviation of a channel relative to the others: in a shadow, as sky and lamp differ, and of a
dye."""
_MOST_BY_COLOUR = 6.0
_FADED = np.arange(0.5, 1.11, 0.1, dtype=np.float32)
_AS_TAUGHT = np.ones(1, np.float32)
"""Shares of its dye's colour that a cube may have left; only a taught dye is known to have all of it."""
_LIT, _SHADED, _IN_SHADE, _SHADED_SPREAD = 0.5, 0.1, -1.2, 0.7
"""A cube's level relative to its dye's: spread; share of cubes in a shadow, by how much darker they are,
spread."""
_ELSEWHERE, _ANY, _DEEPEST = 0.4, 0.3, 3.0
"""A shadow's level: weight of the levels of this picture's shadows, and of any level down to the deepest."""
_BIN, _FLOOR = 0.1, 4.0
_REDUCED = 4
"""Side, in pixels, of the squares of floor that are averaged, so that noise is no shadow."""
_FEW = 100
"""Number of such squares of shadow that a picture must show for its levels to have full weight."""
_FREE_EDGES = 0.75
"""Radius about a cube, in edges, beyond which there is floor."""
_STRENGTH = 3.0
"""Factor on evidence for a shadow, as the network was fooled by the same pixels. Of 97 darkened cubes on
eight rendered tables it spoke for a shadow in three, of 17 shadows taken for cubes in all."""
_LEAST = 0.01
"""Least share of a cube's odds that is left: a lamp mirrored in its top makes a dye as light and pale as a
floor in a shadow. Of 6,500 places on 24 path-traced tables it took away 19 true cubes and one false."""
_LIKELY = 0.5


def without_shadows(
    found: Sequence[Candidate], change: Change, inside: Mask, palette: Palette, light: Light
) -> list[Candidate]:
    """Make candidates less probable that a shadow on the floor explains; `light` is today's."""
    density = _shadow_density(found, change, inside)
    remaining = {
        one.centre_px: _remaining_share(one, change, density, palette, light)
        for one in found
        if not one.under
    }
    return [replace(one, presence=one.presence * remaining.get(one.centre_px, 1.0)) for one in found]


def _remaining_share(
    candidate: Candidate, change: Change, density: Floats, palette: Palette, light: Light
) -> float:
    """Return the share of a candidate's presence that a shadow leaves."""
    before = _log_face(change.then, candidate) + change.lamps
    difference = _log_face(change.now, candidate) - before
    level = float(difference.mean())
    if level > -_DARKENED:
        return 1.0
    rgb = palette.srgb[palette.colours[candidate.colour_index]]
    dye = srgb_to_linear(np.array(rgb[::-1])) / srgb_to_linear(PAPER_LEVEL)
    expected = np.asarray(np.log(dye * light.linear + NOISE) - before, np.float32)
    hue, expected_hue = (np.asarray(log - log.mean(), np.float32) for log in (difference, expected))
    saturations = _FADED if palette.usual else _AS_TAUGHT
    evidence = _colour_log_odds(hue, expected_hue, saturations) + _level_log_odds(
        level, float(expected.mean()), density
    )
    odds_factor = max(_LEAST, float(np.exp(_STRENGTH * min(0.0, evidence))))
    return odds_factor / (1 - candidate.presence + candidate.presence * odds_factor)


def _colour_log_odds(hue: Floats, expected_hue: Floats, saturations: Floats) -> float:
    """Return the log odds that a cube's dye, not a shadow, makes this difference between channels.

    `saturations`: shares of the `expected_hue` that the dye may have left, equally likely.
    """
    squared_errors = ((hue - saturations[:, None] * expected_hue) ** 2).sum(axis=1)
    log_odds = float(np.log(np.exp(((hue**2).sum() - squared_errors) / 2 / _TINT**2).mean()))
    return float(np.clip(log_odds, -_MOST_BY_COLOUR, _MOST_BY_COLOUR))


def _level_log_odds(level: float, expected: float, density: Floats) -> float:
    """Return the same for how dark it is: relative to its dye, and among the shadows of the picture."""
    cube_density = (1 - _SHADED) * _normal_density(level - expected, _LIT)
    cube_density += _SHADED * _normal_density(level - expected - _IN_SHADE, _SHADED_SPREAD)
    bin_index = min(len(density) - 1, int(-level / _BIN))
    shadow_density = _ANY / _DEEPEST * (level > -_DEEPEST) + _ELSEWHERE * float(density[bin_index])
    return float(np.log(cube_density + 1e-4) - np.log(shadow_density + 1e-3))


def _normal_density(deviation: float, spread: float) -> float:
    return float(np.exp(-((deviation / spread) ** 2) / 2) / spread / np.sqrt(2 * np.pi))


def _shadow_density(found: Sequence[Candidate], change: Change, inside: Mask) -> Floats:
    """Return the density of how much darker the shadows on this floor are: 0, `_BIN`, 2 `_BIN` … `_FLOOR`."""
    then, now = (logs(_reduce(floor)) for floor in (change.then, change.now))
    difference = now - then - change.lamps
    level = difference.mean(axis=2)
    free = np.ascontiguousarray(inside[::_REDUCED, ::_REDUCED])
    for candidate in found:
        if candidate.presence > _LIKELY:
            x, y = (round(v / _REDUCED) for v in candidate.centre_px)
            cv2.circle(free, (x, y), round(_FREE_EDGES * candidate.edge_px / _REDUCED), 0, -1)
    is_shadow = (free > 0) & (level < -_SHADE) & (np.abs(difference - level[..., None]).max(axis=2) < _TINT)
    histogram = np.histogram(-level[is_shadow], bins=round(_FLOOR / _BIN), range=(0, _FLOOR))[0].astype(
        np.float64
    )
    smoothed = np.convolve(histogram, (0.1, 0.2, 0.4, 0.2, 0.1), "same")
    return np.asarray(smoothed / max(float(histogram.sum()), _FEW) / _BIN, np.float32)


def _reduce(floor: Picture) -> Picture:
    height, width = floor.shape[:2]
    size = (width // _REDUCED, height // _REDUCED)
    return np.asarray(cv2.resize(floor, size, interpolation=cv2.INTER_AREA), np.uint8)


def _log_face(floor: Picture, candidate: Candidate) -> Floats:
    """Return (3,) logarithms of light of a candidate's face."""
    x, y = (round(v) for v in candidate.centre_px)
    pixels = face(floor, x, y, candidate.edge_px)
    return logs(np.median(pixels, axis=0).astype(np.uint8))
