"""The live table: commands from devices and reports from sensors in, events and one view out.

Every call takes the lock, changes memory and state together, and wakes the pages. It has no clock of its own:
it asks the one it was given, and `tick` has to be called a few times a second.
"""

import threading
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager

from companion.games.protocol import Colour, Counts, ThrowPlan, TowerShown
from companion.store.contract import EventStore
from companion.store.errors import StoreError
from companion.store.events import NewEvent, StoredEvent
from companion.store.evidence import EvidenceFolder
from companion.table.errors import Outdated, TableRefusal
from companion.table.messages import Expect, LetFall, Looked, Report
from companion.table.past.book import SETTLE, Book, settle_command
from companion.table.past.history import THROW, AnyGame, Json, encode_events
from companion.table.past.pages import Past
from companion.table.past.polls import Poll, open_poll
from companion.table.past.undoing import Wish
from companion.table.throw import looking
from companion.table.throw.awaiting import Awaiting
from companion.table.throw.countdown import COUNTDOWN_S
from companion.table.throw.weighing import Weighing
from companion.table.viewing import seat_view, table_view

CAMERA = "camera"
BROKE = "Something went wrong in Tenshu. Nothing that was saved is lost."
OWN_BOARD = frozenset({"place", "ready", "draw_revolts"})
"""Kinds of commands that depend on nobody else: plans and draws."""
_LOOKS_BITS = 20
"""A million looks per start; with the start's 32 bits above them, still an exact integer in every browser."""


class TableSession:
    """One table."""

    def __init__(
        self,
        game: AnyGame,
        store: EventStore,
        evidence: EvidenceFolder,
        table: str,
        *,
        clock: Callable[[], float],
        wall_ms: Callable[[], int],
        countdown_s: float = COUNTDOWN_S,
        scale: Weighing | None = None,
        start: str = "",
        events: Sequence[StoredEvent] | None = None,
    ) -> None:
        """`start` (hexadecimal) distinguishes this start of the program from all others: views are numbered
        within it. `events`: what was just read of the table, if it existed."""
        self._book = Book(game, store, table, wall_ms, events)
        self._wall_ms = wall_ms
        self._evidence = evidence
        self._changed = threading.Condition(threading.RLock())
        self.start = start
        self._rev = wall_ms()
        self._scale = scale or Weighing()
        self._awaiting = Awaiting(
            self._plan,
            self._last_accepted,
            self._counted_record,
            self._wake,
            clock=clock,
            countdown_s=countdown_s,
            first_look=int(start or "0", 16) << _LOOKS_BITS,
            scale=self._scale,
        )
        self._notice: Json | None = None
        self._poll: Poll | None = None
        self.past = Past(game, self.events, self._changed)
        self._followed_at = 0
        """Number of the newest event when the awaited throw began to be followed."""
        with self._changed:
            self._follow()

    # -- what devices ask ---------------------------------------------------------------------------------

    def begin(self, options: Json, author: str, first: Json | None = None) -> None:
        """Set the table up unless it already has a past, and give it its first command."""
        with self._changed:
            if not self._book.last:
                self._append(encode_events(self._book.game, self._book.game.new(options)), author)
                if first is not None:
                    self._append(self._book.decide(first), author)

    @contextmanager
    def at(self, table: str | None = None) -> Iterator[None]:
        """Ensure that everything inside is asked of this one table, even if another is opened meanwhile.
        Raises `Outdated`."""
        with self._changed:
            if table not in (None, self._book.table):
                raise Outdated
            yield

    def command(
        self, body: Json, author: str, expected: int, own: str | None = None, held: Collection[str] = ()
    ) -> None:
        """Carry out a command of the game, from the device of the seat `own` if it has one; `held` are the
        seats that devices hold. Raises `TableRefusal`, `StoreError`."""
        with self._changed:
            self._check_secret(body, own)
            if str(body.get("kind")) in OWN_BOARD and body.get("seat") != own and body.get("seat") in held:
                raise _seat_only()
            self._check(expected)
            self._carry_out(body, author)

    def seat_command(self, seat: str, body: Json, author: str, expected: int) -> None:
        """Carry out a command from the seat's own device; plans and draws are never outdated."""
        with self._changed:
            if str(body.get("seat", seat)) != seat:
                raise TableRefusal("other_seat", "A seat's device can act only for its own seat.")
            self._check_secret(body, seat)
            if str(body.get("kind")) not in OWN_BOARD:
                self._check(expected)
            self._carry_out(body, author)

    def settle(
        self,
        counts: Counts,
        author: str,
        expected: int,
        look: int | None = None,
        insist: bool = False,
    ) -> None:
        """Settle the throw with a person's counts: the look confirmed or corrected, or counted by hand."""
        with self._changed:
            self._check(expected, look)
            self._settle(settle_command(counts, insist=insist), author, "person")

    def hold(self, expected: int, look: int) -> None:
        """Stop the countdown: a person wants to look."""
        with self._changed:
            self._check(expected, look)
            self._awaiting.ask(hold=True)

    def look_again(self) -> None:
        """Put the next look on the page whatever it shows, to read the tray as it lies there."""
        with self._changed:
            if self._book.plan() is None:
                raise TableRefusal("no_throw", "No throw is awaited.")
            self._awaiting.look_anyhow()

    def awaited_throw(self) -> tuple[str, int] | None:
        """Return the awaited throw's identity, its table and the last event before it; None without one."""
        with self._changed:
            return (self._book.table, self._book.last) if self._awaiting.awaits else None

    def take_look(self, looked: Looked, of: tuple[str, int] | None) -> bool:
        """Put a look that took a while on the page, if the throw `of` which it was taken is still awaited;
        return whether it is."""
        with self._changed:
            same = of is not None and of == self.awaited_throw()
            if same:
                self.look_again()
                self._awaiting.hear(looked)
            return same

    def correct(self, batch: int, counts: Counts, reason: str, author: str, expected: int) -> None:
        """Overrule the newest throw: take it back and settle it anew in one step."""
        with self._changed:
            self._check(expected)
            self._append(self._book.correction_events(batch, counts, reason), author)
            self._scale.confirm(sum(counts.values()))

    def undo(self, wish: Wish, expected: int, agreed: Sequence[str] | None = None) -> None:
        """Take back what one command did and everything built on it; the undo can itself be undone.

        `agreed` names those who agreed to take back what everybody has seen; None if nobody was asked, and
        then `NeedsTable` is raised where something was shown.
        """
        with self._changed:
            self._check(expected)
            if agreed is None:
                self.past.check_undo(wish.batch)
            self._append(self._book.undo_events(wish.batch, wish.reason, agreed or ()), wish.author)

    def ask_undo(self, wish: Wish, expected: int, seats: Sequence[str], own: str | None) -> None:
        """Put an undo to the seats' vote, or do it at once if nothing was shown. Raises `TableRefusal`."""
        with self._changed:
            self._check(expected)
            goes = self.past.what_goes(wish.batch)
            if not goes["shown"]:
                self.undo(wish, expected)
                return
            self._poll = open_poll(wish, goes["shown"], seats, own)
            self._decide_poll()

    def answer_undo(self, seat: str, batch: int, yes: bool, expected: int) -> None:
        """Record a seat's answer to the undo asked for: yes agrees, no ends it. Raises `TableRefusal`."""
        with self._changed:
            self._check(expected)
            if self._poll is None:
                raise TableRefusal("not_asked", "Nothing is asked.")
            if batch != self._poll.wish.batch:  # somebody asked for another one before this answer was tapped
                raise Outdated
            agreed_poll = self._poll.with_agreement(seat)
            self._poll = agreed_poll if yes else None
            self._decide_poll()

    def note_left(self, seat: str) -> None:
        """Note that no device holds a seat any more: the undo asked for waits only for the others."""
        with self._changed:
            if self._poll is not None:
                self._poll = self._poll.without(seat)
            self._decide_poll()

    def _decide_poll(self) -> None:
        poll = self._poll
        if poll is not None and poll.is_carried:
            self.undo(poll.wish, self._book.last, poll.agreed)
        else:
            self._wake()

    def show_tower(self, tower: TowerShown, author: str, expected: int) -> None:
        """Change how much of the tower's content any view tells. Raises `TableRefusal`."""
        with self._changed:
            self._check(expected)
            self._append(self._book.show_tower(tower), author)

    def turn_to(
        self, game: AnyGame, store: EventStore, table: str, events: Sequence[StoredEvent] | None = None
    ) -> None:
        """Play another table from now on; every device gets its view."""
        with self._changed:
            self._book = Book(game, store, table, self._wall_ms, events)
            self._notice = self._poll = None
            self.past.turn_to(game)
            self._followed_at = self._book.last
            self._awaiting.begin_other_table()

    def preview(self, counts: Counts, expected: int, batch: int | None = None) -> Json:
        """Return what these counts would decide, without deciding it, or why they are impossible; `beyond`
        says why somebody has to insist on them. With `batch`, as if they were the newest throw's. Raises
        `Outdated`."""
        with self._changed:
            self._check(expected)
            try:
                result = self._book.preview(counts, batch)
                beyond = self._book.excess_refusal(counts) if batch is None else None
                return {"result": result, "error": None, "beyond": beyond}
            except TableRefusal as refusal:  # an answer to "what if", not a failed request
                return {"result": None, "error": refusal.body, "beyond": None}

    def fall_order(self) -> LetFall:
        """Return what the demo's camera needs to know to let something fall. Raises `TableRefusal`."""
        with self._changed:
            plan = self._book.plan()
            if plan is None:
                raise TableRefusal("no_throw", "No throw is awaited.")
            return looking.fall_order(plan)

    def expected(self) -> Expect:
        """Return what, by the ledger, can lie in the tray after the awaited throw."""
        with self._changed:
            plan = self._book.plan()
            return Expect(looking.at_most(plan) if plan is not None else None)

    def is_outdated(self, looked: Looked) -> bool:
        """Whether the look was read with the ledger of another throw than the one awaited now."""
        expected = self.expected().at_most
        return None not in (looked.at_most, expected) and looked.at_most != expected

    # -- what sensors report ------------------------------------------------------------------------------

    def hear(self, report: Report) -> None:
        """Take a report from the sensor process."""
        with self._changed:
            self._awaiting.hear(report)

    def tick(self) -> None:
        """Accept a look whose countdown nobody has stopped."""
        with self._changed:
            look = self._awaiting.due_look
            if look is None:
                return
            counts = {Colour(c): n for c, n in look.looked.reading.counts.items()}
            try:
                self._settle(settle_command(counts, insist=False), CAMERA, "countdown")
            except Outdated as refusal:  # another process wrote: a different throw is awaited now
                self._tell(refusal)
            except TableRefusal as refusal:
                self._tell(refusal)
                self._awaiting.ask(hold=False)
            except StoreError as error:
                self._tell(TableRefusal(error.key, f"{error.sentence} {error.remedy}"))
                self._awaiting.ask(hold=True)

    def handle_unforeseen_error(self) -> None:
        """Handle an unforeseen error: pages say so, and a person settles what was about to be accepted."""
        with self._changed:
            if self._awaiting.due_look is not None:
                self._awaiting.ask(hold=True)
            if self._notice is None:
                self._tell(TableRefusal("http_500", BROKE))

    # -- what pages see -----------------------------------------------------------------------------------

    def wait(self, after: int, timeout_s: float) -> int:
        """Block until the view is newer than `after`, or time is up; return the newest view's number."""
        with self._changed:
            self._changed.wait_for(lambda: self._rev > after, timeout_s)
            return self._rev

    def wake(self) -> None:
        """Wake every waiter, so that it can end."""
        with self._changed:
            self._wake()

    def view(self) -> Json:
        """Return everything a page needs, built anew."""
        with self._changed:
            poll = self._poll.as_json() if self._poll else None
            table = table_view(self._book, self._awaiting)
            return {"start": self.start, "rev": self._rev, **table, "notice": self._notice, "poll": poll}

    @property
    def table(self) -> str:
        """Name of the table that is played."""
        return self._book.table

    @property
    def game(self) -> AnyGame:
        """The game whose rules are played."""
        return self._book.game

    def events(self) -> tuple[StoredEvent, ...]:
        """Return every event that was written."""
        with self._changed:
            return self._book.events

    def seats(self) -> list[str]:
        """Return the seats of the game."""
        with self._changed:
            return self._book.seats()

    def table_legal(self) -> Json:
        """Return what the table together may ask for now."""
        with self._changed:
            offered = {"expected": self._book.last, "legal": self._book.legal(None)}
            return {"start": self.start, "rev": self._rev, **offered}

    def seat_view(self, seat: str) -> Json:
        """Return what a seat may know and do, built anew. Raises `TableRefusal`."""
        with self._changed:
            if seat not in self._book.seats():
                raise TableRefusal("no_such_seat", "There is no such seat at this table.")
            return {"start": self.start, "rev": self._rev, **seat_view(self._book, self._awaiting, seat)}

    def trace(self, after: int) -> Json:
        """Return the load cell's trace after the last point the page has, and its state."""
        with self._changed:
            return self._scale.trace_json(after)

    def throws(self) -> list[Json]:
        """Return all throws, newest first."""
        with self._changed:
            return self._book.throws()

    def picture(self, number: int) -> bytes | None:
        """Return the picture of the look on the page, of the one before it, or of a late cube; else None."""
        with self._changed:
            return self._awaiting.picture(number)

    # -- inside -------------------------------------------------------------------------------------------

    def _check(self, expected: int, look: int | None = None) -> None:
        self._book.check(expected)
        self._awaiting.check(look)

    def _check_secret(self, body: Json, own: str | None) -> None:
        """Raise `TableRefusal` if the answer would reveal another seat's secret to the device of `own`."""
        if self._book.secret_of(body) not in (None, own):
            raise _seat_only()

    def _append(self, events: list[NewEvent], author: str) -> None:
        before = self._plan()
        try:
            self._book.append(events, author)
        except Outdated:
            self._follow()
            raise
        self._notice = self._poll = None
        # Two throws may have equal plans: an undo can put an earlier one in place of this one.
        if before is None or self._plan() != before or self._book.has_just_undone(self._followed_at):
            self._follow()
        else:  # e.g. a change of how much of the tower is told: the look on the page stays
            self._wake()

    def _follow(self) -> None:
        self._followed_at = self._book.last
        self._awaiting.follow()

    def _plan(self) -> ThrowPlan | None:
        return self._book.plan()

    def _last_accepted(self) -> Json:
        """Return what the tray held after the last throw."""
        newest = self._book.newest_throw()
        return newest.body["accepted"] if newest else {}

    def _counted_record(self) -> Json | None:
        """Return the record of the last throw, if it still counts."""
        return self._book.counted_throw()

    def _wake(self) -> None:
        self._rev += 1
        self._changed.notify_all()

    def _tell(self, refusal: TableRefusal) -> None:
        self._notice = {"key": refusal.key, "sentence": refusal.sentence, "params": refusal.params}
        self._wake()

    def _carry_out(self, body: Json, author: str) -> None:
        """Carry out a game's command; whichever way a throw is settled, its record is kept."""
        if body.get("kind") == SETTLE:
            self._settle(body, author, "person")
        else:
            self._append(self._book.decide(body), author)

    def _settle(self, command: Json, author: str, by: str) -> None:
        plan = self._book.plan()
        if plan is None or not self._awaiting.awaits:
            raise TableRefusal("no_throw", "No throw is awaited.")
        decided = self._book.decide(command)
        known = self._book.game.colours  # none of another can have come out, but a device may name it
        counts = {Colour(colour): n for colour, n in command["tray"].items() if colour in known}
        felt = self._scale.felt_json()
        record = looking.throw_record(plan, counts, self._awaiting.look, felt, by=by, evidence=self._evidence)
        self._append([NewEvent(THROW, record), *decided], author)
        self._scale.confirm(sum(counts.values()))
        self._awaiting.note_settled()


def _seat_only() -> TableRefusal:
    return TableRefusal("seat_only", "Plans are made on the seat's own device.")
