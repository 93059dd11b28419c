"""The table's past: events folded to the present state, entries for the history, throws for the log."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any

from companion.games.protocol import Game
from companion.store.events import UNDONE, NewEvent, StoredEvent, undone_batches
from companion.table.settings import SHOWING, title_of

Json = dict[str, Any]
AnyGame = Game[Any, Any, Any]

THROW = "throw"
"""Kind of the record of a real throw (plan, reading, what was accepted, evidence); not the game's event."""
NOT_THE_GAMES = frozenset({THROW, UNDONE, SHOWING})
RESULTS = frozenset({"throw_settled", "settled", "fell_out"})
"""Kinds of the event that says how a throw or an accident ended."""
_STEPS = frozenset(
    {"card_turned", "turn_ended", "phase_begun", "overruled", "warned", "more_inside", "armies_found"}
)
"""Kinds of events that only lead to, or follow from, the one that says what happened."""


def encode_events(game: AnyGame, events: Iterable[Any]) -> list[NewEvent]:
    """Return the game's events as the store keeps them. Raises ValueError for a kind that the table uses
    itself: it would be written and never folded."""
    bodies = [game.encode_event(event) for event in events]
    if reserved := sorted({str(body["kind"]) for body in bodies} & NOT_THE_GAMES):
        raise ValueError(f"{game.name} calls an event {reserved[0]!r}, as the table calls one of its own")
    return [NewEvent(str(body["kind"]), body) for body in bodies]


def fold(game: AnyGame, events: Sequence[StoredEvent]) -> Any:
    """Return the state after all events that still count; None before the first."""
    state = None
    for event in counting_events(events):
        state = game.evolve(state, game.decode_event(event.body))
    return state


def counting_events(events: Sequence[StoredEvent], after: int = 0) -> Iterator[StoredEvent]:
    """Iterate over the game's own events that still count, skipping the first `after` of all events."""
    gone = undone_batches(list(events))
    return (event for event in events[after:] if event.kind not in NOT_THE_GAMES and event.batch not in gone)


@dataclass(frozen=True, slots=True)
class Entry:
    """What one command did, as one line of the history."""

    batch: int
    kind: str
    """Kind of the event that says most; the page translates it."""
    title: str
    author: str
    ts_ms: int
    body: Json
    """What everybody may know of it: for an event of the game, what the game tells."""
    undone: bool
    evidence: str | None
    throw: bool
    """Whether it settled a real throw."""

    def as_json(self) -> Json:
        """Return the entry for the page."""
        return {
            "batch": self.batch,
            "kind": self.kind,
            "title": self.title,
            "author": self.author,
            "ts_ms": self.ts_ms,
            "body": self.body,
            "undone": self.undone,
            "evidence": self.evidence,
            "throw": self.throw,
        }


def entries(
    game: AnyGame, events: Sequence[StoredEvent], numbers: Collection[int] | None = None
) -> list[Entry]:
    """Return one entry per batch, oldest first: of all batches, or of these."""
    wanted = events if numbers is None else _events_of(events, frozenset(numbers))
    return History(game).entries(wanted, undone_batches(list(events)))


class History:
    """The entries of a table that is being played: what a command did never changes, only whether it still
    counts.

    So each is computed once; otherwise every view would cost more the longer a game lasts.
    """

    def __init__(self, game: AnyGame) -> None:
        self._game = game
        self._known: dict[int, Entry] = {}

    def entries(self, events: Sequence[StoredEvent], gone: set[int] | None = None) -> list[Entry]:
        """Return the entries of the table's events; of only some events, with `gone`, the batches that do not
        count."""
        gone = undone_batches(list(events)) if gone is None else gone
        return [self._entry(batch, batch[0].batch in gone) for batch in events_by_batch(events)]

    def entries_backwards(self, events: Sequence[StoredEvent]) -> Iterator[Entry]:
        """Iterate over the same, newest first, so that a few entries do not cost a whole past."""
        gone = undone_batches(list(events))
        for _, reversed_batch in groupby(reversed(events), key=lambda event: event.batch):
            batch = list(reversed_batch)[::-1]
            yield self._entry(batch, batch[0].batch in gone)

    def _entry(self, batch: list[StoredEvent], undone: bool) -> Entry:
        number = batch[0].batch
        known = self._known.get(number)
        if known is None:
            known = self._known[number] = _entry(self._game, batch, undone=False)
        return replace(known, undone=True) if undone else known


def _events_of(events: Sequence[StoredEvent], numbers: frozenset[int]) -> list[StoredEvent]:
    return [event for event in events if event.batch in numbers]


def events_by_batch(events: Sequence[StoredEvent]) -> list[list[StoredEvent]]:
    """Return events by command, oldest first."""
    found: dict[int, list[StoredEvent]] = {}
    for event in events:
        found.setdefault(event.batch, []).append(event)
    return list(found.values())


def _entry(game: AnyGame, batch: list[StoredEvent], undone: bool) -> Entry:
    game_events = [event for event in batch if event.kind not in NOT_THE_GAMES]
    main = result_of(game_events) or batch[-1]
    event = game.decode_event(main.body) if game_events else None
    title = game.title(event) if game_events else title_of(main)
    open_to_all = game.told(event) if game_events else {}
    record = next((event for event in batch if event.kind == THROW), None)
    return Entry(
        batch=main.batch,
        kind=main.kind,
        title=title,
        author=main.author,
        ts_ms=main.ts_ms,
        body=open_to_all if game_events else main.body,
        undone=undone,
        evidence=record.body.get("evidence") if record else None,
        throw=record is not None,
    )


def result_of(events: Sequence[StoredEvent]) -> StoredEvent | None:
    """Return the event of a batch's game events that says most: a throw's result, else the first non-step."""
    telling = [event for event in events if event.kind not in _STEPS]
    warnings = [event for event in events if event.kind == "warned"]  # say more than the step they allowed
    main = next(iter(telling or warnings or events[-1:]), None)
    return next((event for event in events if event.kind in RESULTS), main)


def throws(events: Sequence[StoredEvent]) -> list[Json]:
    """Return every real throw, newest first: its record, the game's result, and whether it still counts."""
    gone = undone_batches(list(events))
    found: list[Json] = []
    for batch in events_by_batch(events):
        record = next((event for event in batch if event.kind == THROW), None)
        if record is None:
            continue
        main = result_of([event for event in batch if event.kind not in NOT_THE_GAMES])
        found.append(
            {
                **record.body,
                "game": record.game,
                "batch": record.batch,
                "ts_ms": record.ts_ms,
                "author": record.author,
                "undone": record.batch in gone,
                "result": main.body if main else {},
            }
        )
    return found[::-1]
