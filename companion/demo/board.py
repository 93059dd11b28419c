"""The demo's drop sensor: the real firmware on a simulated chip, behind a pty that the real link opens."""

import random
from collections.abc import Callable
from typing import Final

from calibration.scale import CubeMass
from companion.demo.sensor import CUBE_MG, DEMO_CUBE
from firmware.link.events import SensorEvent
from firmware.link.sensor import TRACE_EVERY, SerialSensor, make_link
from firmware.link.wire import Command
from firmware.sim.board import SimulatedBoard

_HAND_S: Final = 0.4
_CLEAR_S: Final = 1.6
"""Time for the hand, and for the board to report that the tray is at rest again."""
_FIRST_S, _FALL_S = 0.15, 0.5
_SEED: Final = 5


class DemoBoard:
    """Implements `firmware.link.events.DropSensor`; cubes differ a little in mass, as at a real table."""

    def __init__(
        self, cube: CubeMass = DEMO_CUBE, make: Callable[[], SimulatedBoard] = SimulatedBoard
    ) -> None:
        """Raise `BoardError` if the simulator is not installed."""
        self._cube = cube
        self._board = make()
        self._sensor = SerialSensor(make_link(self._board.port, TRACE_EVERY))
        self._chance = random.Random(_SEED)  # noqa: S311 - wood, not secrets
        self._lying_mg = 0.0
        self._after_s = 0.0

    def clear(self) -> float:
        """Empty the tray by hand; return the seconds until the next cubes may fall."""
        self._after_s = _CLEAR_S if self._lying_mg else 0.0
        if self._lying_mg:
            self._board.take(self._lying_mg, _HAND_S)
        self._lying_mg = 0.0
        return self._after_s

    def fall(self, cubes: int) -> None:
        """Drop this many cubes one after the other, once the tray is clear."""
        for number in range(cubes):
            mass_mg = self._chance.gauss(CUBE_MG, self._cube.spread_mg)
            at_s = self._after_s + _FIRST_S + _FALL_S * number / cubes
            self._board.do(f"+{at_s:.3f} cube {mass_mg / 1000:.4f}")
            self._lying_mg += mass_mg

    def poll(self, timeout_s: float) -> list[SensorEvent]:
        """Return the link's events."""
        return self._sensor.poll(timeout_s)

    def ask(self, command: Command, *arguments: int | str) -> None:
        """Send a command to the firmware."""
        self._sensor.ask(command, *arguments)

    def close(self) -> None:
        """Close the link and the board."""
        self._sensor.close()
        self._board.close()
