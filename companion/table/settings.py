"""What a table has settled for itself besides the game: events of its own, in the same log."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from companion.games.protocol import TowerShown
from companion.store.events import UNDONE, NewEvent, StoredEvent, effective_events
from companion.table.errors import TableRefusal

Json = dict[str, Any]
SHOWING = "tower_showing"
"""Kind of the event that sets how much of the tower's content is told; body `{"show": "hidden"}`."""
KINDS_KEPT_BY_UNDO = frozenset({SHOWING})
"""Kinds of events that the undo of something else never takes along."""
_TITLES = {
    UNDONE: "Undone",
    f"{SHOWING}.{TowerShown.HIDDEN}": "What is in the tower is no longer shown",
    f"{SHOWING}.{TowerShown.TOTALS}": "Of what is in the tower only the number is shown",
    f"{SHOWING}.{TowerShown.ALL}": "What is in the tower is shown",
}
_UNTOLD = {
    "supply_short": ("supply_short_untold", "There are not that many cubes of that colour left."),
    "not_in_tower": ("not_in_tower", "More came out than can be inside. Count again, or insist."),
    "not_in_box": ("not_in_box_untold", "The ledger has none of these cubes left. Correct it first."),
    "not_there": ("supply_short_untold", "There are not that many cubes of that colour left."),
}
"""Refusals whose numbers reveal what is in the tower, and what is said instead."""
_MORE_INSIDE = "more_inside"
"""The event whose numbers reveal it: what was counted is known, so the rest was believed to be inside."""


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings in force."""

    tower: TowerShown = TowerShown.ALL


def settings_of(events: Sequence[StoredEvent]) -> Settings:
    """Return the settings in force: the newest events that still count."""
    newest = next((e for e in reversed(effective_events(list(events))) if e.kind == SHOWING), None)
    return Settings(TowerShown(newest.body["show"])) if newest else Settings()


def showing_event(tower: TowerShown) -> NewEvent:
    """Return the event that changes what is told of the tower."""
    return NewEvent(SHOWING, {"show": tower.value})


def title_of(event: StoredEvent) -> str:
    """Return one line of history for an event of the table's own, not the game's."""
    return _TITLES.get(event.kind) or _TITLES.get(f"{event.kind}.{event.body.get('show')}", event.kind)


def without_secrets(refusal: TableRefusal, tower: TowerShown) -> TableRefusal:
    """Return the same refusal without what must not be told."""
    if tower is TowerShown.ALL or refusal.key not in _UNTOLD:
        return refusal
    key, sentence = _UNTOLD[refusal.key]
    more = refusal.params.get("more")
    shown_params = {"more": dict.fromkeys(more, 0)} if isinstance(more, dict) else {}
    return TableRefusal(key, sentence, refusal.rule, overrulable=refusal.overrulable, **shown_params)


def throw_as_told(throw: Mapping[str, Any], tower: TowerShown) -> Json:
    """Return a throw's record for devices: what can have been inside is told only if everything is."""
    return {**throw, "possible": throw["possible"] if tower is TowerShown.ALL else None}


def event_as_told(told: Json, tower: TowerShown) -> Json:
    """Return what a game tells of an event, without numbers from which what was inside follows."""
    hides = tower is not TowerShown.ALL and told.get("kind") == _MORE_INSIDE
    return {**told, "more": {}} if hides else told
