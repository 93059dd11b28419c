"""Why a reading asks: each reason found where it can be seen, the heaviest first."""

from collections.abc import Mapping, Sequence

import cv2
import numpy as np

from vision.candidates import Candidate
from vision.palette import Palette
from vision.pictures import Picture
from vision.reading import Doubt
from vision.rectify import Rectified

CERTAIN_AT_LEAST = 0.97
"""Probability that every count is right, above which nobody is asked; see the risk-coverage curve."""
_UNSURE = 0.9
_DARK_TRAY = 80.0
"""Level of the floor under white light (paper 235) below which black cubes hardly show."""
_DIM_WHITE = 45.0
"""Stored level of white paper below which noise drowns the colours."""
_BURNT_SHARE = 0.25
"""Share of the tray at full scale in every channel."""
_TOUCHING = 0.85
"""Distance of centres in edges: less, and one cube lies on the other."""
_NEAR = 1.6


def find_doubts(
    flat: Rectified, candidates: Sequence[Candidate], sure: Mapping[str, float], palette: Palette
) -> tuple[Doubt, ...]:
    """Empty when every colour's count is as sure as `CERTAIN_AT_LEAST` together."""
    whole = _whole_picture(flat)
    if not whole and float(np.prod(list(sure.values()))) >= CERTAIN_AT_LEAST:
        return ()
    named = [*whole, *_of_cubes(flat, candidates, palette)]
    if not flat.mat_seen:
        named.append(Doubt.NO_MAT)
    return tuple(dict.fromkeys(named or [Doubt.UNCLEAR_COUNT]))


def _whole_picture(flat: Rectified) -> list[Doubt]:
    """What spoils a reading however sure its cubes look."""
    doubts = []
    if flat.light.measured and max(flat.light.white_bgr) < _DIM_WHITE:
        doubts.append(Doubt.TOO_DARK)
    burnt = float((flat.image[::4, ::4].min(axis=2) >= 254).mean())
    if burnt > _BURNT_SHARE:
        doubts.append(Doubt.TOO_BRIGHT)
    if flat.tray.certainty < 0.3:
        doubts.append(Doubt.NO_TRAY)
    return doubts


def _of_cubes(flat: Rectified, candidates: Sequence[Candidate], palette: Palette) -> list[Doubt]:
    """What the doubtful candidates have in common."""
    doubts: list[Doubt] = []
    dark = "black" in palette.colours and floor_level(flat.image) < _DARK_TRAY
    for candidate in candidates:
        unsure_cube = 1 - _UNSURE < candidate.presence < _UNSURE
        if unsure_cube and dark and palette.colours[candidate.colour_index] == "black":
            doubts.append(Doubt.BLACK_ON_BLACK)
        elif unsure_cube:
            doubts.append(_crowding(candidate, candidates))
        elif candidate.presence >= _UNSURE and max(candidate.shares) < _UNSURE:
            doubts.append(Doubt.UNCLEAR_COLOUR)
    return doubts


def _crowding(one: Candidate, candidates: Sequence[Candidate]) -> Doubt:
    apart = [
        float(np.hypot(*np.subtract(one.centre_px, other.centre_px))) / one.edge_px
        for other in candidates
        if other is not one and other.presence > 0.5
    ]
    if apart and min(apart) < _TOUCHING:
        return Doubt.STACKED
    return Doubt.CROWDED if sum(a < _NEAR for a in apart) >= 2 else Doubt.UNCLEAR_COUNT


def floor_level(image: Picture) -> float:
    """Brightness of the tray's floor: the median of a middle part of the (H, W, 3) rectified picture."""
    height, width = image.shape[:2]
    middle = image[height // 6 : -height // 6 : 4, width // 6 : -width // 6 : 4]
    return float(np.median(cv2.cvtColor(np.ascontiguousarray(middle), cv2.COLOR_BGR2GRAY)))
