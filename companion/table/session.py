"""The live table: commands of devices and reports of sensors in, events and one view out.

Every call takes the lock, changes memory and state together, and wakes the pages. It has no clock of its own:
the time is asked from what it was given, and `tick` has to be called a few times a second.
"""

import threading
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from companion.games.protocol import Colour, Counts, Refused, Seat, ThrowPlan
from companion.store.contract import EventStore
from companion.store.errors import Stale, StoreError
from companion.store.events import UNDONE, NewEvent, StoredEvent, undo_body
from companion.store.evidence import EvidenceFolder
from companion.table.errors import Outdated, TableRefusal
from companion.table.history import RESULTS, THROW, AnyGame, Json, entries, fold, further, throws
from companion.table.live import AWAITING, Health, Look, Phase
from companion.table.messages import CameraSays, LetFall, Looked, Moving, Report, SensorSays
from companion.table.moments import moment, moments
from companion.table.readings import reading_json
from firmware.link.events import Drop, Fault, LinkDown, LinkUp, Motion
from vision.reading import Doubt

COUNTDOWN_S = 4.0
"""Long enough to lift a hand, short enough not to wait for."""
CAMERA = "camera"
SECRET = frozenset({"place"})
"""Kinds of commands that only the seat's own device may give: the answer would tell others of its plan."""
OWN_BOARD = frozenset({"place", "ready"})
_TAIL = 12
_TABLE_SAYS = "it lies on the table"


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
    ) -> None:
        self._game = game
        self._store = store
        self._evidence = evidence
        self._table = table
        self._clock = clock
        self._wall_ms = wall_ms
        self._countdown_s = countdown_s
        self._changed = threading.Condition(threading.RLock())
        self._rev = wall_ms()
        self._events: list[StoredEvent] = store.read(table)
        self._state: Any = fold(game, self._events)
        self._phase = Phase.IDLE
        self._look: Look | None = None
        self._looks = wall_ms()  # never a number twice, not even after a restart: pictures are cached by it
        self._deadline = 0.0
        self._held = False
        self._forced = False
        self._health = Health(CameraSays(""))
        self._notice: Json | None = None
        with self._changed:
            self._follow()

    # -- what devices ask ---------------------------------------------------------------------------------

    def begin(self, options: Json, author: str, first: Json | None = None) -> None:
        """Set the table up unless it already has a past, and give it its first command."""
        with self._changed:
            if not self._events:
                self._append(self._encoded(self._game.new(options)), author)
                if first is not None:
                    self._append(self._encoded(self._decide(first)), author)

    def command(self, body: Json, author: str, expected: int) -> None:
        """A command of the game. Raises `TableRefusal`, `StoreError`."""
        with self._changed:
            if body.get("kind") in SECRET:
                raise TableRefusal("seat_only", "Plans are made on the seat's own device.")
            self._check(expected)
            self._append(self._encoded(self._decide(body)), author)

    def seat_command(self, seat: str, body: Json, author: str, expected: int) -> None:
        """A command of the seat's own device; a plan depends on nobody else, so it is never outdated."""
        with self._changed:
            if str(body.get("seat", seat)) != seat:
                raise TableRefusal("other_seat", "A seat's device speaks for its own seat.")
            if body.get("kind") not in OWN_BOARD:
                self._check(expected)
            self._append(self._encoded(self._decide(body)), author)

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
            if self._plan() is None:
                raise TableRefusal("no_throw", "No throw is awaited.")
            self._forced, self._held = True, False

    def correct(self, batch: int, counts: Counts, reason: str, author: str, expected: int) -> None:
        """Overrule the newest throw: taken back and settled anew in one step."""
        with self._changed:
            self._check(expected)
            self._append(self._corrected(batch, counts, reason), author)

    def undo(self, batch: int, author: str, expected: int) -> None:
        """Take back what one command did and all that was built on it; the undo can be undone."""
        with self._changed:
            self._check(expected)
            body = undo_body(self._events, batch) if batch > 1 else None
            if body is None:
                raise TableRefusal("nothing_to_undo", "This cannot be taken back, or it already was.")
            self._append([NewEvent(UNDONE, body)], author)

    def preview(self, counts: Counts, expected: int) -> Json:
        """What these counts would decide, without deciding it. Raises `TableRefusal`."""
        with self._changed:
            self._check(expected)
            decided = self._decide({"kind": "settle", "tray": dict(counts), "insist": _TABLE_SAYS})
            bodies = [event.body for event in self._encoded(decided)]
            return next((body for body in bodies if body["kind"] in RESULTS), bodies[-1])

    def letting_fall(self) -> LetFall:
        """What the demo's camera needs to know to let something fall. Raises `TableRefusal`."""
        with self._changed:
            plan = self._plan()
            if plan is None:
                raise TableRefusal("no_throw", "No throw is awaited.")
            thrown = sum(plan.from_table.values()) + sum(plan.from_tray.values())
            sides = tuple(str(colour) for colour in plan.from_table if colour != "green")
            return LetFall({str(c): n for c, n in plan.possible.items()}, sides, thrown)

    # -- what sensors report ------------------------------------------------------------------------------

    def hear(self, report: Report) -> None:
        """From the sensor process."""
        with self._changed:
            match report:
                case CameraSays():
                    self._health = replace(self._health, camera=report)
                    self._wake()
                case Moving():
                    self._moves()
                case Looked():
                    self._looked(report)
                case SensorSays(Motion() | Drop()):
                    if self._phase is Phase.WAITING:
                        self._enter(Phase.FALLING)
                case SensorSays(LinkUp()):
                    self._health = Health(self._health.camera, sensor_up=True)
                    self._wake()
                case SensorSays(LinkDown(_, sentence, remedy) | Fault(_, sentence, remedy)):
                    self._health = Health(self._health.camera, False, sentence, remedy)
                    self._wake()
                case SensorSays():
                    pass

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
            past = entries(self._game, self._events)
            live = [entry for entry in past if not entry.undone and entry.batch > 1]
            return {
                "rev": self._rev,
                "expected": self._last(),
                "table": self._table,
                "phase": str(self._phase),
                "left_ms": self._left_ms(),
                "countdown_ms": round(self._countdown_s * 1000),
                "look": self._look_json(),
                "health": self._health.as_json(),
                "notice": self._notice,
                "game": self._game.view(self._state, None) if self._state is not None else None,
                "undo": live[-1].as_json() if live else None,
                "history": [entry.as_json() for entry in past[: -_TAIL - 1 : -1]],
            }

    def seats(self) -> list[str]:
        """Seats of the game."""
        with self._changed:
            return list(self._game.view(self._state, None).get("seats", []))

    def table_legal(self) -> Json:
        """What the table together may ask for now."""
        with self._changed:
            offered = self._game.legal(self._state, None)
            commands = [self._game.encode_command(command) for command in offered]
            return {"rev": self._rev, "expected": self._last(), "legal": commands}

    def seat_view(self, seat: str) -> Json:
        """What a seat may know and do, built anew. Raises `TableRefusal`."""
        with self._changed:
            if seat not in self.seats():
                raise TableRefusal("no_such_seat", "There is no such seat at this table.")
            offered = self._game.legal(self._state, Seat(seat))
            return {
                "rev": self._rev,
                "expected": self._last(),
                "seat": seat,
                "phase": str(self._phase),
                "game": self._game.view(self._state, Seat(seat)),
                "legal": [self._game.encode_command(command) for command in offered],
            }

    def history(self) -> list[Json]:
        """All entries, newest first."""
        with self._changed:
            return [entry.as_json() for entry in reversed(entries(self._game, self._events))]

    def moments(self) -> list[Json]:
        """What was open to all after each command, for charts; oldest first."""
        return moments(self._game, self._past())

    def moment(self, batch: int) -> Json | None:
        """The view of the table as it was after a command."""
        return moment(self._game, self._past(), batch)

    def _past(self) -> tuple[StoredEvent, ...]:
        with self._changed:
            return tuple(self._events)

    def throws(self) -> list[Json]:
        """All throws, newest first."""
        with self._changed:
            return throws(self._events)

    def picture(self, number: int) -> bytes | None:
        """The picture of the look that is on the page."""
        with self._changed:
            return self._look.looked.jpeg if self._look and self._look.number == number else None

    # -- inside -------------------------------------------------------------------------------------------

    def _last(self) -> int:
        return self._events[-1].seq if self._events else 0

    def _check(self, expected: int, look: int | None = None) -> None:
        if expected != self._last():
            raise Outdated
        if look is not None and (self._look is None or self._look.number != look):
            raise Outdated

    def _decide(self, body: Json) -> list[Any]:
        try:
            return list(self._game.decide(self._state, self._game.decode_command(body)))
        except Refused as refused:
            raise TableRefusal(refused.key, refused.sentence, refused.rule, **refused.params) from None
        except ValueError as error:
            raise TableRefusal("bad_request", str(error)) from None

    def _encoded(self, events: Any) -> list[NewEvent]:
        bodies = [self._game.encode_event(event) for event in events]
        return [NewEvent(str(body["kind"]), body) for body in bodies]

    def _append(self, events: list[NewEvent], author: str) -> None:
        try:
            stored = self._store.append(self._table, self._last(), events, author, self._wall_ms())
        except Stale:
            # Another process wrote into this table: its events are facts too.
            self._events = self._store.read(self._table)
            self._state = fold(self._game, self._events)
            self._follow()
            raise Outdated from None
        self._events += stored
        self._state = further(self._game, self._state, stored, self._events)
        self._notice = None
        self._follow()

    def _follow(self) -> None:
        """The phase follows the game: a throw is awaited or not."""
        self._look, self._held, self._forced = None, False, False
        self._enter(Phase.WAITING if self._plan() is not None else Phase.IDLE)

    def _enter(self, phase: Phase) -> None:
        self._phase = phase
        self._wake()

    def _wake(self) -> None:
        self._rev += 1
        self._changed.notify_all()

    def _tell(self, refusal: TableRefusal) -> None:
        self._notice = {"key": refusal.key, "sentence": refusal.sentence, "params": refusal.params}
        self._wake()

    def _plan(self) -> ThrowPlan | None:
        return self._game.throw_plan(self._state) if self._state is not None else None

    def _moves(self) -> None:
        # While a person answers, hands may be over the tray: what is on the page stays.
        if self._phase is Phase.WAITING or (self._phase is Phase.COUNTDOWN and not self._held):
            self._look = None
            self._enter(Phase.FALLING)

    def _looked(self, looked: Looked) -> None:
        plan = self._plan()
        if plan is None or self._held:
            return
        forced, self._forced = self._forced, False
        nothing_new = _as_before(looked.reading.counts, plan)
        if nothing_new and not forced:
            if self._phase is Phase.FALLING:
                self._enter(Phase.WAITING)  # a hand passed, nothing fell: never settle that in silence
            return
        self._looks += 1
        self._look = Look(self._looks, looked, _doubts(looked, plan))
        self._deadline = self._clock() + self._countdown_s
        self._enter(Phase.COUNTDOWN if self._look.certain and not nothing_new else Phase.ASKING)

    def _settle(self, counts: Counts, author: str, by: str, insist: bool) -> None:
        plan = self._plan()
        if plan is None or self._phase not in AWAITING:
            raise TableRefusal("no_throw", "No throw is awaited.")
        decided = self._decide(
            {"kind": "settle", "tray": dict(counts), "insist": _TABLE_SAYS if insist else ""}
        )
        record = self._record(plan, counts, by)
        self._append([NewEvent(THROW, record), *self._encoded(decided)], author)

    def _record(self, plan: ThrowPlan, counts: Counts, by: str) -> Json:
        look = self._look
        seen = dict(look.looked.reading.counts) if look else None
        return {
            "from_table": dict(plan.from_table),
            "from_tray": dict(plan.from_tray),
            "possible": dict(plan.possible),
            "accepted": {str(colour): number for colour, number in counts.items()},
            "seen": seen,
            "reading": reading_json(look.looked.reading, look.doubts) if look else None,
            "corrected": seen is not None
            and any(seen.get(str(c), 0) != counts.get(c, 0) for c in self._game.colours),
            "by": by if look else "hand",
            "read_ms": round(look.looked.read_ms, 1) if look else None,
            "evidence": self._kept(look),
            "reason": "",
        }

    def _kept(self, look: Look | None) -> str | None:
        if look is None:
            return None
        try:
            return self._evidence.keep(look.looked.jpeg)
        except StoreError:
            return None  # the game goes on without the picture

    def _corrected(self, batch: int, counts: Counts, reason: str) -> list[NewEvent]:
        body = undo_body(self._events, batch)
        record = next((e.body for e in self._events if e.batch == batch and e.kind == THROW), None)
        if body is None or record is None:
            raise TableRefusal("nothing_to_correct", "This is no throw that still counts.")
        if body["batches"] != [batch]:
            raise TableRefusal("built_upon", "Later events build on this throw. Take those back first.")
        undone = StoredEvent(self._table, self._last() + 1, self._last() + 1, UNDONE, "", 0, body)
        state, before = self._state, fold(self._game, [*self._events, undone])
        self._state = before
        try:
            decided = self._decide({"kind": "settle", "tray": dict(counts), "insist": _TABLE_SAYS})
        finally:
            self._state = state
        accepted = {str(colour): number for colour, number in counts.items()}
        anew = {**record, "accepted": accepted, "corrected": True, "by": "correction", "reason": reason}
        return [NewEvent(UNDONE, body), NewEvent(THROW, anew), *self._encoded(decided)]

    def _left_ms(self) -> int | None:
        if self._phase is not Phase.COUNTDOWN:
            return None
        return max(0, round((self._deadline - self._clock()) * 1000))

    def _look_json(self) -> Json | None:
        if self._look is None:
            return None
        return {
            "number": self._look.number,
            "picture": f"/api/v1/looks/{self._look.number}.jpg",
            "read_ms": round(self._look.looked.read_ms, 1),
            "since_rest_ms": round(self._look.looked.since_rest_ms),
            **reading_json(self._look.looked.reading, self._look.doubts),
        }


def _as_before(seen: Mapping[str, int], plan: ThrowPlan) -> bool:
    """Empty, or just what lay there before the throw."""
    lay = {str(colour): number for colour, number in plan.from_tray.items()}
    colours = {*seen, *lay}
    return sum(seen.values()) == 0 or all(seen.get(c, 0) == lay.get(c, 0) for c in colours)


def _doubts(looked: Looked, plan: ThrowPlan) -> tuple[Doubt, ...]:
    """The reader's own, and the ledger's: a colour cannot come out that is not in."""
    reading = looked.reading
    doubts = () if reading.certain else reading.doubts
    beyond = any(number > plan.possible.get(Colour(c), 0) for c, number in reading.counts.items())
    return (Doubt.NOT_IN_TOWER, *doubts) if beyond else doubts
