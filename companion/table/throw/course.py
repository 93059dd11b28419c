"""The course of one throw: what was seen, felt and asked since it has been awaited."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from companion.table.messages import Looked
from companion.table.throw.countdown import Countdown
from companion.table.throw.looking import is_within


@dataclass(slots=True)
class Course:
    """Made anew with each throw, so that nothing of the last one remains."""

    countdown: Countdown
    camera_look: Looked | None = None
    """The look before the weight was compared with it, or one that showed nothing new."""
    looked_at_s: float = 0.0
    """When that look came."""
    is_held: bool = False
    """A person has to look: what the sensors say changes nothing until then."""
    is_forced: bool = False
    """The next look goes onto the page whatever it shows."""
    first_asked_counts: Mapping[str, int] = field(default_factory=dict)
    """What lay there when a person was first asked, or when the countdown began."""
    was_calibrated: bool = False
    """The tray was calibrated meanwhile: what lies there was put there, until it has been seen empty."""
    has_stirred: bool = False
    """Something moved or fell, or a person says that it was thrown."""
    saw_motion: bool = False
    """The camera saw motion at some time in this throw."""
    dropped: bool = False
    """The load cell felt a cube since it was last quiet."""
    seen_moving: bool = False
    """The camera saw motion since its last look."""

    def note_motion_seen(self) -> None:
        """Note motion seen by the camera: what comes to rest after it is read without being asked for."""
        self.has_stirred = self.seen_moving = self.saw_motion = True
        self.is_forced = False

    def note_motion_felt(self, *, dropped: bool) -> None:
        """Note motion, or a cube, felt by the load cell."""
        self.has_stirred = True
        self.dropped = self.dropped or dropped

    @property
    def was_only_bumped(self) -> bool:
        """Whether only the table was bumped: no cube fell, and the camera saw nothing move."""
        return not (self.dropped or self.seen_moving)

    def note_rest(self) -> bool:
        """Note that the tray came to rest and is seen; return whether a person wants the look anyhow."""
        was_forced, self.is_forced = self.is_forced, False
        self.seen_moving = False
        return was_forced

    def keep_look(self, looked: Looked, now: float) -> None:
        """Keep the look, for the weight and the next looks to be compared with."""
        self.camera_look, self.looked_at_s = looked, now

    def has_same_counts(self, looked: Looked) -> bool:
        """Whether the look kept shows the same counts."""
        return self.camera_look is not None and self.camera_look.reading.counts == looked.reading.counts

    def has_lost_cubes(self, looked: Looked) -> bool:
        """Whether there is less than when a person was first asked."""
        seen = looked.reading.counts
        return seen != self.first_asked_counts and is_within(seen, self.first_asked_counts)
