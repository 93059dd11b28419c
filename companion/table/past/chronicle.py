"""The history for people: every command, what everybody may know of it, and where in the game it was."""

from collections.abc import Sequence
from dataclasses import dataclass

from companion.games.protocol import TowerShown
from companion.store.events import UNDONE, StoredEvent
from companion.table.past.history import AnyGame, Entry, Json, entries, events_by_batch
from companion.table.past.timeline import Timeline
from companion.table.settings import SHOWING, event_as_told


@dataclass(frozen=True, slots=True)
class Page:
    """Some commands of the past, newest first: a game that goes on for years is not told all at once."""

    entries: list[Json]
    older: int
    """Number of commands before these."""


def chronicle(
    game: AnyGame,
    events: Sequence[StoredEvent],
    timeline: Timeline,
    last: int | None = None,
    before: int | None = None,
    *,
    tower: TowerShown = TowerShown.ALL,
) -> Page:
    """Return commands, each with `told`, its year, season and phase, and whether it showed something.

    The newest `last` of those before the command `before`; all if neither is given. `tower`: how much of its
    contents the table tells.
    """
    by_number = {batch[0].batch: batch for batch in events_by_batch(events)}
    eligible = [number for number in by_number if before is None or number < before]
    older = max(0, len(eligible) - last) if last is not None else 0
    wanted = eligible[older:]
    mains = entries(game, events, wanted)
    found: list[Json] = []
    for number, place, main in zip(wanted, timeline.places(events, wanted), mains, strict=True):
        batch = by_number[number]
        facts = timeline.facts_told(batch) + _undo_facts(batch, by_number, timeline) + _setting_facts(batch)
        facts = [_fact_as_told(fact, tower) for fact in facts]
        shown = any(fact.get("shown") for fact in facts)
        found.append({**_entry_json(main, batch), **place, "told": facts, "shown": shown})
    return Page(found[::-1], older)


def _fact_as_told(fact: Json, tower: TowerShown) -> Json:
    if "first" in fact:  # what an undo took back
        return {**fact, "first": [event_as_told(each, tower) for each in fact["first"]]}
    return event_as_told(fact, tower)


def _entry_json(entry: Entry, batch: Sequence[StoredEvent]) -> Json:
    reason = next((str(event.body["reason"]) for event in batch if event.body.get("reason")), "")
    return {
        "batch": entry.batch,
        "kind": entry.kind,
        "title": entry.title,
        "author": entry.author,
        "ts_ms": entry.ts_ms,
        "undone": entry.undone,
        "evidence": entry.evidence,
        "throw": entry.throw,
        "reason": reason,
    }


def _setting_facts(batch: Sequence[StoredEvent]) -> list[Json]:
    """Return what the table settled for itself."""
    return [{"kind": e.kind, "show": e.body["show"], "shown": False} for e in batch if e.kind == SHOWING]


def _undo_facts(
    batch: Sequence[StoredEvent], by_number: dict[int, list[StoredEvent]], timeline: Timeline
) -> list[Json]:
    """Return what an undo took back, told by the first of its commands."""
    facts: list[Json] = []
    for event in batch:
        if event.kind == UNDONE:
            numbers = [int(number) for number in event.body["batches"]]
            gone = _first_taken_back(event, by_number)
            first = timeline.facts_told(gone) + _setting_facts(gone) if gone else []
            agreed = list(event.body.get("agreed", ()))
            facts.append(
                {"kind": UNDONE, "batches": numbers, "first": first, "agreed": agreed, "shown": False}
            )
    return facts


def _first_taken_back(undo: StoredEvent, by_number: dict[int, list[StoredEvent]]) -> list[StoredEvent]:
    """Return the first command that an undo took back, through undos of undos too; empty if it is back."""
    is_taken_back, gone = True, by_number.get(min(undo.body["batches"], default=0), [])
    while gone and all(event.kind == UNDONE for event in gone):
        is_taken_back, gone = not is_taken_back, by_number.get(min(gone[0].body["batches"], default=0), [])
    return gone if is_taken_back else []
