"""The awaited throw: its phase, the look at the tray, and the countdown to accepting it.

It has no lock and writes nothing: the session guards it, and settles what it finds.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace

from companion.games.protocol import ThrowPlan
from companion.table.errors import LookedAnew
from companion.table.messages import (
    CALIBRATING,
    NO_CAMERA,
    READ_KEYS,
    CameraSays,
    Looked,
    Moving,
    Report,
    SensorSays,
)
from companion.table.past.history import Json
from companion.table.throw import looking
from companion.table.throw.countdown import Countdown
from companion.table.throw.course import Course
from companion.table.throw.joining import fell_unseen
from companion.table.throw.late import LateCubes
from companion.table.throw.left import Leftovers
from companion.table.throw.live import AWAITING, Health, Look, Phase
from companion.table.throw.weighing import Weighing
from firmware.link.events import (
    Beat,
    Drop,
    Fault,
    LinkDown,
    LinkUp,
    Motion,
    Recovered,
    SensorEvent,
    Settled,
)
from firmware.link.troubles import OF_READING
from vision.reading import Doubt

_CLEARS_WITHIN_S = 1.5
_FEELS_S = 1.5
"""A countdown lasts at least this much longer once the load cell begins to feel something."""


class Awaiting:
    """Follows camera and load cell with the game's plan at hand; calls `changed` when pages should know."""

    def __init__(
        self,
        plan: Callable[[], ThrowPlan | None],
        last_accepted: Callable[[], Mapping[str, int]],
        counted_record: Callable[[], Json | None],
        changed: Callable[[], None],
        *,
        clock: Callable[[], float],
        countdown_s: float,
        first_look: int,
        scale: Weighing,
    ) -> None:
        """`last_accepted`: what the tray held after the last throw. `counted_record`: its record, if counted.
        `first_look`: where the numbering of looks starts; no number is ever used twice, not even by another
        start, because pictures are cached by it."""
        self._plan = plan
        self._last_accepted = last_accepted
        self._counted_record = counted_record
        self._changed = changed
        self._clock = clock
        self._countdown_s = countdown_s
        self._look_number = first_look
        self.scale = scale
        self.phase = Phase.IDLE
        self.look: Look | None = None
        self._previous_look: Look | None = None
        """The look that was on the page before: a slow browser still asks for its picture."""
        self._course = Course(Countdown(clock, countdown_s))
        self._leftovers = Leftovers()
        self._late_cubes = LateCubes()
        self._last_read: Mapping[str, int] = {}
        """Counts read of the last throw, however it was settled: what still lies there may read the same."""
        self._camera = CameraSays("")

    @property
    def awaits(self) -> bool:
        """Whether a throw may be settled."""
        return self.phase in AWAITING

    @property
    def _is_blind(self) -> bool:
        """Whether no camera looks, by choice or because of a trouble."""
        return bool(self._camera.sentence) or self._camera.name == NO_CAMERA

    @property
    def shown_phase(self) -> Phase:
        """The phase that pages are shown."""
        has_no_picture = self._is_blind and self._camera.key not in READ_KEYS
        has_fallen = self.phase is Phase.FALLING or (self.phase is Phase.WAITING and self.scale.has_fallen(1))
        return Phase.UNSEEN if has_no_picture and has_fallen and not self.scale.is_moving else self.phase

    @property
    def due_look(self) -> Look | None:
        """The look whose countdown is over and was never stopped."""
        return self.look if self.phase is Phase.COUNTDOWN and self._course.countdown.is_over else None

    def check(self, look: int | None) -> None:
        """Raise `LookedAnew` if a device refers to a look other than the one on the page."""
        if look is not None and (self.look is None or self.look.number != look):
            raise LookedAnew

    def follow(self) -> None:
        """Follow the game: begin waiting if a throw is awaited, otherwise be idle."""
        if self.awaits:
            self._leftovers.forget()
            self._last_read = self.look.looked.reading.counts if self.look else {}
        self._set_look(None)
        self._course = Course(Countdown(self._clock, self._countdown_s))
        self.scale.await_throw()
        awaited = self._plan() is not None
        if awaited:
            self._late_cubes.end()  # if a throw is called off, what lies there belongs to no throw
        self._enter(Phase.WAITING if awaited else Phase.IDLE)

    def note_settled(self) -> None:
        """Note that the awaited throw was counted."""
        if not self.awaits:
            self._late_cubes.begin(self.scale.weighed(), self._counted_record())

    def begin_other_table(self) -> None:
        """Turn to another table, whose cubes are laid out anew."""
        self._leftovers.forget()
        self.follow()
        self._late_cubes.end()

    def ask(self, *, hold: bool) -> None:
        """Ask a person to look; with `hold`, what the sensors say changes nothing until then."""
        self._course.is_held = self._course.is_held or hold
        self._enter(Phase.ASKING)

    def look_anyhow(self) -> None:
        """Put the next look on the page whatever it shows."""
        self._course.is_forced, self._course.is_held = True, False

    def hear(self, report: Report) -> None:
        """Take a report from the sensor process."""
        match report:
            case CameraSays():
                if report == self._camera:
                    return  # a camera that cannot be opened sends its trouble with every try
                self._camera = report
                if report.key == CALIBRATING:
                    self._course.was_calibrated = True
                    self._late_cubes.end()
                if self._is_blind and self.phase is Phase.COUNTDOWN:
                    self.phase = Phase.ASKING  # the look may be out of date
                self._changed()
            case Moving():
                self._handle_motion()
            case Looked():
                self._handle_look(report)
            case SensorSays(event):
                self._handle_sensor_event(event)

    def as_json(self) -> Json:
        """Return the state for the page."""
        return {
            "phase": str(self.shown_phase),
            "left_ms": self._course.countdown.left_ms if self.phase is Phase.COUNTDOWN else None,
            "countdown_ms": round(self._countdown_s * 1000),
            "look": looking.look_json(self.look) if self.look else None,
            "health": Health(self._camera, self.scale).as_json(),
            "weight": self.scale.weight_json() if self.look else self.scale.felt_json(),
            "late": self._late_cubes.as_json(self._counted_record()) if self._late_cubes.has_extra else None,
        }

    def picture(self, number: int) -> bytes | None:
        """Return the picture of the look that is on the page, or was on it last, or shows a late cube."""
        for look in (self.look, self._previous_look, self._late_cubes.look):
            if look is not None and look.number == number:
                return look.looked.jpeg
        return None

    def _set_look(self, look: Look | None) -> None:
        if self.look is not None and (look is None or look.number != self.look.number):
            self._previous_look = self.look
        self.look = look

    def _enter(self, phase: Phase) -> None:
        self.phase = phase
        self._changed()

    def _count_down(self) -> None:
        self._course.countdown.begin()
        self._enter(Phase.COUNTDOWN)

    def _handle_motion(self) -> None:
        self._course.note_motion_seen()
        # While a person answers, hands may be over the tray: what is on the page stays.
        if self.phase is Phase.WAITING or (self.phase is Phase.COUNTDOWN and not self._course.is_held):
            if self.phase is Phase.COUNTDOWN and self.look is not None:
                self._course.countdown.stop(self.look.looked.reading.counts)
            self._course.camera_look = None
            self._set_look(None)
            self._enter(Phase.FALLING)

    @property
    def _was_interrupted(self) -> bool:
        """Whether motion has ended a countdown and the tray has not been looked at since."""
        return self.phase is Phase.FALLING and self._course.countdown.was_stopped and self.look is None

    def _handle_sensor_event(self, event: SensorEvent) -> None:
        was_moving = self.scale.is_moving
        self.scale.hear(event)
        if isinstance(event, Drop | Settled | Beat) and self._is_blind and self._plan() is None:
            self._handle_late_weight(event)
        match event:
            case Drop() if self.phase is Phase.COUNTDOWN:
                self._handle_motion()  # a late cube: the camera is woken too and looks again
            case Motion() if self.phase is Phase.COUNTDOWN:
                self._course.countdown.wait(_FEELS_S)
            case Motion() | Drop():
                self._course.note_motion_felt(dropped=isinstance(event, Drop))
                if self.phase is Phase.WAITING:
                    self._course.camera_look = None
                    self._enter(Phase.FALLING)
            case Settled():
                self._rejudge_look()
                self._end_motion()
            case Beat(moving=False, weighs=True) if was_moving:  # `Settled` was lost, or a fault came between
                self._rejudge_look()
                self._end_motion()
            case LinkDown():
                self._end_motion()  # the end of a bump can no longer be reported
                self._changed()
            case Fault(name) if name in OF_READING:
                self._end_motion()  # likewise: the board forgets the motion
                self._changed()
            case LinkUp() | Fault() | Recovered():
                self._changed()

    def _handle_late_weight(self, event: Drop | Settled | Beat) -> None:
        """Handle weight while no camera looks and no throw is awaited: only it shows a cube falling now."""
        if isinstance(event, Drop):
            self._late_cubes.note_drop(event.mass_mg)
        elif self._late_cubes.may_use_weight and self._late_cubes.take_weight(
            self.scale.weighed(), self._counted_record()
        ):
            self._changed()

    def _end_motion(self) -> None:
        """Go back to waiting if the table was only bumped, or if no camera looks and a person has to
        count."""
        if self.phase is Phase.FALLING and (self._course.was_only_bumped or self._is_blind):
            self._enter(Phase.WAITING)
        self._course.dropped = False

    def _rejudge_look(self) -> None:
        """Judge the look again, because the weight came to rest after the picture did."""
        plan, shown_look, camera_look = self._plan(), self.look, self._course.camera_look
        if plan is None or camera_look is None or self._course.is_held:
            self._changed()
            return
        if shown_look is None:  # the picture showed nothing new: the weight may know better
            self._handle_look(camera_look)
            return
        if self.phase is Phase.ASKING and self._is_lighter(shown_look):
            self._changed()
            return
        self._set_look(look := self._judge_look(shown_look.number, camera_look, plan))
        if self.phase is Phase.COUNTDOWN and not look.certain:
            self._enter(Phase.ASKING)
        elif self.phase is Phase.ASKING and self._may_clear() and look.certain and not shown_look.certain:
            self._count_down()
        else:
            self._changed()

    def _may_clear(self) -> bool:
        """Whether nobody can have begun to answer yet; after that the page stays as it is."""
        return self._clock() - self._course.looked_at_s < _CLEARS_WITHIN_S

    def _handle_look(self, looked: Looked) -> None:
        plan = self._plan()
        if plan is None:
            self._leftovers.remember(looked.reading)
            self._check_for_late_cubes(looked)
        if looking.is_empty(looked.reading):
            self._course.was_calibrated = False
        if plan is None or (self._course.is_held and not self._has_more(looked)):
            return
        forced = self._course.note_rest()
        nothing_new = looking.is_unchanged(looked.reading.counts, plan)
        if nothing_new and not forced and not self._fell_unseen(looked):
            self._handle_unchanged_tray(looked)
        else:
            self._present_look(looked, plan, forced=forced, nothing_new=nothing_new)

    def _fell_unseen(self, looked: Looked) -> bool:
        """Whether the load cell knows of cubes that neither this picture nor the page shows."""
        return self.look is None and fell_unseen(looked.reading, self.scale.weighed())

    def _handle_unchanged_tray(self, looked: Looked) -> None:
        """Handle a look that shows only what lay there before: the page keeps its look, or waits on."""
        self._leftovers.remember(looked.reading)
        if self._was_interrupted and self._course.has_lost_cubes(looked):
            self._set_look(self._previous_look)  # hands cleared the tray too early: this had come out
            self._enter(Phase.ASKING)
            return
        if self.phase is Phase.ASKING and self.look and self.look.doubts == (Doubt.LAY_THERE,):
            self._course.first_asked_counts = {}  # cleared, as was asked: what comes next is the throw
        if self.look is None:  # otherwise the weight would refer to a picture that is not on the page
            self._course.keep_look(looked, self._clock())
        if self.phase is Phase.FALLING:
            self._enter(Phase.WAITING)  # a hand passed, nothing fell: never settle that without asking

    def _present_look(self, looked: Looked, plan: ThrowPlan, *, forced: bool, nothing_new: bool) -> None:
        """Put the look on the page, to count down or to ask about it; `forced`: a person wants to see it."""
        is_repeated = self.phase is Phase.ASKING or self._was_interrupted
        if is_repeated and not forced and self._course.has_lost_cubes(looked):
            looked = looked.asking(Doubt.TAKEN_OUT)  # somebody who looks underneath takes cubes out
        is_restless = self._course.countdown.never_ends(looked.reading.counts)
        if is_restless and self.phase is Phase.ASKING and not forced and self._course.has_same_counts(looked):
            return  # a person who is answering must not be told each second that the look is outdated
        self._course.keep_look(looked, self._clock())
        self._look_number += 1
        self._course.has_stirred = self._course.has_stirred or forced  # a person says that it was thrown
        self._set_look(look := self._judge_look(self._look_number, looked, plan))
        is_certain = look.certain and not nothing_new and not is_restless and not self._course.is_held
        if is_certain or not is_repeated:
            self._course.first_asked_counts = looked.reading.counts
        if is_certain:
            self._count_down()
        else:
            self._enter(Phase.ASKING)

    def _check_for_late_cubes(self, looked: Looked) -> None:
        """Look, while no throw is awaited, for a cube that fell after the last throw was accepted."""
        if self._late_cubes.take_look(self._look_number + 1, looked, self._counted_record()):
            self._look_number += 1
            self._changed()

    def _judge_look(self, number: int, looked: Looked, plan: ThrowPlan) -> Look:
        """Judge a look by picture, ledger and the present weight."""
        weighed, lay_there = self.scale.weighed(), self._may_have_lain(looked, plan)
        look = looking.judge_look(number, looked, plan, weighed, lay_there=lay_there)
        return replace(look, weight=self.scale.weight_json())

    def _is_lighter(self, look: Look) -> bool:
        """Whether the tray is lighter than at that look: a person who is asked takes cubes out to count."""
        now = self.scale.weight_json()
        return now is not None and look.weight is not None and now["cubes"] < look.weight["cubes"]

    def _may_have_lain(self, looked: Looked, plan: ThrowPlan) -> bool:
        """Whether what is seen may have lain there before the throw.

        It may if nothing was seen or felt to fall, if there is no more than there was, or if the last throw
        or something unknown still lay there. What the load cell felt arriving did fall, but a picture that
        comes seconds late may still show the last throw then. Motion that the camera saw may be a hand
        clearing the tray.
        """
        if self._course.was_calibrated:
            return True
        seen = looked.reading.counts
        lay_before, last_accepted = looking.counts_before(plan), self._last_accepted()
        still_lies = self._leftovers.is_all_there(last_accepted, seen) and not looking.is_within(
            last_accepted, lay_before
        )
        if still_lies and not self.scale.has_fallen(looked.reading.total, every=True):
            return True  # thrown onto the last throw, or a late cube of it
        saw_no_motion = not self._course.saw_motion
        if saw_no_motion and any(
            self._leftovers.is_all_there(counts, seen) for counts in (last_accepted, self._last_read)
        ):
            return True
        if self.scale.has_fallen(looked.reading.total):
            return False
        if not self._course.has_stirred or self._leftovers.exceeds(
            lay_before, last_accepted, self._last_read
        ):
            return True
        return any(self._leftovers.may_be_rest_of(seen, counts) for counts in (lay_before, last_accepted))

    def _has_more(self, looked: Looked) -> bool:
        """Whether it surely shows more than the look on the page: a late cube, not a counting hand."""
        reading, shown = looked.reading, self.look.looked.reading.counts if self.look else {}
        seen = dict(reading.counts)
        return reading.certain and seen != dict(shown) and looking.is_within(shown, seen)
