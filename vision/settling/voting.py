"""Combines several frames of a settled tray into one picture, and several readings into one.

Frames from one camera share light, glare and occlusions; only grain and compression differ. So frames are
averaged, and so are the odds of several readings (in the logarithm); odds are never multiplied: ten identical
frames are as sure as one, and one that differs counts against.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import prod
from statistics import fmean

import cv2
import numpy as np
import numpy.typing as npt

from vision.counting.odds import CERTAIN_AT_LEAST, Odds, belief
from vision.pictures import Picture
from vision.reading import Doubt, TrayReading

_AGREE_AT_LEAST = 0.6
"""Share of the frames that must agree on the counts."""
_OF_THE_COUNT = {
    Doubt.NO_MAT,
    Doubt.BLACK_ON_BLACK,
    Doubt.STACKED,
    Doubt.CROWDED,
    Doubt.UNCLEAR_COLOUR,
    Doubt.UNCLEAR_COUNT,
}
"""Doubts that are resolved if the frames together are sure; any other stands."""
_NEVER = 1e-6

Counts = tuple[tuple[str, int], ...]


def mean_of(frames: Sequence[Picture]) -> Picture:
    """Average frames of one size and still period into one (H, W, 3) uint8 BGR picture; one frame is returned
    as is.

    Grain falls with the square root of their number; it is what hides black cubes in a dark tray in a dim
    room.
    """
    if len(frames) == 1:
        return frames[0]
    total = np.zeros(frames[0].shape, np.float32)
    for frame in frames:
        cv2.accumulate(frame, total)
    return np.asarray(cv2.convertScaleAbs(total, alpha=1 / len(frames)), np.uint8)


def vote(readings: Sequence[TrayReading]) -> TrayReading:
    """Combine the readings of all frames, shown on the frame that fits best; ValueError if there are none."""
    if not readings:
        raise ValueError("no frame to vote")
    if len(readings) == 1 or not all(reading.odds for reading in readings):
        return _commonest_reading(readings)
    named = prod(reading.named for reading in readings) ** (1 / len(readings))
    readings = [replace(reading, named=named) for reading in readings]
    odds = {colour: _mean_odds([reading.odds[colour] for reading in readings]) for colour in readings[0].odds}
    believed = belief(odds)
    nothing_hidden = _chance_nothing_hidden(readings)
    sure = {colour: share * nothing_hidden[colour] for colour, share in believed.confidence.items()}
    agreed = [reading for reading in readings if _counts_key(reading.counts) == _counts_key(believed.counts)]
    if not agreed:
        unanimous = len({_counts_key(r.counts) for r in readings}) == 1  # yet other counts are likelier
        why = Doubt.UNCLEAR_COUNT if unanimous else Doubt.FRAMES_DIFFER
        return _uncertain_reading(_commonest_reading(readings), odds, sure, (why,))
    best = max(agreed, key=lambda reading: min(reading.confidence.values(), default=0.0))
    standing = tuple(doubt for doubt in best.doubts if doubt not in _OF_THE_COUNT)
    if len(agreed) < _AGREE_AT_LEAST * len(readings):
        standing = (Doubt.FRAMES_DIFFER, *standing)
    if not standing and prod(sure.values()) >= CERTAIN_AT_LEAST:
        return replace(best, odds=odds, confidence=sure, certain=True, doubts=())
    doubts = tuple(dict.fromkeys((*standing, *best.doubts))) or (Doubt.UNCLEAR_COUNT,)
    return _uncertain_reading(best, odds, sure, doubts)


def _chance_nothing_hidden(readings: Sequence[TrayReading]) -> dict[str, float]:
    """Per colour, mean ratio of confidence to the odds of the likeliest count: the chance that nothing is
    hidden."""
    return {
        colour: fmean(
            min(1.0, reading.confidence.get(colour, 0.0) / max(reading.odds[colour])) for reading in readings
        )
        for colour in readings[0].odds
    }


def _uncertain_reading(
    reading: TrayReading, odds: Odds, confidence: Mapping[str, float], doubts: tuple[Doubt, ...]
) -> TrayReading:
    return replace(reading, odds=odds, confidence=confidence, certain=False, doubts=doubts)


def _commonest_reading(readings: Sequence[TrayReading]) -> TrayReading:
    """Return the surest reading with the counts that most frames have."""
    tally = Counter(_counts_key(reading.counts) for reading in readings)
    most, votes = tally.most_common(1)[0]
    having_most = [reading for reading in readings if _counts_key(reading.counts) == most]
    best = max(
        having_most, key=lambda reading: (reading.certain, min(reading.confidence.values(), default=0.0))
    )
    if votes < _AGREE_AT_LEAST * len(readings):
        return replace(best, certain=False, doubts=tuple(dict.fromkeys((Doubt.FRAMES_DIFFER, *best.doubts))))
    return best


def _counts_key(counts: Mapping[str, int]) -> Counts:
    return tuple(sorted(counts.items()))


def _mean_odds(odds: Sequence[Sequence[float]]) -> tuple[float, ...]:
    """Geometric mean of odds that may differ in length."""
    longest = max(len(reading_odds) for reading_odds in odds)
    logs: npt.NDArray[np.float64] = np.full((len(odds), longest), np.log(_NEVER))
    for row, reading_odds in zip(logs, odds, strict=True):
        row[: len(reading_odds)] = np.log(np.maximum(reading_odds, _NEVER))
    mean = np.exp(logs.mean(axis=0))
    return tuple(float(p) for p in mean / mean.sum())
