"""Picture and weight together: one model (`vision.counting.odds`), and a question when they disagree."""

from collections.abc import Mapping
from dataclasses import replace

from companion.table.throw.weigher import Weighed
from vision.counting.odds import CERTAIN_AT_LEAST, belief
from vision.reading import Doubt, TrayReading

_CONTRADICTS_BELOW = 0.02
"""The weight contradicts a seen total whose odds are below this fraction of the best total's; by chance alone
that happens once in fifty throws."""
_COUNT_DOUBTS = frozenset(
    {Doubt.BLACK_ON_BLACK, Doubt.LIKE_FLOOR, Doubt.GLARE, Doubt.STACKED, Doubt.CROWDED, Doubt.UNCLEAR_COUNT}
)
"""Doubts that a weight can clear: it knows how many cubes there are, not their colours."""
_SURE_AT_LEAST = 0.9
"""How sure of a total the weight must be before it may clear the picture's doubts."""
_PROPOSED_ABOVE = 0.67
"""Counts other than the picture's are proposed above this probability: two in three."""


def with_weight(reading: TrayReading, possible: Mapping[str, int], weighed: Weighed | None) -> TrayReading:
    """Return the reading as picture, ledger and scale together have it; the same one without a weight."""
    if weighed is None:
        return reading
    if _relative_likelihood(weighed, reading.total) < _CONTRADICTS_BELOW:
        return _contradicted_reading(reading, possible, weighed)
    if reading.certain or not reading.odds:
        return reading
    believed = belief(reading.odds, possible, total_odds=weighed.odds, named=reading.named)
    if believed.counts != dict(reading.counts):
        return reading
    clears_doubts = (
        weighed.may_clear
        and weighed.whole
        and _COUNT_DOUBTS.issuperset(reading.doubts)
        and weighed.cubes == reading.total
        and weighed.sure >= _SURE_AT_LEAST
        and believed.probability >= CERTAIN_AT_LEAST
    )
    if not clears_doubts:
        return replace(reading, confidence=believed.confidence)
    return replace(reading, confidence=believed.confidence, certain=True, doubts=())


def fell_unseen(reading: TrayReading, weighed: Weighed | None) -> bool:
    """Whether the weight is sure that more lies there than the picture shows."""
    if weighed is None or weighed.cubes <= reading.total:
        return False
    return _relative_likelihood(weighed, reading.total) < _CONTRADICTS_BELOW


def _contradicted_reading(reading: TrayReading, possible: Mapping[str, int], weighed: Weighed) -> TrayReading:
    """Return the reading in doubt, with counts that fit both if they are likelier than all others: nothing
    tells the colour of a cube that is no candidate in the picture, and it would get the palette's first."""
    doubts = tuple(dict.fromkeys((Doubt.WEIGHT_DIFFERS, *reading.doubts)))
    if not reading.odds:
        return replace(reading, certain=False, doubts=doubts)
    believed = belief(reading.odds, possible, total_odds=weighed.odds, named=reading.named)
    fits = sum(believed.counts.values()) == weighed.cubes and believed.probability > _PROPOSED_ABOVE
    counts, confidence = (
        (believed.counts, believed.confidence) if fits else (reading.counts, reading.confidence)
    )
    return replace(
        reading,
        counts=counts,
        confidence=confidence,
        certain=False,
        doubts=doubts,
        # they state the picture's own count: with other counts an answer would count a cube twice
        open_places=reading.open_places if counts == reading.counts else (),
    )


def _relative_likelihood(weighed: Weighed, total: int) -> float:
    """Return the likelihood of this total relative to the likeliest one's."""
    odds = weighed.odds[total] if total < len(weighed.odds) else 0.0
    return odds / max(weighed.odds)
