"""How many cubes the load cell thinks lie in the tray: events in, odds out.

Steps are counted one by one, each against the level just before it, so that drift of zero does not add up.
The settled weight of everything is the check: where it disagrees with the steps, something was missed, and
what is left is counted as one more step.
"""

import math
from dataclasses import dataclass

import numpy as np

from calibration.scale import CountOdds, CubeMass
from firmware.link.events import Answered, Beat, Drop, LinkDown, LinkUp, Motion, SensorEvent, Settled
from firmware.link.wire import Command

STEP_SIGMA_MG = 14.0
"""Of a step at 80 samples a second and a quiet cell (measured on simulated hardware)."""
_STEP_BIAS_MG = 6.0
"""All steps of a throw may be off by this in the same direction (5 mg on simulated hardware)."""
_NOTHING_MISSED = 20.0
"""So much likelier than any number of missed cubes it is that none was."""
_STEP_NOISE = 0.7
"""Of a sample's noise that is left in a step when the cell is not quiet."""
_DRIFT_MG = 50.0
"""Of zero, from throw to throw."""
_CHECK = 0.45
"""Of a cube: steps and total may differ by this."""
_EMPTY = 0.5
"""Of a cube: less than this from the last zero, and nothing lies there."""
_IMPOSSIBLE = 1e-6


@dataclass(frozen=True, slots=True)
class Weighed:
    """What the weight says of the tray as it lies there now."""

    odds: tuple[float, ...]
    """Of 0, 1, 2, … cubes."""
    mass_mg: int
    """Of the cubes: zero taken off."""
    steps: int
    whole: bool
    """Whether the steps add up to the total."""
    may_clear: bool = True
    """Whether it may clear doubts of the picture; a weight that was made from the picture may not."""

    @property
    def cubes(self) -> int:
        """The most probable number."""
        return int(np.argmax(self.odds))

    @property
    def sure(self) -> float:
        """Probability that it is right."""
        return float(max(self.odds))

    @property
    def spread(self) -> float:
        """Standard deviation, in cubes."""
        numbers = np.arange(len(self.odds))
        mean = float(np.dot(numbers, self.odds))
        return math.sqrt(max(0.0, float(np.dot((numbers - mean) ** 2, self.odds))))


_MOST = 0.5
"""Of what lies there has to have been felt falling: some cubes land as one, and some not at all."""


class Weigher:
    """One tray on one cell."""

    def __init__(self, cube: CubeMass, *, may_clear: bool = True) -> None:
        self.cube = cube
        self._may_clear = may_clear
        self.moving = False
        self.mass_mg: int | None = None
        """The newest weight of everything since the board's zero; None while no board is there."""
        self.noise_mg = 0
        self._sigma_mg = 0
        self._base: tuple[int, int] | None = None
        """Cubes that lay there when it was last known for sure, and the weight at that time."""
        self._zero_mg = 0.0
        self._steps: list[int] = []
        self._felt_mg = self._lowest_mg = 0
        """Weight that came and went since a throw is awaited, and the least of it."""

    def hear(self, event: SensorEvent) -> None:
        """From the board, in order."""
        match event:
            case LinkUp() | LinkDown() | Answered(Command.TARE | Command.CALIBRATE, reason=None):
                # What was weighed before was weighed from another zero, or on another scale.
                self.moving, self.mass_mg, self._base, self._steps = False, None, None, []
            case Motion():
                self.moving = True
            case Drop(_, mass_mg):
                self._felt_mg += mass_mg
                self._lowest_mg = min(self._lowest_mg, self._felt_mg)
                self._stepped(mass_mg)
            case Settled(_, mass_mg, sigma_mg):
                self.moving, self.mass_mg, self._sigma_mg = False, mass_mg, sigma_mg
                self._look_for_nothing()
            case Beat(_, mass_mg, noise_mg, _, moving):
                self.noise_mg = noise_mg
                if self.mass_mg is None and not moving:
                    self._first(mass_mg)
                elif not self.moving and not moving:
                    self.mass_mg = mass_mg
                    self._look_for_nothing()  # cubes that a slow hand takes away are no motion

    def await_throw(self) -> None:
        """What arrives counts as thrown from here."""
        self._felt_mg = self._lowest_mg = 0

    def fell(self, cubes: int) -> bool:
        """Whether most of these came since a throw is awaited: a hand that clears a tray only takes away."""
        came_mg = self._felt_mg - self._lowest_mg
        return self.weighed() is not None and came_mg > _MOST * cubes * self.cube.unit_mg

    def weighed(self) -> Weighed | None:
        """None while nothing is known: no board, motion, or cubes there that nobody has counted."""
        if self.mass_mg is None or self._base is None or self.moving:
            return None
        cubes, base_mg = self._base
        missed_mg = self.mass_mg - base_mg - sum(self._steps)
        whole = abs(missed_mg) <= _CHECK * self.cube.unit_mg
        odds = CountOdds(self.cube, cubes)
        for step in self._steps:
            odds.step(step, self._step_sigma())
        if not whole:
            odds.step(missed_mg, self._missed_sigma(), _NOTHING_MISSED)
        mass_mg = round(self.mass_mg - self._zero_mg)
        return Weighed(tuple(map(float, odds.odds())), mass_mg, len(self._steps), whole, self._may_clear)

    def confirm(self, cubes: int) -> None:
        """The table says what lies there: the next steps count from here, and a cube's weight is learned.

        What the weight calls impossible lay there before: the tray was emptied, or an older throw corrected.
        """
        if self.mass_mg is None or self.moving:
            self._base, self._steps = None, []
            return
        weighed = self.weighed()
        if weighed is not None and not _possible(weighed, cubes):
            return
        if self._base is not None and cubes > self._base[0]:
            fell_mg = self.mass_mg - self._base[1]
            if abs(fell_mg - sum(self._steps)) <= _CHECK * self.cube.unit_mg:
                self.cube = self.cube.taught(cubes - self._base[0], fell_mg, _DRIFT_MG)
        self._base, self._steps = (cubes, self.mass_mg), []
        self._mend_zero(cubes)

    def _stepped(self, mass_mg: int) -> None:
        """What leaves is taken off what came last: a hand that leans on the tray and goes was no cubes."""
        self._steps.append(mass_mg)
        while len(self._steps) > 1 and self._steps[-1] < 0:
            left_mg = self._steps.pop()
            self._steps[-1] += left_mg
            if abs(self._steps[-1]) < _CHECK * self.cube.unit_mg:  # no hand leaves quite as it came
                self._steps.pop()
                return

    def _mend_zero(self, cubes: int) -> None:
        """The empty tray tells zero best; only where that cannot be so any more, cubes do."""
        assert self.mass_mg is not None, "asked where it was just used"
        zero_mg = self.mass_mg - cubes * self.cube.unit_mg
        unsure_mg = math.hypot(math.sqrt(cubes) * self.cube.spread_mg, cubes * self.cube.unit_sigma_mg)
        if abs(zero_mg - self._zero_mg) > _EMPTY * self.cube.unit_mg + 3 * unsure_mg:
            self._zero_mg = zero_mg

    def _missed_sigma(self) -> float:
        """Of what the settled weight leaves when all steps are taken off: their errors add up."""
        steps = len(self._steps)
        return math.hypot(_DRIFT_MG, self._step_sigma() * math.sqrt(steps), _STEP_BIAS_MG * steps)

    def _step_sigma(self) -> float:
        return max(STEP_SIGMA_MG, _STEP_NOISE * self.noise_mg)

    def _first(self, mass_mg: int) -> None:
        """A board has come, or come back: an empty tray is known by its weight, else people have to count."""
        self.mass_mg, self._zero_mg = mass_mg, 0.0
        self._look_for_nothing()

    def _look_for_nothing(self) -> None:
        assert self.mass_mg is not None, "asked where it was just set"
        if abs(self.mass_mg - self._zero_mg) < _EMPTY * self.cube.unit_mg:
            self._base, self._steps, self._zero_mg = (0, self.mass_mg), [], float(self.mass_mg)


def _possible(weighed: Weighed, cubes: int) -> bool:
    own = weighed.odds[cubes] if cubes < len(weighed.odds) else 0.0
    return own > _IMPOSSIBLE * max(weighed.odds)
