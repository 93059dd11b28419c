"""Several frames of one settled tray make one reading.

Frames of one camera share light, glare and what hides what; only grain and compression differ. So their
odds are averaged (in the logarithm), never multiplied: ten like frames are as sure as one, and a frame that
differs counts against.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from vision.odds import CERTAIN_AT_LEAST, Odds, belief
from vision.reading import Doubt, TrayReading

_AGREE_AT_LEAST = 0.6
"""Share of the frames that must count alike."""
_OF_THE_COUNT = {
    Doubt.NO_MAT,
    Doubt.BLACK_ON_BLACK,
    Doubt.STACKED,
    Doubt.CROWDED,
    Doubt.UNCLEAR_COLOUR,
    Doubt.UNCLEAR_COUNT,
}
"""Doubts that are settled when the frames together are sure; any other spoils what it was seen in."""
_NEVER = 1e-6

Counts = tuple[tuple[str, int], ...]


def vote(readings: Sequence[TrayReading]) -> TrayReading:
    """The reading of all frames together, shown on the frame that fits it best; ValueError for none."""
    if not readings:
        raise ValueError("no frame to vote")
    if len(readings) == 1 or not all(reading.odds for reading in readings):
        return _commonest(readings)
    odds = {colour: _mean([reading.odds[colour] for reading in readings]) for colour in readings[0].odds}
    believed = belief(odds)
    agreed = [reading for reading in readings if _key(reading.counts) == _key(believed.counts)]
    if not agreed:
        return _asking(_commonest(readings), odds, believed.confidence, (Doubt.FRAMES_DIFFER,))
    best = max(agreed, key=lambda reading: min(reading.confidence.values(), default=0.0))
    spoilt = tuple(doubt for doubt in best.doubts if doubt not in _OF_THE_COUNT)
    if len(agreed) < _AGREE_AT_LEAST * len(readings):
        spoilt = (Doubt.FRAMES_DIFFER, *spoilt)
    if not spoilt and believed.probability >= CERTAIN_AT_LEAST:
        return replace(best, odds=odds, confidence=believed.confidence, certain=True, doubts=())
    doubts = tuple(dict.fromkeys((*spoilt, *best.doubts))) or (Doubt.UNCLEAR_COUNT,)
    return _asking(best, odds, believed.confidence, doubts)


def _asking(
    reading: TrayReading, odds: Odds, confidence: Mapping[str, float], doubts: tuple[Doubt, ...]
) -> TrayReading:
    return replace(reading, odds=odds, confidence=confidence, certain=False, doubts=doubts)


def _commonest(readings: Sequence[TrayReading]) -> TrayReading:
    """The counts most frames have; of these frames the surest."""
    often = Counter(_key(reading.counts) for reading in readings)
    most, number = often.most_common(1)[0]
    alike = [reading for reading in readings if _key(reading.counts) == most]
    best = max(alike, key=lambda reading: (reading.certain, min(reading.confidence.values(), default=0.0)))
    if number < _AGREE_AT_LEAST * len(readings):
        return replace(best, certain=False, doubts=tuple(dict.fromkeys((Doubt.FRAMES_DIFFER, *best.doubts))))
    return best


def _key(counts: Mapping[str, int]) -> Counts:
    return tuple(sorted(counts.items()))


def _mean(odds: Sequence[Sequence[float]]) -> tuple[float, ...]:
    """Geometric mean of odds that may be of unequal length."""
    longest = max(len(one) for one in odds)
    logs: npt.NDArray[np.float64] = np.full((len(odds), longest), np.log(_NEVER))
    for row, one in zip(logs, odds, strict=True):
        row[: len(one)] = np.log(np.maximum(one, _NEVER))
    mean = np.exp(logs.mean(axis=0))
    return tuple(float(p) for p in mean / mean.sum())
