"""The light re-estimated from the cubes: their dyes are known, so each is a patch of known colour.

Without a mat white is a guess, often a stop off; with one it is measured beside the tray, not in the tray's
shade. Cubes lie where it matters. The prior and their evidence are combined as Gaussians of log light.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from vision.finding.candidates import Candidate
from vision.finding.detector import Floats as Cells
from vision.levels import quantile
from vision.palette import SHOGUN_SRGB, Palette
from vision.pictures import Picture
from vision.scene.light import PAPER_LEVEL, Light, srgb_to_linear

_SURE = 0.6
_CLEAR = 0.8
"""Least presence, and least share of the likeliest colour, of a cube that is used to estimate the light."""
_GUESSED = (0.75, 0.25)
_MEASURED = (0.35, 0.05)
"""Standard deviations of log white, in level and of each channel relative to it: guessed, and from the mat's
paper."""
_DYE = 0.35
"""Standard deviation of a colour's dye, as dyes fade and darken; shared by all of its cubes."""
_FACE = 0.25
"""Standard deviation of one cube's face: it may lie in a shadow or lean."""
_GLOSS = 0.03
"""Linear light of noise and of what any face mirrors: channels that a dye swallows say little."""
_WORTH = (0.25, 0.7)
"""Change of log white above which another look is worth its time, if it was guessed and if it was
measured."""
_REACH = 0.28
"""Half side, in edges, of the square looked at."""
_LIKELY = 0.5
_SURER = 1.0
"""Most logits by which another light may make a cube surer: in the wrong light a shadow is a black cube."""

Floats = npt.NDArray[np.float64]
Faces = Mapping[str, tuple[Floats, int]]
"""For each colour (3,) linear BGR of its typical face as the camera stored it, and its number of cubes."""


def estimate_light(
    stored: Picture, cubes: Sequence[Candidate], palette: Palette, light: Light
) -> Light | None:
    """Estimate white from the cubes on a (H, W, 3) floor as the camera stored it; None if `light` will do."""
    faces = {}
    shown = [cube for cube in cubes if not cube.under]  # a cube under another is not visible
    for index, colour in enumerate(palette.colours):
        sure_cubes = [
            cube
            for cube in shown
            if cube.presence > _SURE and cube.colour_index == index and max(cube.shares) > _CLEAR
        ]
        if sure_cubes:
            faces[colour] = (
                np.median([_face_light(stored, cube) for cube in sure_cubes], axis=0),
                len(sure_cubes),
            )
    corrected = correct_light(faces, light, SHOGUN_SRGB if palette.usual else palette.srgb)
    change = np.abs(np.log(corrected.linear / np.maximum(light.linear, 1e-4)))
    return corrected if float(change.max()) > _WORTH[light.measured] else None


def correct_light(
    faces: Faces, light: Light, dyes: Mapping[str, tuple[int, int, int]] = SHOGUN_SRGB
) -> Light:
    """Correct `light` by cubes of known `dyes` (sRGB); cubes of other colours are ignored."""
    level, tint = _MEASURED if light.measured else _GUESSED
    precision = np.linalg.inv(np.full((3, 3), level**2) + np.eye(3) * tint**2)
    information = precision @ np.log(np.maximum(light.linear, 1e-4))
    for colour in faces.keys() & dyes.keys():
        face, number = faces[colour]
        dye = srgb_to_linear(np.array(dyes[colour][::-1])) / srgb_to_linear(PAPER_LEVEL)
        log_white = np.log(np.maximum(face, 1e-4)) - np.log(dye)
        face_precision = np.diag(1 / (_DYE**2 + _FACE**2 / number + (_GLOSS / dye) ** 2))
        precision, information = precision + face_precision, information + face_precision @ log_white
    return Light.of_linear(np.exp(np.linalg.solve(precision, information)), measured=light.measured)


def average_looks(first: Cells, second: Cells) -> Cells:
    """Average the cells of looks under a doubtful and a better light, not much surer than the first."""
    mean = (first + second) / 2
    mean[0] = np.where(first[0] > 0, np.minimum(mean[0], first[0] + _SURER), mean[0])
    return np.asarray(mean, np.float32)


def cap_presences(found: Sequence[Candidate], before: Sequence[Candidate]) -> list[Candidate]:
    """Return what was found under the better light, never surer than what was likely there before."""
    likely = [one for one in before if one.presence > _LIKELY]
    if not likely or not found:
        return list(found)
    distances = np.linalg.norm(_centres(found)[:, None] - _centres(likely)[None], axis=2)
    near = distances < np.array([[one.edge_px / 2] for one in found])
    near &= np.array([[one.under] for one in found]) == np.array([one.under for one in likely])
    caps = np.where(near, np.array([one.presence for one in likely]), 1.0).min(axis=1)
    return [
        replace(one, presence=min(one.presence, cap)) for one, cap in zip(found, caps.tolist(), strict=True)
    ]


def _centres(candidates: Sequence[Candidate]) -> Floats:
    return np.array([one.centre_px for one in candidates])


def _face_light(stored: Picture, cube: Candidate) -> Floats:
    """Return (3,) linear BGR of a cube's top."""
    x, y = (round(v) for v in cube.centre_px)
    reach = max(1, round(_REACH * cube.edge_px))
    pixels = stored[max(0, y - reach) : y + reach + 1, max(0, x - reach) : x + reach + 1].reshape(-1, 3)
    return srgb_to_linear(quantile(pixels, 0.5))
