"""The live trace in a terminal: a scrolling strip chart, one line per point, with the drops marked."""

from collections.abc import Iterator
from typing import Final

import numpy as np

from calibration.scale import STEP_SIGMA_MG, CubeMass, total_odds
from firmware.link.events import (
    Beat,
    Drop,
    Fault,
    LinkDown,
    LinkUp,
    Motion,
    Recovered,
    Sample,
    SensorEvent,
    Settled,
)

_STILL_MS: Final = 1000
"""Interval between lines while nothing moves."""
_NICE: Final = (1, 2, 5)
_MARGIN: Final = 26
"""Width of the time and weight columns."""


class Strip:
    """Turns events into lines. The bar's scale grows with the load on the tray."""

    def __init__(self, cube: CubeMass, columns: int = 80) -> None:
        self._cube = cube
        self._width = max(10, columns - _MARGIN)
        self._full_mg = 1000
        self._moving = False
        self._last_ms: int | None = None
        self._has_samples = False

    def lines(self, event: SensorEvent) -> Iterator[str]:
        """Yield the lines that an event adds."""
        match event:
            case LinkUp(port, version):
                self._last_ms = None
                yield f"▲ board on {port}, program {version}; the bar's end is {self._full_mg / 1000:g} g"
            case LinkDown(_, sentence, remedy):
                yield f"▼ {sentence} {remedy}"
            case Fault(name, sentence, remedy):
                yield f"! {name}: {sentence} {remedy}"
            case Recovered(name):
                yield f"! {name}: over"
            case Motion(device_ms):
                self._moving = True
                yield f"{_seconds(device_ms)}  ~ motion"
            case Drop(device_ms, mass_mg):
                yield f"{_seconds(device_ms)}  ◆ drop {_grams(mass_mg, sign=True)}   {self._cubes(mass_mg)}"
            case Settled(device_ms, mass_mg, sigma_mg):
                self._moving = False
                yield f"{_seconds(device_ms)}  ■ at rest {_grams(mass_mg)} ± {sigma_mg / 1000:.3f}"
            case Sample(device_ms, mass_mg):
                self._has_samples = True
                yield from self._point_lines(device_ms, mass_mg)
            case Beat(device_ms, mass_mg, _, _, moving, weighs=True):
                self._moving = moving
                if not self._has_samples:
                    yield from self._point_lines(device_ms, mass_mg)

    def _point_lines(self, device_ms: int, mass_mg: int) -> Iterator[str]:
        due = self._last_ms is None or not 0 <= device_ms - self._last_ms < _STILL_MS
        if not (self._moving or due):
            return
        self._last_ms = device_ms
        if abs(mass_mg) > self._full_mg:
            self._full_mg = _round_up(abs(mass_mg))
            yield f"{'':12}the bar's end is now {self._full_mg / 1000:g} g"
        length = round(self._width * min(1.0, abs(mass_mg) / self._full_mg))
        bar = ("█" if mass_mg >= 0 else "░") * length
        yield f"{_seconds(device_ms)} {_grams(mass_mg)} │{bar}"

    def _cubes(self, mass_mg: int) -> str:
        odds = total_odds(self._cube, abs(mass_mg), STEP_SIGMA_MG)
        number = int(np.argmax(odds))
        sure = float(odds[number])
        return f"{number} cube{'' if number == 1 else 's'} {'out ' if mass_mg < 0 else ''}({sure:.0%})"


def _seconds(device_ms: int) -> str:
    return f"{device_ms / 1000:9.2f} s"


def _grams(mass_mg: int, *, sign: bool = False) -> str:
    return f"{mass_mg / 1000:{'+' if sign else ''}9.3f} g"


def _round_up(at_least_mg: int) -> int:
    """Return the next of 1, 2, 5, 10, … grams, in milligrams."""
    decade = 1000
    while True:
        for step in _NICE:
            if step * decade >= at_least_mg:
                return step * decade
        decade *= 10
