"""A floor's own pattern that looks like cubes: where the calibrated empty tray showed it too, nothing lies.

A chequered cloth or print under a clear tray has places that the networks take for cubes, and surely so. A
cube would cover them; where the pattern is as it was, light aside, none does.
"""

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np

from vision.finding.candidates import Candidate
from vision.scene.change import Change, Floats, logs

_ABOUT_EDGES = 0.7
"""About its centre: all of a cube and some of its shadow."""
_SMOOTH_PX = 1.0
_MOST = 0.75
"""Of the place; the rest may be a neighbour's."""
_CONTRAST = 0.1
"""From this share of the place's levels to as much below the highest: how strong its pattern is."""
_AS_IT_WAS, _OF_CONTRAST = 0.3, 0.2
"""Natural logarithm by which `_MOST` of it has changed at most, also as a share of the pattern's own. So 116
of 154 places on 16 path-traced tables are told that hold no cube, and none of 2,101 that hold one: there it
is 0.26 of the pattern and more, and on dark plastic, which has none, many times."""
_LEFT = 0.001
"""Of a presence, however sure the networks are: they would be of the empty tray as well."""


def without_pattern(found: Sequence[Candidate], change: Change) -> list[Candidate]:
    """Candidates, those not probable where the floor's pattern shows as it did."""
    return [replace(one, presence=_LEFT * one.presence) if _is_floor(one, change) else one for one in found]


def _is_floor(one: Candidate, change: Change) -> bool:
    x, y = (round(v) for v in one.centre_px)
    reach = round(_ABOUT_EDGES * one.edge_px)
    here = np.s_[max(0, y - reach) : y + reach + 1, max(0, x - reach) : x + reach + 1]
    now, then = (_soft(logs(floor[here])) for floor in (change.now, change.then))
    changed_by = float(np.quantile(np.abs(now - then - change.lamps).max(axis=2), _MOST))
    low, high = np.quantile(then, (_CONTRAST, 1 - _CONTRAST), axis=(0, 1))
    return changed_by < min(_AS_IT_WAS, _OF_CONTRAST * float((high - low).max()))


def _soft(light: Floats) -> Floats:
    return np.asarray(cv2.GaussianBlur(light, (0, 0), _SMOOTH_PX), np.float32)
