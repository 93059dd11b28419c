"""A stand-in for the drop sensor: speaks the same events, knows nothing of what will lie in the tray."""

import time
from collections.abc import Callable

from firmware.link.events import Drop, LinkUp, Motion, SensorEvent, Settled

CUBE_MG = 330
"""An 8 mm beech cube, painted."""
_FIRST_MS, _STEP_MS, _REST_MS = 120, 60, 500


class DemoSensor:
    """Keeps `firmware.link.events.DropSensor`; `drop` plays the weights of some cubes that arrive."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._due: list[tuple[int, SensorEvent]] = [(0, LinkUp("demo", "simulated"))]

    def drop(self, cubes: int) -> None:
        """So many cubes arrive one after the other, then the tray rests."""
        now = self._now_ms()
        arrivals = [now + _FIRST_MS + _STEP_MS * number for number in range(cubes)]
        rest = (arrivals[-1] if arrivals else now) + _REST_MS
        self._due.append((now, Motion(now)))
        self._due += [(at, Drop(at, CUBE_MG)) for at in arrivals]
        self._due.append((rest, Settled(rest, cubes * CUBE_MG, CUBE_MG)))

    def poll(self, timeout_s: float) -> list[SensorEvent]:
        """Events that are due."""
        now = self._now_ms()
        due = [event for at, event in self._due if at <= now]
        self._due = [(at, event) for at, event in self._due if at > now]
        return due

    def close(self) -> None:
        """Nothing to release."""
        self._due = []

    def _now_ms(self) -> int:
        return round(self._clock() * 1000)
