"""Whether the sensor process lives: it says so about once a second, and who hears it counts its own looks.

Not time: a computer that slept, or a program that was stopped with Ctrl-Z, has looked at nothing meanwhile,
and takes no silence for long that only its own clock has seen.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

LOOK_S = 0.5
SILENT_S = 10.0
"""A page is told after so long: a countdown must not go on over a tray that nobody sees."""
HANGS_S = 30.0
"""A reading takes 0.2 s, the largest photo a second; a computer thirty times slower is still believed."""
MOST_S = 240.0
_WELL_S = 30.0
"""What ends before it has lived for so long would end again: it is not started again at once."""
_STARTS = 4
"""A process that only starts loads OpenCV and the networks: it is believed so many times longer."""
_WELL_LOOKS = round(600.0 / LOOK_S)
"""One that lived for so long hangs anew, and not again."""


class Pulse:
    """Of one process after the other; safe to call from any thread. `look` once in `LOOK_S`."""

    def __init__(self, silent_s: float = SILENT_S, hangs_s: float = HANGS_S) -> None:
        self._silent_s, self._hangs_s = silent_s, hangs_s
        self._lock = threading.Lock()
        self._patience_s = hangs_s
        self._runs = self._busy = self._beaten = self._hung = False
        self._silent = self._lived = 0
        """Looks since the last beat, and since the process began."""

    def begins(self) -> None:
        """A process was started."""
        with self._lock:
            self._runs, self._beaten, self._hung = True, False, False
            self._silent = self._lived = 0

    def ends(self) -> None:
        """It is over."""
        with self._lock:
            self._runs = False

    @property
    def hung(self) -> bool:
        """Whether it had to be ended because it hung."""
        with self._lock:
            return self._hung

    def beats(self) -> None:
        """It lives."""
        with self._lock:
            self._beaten, self._silent = True, 0

    @contextmanager
    def heard(self) -> Iterator[None]:
        """While what it said is being worked on, nobody listens: that is not its silence."""
        self._busy = True
        try:
            yield
        finally:
            self._busy = False

    @property
    def well(self) -> bool:
        """Whether it lived for a while."""
        with self._lock:
            return self._lived * LOOK_S >= _WELL_S

    @property
    def silent(self) -> bool:
        """Whether it was there and has said nothing for so long that a person should know."""
        with self._lock:
            return self._beaten and self._silent * LOOK_S >= self._silent_s

    def look(self) -> bool:
        """Count; whether it hangs and is to be ended now. Each that does is believed longer than the last."""
        with self._lock:
            if not self._runs or self._busy:
                return False
            self._silent += 1
            self._lived += 1
            patience_s = self._patience_s * (1 if self._beaten else _STARTS)
            if self._hung or self._silent * LOOK_S < patience_s:
                return False
            self._hung = True
            again = self._lived < _WELL_LOOKS
            self._patience_s = min(2 * self._patience_s, MOST_S) if again else self._hangs_s
            return True
