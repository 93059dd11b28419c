"""Why a reading asks: each reason found where it can be seen, the most serious first."""

from collections.abc import Mapping, Sequence

import cv2
import numpy as np
import numpy.typing as npt

from vision.comparing.mirrors import may_be_lamp
from vision.counting.odds import CERTAIN_AT_LEAST, AtMost
from vision.counting.possible import chance_of_one_more
from vision.doubting.scene_doubts import find_scene_doubts, is_hand_over
from vision.doubting.unseen import Scene, scene_of
from vision.finding.candidates import Candidate
from vision.levels import quantile
from vision.palette import Palette
from vision.reading import Doubt
from vision.scene.cut import is_cut
from vision.scene.rectify import Rectified

_UNSURE = 0.97
"""Presence from which a place is neither a question (`vision.shown`) nor a reason."""
_ON_RIM = 0.1
"""Presence above which something beside the floor is asked about."""
_DARK_TRAY = 80.0
"""Level of the floor under white light (paper 235) below which black cubes hardly show."""
_DIM_WHITE = 45.0
"""Stored level of white paper below which noise drowns the colours."""
_BURNT_SHARE = 0.25
"""Share of the tray at full scale in every channel above which it is too bright."""
_STACKED = 0.85
"""Distance of centres, in edges, below which one cube lies on the other."""
_NEAR = 1.6
_HIDDEN_TOLD = 0.5 * (1 - CERTAIN_AT_LEAST)
"""Expected number of cubes hidden by glare or a dark floor from which it is a reason: half of what makes a
reading ask."""
_COLOURFUL = 0.6
"""Colourfulness of a floor, relative to its strongest channel, above which it is a doubt: if lamp and camera
are unknown, nobody can tell how much of it is theirs. Of 593 labelled trays without a mat 12 have such
floors, 3 of which had colours named wrong; of the others 8."""
_BLURRED_MM = 1.1
"""Blur, in millimetres, above which cubes are lost, black ones first: a seventh of an edge. None of 655
labelled pictures has more than 0.96; reduced to 320 pixels across and enlarged again none has more than
1.08."""
_OFF_MAT_MM, _OFF_KNOWN_MM = 5.0, 12.0
"""How far, in millimetres, a tray may seem to stand from the mat's middle, or from where it was
calibrated."""
_SPARSE = 4
"""Step, across and down, between the pixels sampled for the floor's colour."""
_RIM_MM = 1.0
"""Distance beyond the floor's edge, in millimetres, above which a centre is outside: no cube of a tray lies
flat there."""


def is_sure(sure: Mapping[str, float], at_least: float = CERTAIN_AT_LEAST) -> bool:
    """Return whether the counts of all colours together are at least that sure."""
    return float(np.prod(list(sure.values()))) >= at_least


def find_doubts(
    flat: Rectified,
    candidates: Sequence[Candidate],
    sure: Mapping[str, float],
    palette: Palette,
    at_most: AtMost | None = None,
    *,
    known: tuple[tuple[Doubt, ...], Scene] | None = None,
) -> tuple[Doubt, ...]:
    """Return the reasons to ask; empty if the counts are sure and nothing spoils the picture.

    `known`: what `find_spoiling_doubts` and `scene_of` returned for it, if they were called before.
    """
    spoilt, scene = known or (find_spoiling_doubts(flat), scene_of(flat, candidates, palette))
    if is_sure(sure) and not spoilt:
        return ()
    reasons = [*spoilt, *_cube_doubts(flat, candidates, palette), *find_scene_doubts(flat)]
    if sum(one.foreign for one in candidates) > _HIDDEN_TOLD:
        reasons.append(Doubt.UNTAUGHT_COLOUR)
    if scene.glare > _HIDDEN_TOLD:
        reasons.append(Doubt.GLARE)
    if scene.black * chance_of_one_more("black", candidates, palette, at_most) > _HIDDEN_TOLD:
        reasons.append(Doubt.BLACK_ON_BLACK)
    if flat.guessed:
        reasons.append(Doubt.NO_MAT)
    return tuple(dict.fromkeys(reasons or [Doubt.UNCLEAR_COUNT]))


def find_spoiling_doubts(flat: Rectified) -> tuple[Doubt, ...]:
    """Return what spoils a reading however sure its cubes look."""
    doubts = []
    if flat.light.measured and max(flat.light.white_bgr) < _DIM_WHITE:
        doubts.append(Doubt.TOO_DARK)
    if flat.burnt > _BURNT_SHARE:
        doubts.append(Doubt.TOO_BRIGHT)
    if is_cut(flat.tray, flat.size_px, mat_seen=flat.mat_seen):
        doubts.append(Doubt.TRAY_CUT)
    if flat.blur_mm > _BLURRED_MM:
        doubts.append(Doubt.BLURRED)
    if flat.tray.off_mm > (_OFF_KNOWN_MM if flat.known else _OFF_MAT_MM):
        doubts.append(Doubt.TRAY_MOVED)
    if flat.guessed and _floor_colourfulness(flat) > _COLOURFUL:
        doubts.append(Doubt.VIVID_FLOOR)
    empty = None if flat.change is None else flat.change.empty_floor(flat.light)
    if is_hand_over(flat.image, flat.floor(), empty):  # it may hide cubes that nobody misses
        doubts.append(Doubt.HAND)
    return tuple(doubts)


def _floor_colourfulness(flat: Rectified) -> float:
    """Return what the floor's weakest channel lacks of its strongest, as a share of that (0..1)."""
    sparse = slice(None, None, _SPARSE)
    level = quantile(flat.image[sparse, sparse][flat.floor()[sparse, sparse] > 0], 0.5)
    return float(np.ptp(level) / max(1.0, float(level.max())))


def _cube_doubts(flat: Rectified, candidates: Sequence[Candidate], palette: Palette) -> list[Doubt]:
    """Return the reasons of the doubtful candidates."""
    doubts: list[Doubt] = []
    is_dark = "black" in palette.colours and flat.level < _DARK_TRAY
    outline = flat.tray.outline_mm.astype(np.float32)
    likely = [c for c in candidates if c.presence > 0.5]
    for candidate in candidates:
        is_unsure = 1 - _UNSURE < candidate.presence < _UNSURE
        if candidate.under:
            doubts += [Doubt.STACKED] if is_unsure else []
        elif candidate.presence > _ON_RIM and _is_over_rim(flat, outline, candidate):
            doubts.append(Doubt.ON_RIM)
        elif is_unsure and is_dark and palette.colours[candidate.colour_index] == "black":
            doubts.append(Doubt.BLACK_ON_BLACK)
        elif is_unsure and may_be_lamp(flat.image, candidate, palette):
            doubts.append(Doubt.GLARE)
        elif is_unsure:
            doubts.append(_crowding_doubt(candidate, likely))
        elif candidate.presence >= _UNSURE and max(candidate.shares) < _UNSURE:
            doubts.append(Doubt.UNCLEAR_COLOUR)
    return doubts


def _crowding_doubt(candidate: Candidate, likely: Sequence[Candidate]) -> Doubt:
    distances = _distances_in_edges(candidate, likely)
    if distances and min(distances) < _STACKED:
        return Doubt.STACKED
    return Doubt.CROWDED if sum(distance < _NEAR for distance in distances) >= 2 else Doubt.UNCLEAR_COUNT


def _distances_in_edges(candidate: Candidate, others: Sequence[Candidate]) -> list[float]:
    """Return the distances between centres in edges of `candidate`."""
    return [
        float(np.hypot(*np.subtract(candidate.centre_px, other.centre_px))) / candidate.edge_px
        for other in others
        if other is not candidate
    ]


def _is_over_rim(flat: Rectified, outline: npt.NDArray[np.float32], candidate: Candidate) -> bool:
    """Return whether a cube's centre lies outside the floor's outline, which is in millimetres."""
    centre_mm = flat.to_mm(np.array([candidate.centre_px]))[0]
    depth_mm = cv2.pointPolygonTest(outline, (float(centre_mm[0]), float(centre_mm[1])), measureDist=True)
    return depth_mm < -_RIM_MM
