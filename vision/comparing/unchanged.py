"""A floor's own pattern that looks like cubes: where the calibrated empty tray showed it too, nothing lies.

A chequered cloth or print under a clear tray has places that the networks confidently take for cubes. A cube
would cover the pattern; where it is unchanged, apart from the light, there is none.
"""

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np

from vision.finding.candidates import Candidate
from vision.scene.change import Change, Floats, logs

_ABOUT_EDGES = 0.7
"""Half side, in edges, of the square about its centre: the whole cube and some of its shadow."""
_SMOOTH_PX = 1.0
_MOST = 0.75
"""Share of the place that is compared; the rest may belong to a neighbour."""
_CONTRAST = 0.1
"""Quantile, from below and from above, between which the contrast of a place's pattern is measured."""
_AS_IT_WAS, _OF_CONTRAST = 0.3, 0.2
"""Most that `_MOST` of it may have changed, as a natural logarithm and as a share of the pattern's own
contrast. This finds 116 of 154 places on 16 path-traced tables that hold no cube, and none of 2,101 that hold
one: there the change is 0.26 of the pattern and more, and on dark plastic, which has none, many times."""
_LEFT = 0.001
"""Share of a presence that is left, however sure the networks are: they would be of the empty tray as
well."""


def without_pattern(found: Sequence[Candidate], change: Change) -> list[Candidate]:
    """Make candidates improbable where the floor's pattern shows as it did."""
    return [replace(one, presence=_LEFT * one.presence) if _is_floor(one, change) else one for one in found]


def _is_floor(candidate: Candidate, change: Change) -> bool:
    x, y = (round(v) for v in candidate.centre_px)
    reach = round(_ABOUT_EDGES * candidate.edge_px)
    window = np.s_[max(0, y - reach) : y + reach + 1, max(0, x - reach) : x + reach + 1]
    now, then = (_smooth(logs(floor[window])) for floor in (change.now, change.then))
    changed_by = float(np.quantile(np.abs(now - then - change.lamps).max(axis=2), _MOST))
    low, high = np.quantile(then, (_CONTRAST, 1 - _CONTRAST), axis=(0, 1))
    return changed_by < min(_AS_IT_WAS, _OF_CONTRAST * float((high - low).max()))


def _smooth(light: Floats) -> Floats:
    return np.asarray(cv2.GaussianBlur(light, (0, 0), _SMOOTH_PX), np.float32)
