"""Picture and weight together: one model (`vision.counting.odds`), and a question when they disagree."""

from collections.abc import Mapping
from dataclasses import replace

from companion.table.throw.weigher import Weighed
from vision.counting.odds import CERTAIN_AT_LEAST, belief
from vision.reading import Doubt, TrayReading

_CONTRADICTS = 0.02
"""The weight contradicts a seen total whose odds are below this fraction of the best total's; by chance alone
that happens once in fifty throws."""
_OF_THE_NUMBER = frozenset(
    {Doubt.BLACK_ON_BLACK, Doubt.LIKE_FLOOR, Doubt.GLARE, Doubt.STACKED, Doubt.CROWDED, Doubt.UNCLEAR_COUNT}
)
"""Doubts that a weight can clear: it knows how many cubes there are, not their colours."""
_SURE = 0.9
"""How sure of a total the weight must be before it may clear the picture's doubts."""
_PROPOSED = 0.67
"""Counts other than the picture's are proposed above this probability: two in three."""


def with_weight(reading: TrayReading, possible: Mapping[str, int], weighed: Weighed | None) -> TrayReading:
    """Return the reading as picture, ledger and scale together have it; the same one without a weight."""
    if weighed is None:
        return reading
    if _likelihood(weighed, reading.total) < _CONTRADICTS:
        return _differing(reading, possible, weighed)
    if reading.certain or not reading.odds:
        return reading
    believed = belief(reading.odds, possible, total_odds=weighed.odds, named=reading.named)
    if believed.counts != dict(reading.counts):
        return reading
    clear = (
        weighed.may_clear
        and weighed.whole
        and _OF_THE_NUMBER.issuperset(reading.doubts)
        and weighed.cubes == reading.total
        and weighed.sure >= _SURE
        and believed.probability >= CERTAIN_AT_LEAST
    )
    if not clear:
        return replace(reading, confidence=believed.confidence)
    return replace(reading, confidence=believed.confidence, certain=True, doubts=())


def fell_unseen(reading: TrayReading, weighed: Weighed | None) -> bool:
    """Whether the weight is sure that more lies there than the picture shows."""
    if weighed is None or weighed.cubes <= reading.total:
        return False
    return _likelihood(weighed, reading.total) < _CONTRADICTS


def _differing(reading: TrayReading, possible: Mapping[str, int], weighed: Weighed) -> TrayReading:
    """Return the reading in doubt, with counts that fit both if they are likelier than all others: nothing
    tells the colour of a cube that is no candidate in the picture, and it would get the palette's first."""
    doubts = tuple(dict.fromkeys((Doubt.WEIGHT_DIFFERS, *reading.doubts)))
    if not reading.odds:
        return replace(reading, certain=False, doubts=doubts)
    believed = belief(reading.odds, possible, total_odds=weighed.odds, named=reading.named)
    fits = sum(believed.counts.values()) == weighed.cubes and believed.probability > _PROPOSED
    counts, sure = (believed.counts, believed.confidence) if fits else (reading.counts, reading.confidence)
    return replace(
        reading,
        counts=counts,
        confidence=sure,
        certain=False,
        doubts=doubts,
        # they state the picture's own count: with other counts an answer would count a cube twice
        open_places=reading.open_places if counts == reading.counts else (),
    )


def _likelihood(weighed: Weighed, total: int) -> float:
    """Return the likelihood of this total relative to the likeliest one's."""
    own = weighed.odds[total] if total < len(weighed.odds) else 0.0
    return own / max(weighed.odds)
