"""Whether the sensor process lives: it says so about once a second, and its listener counts its own looks.

It counts looks and not time: a computer that slept, or a program stopped with Ctrl-Z, has not looked
meanwhile, and must not take for a long silence what only its clock has seen.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

LOOK_S = 0.5
SILENT_S = 10.0
"""Silence after which pages are told: a countdown must not go on over a tray that nobody sees."""
HANGS_S = 30.0
"""A reading takes 0.2 s, the largest photo a second; even a computer thirty times slower is trusted."""
MOST_S = 240.0
_LIVED_WELL_S = 30.0
"""A process that lived for less than this would end again: it is not restarted at once."""
_START_PATIENCE = 4
"""How many times more patience a starting process gets: it loads OpenCV and the networks."""
_FORGIVEN_LOOKS = round(600.0 / LOOK_S)
"""A hang after living this long (in looks) counts as the first, and not as a repetition."""


class Pulse:
    """The pulse of one process after another; thread-safe. Call `look` every `LOOK_S`."""

    def __init__(self, silent_s: float = SILENT_S, hangs_s: float = HANGS_S) -> None:
        self._silent_s, self._hangs_s = silent_s, hangs_s
        self._lock = threading.Lock()
        self._patience_s = hangs_s
        self._runs = self._is_handling = self._has_beaten = self._hung = False
        self._silent_looks = self._lived_looks = 0
        """Looks since the last beat, and since the process began."""

    def note_start(self) -> None:
        """Note that a process was started."""
        with self._lock:
            self._runs, self._has_beaten, self._hung = True, False, False
            self._silent_looks = self._lived_looks = 0

    def note_end(self) -> None:
        """Note that the process is over."""
        with self._lock:
            self._runs = False

    @property
    def has_hung(self) -> bool:
        """Whether it had to be ended because it hung."""
        with self._lock:
            return self._hung

    def note_beat(self) -> None:
        """Note a sign of life."""
        with self._lock:
            self._has_beaten, self._silent_looks = True, 0

    @contextmanager
    def handling(self) -> Iterator[None]:
        """Count no silence while what the process said is being handled: nobody listens then."""
        self._is_handling = True
        try:
            yield
        finally:
            self._is_handling = False

    @property
    def lived_well(self) -> bool:
        """Whether the process lived for a while."""
        with self._lock:
            return self._lived_looks * LOOK_S >= _LIVED_WELL_S

    @property
    def is_silent(self) -> bool:
        """Whether it was alive and has now been silent for so long that a person should know."""
        with self._lock:
            return self._has_beaten and self._silent_looks * LOOK_S >= self._silent_s

    def count_look(self) -> bool:
        """Count one look; return whether the process hangs and is to be ended now. After a hang, the next
        process gets more patience."""
        with self._lock:
            if not self._runs or self._is_handling:
                return False
            self._silent_looks += 1
            self._lived_looks += 1
            patience_s = self._patience_s * (1 if self._has_beaten else _START_PATIENCE)
            if self._hung or self._silent_looks * LOOK_S < patience_s:
                return False
            self._hung = True
            is_repeated = self._lived_looks < _FORGIVEN_LOOKS
            self._patience_s = min(2 * self._patience_s, MOST_S) if is_repeated else self._hangs_s
            return True
