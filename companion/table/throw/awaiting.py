"""The awaited throw: its phase, the look at the tray, and the countdown to accepting it.

It has no lock and writes nothing: the session guards it, and settles what it finds.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace

from companion.games.protocol import ThrowPlan
from companion.table.errors import LookedAnew
from companion.table.messages import CALIBRATING, NO_CAMERA, CameraSays, Looked, Moving, Report, SensorSays
from companion.table.past.history import Json
from companion.table.throw import looking
from companion.table.throw.countdown import Countdown
from companion.table.throw.course import Course
from companion.table.throw.joining import fell_unseen
from companion.table.throw.late import Late
from companion.table.throw.left import Left
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

_SEES_STILL = frozenset(
    {"no_colour", "mirrored", "channels_swapped", "size", "camera_moved", "light_level", "light_colour"}
    | {"profile_broken"}
)
"""Camera troubles in which pictures still come and are read."""
_CLEARS_WITHIN_S = 1.5
_FEELS_S = 1.5
"""A countdown lasts at least this much longer once the load cell begins to feel something."""


class Awaiting:
    """Follows camera and load cell with the game's plan at hand; calls `changed` when pages should know."""

    def __init__(
        self,
        plan: Callable[[], ThrowPlan | None],
        lay: Callable[[], Mapping[str, int]],
        counted: Callable[[], Json | None],
        changed: Callable[[], None],
        *,
        clock: Callable[[], float],
        countdown_s: float,
        first_look: int,
        scale: Weighing,
    ) -> None:
        """`lay`: what the tray held after the last throw. `counted`: that throw's record, if it still counts.
        `first_look`: where the numbering of looks starts; no number is ever used twice, not even by another
        start, because pictures are cached by it."""
        self._plan = plan
        self._lay = lay
        self._counted = counted
        self._changed = changed
        self._clock = clock
        self._countdown_s = countdown_s
        self._looks = first_look
        self.scale = scale
        self.phase = Phase.IDLE
        self.look: Look | None = None
        self._before: Look | None = None
        """The look that was on the page before: a slow browser still asks for its picture."""
        self._course = Course(Countdown(clock, countdown_s))
        self._left = Left()
        self._late = Late()
        self._last_read: Mapping[str, int] = {}
        """Counts read of the last throw, however it was settled: what still lies there may read the same."""
        self._camera = CameraSays("")

    @property
    def awaits(self) -> bool:
        """Whether a throw may be settled."""
        return self.phase in AWAITING

    @property
    def _blind(self) -> bool:
        """Whether no camera looks, by choice or because of a trouble."""
        return bool(self._camera.sentence) or self._camera.name == NO_CAMERA

    @property
    def told(self) -> Phase:
        """The phase that pages are shown."""
        away = self._blind and self._camera.key not in _SEES_STILL
        fell = self.phase is Phase.FALLING or (self.phase is Phase.WAITING and self.scale.fell(1))
        return Phase.UNSEEN if away and fell and not self.scale.moves else self.phase

    @property
    def due(self) -> Look | None:
        """The look whose countdown is over and was never stopped."""
        return self.look if self.phase is Phase.COUNTDOWN and self._course.countdown.over else None

    def check(self, look: int | None) -> None:
        """Raise `LookedAnew` if a device refers to a look other than the one on the page."""
        if look is not None and (self.look is None or self.look.number != look):
            raise LookedAnew

    def follow(self) -> None:
        """Follow the game: begin waiting if a throw is awaited, otherwise be idle."""
        if self.awaits:
            self._left.forget()
            self._last_read = self.look.looked.reading.counts if self.look else {}
        self._show(None)
        self._course = Course(Countdown(self._clock, self._countdown_s))
        self.scale.await_throw()
        awaited = self._plan() is not None
        if awaited:
            self._late.end()  # if a throw is called off, what lies there belongs to no throw
        self._enter(Phase.WAITING if awaited else Phase.IDLE)

    def settled(self) -> None:
        """Note that the awaited throw was counted."""
        if not self.awaits:
            self._late.begin(self.scale.weighed(), self._counted())

    def turn(self) -> None:
        """Turn to another table, whose cubes are laid out anew."""
        self._left.forget()
        self.follow()
        self._late.end()

    def ask(self, *, hold: bool) -> None:
        """Ask a person to look; with `hold`, what the sensors say changes nothing until then."""
        self._course.held = self._course.held or hold
        self._enter(Phase.ASKING)

    def look_anyhow(self) -> None:
        """Put the next look on the page whatever it shows."""
        self._course.forced, self._course.held = True, False

    def hear(self, report: Report) -> None:
        """Take a report from the sensor process."""
        match report:
            case CameraSays():
                if report == self._camera:
                    return  # a camera that cannot be opened sends its trouble with every try
                self._camera = report
                if report.key == CALIBRATING:
                    self._course.was_calibrated = True
                    self._late.end()
                if self._blind and self.phase is Phase.COUNTDOWN:
                    self.phase = Phase.ASKING  # the look may be out of date
                self._changed()
            case Moving():
                self._moves()
            case Looked():
                self._looked(report)
            case SensorSays(event):
                self._felt(event)

    def as_json(self) -> Json:
        """Return the state for the page."""
        return {
            "phase": str(self.told),
            "left_ms": self._course.countdown.left_ms if self.phase is Phase.COUNTDOWN else None,
            "countdown_ms": round(self._countdown_s * 1000),
            "look": looking.look_json(self.look) if self.look else None,
            "health": Health(self._camera, self.scale).as_json(),
            "weight": self.scale.weight_json() if self.look else self.scale.felt_json(),
            "late": self._late.as_json(self._counted()) if self._late.tells else None,
        }

    def picture(self, number: int) -> bytes | None:
        """Return the picture of the look that is on the page, or was on it last, or shows a late cube."""
        for look in (self.look, self._before, self._late.look):
            if look is not None and look.number == number:
                return look.looked.jpeg
        return None

    def _show(self, look: Look | None) -> None:
        if self.look is not None and (look is None or look.number != self.look.number):
            self._before = self.look
        self.look = look

    def _enter(self, phase: Phase) -> None:
        self.phase = phase
        self._changed()

    def _count_down(self) -> None:
        self._course.countdown.begin()
        self._enter(Phase.COUNTDOWN)

    def _moves(self) -> None:
        self._course.moves()
        # While a person answers, hands may be over the tray: what is on the page stays.
        if self.phase is Phase.WAITING or (self.phase is Phase.COUNTDOWN and not self._course.held):
            if self.phase is Phase.COUNTDOWN and self.look is not None:
                self._course.countdown.stop(self.look.looked.reading.counts)
            self._course.by_camera = None
            self._show(None)
            self._enter(Phase.FALLING)

    @property
    def _was_counting(self) -> bool:
        """Whether motion has ended a countdown and the tray has not been looked at since."""
        return self.phase is Phase.FALLING and self._course.countdown.was_stopped and self.look is None

    def _felt(self, event: SensorEvent) -> None:
        moved = self.scale.moves
        self.scale.hear(event)
        if isinstance(event, Drop | Settled | Beat) and self._blind and self._plan() is None:
            self._felt_late(event)
        match event:
            case Drop() if self.phase is Phase.COUNTDOWN:
                self._moves()  # a late cube: the camera is woken too and looks again
            case Motion() if self.phase is Phase.COUNTDOWN:
                self._course.countdown.wait(_FEELS_S)
            case Motion() | Drop():
                self._course.feels(dropped=isinstance(event, Drop))
                if self.phase is Phase.WAITING:
                    self._course.by_camera = None
                    self._enter(Phase.FALLING)
            case Settled():
                self._weighed()
                self._quiet_again()
            case Beat(moving=False, weighs=True) if moved:  # `Settled` was lost, or a fault came in between
                self._weighed()
                self._quiet_again()
            case LinkDown():
                self._quiet_again()  # the end of a bump can no longer be reported
                self._changed()
            case Fault(name) if name in OF_READING:
                self._quiet_again()  # likewise: the board forgets the motion
                self._changed()
            case LinkUp() | Fault() | Recovered():
                self._changed()

    def _felt_late(self, event: Drop | Settled | Beat) -> None:
        """Handle weight while no camera looks and no throw is awaited: only it shows a cube falling now."""
        if isinstance(event, Drop):
            self._late.felt(event.mass_mg)
        elif self._late.hears and self._late.weighs(self.scale.weighed(), self._counted()):
            self._changed()

    def _quiet_again(self) -> None:
        """Go back to waiting if the table was only bumped, or if no camera looks and a person has to
        count."""
        if self.phase is Phase.FALLING and (self._course.bumped or self._blind):
            self._enter(Phase.WAITING)
        self._course.dropped = False

    def _weighed(self) -> None:
        """Judge the look again, because the weight came to rest after the picture did."""
        plan, before, by_camera = self._plan(), self.look, self._course.by_camera
        if plan is None or by_camera is None or self._course.held:
            self._changed()
            return
        if before is None:  # the picture showed nothing new: the weight may know better
            self._looked(by_camera)
            return
        if self.phase is Phase.ASKING and self._lighter(before):
            self._changed()
            return
        self._show(look := self._judged(before.number, by_camera, plan))
        if self.phase is Phase.COUNTDOWN and not look.certain:
            self._enter(Phase.ASKING)
        elif self.phase is Phase.ASKING and self._may_clear() and look.certain and not before.certain:
            self._count_down()
        else:
            self._changed()

    def _may_clear(self) -> bool:
        """Whether nobody can have begun to answer yet; after that the page stays as it is."""
        return self._clock() - self._course.looked_at < _CLEARS_WITHIN_S

    def _looked(self, looked: Looked) -> None:
        plan = self._plan()
        if plan is None:
            self._left.saw(looked.reading)
            self._saw_late(looked)
        if looking.is_empty(looked.reading):
            self._course.was_calibrated = False
        if plan is None or (self._course.held and not self._has_more(looked)):
            return
        forced = self._course.looks()
        nothing_new = looking.as_before(looked.reading.counts, plan)
        if nothing_new and not forced and not self._fell_unseen(looked):
            self._nothing_came(looked)
        else:
            self._came(looked, plan, forced=forced, nothing_new=nothing_new)

    def _fell_unseen(self, looked: Looked) -> bool:
        """Whether the load cell knows of cubes that neither this picture nor the page shows."""
        return self.look is None and fell_unseen(looked.reading, self.scale.weighed())

    def _nothing_came(self, looked: Looked) -> None:
        """Handle a look that shows only what lay there before: the page keeps its look, or waits on."""
        self._left.saw(looked.reading)
        if self._was_counting and self._course.fewer(looked):
            self._show(self._before)  # hands have cleared the tray too early: this is what had come out
            self._enter(Phase.ASKING)
            return
        if self.phase is Phase.ASKING and self.look and self.look.doubts == (Doubt.LAY_THERE,):
            self._course.first_asked = {}  # cleared for the throw, as was asked: what comes next is the throw
        if self.look is None:  # otherwise the weight would refer to a picture that is not on the page
            self._course.saw(looked, self._clock())
        if self.phase is Phase.FALLING:
            self._enter(Phase.WAITING)  # a hand passed, nothing fell: never settle that without asking

    def _came(self, looked: Looked, plan: ThrowPlan, *, forced: bool, nothing_new: bool) -> None:
        """Put the look on the page, to count down or to ask about it; `forced`: a person wants to see it."""
        again = self.phase is Phase.ASKING or self._was_counting
        if again and not forced and self._course.fewer(looked):
            looked = looked.asking(Doubt.TAKEN_OUT)  # somebody who looks underneath takes cubes out
        restless = self._course.countdown.never_ends(looked.reading.counts)
        if restless and self.phase is Phase.ASKING and not forced and self._course.shows(looked):
            return  # a person who is answering must not be told each second that the look is outdated
        self._course.saw(looked, self._clock())
        self._looks += 1
        self._course.stirred = self._course.stirred or forced  # a person says that it was thrown
        self._show(look := self._judged(self._looks, looked, plan))
        certain = look.certain and not nothing_new and not restless and not self._course.held
        if certain or not again:
            self._course.first_asked = looked.reading.counts
        if certain:
            self._count_down()
        else:
            self._enter(Phase.ASKING)

    def _saw_late(self, looked: Looked) -> None:
        """Look, while no throw is awaited, for a cube that fell after the last throw was accepted."""
        if self._late.hear(self._looks + 1, looked, self._counted()):
            self._looks += 1
            self._changed()

    def _judged(self, number: int, looked: Looked, plan: ThrowPlan) -> Look:
        """Judge a look by picture, ledger and the present weight."""
        weighed, lay_there = self.scale.weighed(), self._may_have_lain(looked, plan)
        look = looking.judged(number, looked, plan, weighed, lay_there=lay_there)
        return replace(look, weight=self.scale.weight_json())

    def _lighter(self, look: Look) -> bool:
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
        before, last = looking.lay_before(plan), self._lay()
        kept = self._left.all_of(last, seen) and not looking.no_more(last, before)
        if kept and not self.scale.fell(looked.reading.total, every=True):
            return True  # thrown onto the last throw, or a late cube of it
        unmoved = not self._course.saw_motion
        if unmoved and any(self._left.all_of(lay, seen) for lay in (last, self._last_read)):
            return True
        if self.scale.fell(looked.reading.total):
            return False
        if not self._course.stirred or self._left.beyond(before, last, self._last_read):
            return True
        return any(self._left.may_be(seen, lay) for lay in (before, last))

    def _has_more(self, looked: Looked) -> bool:
        """Whether it surely shows more than the look on the page: a late cube, not a counting hand."""
        reading, shown = looked.reading, self.look.looked.reading.counts if self.look else {}
        seen = dict(reading.counts)
        return reading.certain and seen != dict(shown) and looking.no_more(shown, seen)
