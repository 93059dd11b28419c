"""Calibration of a reader's stated probabilities: whether it is right as often as it claims."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import log, prod
from statistics import fmean

from calibration.measuring.evaluate import Outcome

_EDGES = (0.0, 0.5, 0.8, 0.9, 0.97, 0.99, 1.0)
_LEAST = 1e-4
"""Floor of the probability in the log loss: otherwise one hand over the tray would outweigh all else."""


@dataclass(frozen=True, slots=True)
class Sureness:
    """Pictures for which the reader states about the same probability that all counts are right."""

    least: float
    most: float
    """Exclusive, except that 1 belongs to the last group."""
    pictures: int
    said: float
    """Mean stated probability."""
    right: float
    """Share of exact readings."""


def sureness(outcomes: Sequence[Outcome]) -> list[Sureness]:
    """Group outcomes from unsure to sure, leaving out empty groups."""
    groups: list[list[Outcome]] = [[] for _ in _EDGES[1:]]
    for outcome in outcomes:
        above = sum(_stated_probability(outcome) >= edge for edge in _EDGES)
        groups[min(above, len(groups)) - 1].append(outcome)
    return [
        Sureness(
            least, most, len(group), fmean(map(_stated_probability, group)), fmean(o.exact for o in group)
        )
        for least, most, group in zip(_EDGES, _EDGES[1:], groups, strict=False)
        if group
    ]


def log_loss(outcomes: Sequence[Outcome]) -> float | None:
    """Mean of -log of the probability that the reader gave to the true counts; None if it never gives odds.

    Of two readers that are exact equally often, the one that knows better when it is wrong scores lower. A
    picture without odds, such as one where no tray was found, costs the maximum.
    """
    if not any(o.reading.odds for o in outcomes):
        return None
    return fmean(-log(max(_LEAST, _probability_of_truth(o) if o.reading.odds else 0.0)) for o in outcomes)


def _stated_probability(outcome: Outcome) -> float:
    return prod(outcome.reading.confidence.values())


def _probability_of_truth(outcome: Outcome) -> float:
    odds, counts = outcome.reading.odds, outcome.truth.counts
    return prod(
        _probability_of_number(odds.get(colour, (1.0,)), counts.get(colour, 0)) for colour in {*odds, *counts}
    )


def _probability_of_number(odds: Sequence[float], number: int) -> float:
    return odds[number] if number < len(odds) else 0.0
