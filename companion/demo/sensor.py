"""A stand-in for the drop sensor: emits the same events, and weighs what the reader saw in the picture.

The demo has no labels, so its weight is no evidence and never clears a doubt (`Weighed.may_clear`).
"""

import math
import time
from collections.abc import Callable

from calibration.scale import CubeMass
from firmware.link.events import Answered, Beat, Drop, LinkUp, Motion, Sample, SensorEvent, Settled
from firmware.link.wire import CUBE_MG as TAKEN_FOR_MG
from firmware.link.wire import Command

CUBE_MG = 330
"""Mass of a painted 8 mm beech cube."""
DEMO_CUBE = CubeMass(CUBE_MG, 1.0, 16.0, 62)
"""The result that weighing the demo's cubes would have."""
_FIRST_MS, _FALL_MS, _REST_MS = 120, 400, 200
_TRACE_MS = 50
_RING_MS, _RING_MG = 60.0, 900.0
_NOISE_MG = 14
_LEAST_MG = 1000
"""Least load for a calibration, as on a real board."""


class DemoSensor:
    """Implements `firmware.link.events.DropSensor`; `fall` plays the weights of the falling cubes."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._begun_s = clock()
        self._due: list[tuple[int, SensorEvent]] = [
            (0, LinkUp("demo", "simulated")),
            (0, Beat(0, 0, _NOISE_MG, 80, False)),
        ]
        self._cubes_lying = 0
        self._zero_mg, self._scale = 0, 1.0
        self._steps: list[tuple[int, int]] = []
        """Time (ms) and total mass (mg) after each change of load, for the trace."""
        self._sampled_ms = self._now_ms()

    def clear(self) -> float:
        """Return the seconds until cubes may fall: 0, because `fall` itself empties the tray."""
        return 0.0

    def fall(self, cubes: int) -> None:
        """Empty the tray and let this many cubes arrive one after the other, until it is at rest."""
        now = self._now_ms()
        self._due.append((now, Motion(now)))
        if self._cubes_lying:
            removal = Drop(now, -self._scaled_mg(self._cubes_lying * CUBE_MG))
            self._due += [(now, removal), (now, Settled(now, self._displayed_mg(0), _NOISE_MG))]
            self._due.append((now, Motion(now)))
        arrivals = [now + _FIRST_MS + _FALL_MS * number // max(1, cubes) for number in range(cubes)]
        rest = (arrivals[-1] if arrivals else now) + _REST_MS
        self._due += [(at, Drop(at, self._scaled_mg(CUBE_MG))) for at in arrivals]
        self._due.append((rest, Settled(rest, self._displayed_mg(cubes * CUBE_MG), _NOISE_MG)))
        self._steps = [(now, 0), *((at, (n + 1) * CUBE_MG) for n, at in enumerate(arrivals))]
        self._cubes_lying = cubes

    def poll(self, timeout_s: float) -> list[SensorEvent]:
        """Return the events that are due."""
        del timeout_s
        now = self._now_ms()
        due = [event for at, event in self._due if at <= now]
        self._due = [(at, event) for at, event in self._due if at > now]
        return [*due, *self._due_samples(now)]

    def ask(self, command: Command, *arguments: int | str) -> None:
        """Obey a command as a board would: zero and scale apply from now on."""
        now = self._now_ms()
        value, reason = (0, "moving") if self._due else self._carry_out(command, arguments)
        self._due.append((now, Answered(command, arguments, value, reason)))
        moving = reason == "moving"
        self._due.append(
            (now, Beat(now, self._displayed_mg(self._cubes_lying * CUBE_MG), _NOISE_MG, 80, moving))
        )

    def close(self) -> None:
        """Drop pending events."""
        self._due = []

    def _due_samples(self, now: int) -> list[SensorEvent]:
        times = range(self._sampled_ms + _TRACE_MS, now + 1, _TRACE_MS)
        if times:
            self._sampled_ms = times[-1]
        return [Sample(at, self._displayed_mg(self._weight_mg(at))) for at in times]

    def _carry_out(self, command: Command, arguments: tuple[int | str, ...]) -> tuple[int, str | None]:
        lying_mg = self._cubes_lying * CUBE_MG
        if command is Command.TARE:
            self._zero_mg = lying_mg
        elif command is Command.CALIBRATE:
            cubes = int(arguments[-1])
            if lying_mg - self._zero_mg < _LEAST_MG:
                return 0, "light"
            self._scale = cubes * TAKEN_FOR_MG / (lying_mg - self._zero_mg)
        return 0, None

    def _scaled_mg(self, mass_mg: float) -> int:
        return round(self._scale * mass_mg)

    def _displayed_mg(self, mass_mg: float) -> int:
        return self._scaled_mg(mass_mg - self._zero_mg)

    def _weight_mg(self, at_ms: int) -> int:
        """Return the weight in mg: the step of each cube, with the ringing of the last impact and noise."""
        level, ringing = 0.0, 0.0
        for since_ms, mass_mg in self._steps:
            if since_ms <= at_ms:
                level = mass_mg
                elapsed = (at_ms - since_ms) / _RING_MS
                ringing = _RING_MG * math.exp(-elapsed) * math.cos(3 * elapsed) if mass_mg else 0.0
        flicker = _NOISE_MG * math.sin(at_ms * 1.7)
        return round(level + ringing + flicker)

    def _now_ms(self) -> int:
        return round((self._clock() - self._begun_s) * 1000)
