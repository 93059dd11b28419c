"""Black on black: cubes in a dark tray stand out against the picture of the same tray when it was empty.

The floor is brought to one level and differences from it are doubled, and the networks look at that picture
too: they know cubes by their shape. It can only raise a cube's probability, since bright cubes lose their
faces in it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from vision.finding.candidates import peaks_inside
from vision.finding.closer import CLOSER_CURVES, look_at_places, peaks_edge_px, presence_logit
from vision.finding.detector import (
    COLOURS,
    STRIDE,
    Detection,
    Floats,
    compute_cells,
    decode,
    probability,
    softmax,
)
from vision.levels import DARK, floor_level
from vision.pictures import Mask, Picture
from vision.scene.rectify import Rectified

_FLOOR = 60.0
_GAIN, _FAR = 2.0, 40.0
"""Factor on small differences; those beyond `_FAR` levels are shifted, not stretched."""
_SMOOTH_PX = 0.8
"""Blur before stretching, which would stretch the noise too."""
_FROM_WALL_MM = 3.0
"""Half the edge of a small cube."""
_LOWEST = 0.03
_SURE = 0.99
_APART = 0.6
"""Distance, in edges, from the nearest known place for a place to be new."""
_LEAST = 1e-3
_MOST_LOGIT = 7.0
_OFFSET = 1.0
"""Added to the sum of the two pictures' logits, which are treated as independent; if both doubt, their mean
counts. Chosen on the doubtful places of 80 rendered black tables; what it brings:
`tests.bench.bench_calibrated`."""


@dataclass(frozen=True, slots=True)
class Lifted:
    """A picture of a dark tray, with its contrast raised."""

    image: Picture
    """(H, W, 3) uint8 BGR, as large as the rectified picture."""
    cells: Floats
    """The detector's raw output for it."""
    floor: Mask
    """(H, W), not zero where a cube on the floor may have its centre; further out, walls mirror cubes."""

    @classmethod
    def of(cls, flat: Rectified) -> "Lifted | None":
        """Return None if the empty tray is unknown or not dark."""
        if flat.change is None:
            return None
        empty = flat.change.empty_floor(flat.light)
        if floor_level(empty) >= DARK:
            return None
        image = lift_contrast(flat.image, empty)
        return cls(image, compute_cells(image), flat.floor(-_FROM_WALL_MM))

    def add_new_peaks(self, cells: Floats, peaks: Sequence[Detection]) -> list[Detection]:
        """Return the peaks, and those that only this picture shows, with colours from the `cells` of the
        plain one."""
        reach_px = _APART * peaks_edge_px(peaks)
        known = np.array([peak.centre_px for peak in peaks]).reshape(-1, 2)
        new = [
            peak
            for peak in peaks_inside(decode(self.cells, _LOWEST), self.floor)
            if not (np.hypot(*(known - peak.centre_px).T) < reach_px).any()
        ]
        return [*peaks, *(_with_plain_colours(peak, cells) for peak in new)]

    def raise_scores(self, peaks: Sequence[Detection]) -> list[Detection]:
        """Return the places, raising their probabilities to what both pictures say together if that is
        higher."""
        on_floor = {peak.centre_px for peak in peaks_inside(peaks, self.floor)}
        which = [n for n, peak in enumerate(peaks) if peak.score < _SURE and peak.centre_px in on_floor]
        if not which:
            return list(peaks)
        closer_logits = presence_logit(look_at_places(self.image, peaks).logits)
        raised = list(peaks)
        detector_weight, closer_weight, offset = CLOSER_CURVES.presence
        for n in which:
            plain_logit = _logit(peaks[n].score)
            lifted_logit = (
                detector_weight * _presence_logit(self.cells, peaks[n])
                + closer_weight * closer_logits[n]
                + offset
            )
            better = float(
                probability(max((plain_logit + lifted_logit) / 2, plain_logit + lifted_logit + _OFFSET))
            )
            raised[n] = replace(peaks[n], score=max(peaks[n].score, better))
        return raised


def lift_contrast(image: Picture, empty: Picture) -> Picture:
    """(H, W, 3) uint8 BGR: `empty` flattened to one dark level, and what differs from it in `image`
    amplified."""
    now, before = (cv2.GaussianBlur(floor, (0, 0), _SMOOTH_PX).astype(np.float32) for floor in (image, empty))
    difference = now - before
    difference += (_GAIN - 1) * _FAR * np.tanh(difference / _FAR)
    return np.asarray(np.clip(_FLOOR + difference, 0, 255), np.uint8)


def _with_plain_colours(peak: Detection, cells: Floats) -> Detection:
    """A peak of the lifted picture with the plain one's colours; its logit is the mean of the two
    pictures'."""
    score = float(probability((_logit(peak.score) + _presence_logit(cells, peak)) / 2))
    row, column = _cell(cells, peak)
    shares = softmax(cells[1 : 1 + len(COLOURS), row, column])
    colour = COLOURS[int(shares.argmax())]
    return replace(peak, score=max(score, _LEAST), colour=colour, colour_shares=tuple(shares.tolist()))


def _logit(score: float) -> float:
    """Logit of a probability that may be 0 or 1."""
    kept = float(np.clip(score, _LEAST, 1 - _LEAST))
    return float(np.log(kept / (1 - kept)))


def _cell(cells: Floats, peak: Detection) -> tuple[int, int]:
    x, y = peak.centre_px
    row, column = (int((v + 0.5) / STRIDE) for v in (y, x))
    return min(row, cells.shape[1] - 1), min(column, cells.shape[2] - 1)


def _presence_logit(cells: Floats, peak: Detection) -> float:
    """Logit that a cube is there, the highest of the neighbouring cells: a peak may lie in the next one."""
    row, column = _cell(cells, peak)
    near = cells[0, max(0, row - 1) : row + 2, max(0, column - 1) : column + 2]
    return float(np.clip(near.max(), -_MOST_LOGIT, _MOST_LOGIT))
