"""Gaps between cubes on a colourful floor: what has exactly the floor's colour, and is no brighter, is floor.

Cubes surround a gap as they would a cube, and on blue felt it is as blue as one. But a top of the floor's hue
catches more light than the floor does: hardly any matches it in both.
"""

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np

from vision.finding.candidates import Candidate, Floats, add_logits, face
from vision.levels import quantile
from vision.pictures import Mask, Picture

_COLOURFUL = 18.0
"""Chroma (CIE L*a*b*, as everything below) from which a floor has a colour of its own."""
_ALIKE = 7.0
"""Largest distance between floor and face in a* and b*."""
_DARKEST, _BRIGHTEST = -17.0, 2.5
"""Range of the face's L* minus the floor's: the cubes about a gap shade it."""
_LOGITS = -4.0
"""Logits added for a cube where one looks so. None of 17 such places in 1,865 pictures held one, though two
were given 0.99; of 35 cubes with nearly their floor's colour all were brighter, or lay in a deep shadow."""
_SPARSE = 8
"""Step, across and down, between the pixels sampled for the floor's colour."""


def without_gaps(found: Sequence[Candidate], image: Picture, inside: Mask) -> list[Candidate]:
    """Make candidates less probable that look just like the floor of a (H, W, 3) picture in white light.

    `inside`: (H, W), 1 on the floor.
    """
    floor_pixels = image[::_SPARSE, ::_SPARSE][inside[::_SPARSE, ::_SPARSE] > 0]
    if not found or not len(floor_pixels):
        return list(found)
    [floor] = _to_lab(quantile(floor_pixels, 0.5)[None])
    if np.hypot(*floor[1:]) < _COLOURFUL:
        return list(found)
    faces = _to_lab(np.array([_face_colour(image, one) for one in found]))
    lightness_difference, tint_distance = faces[:, 0] - floor[0], np.hypot(*(faces - floor).T[1:])
    are_gaps = (
        (tint_distance < _ALIKE) & (lightness_difference > _DARKEST) & (lightness_difference < _BRIGHTEST)
    )
    return [
        replace(one, presence=add_logits(one.presence, _LOGITS)) if is_gap and not one.under else one
        for one, is_gap in zip(found, are_gaps, strict=True)
    ]


def _face_colour(image: Picture, candidate: Candidate) -> Floats:
    x, y = (round(v) for v in candidate.centre_px)
    pixels = face(image, x, y, candidate.edge_px)
    return quantile(pixels, 0.5) if len(pixels) else np.zeros(3)


def _to_lab(colours: Floats) -> Floats:
    """Convert (N, 3) BGR levels to CIE L*a*b*."""
    levels = np.asarray(colours[None] / 255, np.float32)
    return np.asarray(cv2.cvtColor(levels, cv2.COLOR_BGR2LAB)[0], np.float64)
