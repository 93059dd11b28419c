"""The live table: commands of devices and reports of sensors in, events and one view out.

Every call takes the lock, changes memory and state together, and wakes the pages. It has no clock of its own:
the time is asked from what it was given, and `tick` has to be called a few times a second.
"""

import threading
from collections.abc import Callable, Sequence

from companion.games.protocol import Colour, Counts, Seat, TowerShown
from companion.store.contract import EventStore
from companion.store.errors import StoreError
from companion.store.events import NewEvent, StoredEvent
from companion.store.evidence import EvidenceFolder
from companion.table import looking
from companion.table.book import TABLE_SAYS, Book
from companion.table.errors import Outdated, TableRefusal
from companion.table.history import THROW, AnyGame, Json
from companion.table.joining import fell_unseen
from companion.table.live import AWAITING, Health, Look, Phase
from companion.table.messages import CameraSays, LetFall, Looked, Moving, Report, SensorSays
from companion.table.past import Past
from companion.table.polls import Poll, opened
from companion.table.undoing import Wish
from companion.table.weighing import Weighing
from firmware.link.events import (
    Drop,
    Fault,
    LinkDown,
    LinkUp,
    Motion,
    Recovered,
    SensorEvent,
    Settled,
)

COUNTDOWN_S = 4.0
"""Long enough to lift a hand, short enough not to wait for."""
CAMERA = "camera"
SECRET = frozenset({"place"})
"""Kinds of commands that only the seat's own device may give: the answer would tell others of its plan."""
OWN_BOARD = frozenset({"place", "ready"})
_TAIL = 12
_CLEARS_WITHIN_S = 1.5


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
    ) -> None:
        self._book = Book(game, store, table, wall_ms)
        self._wall_ms = wall_ms
        self._evidence = evidence
        self._clock = clock
        self._countdown_s = countdown_s
        self._changed = threading.Condition(threading.RLock())
        self._rev = wall_ms()
        self._phase = Phase.IDLE
        self._look: Look | None = None
        self._looks = wall_ms()  # never a number twice, not even after a restart: pictures are cached by it
        self._deadline = 0.0
        self._held = False
        self._forced = False
        self._camera = CameraSays("")
        self._scale = scale or Weighing()
        self._raw: Looked | None = None
        """What the look was before the weight was held beside it."""
        self._looked_at = 0.0
        self._notice: Json | None = None
        self._poll: Poll | None = None
        self.past = Past(game, self.events)
        with self._changed:
            self._follow()

    # -- what devices ask ---------------------------------------------------------------------------------

    def begin(self, options: Json, author: str, first: Json | None = None) -> None:
        """Set the table up unless it already has a past, and give it its first command."""
        with self._changed:
            if not self._book.last:
                self._append(self._book.encoded(self._book.game.new(options)), author)
                if first is not None:
                    self._append(self._book.decided(first), author)

    def command(self, body: Json, author: str, expected: int) -> None:
        """A command of the game. Raises `TableRefusal`, `StoreError`."""
        with self._changed:
            if body.get("kind") in SECRET:
                raise TableRefusal("seat_only", "Plans are made on the seat's own device.")
            self._check(expected)
            self._append(self._book.decided(body), author)

    def seat_command(self, seat: str, body: Json, author: str, expected: int) -> None:
        """A command of the seat's own device; a plan depends on nobody else, so it is never outdated."""
        with self._changed:
            if str(body.get("seat", seat)) != seat:
                raise TableRefusal("other_seat", "A seat's device speaks for its own seat.")
            if body.get("kind") not in OWN_BOARD:
                self._check(expected)
            self._append(self._book.decided(body), author)

    def settle(
        self,
        counts: Counts,
        author: str,
        expected: int,
        look: int | None = None,
        insist: bool = False,
    ) -> None:
        """A person says what lies in the tray: agrees with the look, corrects it, or counted by hand."""
        with self._changed:
            self._check(expected, look)
            self._settle(counts, author, "person", insist)

    def hold(self, author: str, expected: int, look: int) -> None:
        """Stop the countdown: a person wants to look."""
        del author
        with self._changed:
            self._check(expected, look)
            self._held = True
            self._enter(Phase.ASKING)

    def look_again(self) -> None:
        """Read the tray as it lies there: the next look goes onto the page whatever it shows."""
        with self._changed:
            if self._book.plan() is None:
                raise TableRefusal("no_throw", "No throw is awaited.")
            self._forced, self._held = True, False

    def correct(self, batch: int, counts: Counts, reason: str, author: str, expected: int) -> None:
        """Overrule the newest throw: taken back and settled anew in one step."""
        with self._changed:
            self._check(expected)
            self._append(self._book.corrected(batch, counts, reason), author)
            self._scale.confirm(sum(counts.values()))

    def undo(self, wish: Wish, expected: int, agreed: Sequence[str] | None = None) -> None:
        """Take back what one command did and all that was built on it; the undo can be undone.

        `agreed` names those who want what everybody has seen taken back; None: nobody was asked, and where
        something was shown `NeedsTable` is raised.
        """
        with self._changed:
            self._check(expected)
            if agreed is None:
                self.past.check_undo(wish.batch)
            self._append(self._book.undone(wish.batch, wish.reason, agreed or ()), wish.author)

    def ask_undo(self, wish: Wish, expected: int, seats: Sequence[str], own: str | None) -> None:
        """Put an undo to seats; done at once where nothing was shown. Raises `TableRefusal`."""
        with self._changed:
            self._check(expected)
            goes = self.past.what_goes(wish.batch)
            if not goes["shown"]:
                self.undo(wish, expected)
                return
            self._poll = opened(wish, goes["shown"], seats, own)
            self._decide_poll()

    def answer_undo(self, seat: str, yes: bool, expected: int) -> None:
        """A seat agrees to the undo that was asked for, or ends it. Raises `TableRefusal`."""
        with self._changed:
            self._check(expected)
            if self._poll is None:
                raise TableRefusal("not_asked", "Nothing is asked.")
            agrees = self._poll.answered(seat)
            self._poll = agrees if yes else None
            self._decide_poll()

    def _decide_poll(self) -> None:
        poll = self._poll
        if poll is not None and poll.carried:
            self.undo(poll.wish, self._book.last, poll.agreed)
        else:
            self._wake()

    def show_tower(self, tower: TowerShown, author: str, expected: int) -> None:
        """Change how much of the tower's content any view tells. Raises `TableRefusal`."""
        with self._changed:
            self._check(expected)
            self._append(self._book.show_tower(tower), author)

    def turn_to(self, game: AnyGame, store: EventStore, table: str) -> None:
        """Another table is played from now on; every device gets its view."""
        with self._changed:
            self._book = Book(game, store, table, self._wall_ms)
            self._notice = self._poll = None
            self.past.turn_to(game)
            self._follow()

    def preview(self, counts: Counts, expected: int) -> Json:
        """What these counts would decide, without deciding it. Raises `TableRefusal`."""
        with self._changed:
            self._check(expected)
            return self._book.preview(counts)

    def letting_fall(self) -> LetFall:
        """What the demo's camera needs to know to let something fall. Raises `TableRefusal`."""
        with self._changed:
            plan = self._book.plan()
            if plan is None:
                raise TableRefusal("no_throw", "No throw is awaited.")
            return looking.letting_fall(plan)

    # -- what sensors report ------------------------------------------------------------------------------

    def hear(self, report: Report) -> None:
        """From the sensor process."""
        with self._changed:
            match report:
                case CameraSays():
                    self._camera = report
                    self._wake()
                case Moving():
                    self._moves()
                case Looked():
                    self._looked(report)
                case SensorSays(event):
                    self._felt(event)

    def tick(self) -> None:
        """Accept what nobody held."""
        with self._changed:
            if self._phase is not Phase.COUNTDOWN or self._look is None or self._clock() < self._deadline:
                return
            counts = {Colour(c): n for c, n in self._look.looked.reading.counts.items()}
            try:
                self._settle(counts, CAMERA, "countdown", insist=False)
            except TableRefusal as refusal:
                self._tell(refusal)
                self._enter(Phase.ASKING)
            except StoreError as error:
                self._tell(TableRefusal("not_saved", f"{error.sentence} {error.remedy}"))
                self._held = True
                self._enter(Phase.ASKING)

    # -- what pages see -----------------------------------------------------------------------------------

    def wait(self, after: int, timeout_s: float) -> int:
        """Block until the view is newer than `after`, or the time is up; the number of the newest view."""
        with self._changed:
            self._changed.wait_for(lambda: self._rev > after, timeout_s)
            return self._rev

    def wake(self) -> None:
        """Make every waiter look up, so that it can end."""
        with self._changed:
            self._wake()

    def view(self) -> Json:
        """Everything a page needs, built anew."""
        with self._changed:
            past = self._book.entries()
            live = [entry for entry in past if not entry.undone and entry.batch > 1]
            return {
                "rev": self._rev,
                "expected": self._book.last,
                "table": self._book.table,
                "tower_shown": self._book.tower_shown.value,
                "phase": str(self._phase),
                "left_ms": self._left_ms(),
                "countdown_ms": round(self._countdown_s * 1000),
                "look": looking.look_json(self._look) if self._look else None,
                "health": Health(self._camera, self._scale).as_json(),
                "weight": self._scale.weight_json(),
                "notice": self._notice,
                "poll": self._poll.as_json() if self._poll else None,
                "game": self._book.view(None),
                "undo": live[-1].as_json() if live else None,
                "history": [entry.as_json() for entry in past[: -_TAIL - 1 : -1]],
            }

    @property
    def table(self) -> str:
        """Name of the table that is played."""
        return self._book.table

    @property
    def game(self) -> AnyGame:
        """Whose rules are played."""
        return self._book.game

    def events(self) -> tuple[StoredEvent, ...]:
        """Every event that was written."""
        with self._changed:
            return self._book.events

    def seats(self) -> list[str]:
        """Seats of the game."""
        with self._changed:
            return self._book.seats()

    def table_legal(self) -> Json:
        """What the table together may ask for now."""
        with self._changed:
            return {"rev": self._rev, "expected": self._book.last, "legal": self._book.legal(None)}

    def seat_view(self, seat: str) -> Json:
        """What a seat may know and do, built anew. Raises `TableRefusal`."""
        with self._changed:
            if seat not in self._book.seats():
                raise TableRefusal("no_such_seat", "There is no such seat at this table.")
            return {
                "rev": self._rev,
                "expected": self._book.last,
                "table": self._book.table,
                "seat": seat,
                "phase": str(self._phase),
                "game": self._book.view(Seat(seat)),
                "legal": self._book.legal(Seat(seat)),
            }

    def trace(self, after: int) -> Json:
        """The load cell's trace since a point that the page has, and its state."""
        with self._changed:
            return self._scale.trace_json(after)

    def throws(self) -> list[Json]:
        """All throws, newest first."""
        with self._changed:
            return self._book.throws()

    def picture(self, number: int) -> bytes | None:
        """The picture of the look that is on the page."""
        with self._changed:
            return self._look.looked.jpeg if self._look and self._look.number == number else None

    # -- inside -------------------------------------------------------------------------------------------

    def _check(self, expected: int, look: int | None = None) -> None:
        self._book.check(expected)
        if look is not None and (self._look is None or self._look.number != look):
            raise Outdated

    def _append(self, events: list[NewEvent], author: str) -> None:
        try:
            self._book.append(events, author)
        except Outdated:
            self._follow()
            raise
        self._notice = self._poll = None
        self._follow()

    def _follow(self) -> None:
        """The phase follows the game: a throw is awaited or not."""
        self._look, self._raw, self._held, self._forced = None, None, False, False
        self._enter(Phase.WAITING if self._book.plan() is not None else Phase.IDLE)

    def _enter(self, phase: Phase) -> None:
        self._phase = phase
        self._wake()

    def _wake(self) -> None:
        self._rev += 1
        self._changed.notify_all()

    def _tell(self, refusal: TableRefusal) -> None:
        self._notice = {"key": refusal.key, "sentence": refusal.sentence, "params": refusal.params}
        self._wake()

    def _moves(self) -> None:
        # While a person answers, hands may be over the tray: what is on the page stays.
        if self._phase is Phase.WAITING or (self._phase is Phase.COUNTDOWN and not self._held):
            self._look = self._raw = None
            self._enter(Phase.FALLING)

    def _felt(self, event: SensorEvent) -> None:
        self._scale.hear(event)
        match event:
            case Drop() if self._phase is Phase.COUNTDOWN:
                self._moves()  # a late cube: the camera is woken too and looks again
            case Motion() | Drop():
                if self._phase is Phase.WAITING:
                    self._raw = None
                    self._enter(Phase.FALLING)
            case Settled():
                self._weighed()
            case LinkUp() | LinkDown() | Fault() | Recovered():
                self._wake()

    def _weighed(self) -> None:
        """The weight has come to rest after the picture did: the look is judged again."""
        plan, before = self._book.plan(), self._look
        if plan is None or self._raw is None or self._held:
            self._wake()
            return
        if before is None:  # the picture showed nothing new: the weight may know better
            self._looked(self._raw)
            return
        self._look = looking.judged(before.number, self._raw, plan, self._scale.weighed())
        if self._phase is Phase.COUNTDOWN and not self._look.certain:
            self._enter(Phase.ASKING)
        elif self._phase is Phase.ASKING and self._may_clear() and self._look.certain and not before.certain:
            self._deadline = self._clock() + self._countdown_s
            self._enter(Phase.COUNTDOWN)
        else:
            self._wake()

    def _may_clear(self) -> bool:
        """Nobody can have begun to answer: later the page stays as it is."""
        return self._clock() - self._looked_at < _CLEARS_WITHIN_S

    def _looked(self, looked: Looked) -> None:
        plan = self._book.plan()
        if plan is None or self._held:
            return
        forced, self._forced = self._forced, False
        nothing_new = looking.as_before(looked.reading.counts, plan)
        self._raw, self._looked_at = looked, self._clock()
        weighed = self._scale.weighed()
        if nothing_new and not forced and not fell_unseen(looked.reading, weighed):
            if self._phase is Phase.FALLING:
                self._enter(Phase.WAITING)  # a hand passed, nothing fell: never settle that in silence
            return
        self._looks += 1
        self._look = looking.judged(self._looks, looked, plan, weighed)
        self._deadline = self._clock() + self._countdown_s
        self._enter(Phase.COUNTDOWN if self._look.certain and not nothing_new else Phase.ASKING)

    def _settle(self, counts: Counts, author: str, by: str, insist: bool) -> None:
        plan = self._book.plan()
        if plan is None or self._phase not in AWAITING:
            raise TableRefusal("no_throw", "No throw is awaited.")
        decided = self._book.decided(
            {"kind": "settle", "tray": dict(counts), "insist": TABLE_SAYS if insist else ""}
        )
        record = looking.record(plan, counts, self._look, by, self._evidence)
        record["weight"] = self._scale.weight_json()
        self._append([NewEvent(THROW, record), *decided], author)
        self._scale.confirm(sum(counts.values()))

    def _left_ms(self) -> int | None:
        if self._phase is not Phase.COUNTDOWN:
            return None
        return max(0, round((self._deadline - self._clock()) * 1000))
