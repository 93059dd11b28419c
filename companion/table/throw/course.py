"""The course of one throw: what was seen, felt and asked since it has been awaited."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from companion.table.messages import Looked
from companion.table.throw.countdown import Countdown
from companion.table.throw.looking import no_more


@dataclass(slots=True)
class Course:
    """Made anew with each throw, so that nothing of the last one remains."""

    countdown: Countdown
    by_camera: Looked | None = None
    """The look before the weight was compared with it, or one that showed nothing new."""
    looked_at: float = 0.0
    """When that look came."""
    held: bool = False
    """A person has to look: what the sensors say changes nothing until then."""
    forced: bool = False
    """The next look goes onto the page whatever it shows."""
    first_asked: Mapping[str, int] = field(default_factory=dict)
    """What lay there when a person was first asked, or when the countdown began."""
    was_calibrated: bool = False
    """The tray was calibrated meanwhile: what lies there was put there, until it has been seen empty."""
    stirred: bool = False
    """Something moved or fell, or a person says that it was thrown."""
    saw_motion: bool = False
    """The camera saw motion at some time in this throw."""
    dropped: bool = False
    """The load cell felt a cube since it was last quiet."""
    seen_moving: bool = False
    """The camera saw motion since its last look."""

    def moves(self) -> None:
        """Note motion seen by the camera: what comes to rest after it is read without being asked for."""
        self.stirred = self.seen_moving = self.saw_motion = True
        self.forced = False

    def feels(self, *, dropped: bool) -> None:
        """Note motion, or a cube, felt by the load cell."""
        self.stirred = True
        self.dropped = self.dropped or dropped

    @property
    def bumped(self) -> bool:
        """Whether only the table was bumped: no cube fell, and the camera saw nothing move."""
        return not (self.dropped or self.seen_moving)

    def looks(self) -> bool:
        """Note that the tray came to rest and is seen; return whether a person wants the look anyhow."""
        forced, self.forced = self.forced, False
        self.seen_moving = False
        return forced

    def saw(self, looked: Looked, now: float) -> None:
        """Keep the look, for the weight and the next looks to be compared with."""
        self.by_camera, self.looked_at = looked, now

    def shows(self, looked: Looked) -> bool:
        """Whether the look kept shows the same counts."""
        return self.by_camera is not None and self.by_camera.reading.counts == looked.reading.counts

    def fewer(self, looked: Looked) -> bool:
        """Whether there is less than when a person was first asked."""
        seen = looked.reading.counts
        return seen != self.first_asked and no_more(seen, self.first_asked)
