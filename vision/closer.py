"""A closer look at each place where the detector sees something: is a cube there, and does one lie under it?

Of two stacked cubes the places are less than an edge apart: the detector sees one peak, and sees it surely.
And what it doubts, black on black above all, it doubts by coarse cells. A second small network looks at the
surroundings of each peak. How it was trained, and how well it does: docs/training.md.
"""

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
import numpy.typing as npt

from vision.detector import COLOURS, EDGE_PX, Detection, probability, softmax
from vision.network import network
from vision.pictures import Picture

PATCH_PX = 64
"""Side of what is looked at: 3.2 edges of a cube."""
MOST = 3
"""Classes of number: none, one, one on another."""
OUTPUTS = MOST + 2 * len(COLOURS)
"""Logits: number, colour of the upper cube, colour of the lower."""
LOWEST = 0.03
"""Detector's score from which a place is looked at."""

# Begun from what `python -m calibration.training closer-surety` prints for rendered trays that neither
# network saw, then moved by hand towards labelled ones: docs/training.md says how far.
_PRESENCE = (0.35, 0.70, 0.10)
"""Weights of the detector's logit and of this network's, and what is added."""
_UNDER = (1.25, -2.0)
"""Slope and offset of the logit that another lies under, among `_USUAL_NUMBER` cubes."""
_USUAL_NUMBER = 25
"""A cube comes to rest on others the more often the more there are: the odds grow with their number."""
_LOWER_COLOUR = 1.0
"""What the logits of the lower cube's colour are multiplied with."""
_SURE = 0.5
_DOUBT = 0.01
"""Nearer to 0 or 1 than this a place is not turned: its other views would not change its number."""
_DOT_PX = 3
_NEVER = 1e-9

Floats = npt.NDArray[np.float32]


def patches(
    image: Picture, peaks: Sequence[Detection], edge_px: float, side: int = PATCH_PX
) -> list[Picture]:
    """(side, side, 4) about each peak of a (H, W, 3) rectified picture, cubes at their usual size.

    The fourth channel shows where the other peaks are, as bright as they are sure: what has a peak of its own
    does not lie unseen under this one.
    """
    scale = EDGE_PX / edge_px
    dots = np.zeros(image.shape[:2], np.uint8)
    for peak in sorted(peaks, key=lambda peak: peak.score):
        x, y = (round(v) for v in peak.centre_px)
        cv2.circle(dots, (x, y), round(_DOT_PX / scale), round(255 * peak.score), -1)
    return [_patch(image, dots, peak.centre_px, scale, side) for peak in peaks]


def _patch(
    image: Picture, dots: npt.NDArray[np.uint8], centre_px: tuple[float, float], scale: float, side: int
) -> Picture:
    x, y = ((side - 1) / 2 - scale * v for v in centre_px)
    affine = np.array([[scale, 0, x], [0, scale, y]])
    flags = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    seen, others = (
        cv2.warpAffine(layer, affine, (side, side), flags=flags, borderMode=cv2.BORDER_REPLICATE)
        for layer in (image, dots)
    )
    cv2.circle(others, (side // 2, side // 2), _DOT_PX + 2, 0, -1)
    return np.asarray(cv2.merge([seen, others]), np.uint8)  # ten times as quick as NumPy's


def look_closer(image: Picture, peaks: Sequence[Detection], turns: int = 1) -> list[Detection]:
    """The same peaks, with presence and what lies under as both networks see it.

    `image` is the (H, W, 3) rectified picture. `turns`, 1 to 8, is how many ways a doubtful patch is turned
    and mirrored: more take more time and doubt less.
    """
    if not peaks:
        return []
    sure = [peak.edge_px for peak in peaks if peak.score > _SURE]
    edge_px = float(np.median(sure)) if sure else EDGE_PX
    seen = patches(image, peaks, edge_px)
    crowd = 0.5 * float(np.log(max(2, len(sure)) / _USUAL_NUMBER))  # by the square root of their number
    said = network("closer").run(seen)
    told = _joined(peaks, said, crowd)
    open_ = [n for n, peak in enumerate(told) if _in_doubt(peak.score) or _in_doubt(peak.under)]
    if turns == 1 or not open_:
        return told
    again = [_turned(seen[n], way) for way in range(1, turns) for n in open_]
    more = network("closer").run(again).reshape(turns - 1, len(open_), -1)
    said[open_] = (said[open_] + more.sum(axis=0)) / turns
    return _joined(peaks, said, crowd)


def _in_doubt(probability: float) -> bool:
    return _DOUBT < probability < 1 - _DOUBT


def warm() -> None:
    """Load the network, which the first reading would have to wait for."""
    network("closer").run([np.zeros((PATCH_PX, PATCH_PX, 4), np.uint8)])


def _turned(one: Picture, way: int) -> Picture:
    mirrored = one[:, ::-1] if way % 2 else one
    return np.ascontiguousarray(np.rot90(mirrored, way // 2))


def _joined(peaks: Sequence[Detection], said: Floats, crowd: float) -> list[Detection]:
    """What both say of each place; `said` is (N, OUTPUTS), `crowd` is added to the logits of stacks."""
    none, one, stack = said[:, :MOST].T
    score = np.clip([peak.score for peak in peaks], _NEVER, 1 - _NEVER)
    detector, closer, offset = _PRESENCE
    there = detector * np.log(score / (1 - score)) + closer * (np.logaddexp(one, stack) - none) + offset
    presence = probability(there)
    under = probability(_UNDER[0] * (stack - one) + _UNDER[1] + crowd)
    shares = softmax(_LOWER_COLOUR * said[:, MOST + len(COLOURS) :].T).T
    return [
        replace(peak, score=float(p), under=float(u), under_shares=tuple(s.tolist()))
        for peak, p, u, s in zip(peaks, presence, under, shares, strict=True)
    ]
