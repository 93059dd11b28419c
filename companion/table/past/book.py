"""The game of one table as the store has it: its events, and the state folded from them.

Not thread-safe: whoever holds a book guards it.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import takewhile
from typing import Any

from companion.games.protocol import Counts, Overrulable, Refused, Seat, ThrowPlan, TowerShown
from companion.store.contract import EventStore
from companion.store.errors import Stale
from companion.store.events import (
    UNDONE,
    NewEvent,
    StoredEvent,
    batches_apart,
    batches_replaced_by,
    undo_body,
    undone_batches,
)
from companion.table.errors import Outdated, TableRefusal
from companion.table.past.history import (
    RESULTS,
    THROW,
    AnyGame,
    Entry,
    History,
    Json,
    encode_events,
    throws,
)
from companion.table.past.standing import Standing
from companion.table.past.undoing import with_reason
from companion.table.settings import (
    KINDS_KEPT_BY_UNDO,
    settings_of,
    showing_event,
    throw_as_told,
    without_secrets,
)

TABLE_SAYS = "it lies on the table"
"""The reason to accept a result that the game doubts: a person saw it."""
SETTLE = "settle"
"""The kind of a game's command that settles a throw."""
BEYOND = "not_in_tower"
"""The refusal that a person may overrule."""


def settle_command(counts: Counts, *, insist: bool = True) -> Json:
    """Return the command that settles a throw with these counts; `insist`: a person saw them."""
    return {"kind": SETTLE, "tray": dict(counts), "insist": TABLE_SAYS if insist else ""}


class Book:
    """Events and state of one table."""

    def __init__(
        self,
        game: AnyGame,
        store: EventStore,
        table: str,
        wall_ms: Callable[[], int],
        events: Sequence[StoredEvent] | None = None,
    ) -> None:
        """`events`: what was just read of the table; None to read it now."""
        self.game = game
        self.table = table
        self._store = store
        self._wall_ms = wall_ms
        self._history = History(game)
        self._events: list[StoredEvent] = store.read(table) if events is None else list(events)
        self._standing = Standing(game, self._events)
        self._tower = settings_of(self._events).tower

    @property
    def events(self) -> tuple[StoredEvent, ...]:
        """Everything that was written, including what was taken back."""
        return tuple(self._events)

    @property
    def last(self) -> int:
        """Number of the newest event; 0 for an empty table."""
        return self._events[-1].seq if self._events else 0

    def check(self, expected: int) -> None:
        """Raise `Outdated` if a device decided on the basis of an older state."""
        if expected != self.last:
            raise Outdated

    @property
    def _state(self) -> Any:
        return self._standing.state

    def decide(self, body: Json) -> list[NewEvent]:
        """Return the events a command brings about, not yet written. Raises `TableRefusal`."""
        return self._decide(self._state, body)

    def secret_of(self, body: Json) -> Seat | None:
        """Return the seat whose secret the answer to a command would reveal; None also for no command."""
        try:
            command = self.game.decode_command(body)
        except ValueError:  # `decide` says what is wrong with it
            return None
        return self.game.secret_of(self._state, command) if self._state is not None else None

    def append(self, events: list[NewEvent], author: str) -> None:
        """Write events. Raises `StoreError`, or `Outdated` after rereading if another process wrote first."""
        try:
            stored = self._store.append(self.table, self.last, events, author, self._wall_ms())
        except Stale:
            # What another process wrote into this table is fact too.
            self._events = self._store.read(self.table)
            self._standing = Standing(self.game, self._events)
            self._tower = settings_of(self._events).tower
            raise Outdated from None
        self._events += stored
        self._standing.follow(self._events, len(stored))
        self._tower = settings_of(self._events).tower

    def has_just_undone(self, until: int) -> bool:
        """Whether the newest command took back one of the game's among the first `until` events."""
        newest = self._events[-1].batch
        command = list(takewhile(lambda event: event.batch == newest, reversed(self._events)))
        if not (taken := batches_replaced_by(command, newest)):
            return False  # as after most commands: a long past is not read
        return any(batch <= until for batch in taken - batches_apart(self._events, KINDS_KEPT_BY_UNDO))

    def undo_events(self, batch: int, reason: str = "", agreed: Sequence[str] = ()) -> list[NewEvent]:
        """Return the events that take back a command and everything built on it. Raises `TableRefusal`."""
        body = undo_body(self._events, batch, KINDS_KEPT_BY_UNDO) if batch > 1 else None
        if body is None:
            raise TableRefusal("nothing_to_undo", "This cannot be undone, or it already was.")
        return [NewEvent(UNDONE, with_reason(body, reason, agreed))]

    def correction_events(self, batch: int, counts: Counts, reason: str) -> list[NewEvent]:
        """Return the events that take back the newest throw and settle it anew, in one step. Raises
        `TableRefusal`."""
        body, record, before = self._prepare_overrule(batch)
        settled = self._decide(before, settle_command(counts))
        accepted = {str(colour): number for colour, number in counts.items()}
        corrected = {**record, "accepted": accepted, "corrected": True, "by": "correction", "reason": reason}
        return [NewEvent(UNDONE, body), NewEvent(THROW, corrected), *settled]

    def _prepare_overrule(self, batch: int) -> tuple[Json, Json, Any]:
        """Return the undo of the newest throw, its record, and the state before it. Raises `TableRefusal`."""
        body = undo_body(self._events, batch, KINDS_KEPT_BY_UNDO)
        record = next((e.body for e in self._events if e.batch == batch and e.kind == THROW), None)
        if body is None or record is None:
            raise TableRefusal("nothing_to_correct", "This is not a throw that still counts.")
        if body["batches"] != [batch]:
            raise TableRefusal("built_upon", "Later events build on this throw. Undo those first.")
        if replaced := batches_replaced_by(
            self._events, batch
        ):  # what a correction replaced stays taken back
            body = {**body, "also": sorted({*body.get("also", ()), *replaced})}
        undo_event = StoredEvent(self.table, self.last + 1, self.last + 1, UNDONE, "", 0, body)
        return body, record, self._standing.with_more([*self._events, undo_event], 1)

    def preview(self, counts: Counts, batch: int | None = None) -> Json:
        """Return what these counts would decide, without deciding it; with `batch`, as a correction of that
        newest throw. Raises `TableRefusal`."""
        state = self._state if batch is None else self._prepare_overrule(batch)[2]
        decided = self._decide(state, settle_command(counts))
        bodies = [event.body for event in decided]
        return next((body for body in bodies if body["kind"] in RESULTS), bodies[-1])

    def excess_refusal(self, counts: Counts) -> Json | None:
        """Return why these counts are refused until somebody insists: more came out than can be inside."""
        try:
            self.decide(settle_command(counts, insist=False))
        except TableRefusal as refusal:
            return refusal.body if refusal.key == BEYOND else None
        return None

    def plan(self) -> ThrowPlan | None:
        """Return the throw that is awaited, or None."""
        return self.game.throw_plan(self._state) if self._state is not None else None

    def view(self, seat: Seat | None) -> Json | None:
        """Return what a seat, or the table (None), may know; None before the first event."""
        return self.game.view(self._state, seat, self._tower) if self._state is not None else None

    @property
    def tower_shown(self) -> TowerShown:
        """How much of the tower's content is told."""
        return self._tower

    def show_tower(self, tower: TowerShown) -> list[NewEvent]:
        """Return the events that change it. Raises `TableRefusal` if it is so already."""
        if tower is self._tower:
            raise TableRefusal("nothing_changes", "It is already like that.")
        return [showing_event(tower)]

    def seats(self) -> list[str]:
        """Return the seats of the game."""
        return list((self.view(None) or {}).get("seats", []))

    def legal(self, seat: Seat | None) -> list[Json]:
        """Return the commands that a seat, or the table together, may give now."""
        commands = self.game.legal(self._state, seat) if self._state is not None else ()
        return [self.game.encode_command(command) for command in commands]

    def entries(self) -> Iterator[Entry]:
        """Iterate over the history, newest first."""
        return self._history.entries_backwards(self._events)

    def throws(self) -> list[Json]:
        """Return all throws, newest first."""
        return [throw_as_told(throw, self._tower) for throw in throws(self._events)]

    def newest_throw(self) -> StoredEvent | None:
        """Return the newest throw's record, whether it still counts or not: each look asks for it."""
        return next((event for event in reversed(self._events) if event.kind == THROW), None)

    def counted_throw(self) -> Json | None:
        """Return the newest throw's record, if it still counts."""
        newest = self.newest_throw()
        return None if newest is None or newest.batch in undone_batches(self._events) else newest.body

    def _decide(self, state: Any, body: Json) -> list[NewEvent]:
        if state is None:
            raise TableRefusal("no_game", "No game has begun at this table.")
        try:
            events = self.game.decide(state, self.game.decode_command(body))
        except Refused as refused:
            may_overrule = isinstance(refused, Overrulable)
            refusal = TableRefusal(
                refused.key, refused.sentence, refused.rule, overrulable=may_overrule, **refused.params
            )
            raise without_secrets(refusal, self._tower) from None
        except ValueError as error:
            raise TableRefusal("bad_request", str(error)) from None
        return encode_events(self.game, events)
