"""The countdown to accepting a reading: it begins, waits for what is felt, is stopped by motion, ends."""

from collections.abc import Callable, Mapping

COUNTDOWN_S = 4.0
"""Long enough to lift a hand, short enough not to feel like waiting."""
_STOPPED_AT_MOST = 5
"""Countdowns to the same counts, each stopped by motion, before a person is asked: a clock that a camera
writes into its picture lets none of them finish."""


class Countdown:
    """The countdown of one throw; the phase says whether it is running."""

    def __init__(self, clock: Callable[[], float], length_s: float) -> None:
        self._clock = clock
        self._length_s = length_s
        self._ends_at = 0.0
        self._stopped = 0
        """How many times in a row it was stopped at `_stopped_at`."""
        self._stopped_at: Mapping[str, int] = {}

    def begin(self) -> None:
        """Start it at full length."""
        self._ends_at = self._clock() + self._length_s

    def wait(self, at_least_s: float) -> None:
        """Make it last at least this much longer."""
        self._ends_at = max(self._ends_at, self._clock() + at_least_s)

    def stop(self, counts: Mapping[str, int]) -> None:
        """Record that motion stopped it; `counts` would have been accepted."""
        self._stopped = self._stopped + 1 if counts == self._stopped_at else 1
        self._stopped_at = counts

    @property
    def is_over(self) -> bool:
        """Whether its time is up."""
        return self._clock() >= self._ends_at

    @property
    def left_ms(self) -> int:
        """Milliseconds left."""
        return max(0, round((self._ends_at - self._clock()) * 1000))

    @property
    def was_stopped(self) -> bool:
        """Whether motion has stopped it in this throw."""
        return self._stopped > 0

    def never_ends(self, counts: Mapping[str, int]) -> bool:
        """Whether it was stopped so often at these counts that a person had better look."""
        return self._stopped >= _STOPPED_AT_MOST and counts == self._stopped_at
