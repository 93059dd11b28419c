"""The course of one throw: what was seen, felt and asked since it is awaited."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from companion.table.messages import Looked
from companion.table.throw.countdown import Countdown
from companion.table.throw.looking import no_more


@dataclass(slots=True)
class Course:
    """Made anew with each throw, so that nothing of the last one is left in it."""

    countdown: Countdown
    by_camera: Looked | None = None
    """The look before the weight was held beside it, or one that showed nothing new."""
    looked_at: float = 0.0
    """When that came."""
    held: bool = False
    """A person has to look: what the sensors say changes nothing until then."""
    forced: bool = False
    """The next look goes onto the page whatever it shows."""
    first_asked: Mapping[str, int] = field(default_factory=dict)
    """What lay there when it was asked first, or when the countdown began."""
    was_calibrated: bool = False
    """The tray was calibrated meanwhile: what lies there was laid, until it has been seen empty."""
    stirred: bool = False
    """Something moved or fell, or a person says that it was thrown."""
    saw_motion: bool = False
    """The camera did, in all this time."""
    dropped: bool = False
    """The load cell felt a cube since it was last quiet."""
    seen_moving: bool = False
    """The camera saw motion since it last looked."""

    def moves(self) -> None:
        """The camera sees motion: what comes to rest after it is read by itself."""
        self.stirred = self.seen_moving = self.saw_motion = True
        self.forced = False

    def feels(self, *, dropped: bool) -> None:
        """The load cell feels motion, or a cube."""
        self.stirred = True
        self.dropped = self.dropped or dropped

    @property
    def bumped(self) -> bool:
        """What was felt was the table: no cube fell, and the camera saw nothing move."""
        return not (self.dropped or self.seen_moving)

    def looks(self) -> bool:
        """The tray has come to rest and is seen; whether a person wants to see it whatever it shows."""
        forced, self.forced = self.forced, False
        self.seen_moving = False
        return forced

    def saw(self, looked: Looked, now: float) -> None:
        """The weight and the next looks are held beside it."""
        self.by_camera, self.looked_at = looked, now

    def shows(self, looked: Looked) -> bool:
        """The same was seen before."""
        return self.by_camera is not None and self.by_camera.reading.counts == looked.reading.counts

    def fewer(self, looked: Looked) -> bool:
        """Than when it was asked first."""
        seen = looked.reading.counts
        return seen != self.first_asked and no_more(seen, self.first_asked)
