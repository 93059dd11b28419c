"""A closer look at each place where the detector sees something: is a cube there, and does one lie under it?

Two stacked cubes are less than an edge apart, so that the detector sees one peak, and is sure of it. And
where it doubts, above all black on black, its cells are coarse. A second small network therefore looks at the
surroundings of each peak. How it was trained, and how well it does: docs/training.md.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import cache

import cv2
import numpy as np
import numpy.typing as npt

from vision.finding.detector import COLOURS, EDGE_PX, Detection, probability, softmax
from vision.network import network
from vision.pictures import Picture

PATCH_PX = 64
"""Side of a patch: 3.2 cube edges."""
MOST = 3
"""Classes of the number of cubes: none, one, one on another."""
OUTPUTS = MOST + 2 * len(COLOURS)
"""Logits: number, colour of the upper cube, colour of the lower cube."""
LOWEST = 0.03
"""Detector's score from which a place is looked at."""

_BESIDE = 1.6
"""Distance, in edges, within which another place is a neighbour."""
_LONE, _USUAL_BESIDE = 0.3, 2.0
"""A cube comes to rest on another more often the more cubes stand around it: of 18,100 that fell in 1,500
throws, 0.25 % did on lone cubes, and 0.8, 1.4, 2.3 and 4.3 % on cubes with one to four neighbours."""
_SURE = 0.5
_DOUBT = 0.01
"""A place whose probabilities are nearer to 0 or 1 than this is not examined further: its count would not
change."""
_SLIGHT = 0.003
"""The same among many places: forty cubes, each number sure to 99.5 %, do not make a sure tray."""
_SAME = 0.05
"""Distance, in edges, within which two places look alike: less than the random shifts in training."""
_DOT_PX = 3
_NEVER = 1e-9

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Curves:
    """Constants that turn the networks' outputs into probabilities."""

    presence: tuple[float, float, float]
    """Weights of the detector's logit and of this network's, and an offset."""
    under: tuple[float, float]
    """Slope and offset of the logit that another cube lies under, with `_USUAL_BESIDE` cubes beside it."""
    colour: tuple[float, float]
    """Weights of the detector's and of this network's logits of the upper cube's colour."""
    lower_colour: float = 1.0
    """Factor on the logits of the lower cube's colour."""
    crowd: float = 1.0
    """Factor on what neighbours add to the logit that another cube lies under (`crowd_of`)."""


CLOSER_CURVES = Curves((0.30, 0.70, -0.20), (1.20, -2.05), (0.3, 1.0))
"""Halfway between the constants of earlier weights and the best fit to places of 630 pictures, rendered and
path-traced, that neither network had seen: docs/training.md says how they and the weights of colours were
chosen."""


def patches(
    image: Picture,
    peaks: Sequence[Detection],
    edge_px: float,
    which: Sequence[int] | None = None,
    side: int = PATCH_PX,
) -> list[Picture]:
    """(side, side, 4) around `which` or all peaks of a (H, W, 3) rectified picture, cubes scaled to the usual
    size.

    The fourth channel shows where the other peaks are, as bright as they are sure: what has a peak of its own
    does not lie unseen under this one.
    """
    scale = EDGE_PX / edge_px
    layers = cv2.merge([image, dots_of(image.shape, peaks, edge_px)])
    chosen_peaks = peaks if which is None else [peaks[n] for n in which]
    own = own_dot(side)
    return [_patch(layers, peak.centre_px, scale, side, own) for peak in chosen_peaks]


def dots_of(shape: tuple[int, ...], peaks: Sequence[Detection], edge_px: float) -> Picture:
    """(H, W) uint8: where the peaks of a rectified picture of this shape are, as bright as they are sure."""
    dots = np.zeros(shape[:2], np.uint8)
    for peak in sorted(peaks, key=lambda peak: peak.score):
        x, y = (round(v) for v in peak.centre_px)
        cv2.circle(dots, (x, y), round(_DOT_PX * edge_px / EDGE_PX), round(255 * peak.score), -1)
    return dots


@cache
def own_dot(side: int, scale: float = 1.0) -> tuple[npt.NDArray[np.intp], ...]:
    """Rows and columns of a patch's own peak in its middle, which is erased from the channel of other
    peaks."""
    dot = np.zeros((side, side), np.uint8)
    cv2.circle(dot, (side // 2, side // 2), round(scale * (_DOT_PX + 2)), 1, -1)
    return np.nonzero(dot)


def _patch(
    layers: cv2.typing.MatLike,
    centre_px: tuple[float, float],
    scale: float,
    side: int,
    erased: tuple[npt.NDArray[np.intp], ...],
) -> Picture:
    x, y = ((side - 1) / 2 - scale * v for v in centre_px)
    affine = np.array([[scale, 0, x], [0, scale, y]])
    flags = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    warped = cv2.warpAffine(layers, affine, (side, side), flags=flags, borderMode=cv2.BORDER_REPLICATE)
    patch = np.asarray(warped, np.uint8)
    patch[erased[0], erased[1], 3] = 0
    return patch


@dataclass(frozen=True, slots=True)
class Places:
    """N places that have been looked at."""

    peaks: Sequence[Detection]
    logits: Floats
    """(N, OUTPUTS) logits."""

    def judged_peaks(self) -> list[Detection]:
        """Return the peaks with presence and what lies under them, as detector and network together see
        them."""
        return (
            combine_looks(self.peaks, self.logits, crowd_of(self.peaks), CLOSER_CURVES) if self.peaks else []
        )


_NOTHING = np.zeros(OUTPUTS, np.float32)
NOWHERE = Places((), np.empty((0, OUTPUTS), np.float32))


def look_at_places(
    image: Picture, peaks: Sequence[Detection], before: Places = NOWHERE, anew: Collection[int] = ()
) -> Places:
    """Look once at each peak of a (H, W, 3) rectified picture.

    Results in `before` for the same place are reused, except for the peaks whose numbers are in `anew`.
    """
    if not peaks:
        return NOWHERE
    edge_px = peaks_edge_px(peaks)
    earlier = _match_earlier_peaks(peaks, before.peaks, _SAME * edge_px)
    logits = np.array(
        [before.logits[earlier[n]] if n in earlier else _NOTHING for n in range(len(peaks))], np.float32
    )
    unseen = [n for n in range(len(peaks)) if n in anew or n not in earlier]
    if unseen:
        logits[unseen] = network("closer").run(np.stack(patches(image, peaks, edge_px, unseen)))
    return Places(peaks, logits)


def _match_earlier_peaks(
    peaks: Sequence[Detection], before: Sequence[Detection], within_px: float
) -> dict[int, int]:
    """Map each peak to the number of the earlier peak at the same place, if there is one."""
    if not before:
        return {}
    centres, earlier_centres = (
        np.array([peak.centre_px for peak in group], np.float32) for group in (peaks, before)
    )
    distances = np.linalg.norm(centres[:, None] - earlier_centres[None], axis=2)
    nearest = distances.argmin(axis=1)
    return {n: int(m) for n, m in enumerate(nearest) if distances[n, m] < within_px}


def look_closer(image: Picture, peaks: Sequence[Detection]) -> list[Detection]:
    """Return the peaks of a (H, W, 3) rectified picture with presence and what lies under them."""
    return look_at_places(image, peaks).judged_peaks()


def crowd_of(peaks: Sequence[Detection]) -> Floats:
    """(N,) to add to the logit of a stack: its odds grow with the number of cubes around it."""
    centres = np.array([peak.centre_px for peak in peaks], np.float32)
    distances = np.linalg.norm(centres[:, None] - centres[None], axis=2)
    beside = (distances < _BESIDE * peaks_edge_px(peaks)) & ~np.eye(len(peaks), dtype=bool)
    neighbours = beside @ np.array([peak.score for peak in peaks], np.float32)
    return np.asarray(0.5 * np.log((neighbours + _LONE) / (_USUAL_BESIDE + _LONE)), np.float32)


def peaks_edge_px(peaks: Sequence[Detection]) -> float:
    """The edge that the cubes share, as the median of the sure peaks; the usual edge if there are none."""
    sure = [peak.edge_px for peak in peaks if peak.score > _SURE]
    return float(np.median(sure)) if sure else EDGE_PX


def doubt_of(peak: Detection) -> float:
    """Probability that what is believed about a place, its number or a colour, is wrong."""
    colours = [1 - max(peak.colour_shares)]
    if peak.under > _DOUBT:
        colours.append(1 - max(peak.under_shares))
    return max(_doubt_of_number(peak), *colours)


def is_doubtful(peak: Detection) -> bool:
    """Whether another look could change how many cubes, or which colours, are believed to be there."""
    return doubt_of(peak) > _DOUBT


def is_slightly_doubtful(peak: Detection) -> bool:
    """Whether its doubt could matter among many places that are as sure of their number."""
    return _doubt_of_number(peak) > _SLIGHT


def _doubt_of_number(peak: Detection) -> float:
    return max(min(peak.score, 1 - peak.score), min(peak.under, 1 - peak.under))


def warm() -> None:
    """Load the network, so that the first reading does not have to wait for it."""
    network("closer").run(np.zeros((1, PATCH_PX, PATCH_PX, 4), np.uint8))


def combine_looks(
    peaks: Sequence[Detection], logits: Floats, crowd: Floats, curves: Curves
) -> list[Detection]:
    """Combine what the detector and a look say about each place; `logits` is (N, OUTPUTS), `crowd` (N,)."""
    score = np.clip([peak.score for peak in peaks], _NEVER, 1 - _NEVER)
    detector_weight, closer_weight, offset = curves.presence
    presence = detector_weight * np.log(score / (1 - score)) + closer_weight * presence_logit(logits) + offset
    slope, under_offset = curves.under
    under = probability(slope * under_logit(logits) + under_offset + curves.crowd * crowd)
    shares = _upper_shares(peaks, logits, curves)
    lower = softmax(curves.lower_colour * logits[:, MOST + len(COLOURS) :].T).T
    return [
        replace(
            peak,
            score=float(p),
            colour=COLOURS[int(s.argmax())],
            colour_shares=tuple(s.tolist()),
            under=float(u),
            under_shares=tuple(below.tolist()),
        )
        for peak, p, s, u, below in zip(peaks, probability(presence), shares, under, lower, strict=True)
    ]


def _upper_shares(peaks: Sequence[Detection], logits: Floats, curves: Curves) -> Floats:
    """(N, 6) shares of `COLOURS`: the detector knows the tray's light, the closer look the cube's faces."""
    detector_weight, closer_weight = curves.colour
    seen = np.log(np.maximum([peak.colour_shares for peak in peaks], _NEVER))
    return softmax((detector_weight * seen + closer_weight * logits[:, MOST : MOST + len(COLOURS)]).T).T


def presence_logit(logits: Floats) -> Floats:
    """(N,) logit that a cube is there."""
    return np.asarray(np.logaddexp(logits[:, 1], logits[:, 2]) - logits[:, 0], np.float32)


def under_logit(logits: Floats) -> Floats:
    """(N,) logit that there are two cubes, given at least one."""
    return np.asarray(logits[:, 2] - logits[:, 1], np.float32)
