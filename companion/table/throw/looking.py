"""What a look at the tray means for the awaited throw, and what of it is kept."""

from collections.abc import Mapping
from dataclasses import replace

from companion.games.protocol import Colour, Counts, ThrowPlan
from companion.store.errors import StoreError
from companion.store.evidence import EvidenceFolder
from companion.table.messages import LetFall, Looked
from companion.table.past.history import Json
from companion.table.throw.joining import with_weight
from companion.table.throw.live import Look
from companion.table.throw.readings import reading_json
from companion.table.throw.weigher import Weighed
from vision.reading import KNOWN_UNTAUGHT, Doubt, TrayReading

_LIGHT_DOUBTS = {Doubt.FALSE_COLOURS, Doubt.VEILED}
"""Doubts that an empty tray on a grey table raises too; the advice for an empty tray comes before theirs."""


def counts_before(plan: ThrowPlan) -> dict[str, int]:
    """Return what lay in the tray before the throw, to be thrown with it."""
    return {str(colour): number for colour, number in plan.from_tray.items()}


def is_unchanged(seen: Mapping[str, int], plan: ThrowPlan) -> bool:
    """Whether the tray is empty or holds just what lay there before the throw."""
    return sum(seen.values()) == 0 or _are_equal(seen, counts_before(plan))


def _are_equal(counts: Mapping[str, int], others: Mapping[str, int]) -> bool:
    """Whether the counts are equal; a colour that is not named counts as zero."""
    return all(counts.get(colour, 0) == others.get(colour, 0) for colour in {*counts, *others})


def is_within(seen: Mapping[str, int], lay: Mapping[str, int]) -> bool:
    """Whether there is no more of any colour than lay there."""
    return all(number <= lay.get(colour, 0) for colour, number in seen.items())


def is_empty(reading: TrayReading) -> bool:
    """Whether the tray is surely empty, even if the light is in doubt."""
    only_light = bool(reading.doubts) and _LIGHT_DOUBTS.issuperset(reading.doubts)
    return reading.total == 0 and (reading.certain or only_light)


def at_most(plan: ThrowPlan) -> dict[str, int]:
    """Return how many of each colour can lie there."""
    return {str(colour): number for colour, number in plan.possible.items()}


def fall_order(plan: ThrowPlan) -> LetFall:
    """Return what the demo's camera needs to know to let something fall."""
    thrown = sum(plan.from_table.values()) + sum(plan.from_tray.values())
    sides = tuple(str(colour) for colour in plan.from_table if colour != "green")
    return LetFall(at_most(plan), sides, thrown)


def doubts(looked: Looked, plan: ThrowPlan) -> tuple[Doubt, ...]:
    """Return the reader's doubts and the ledger's own: a colour cannot come out that is not inside, and one
    that the reader does not know may look like another."""
    reading = looked.reading
    exceeds_ledger = any(number > plan.possible.get(Colour(c), 0) for c, number in reading.counts.items())
    of_ledger = (Doubt.NOT_IN_TOWER,) if exceeds_ledger else ()
    if reading.total and _has_untaught_colour(reading, plan):
        of_ledger = (*of_ledger, Doubt.UNTAUGHT_COLOUR)
    return of_ledger if reading.certain else (*of_ledger, *reading.doubts)


def _has_untaught_colour(reading: TrayReading, plan: ThrowPlan) -> bool:
    """Whether a colour can lie there that the reader does not know.

    A reader of some of Shogun's colours alone knows the others too, and asks about them itself.
    """
    known = set(reading.counts)
    if known <= KNOWN_UNTAUGHT:
        known |= KNOWN_UNTAUGHT
    return any(number and colour not in known for colour, number in plan.possible.items())


def judge_look(
    number: int, looked: Looked, plan: ThrowPlan, weighed: Weighed | None, *, lay_there: bool
) -> Look:
    """Judge a look for the page by picture, weight and ledger; `lay_there` if it may have lain there."""
    joined = replace(looked, reading=with_weight(looked.reading, at_most(plan), weighed))
    own_doubts = doubts(joined, plan)
    if joined.reading.total == 0:  # nothing can have lain there; mostly nobody has thrown yet
        return Look(number, joined, (Doubt.EMPTY, *own_doubts) if is_empty(joined.reading) else own_doubts)
    return Look(number, joined, (*own_doubts, Doubt.LAY_THERE) if lay_there else own_doubts)


def look_json(look: Look) -> Json:
    """Return the look for the page."""
    return {
        "number": look.number,
        "picture": f"/api/v1/looks/{look.number}.jpg",
        "read_ms": round(look.looked.read_ms, 1),
        "since_rest_ms": round(look.looked.since_rest_ms),
        **reading_json(look.looked.reading, look.doubts),
    }


def throw_record(
    plan: ThrowPlan,
    counts: Counts,
    look: Look | None,
    felt: Json | None,
    *,
    by: str,
    evidence: EvidenceFolder,
) -> Json:
    """Return the record of a throw: what went in, what was seen, what was accepted, and by whom.

    `felt`: what the load cell says of a throw that no camera saw.
    """
    seen = dict(look.looked.reading.counts) if look else None
    accepted = {str(colour): number for colour, number in counts.items()}
    return {
        "from_table": dict(plan.from_table),
        "from_tray": dict(plan.from_tray),
        "possible": dict(plan.possible),
        "accepted": accepted,
        "seen": seen,
        "reading": reading_json(look.looked.reading, look.doubts) if look else None,
        "corrected": seen is not None and not _are_equal(seen, accepted),
        "by": by if look else "hand",
        "read_ms": round(look.looked.read_ms, 1) if look else None,
        "evidence": _keep_picture(look, evidence),
        "reason": "",
        "weight": look.weight if look else felt,
    }


def _keep_picture(look: Look | None, evidence: EvidenceFolder) -> str | None:
    if look is None:
        return None
    try:
        return evidence.keep(look.looked.jpeg)
    except StoreError:
        return None  # the game goes on without the picture
