"""Whether a reader that says how sure it is is right that often."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import log, prod
from statistics import fmean

from calibration.measuring.evaluate import Outcome

_EDGES = (0.0, 0.5, 0.8, 0.9, 0.97, 0.99, 1.0)
_LEAST = 1e-4
"""Probability below which a wrong reading costs no more: a hand over the tray would outweigh all else."""


@dataclass(frozen=True, slots=True)
class Sureness:
    """Pictures of which the reader says about equally surely that all their counts are right."""

    least: float
    most: float
    """Belongs to the next group, but 1 to the last."""
    pictures: int
    said: float
    """Mean of what it says."""
    right: float
    """Share that is exact."""


def sureness(outcomes: Sequence[Outcome]) -> list[Sureness]:
    """Groups from unsure to sure, without the empty ones."""
    groups: list[list[Outcome]] = [[] for _ in _EDGES[1:]]
    for outcome in outcomes:
        above = sum(_said(outcome) >= edge for edge in _EDGES)
        groups[min(above, len(groups)) - 1].append(outcome)
    return [
        Sureness(least, most, len(group), fmean(map(_said, group)), fmean(o.exact for o in group))
        for least, most, group in zip(_EDGES, _EDGES[1:], groups, strict=False)
        if group
    ]


def log_loss(outcomes: Sequence[Outcome]) -> float | None:
    """Mean of -log of the probability that the reader gave to the true counts; None if it never gives odds.

    Of two readers that are exact as often the one that knows better when it is wrong has less. A picture
    without odds, as where no tray was found, costs the most that any can.
    """
    if not any(o.reading.odds for o in outcomes):
        return None
    return fmean(-log(max(_LEAST, _of_truth(o) if o.reading.odds else 0.0)) for o in outcomes)


def _said(outcome: Outcome) -> float:
    return prod(outcome.reading.confidence.values())


def _of_truth(outcome: Outcome) -> float:
    odds, counts = outcome.reading.odds, outcome.truth.counts
    return prod(_at(odds.get(colour, (1.0,)), counts.get(colour, 0)) for colour in {*odds, *counts})


def _at(odds: Sequence[float], number: int) -> float:
    return odds[number] if number < len(odds) else 0.0
