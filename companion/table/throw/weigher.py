"""How many cubes the load cell thinks lie in the tray: events in, odds out.

Steps are counted one by one, each against the level just before it, so that drift of zero does not add up.
The settled total is the check: if it disagrees with the steps, something was missed, and the difference is
counted as one more step.
"""

import math
from dataclasses import dataclass

import numpy as np

from calibration.scale import STEP_SIGMA_MG, CountOdds, CubeMass
from companion.table.throw.steps import Steps
from firmware.link.events import Answered, Beat, Drop, LinkDown, LinkUp, Motion, SensorEvent, Settled
from firmware.link.wire import Command

_STEP_BIAS_MG = 6.0
"""All steps of a throw may be off by this in the same direction (5 mg on simulated hardware)."""
_NOTHING_MISSED = 20.0
"""How many times likelier it is, before weighing, that no cube was missed than any other number."""
_STEP_NOISE = 0.7
"""Fraction of a sample's noise that remains in a step when the cell is not quiet."""
_DRIFT_MG = 50.0
"""Drift of zero from throw to throw."""
_AGREES_WITHIN = 0.45
"""Largest difference between the steps and the total at which they agree, in cubes."""
_DRIFT_A_BEAT_MG = 10.0
"""Fastest drift of zero per heartbeat while a cell warms up or creeps: 0.6 g a minute."""
_DRIFT_WITHIN = 0.25
"""Largest deviation from the level at rest, in cubes, that can be drift and not something put there or taken
away."""
_EMPTY_WITHIN = 0.5
"""Distance from the last zero, in cubes, below which the tray is empty."""
_LIGHTEST_TRAY = 30.0
"""So many cubes that come at once to where zero is may be the tray itself, put back."""
_LIFTED_BELOW = 60.0
"""So many cubes below zero are not cubes that a hand took out: the tray itself is lifted."""
_MOST_CUBES = 1000.0
"""Limit of a step, in cubes: beyond it a hand leans on the tray or the scale is wrong, and convolving it
would take seconds."""
_FELT_SHARE = 0.5
"""Fraction of what lies there that has to have been felt falling: some cubes land as one, and some unfelt."""
_FELT_TOLERANCE = 0.5
"""Tolerance, in cubes, when all must have been felt: with one cube fewer nobody would call it all."""
_IMPOSSIBLE = 1e-6
_TELLING_CUBES = 3
"""Fewest cubes that prove a scale right: with fewer, one that is off by a quarter seems right as well."""


@dataclass(frozen=True, slots=True)
class Weighed:
    """What the weight says of the tray as it lies there now."""

    odds: tuple[float, ...]
    """Probabilities of 0, 1, 2, … cubes."""
    mass_mg: int
    """Mass of the cubes, with zero subtracted."""
    steps: int
    whole: bool
    """Whether the steps add up to the total."""
    may_clear: bool = True
    """Whether it may clear doubts of the picture: a weight simulated from the picture may not, nor may a
    scale that has not been right yet, or was wrong last time."""

    @property
    def cubes(self) -> int:
        """The most probable number."""
        return int(np.argmax(self.odds))

    @property
    def sure(self) -> float:
        """Probability of the most probable number."""
        return float(max(self.odds))

    @property
    def spread(self) -> float:
        """Standard deviation, in cubes."""
        numbers = np.arange(len(self.odds))
        mean = float(np.dot(numbers, self.odds))
        return math.sqrt(max(0.0, float(np.dot((numbers - mean) ** 2, self.odds))))


class Weigher:
    """The weigher of one tray on one cell."""

    def __init__(self, cube: CubeMass, *, may_clear: bool = True) -> None:
        self.cube = cube
        self._may_clear = may_clear
        self.moving = False
        self.mass_mg: int | None = None
        """The newest total weight since the board's zero; None while there is no board."""
        self.noise_mg = 0
        self._steps: Steps | None = None
        """Steps since it was last known for sure what lies there; None while that is unknown."""
        self._zero_mg = 0.0
        self._cached: tuple[object, Weighed] | None = None
        """What the last result was computed from, and that result."""
        self._was_right = False
        """Whether the weight was right when the table last said how many lie there; if not, it may be another
        board, or one that is wrongly calibrated."""
        self.wrong = 0
        """How many times in a row it was wrong."""
        self._felt_mg = self._lowest_felt_mg = 0
        """Net weight that came and went since a throw has been awaited, and its minimum."""
        self._level_mg = 0.0
        """The present level, also during motion."""
        self._lowest_level_mg = math.inf
        """The lowest level since a throw has been awaited, leaving out a lifted tray."""
        self._lifted = False
        """Whether the tray is lifted, or was since it last rested on the cell."""
        self._rest_mg = 0.0
        """The level since everything came to rest; it follows changes as slow as drift."""
        self._lowest_rest_mg = 0.0
        """The lowest such level since it was last known what lies there."""
        self._highest_rest_mg = 0.0
        """The highest one since; a hand may have taken that out to count it."""

    def hear(self, event: SensorEvent) -> None:
        """Take the board's events, in order."""
        match event:
            case LinkUp() | LinkDown() | Answered(Command.TARE | Command.CALIBRATE, reason=None):
                # What was weighed before refers to another zero, or to another scale.
                self.moving, self.mass_mg, self._steps = False, None, None
                self._was_right, self.wrong, self._lifted = False, 0, False
                self._level_mg, self._lowest_level_mg = self._zero_mg, math.inf
            case Motion():
                if not self.moving:
                    self._begin_motion()
                self.moving = True
            case Drop(_, mass_mg):
                if not self._is_put_back(mass_mg):
                    self._felt_mg += mass_mg
                    self._lowest_felt_mg = min(self._lowest_felt_mg, self._felt_mg)
                    self._add_step(mass_mg)
                self._lifted = self._lifted or self._is_lifted_at(self._level_mg + mass_mg)
                self._set_level(self._level_mg + mass_mg)
            case Settled(_, mass_mg):
                self._handle_settled(mass_mg)
            case Beat(_, mass_mg, noise_mg, _, moving, weighs=True):
                self.noise_mg = noise_mg
                if not moving:
                    self._handle_quiet_beat(mass_mg)

    def await_throw(self) -> None:
        """Count what arrives from here on as thrown."""
        self._felt_mg = self._lowest_felt_mg = 0
        self._lowest_level_mg = math.inf if self.mass_mg is None else self._level_mg

    def has_fallen(self, cubes: int, *, every: bool = False) -> bool:
        """Whether most of these cubes, or `every` one, came since a throw has been awaited: a hand that
        clears a tray only takes away.

        A hand that comes suddenly and leaves slowly is felt only as coming, but the level ends no higher than
        it was.
        """
        came_mg = min(self._felt_mg - self._lowest_felt_mg, self._level_mg - self._lowest_level_mg)
        at_least = cubes - _FELT_TOLERANCE if every else _FELT_SHARE * cubes
        return self.weighed() is not None and came_mg > at_least * self.cube.unit_mg

    def weighed(self) -> Weighed | None:
        """Return the present weight; None while unknown: no board, motion, or cubes that nobody has
        counted."""
        steps = self._steps
        if self.mass_mg is None or steps is None or self.moving:
            return None
        cache_key = (
            self.mass_mg,
            (steps.cubes, steps.base_mg),
            *steps.felt_mg,
            self._zero_mg,
            self.noise_mg,
            self.cube,
            self._was_right,
        )
        if (
            self._cached is None or cache_key != self._cached[0]
        ):  # every view asks, and a step takes a millisecond
            self._cached = cache_key, self._weigh_steps(self.mass_mg, steps)
        return self._cached[1]

    def _weigh_steps(self, now_mg: int, steps: Steps) -> Weighed:
        whole = self._adds_up(steps, now_mg)
        odds = CountOdds(self.cube, steps.cubes)
        for step_mg in steps.felt_mg:
            odds.add_step(self._limit_step(step_mg), self._step_sigma())
        step_count = len(steps.felt_mg)
        if not whole:
            odds.add_step(
                self._limit_step(steps.missed_mg(now_mg)), self._missed_sigma(step_count), _NOTHING_MISSED
            )
        mass_mg = round(now_mg - self._zero_mg)
        may_clear = self._may_clear and self._was_right
        return Weighed(tuple(map(float, odds.odds())), mass_mg, step_count, whole, may_clear)

    def confirm(self, cubes: int) -> None:
        """Take the table's count of what lies there: the next steps count from it, and a cube's weight is
        learned.

        A count that the weight calls impossible is of what lay there before: the tray was emptied, or an
        older throw corrected.
        """
        now_mg = self.mass_mg
        if now_mg is None or self.moving:
            self._steps = None
            return
        self._restart_from_lowest(cubes, now_mg)
        if self._steps is None and cubes and self._has_gone(now_mg):
            self._highest_rest_mg = now_mg
            return
        weighed, is_right = self.weighed(), self._judge_count(cubes, now_mg)
        if weighed is not None and not _is_possible(weighed, cubes):
            return
        if self._steps is not None and cubes > self._steps.cubes and self._adds_up(self._steps, now_mg):
            came, came_mg = cubes - self._steps.cubes, now_mg - self._steps.base_mg
            self.cube = self.cube.updated_with(came, came_mg, _DRIFT_MG)
        self._know(Steps(cubes, now_mg), now_mg)
        if is_right:
            self._correct_zero(cubes, now_mg)

    def _restart_from_lowest(self, cubes: int, now_mg: int) -> None:
        """Count from the lowest level if that fits what lies or lay there: zero was set while cubes lay
        there, or drifted away."""
        steps, lowest_mg = self._steps, self._lowest_rest_mg
        if steps is not None and self._fits(cubes - steps.cubes, now_mg - steps.base_mg):
            return
        if any(self._fits(cubes, level - lowest_mg) for level in (now_mg, self._highest_rest_mg)):
            self._steps, self._zero_mg = Steps(0, lowest_mg), lowest_mg
            self._detect_empty_tray(now_mg)

    def _has_gone(self, now_mg: int) -> bool:
        """Whether what lay there was taken out: the count is not of what lies there now."""
        least_mg = _EMPTY_WITHIN * self.cube.unit_mg
        return self._highest_rest_mg - now_mg > least_mg > now_mg - self._lowest_rest_mg

    def _know(self, steps: Steps, level_mg: float) -> None:
        """Begin again: what lies there at this level is known."""
        self._steps, self._lowest_rest_mg, self._highest_rest_mg = steps, level_mg, level_mg

    def _fits(self, came: int, came_mg: float) -> bool:
        """Whether that many cubes weigh that much."""
        return came > 0 and self.cube.fits(came, came_mg, _DRIFT_MG)

    def _judge_count(self, cubes: int, now_mg: int) -> bool:
        """Whether what came weighs what that many cubes do; true for a tray emptied since, not judged."""
        steps = self._steps
        if steps is None or (steps.cubes, steps.base_mg) == (0, now_mg) or cubes <= steps.cubes:
            return True
        came = cubes - steps.cubes
        is_right = self._fits(came, now_mg - steps.base_mg)
        self._was_right = is_right and (self._was_right or came >= _TELLING_CUBES)
        self.wrong = 0 if is_right else self.wrong + 1
        return is_right

    def _adds_up(self, steps: Steps, now_mg: int) -> bool:
        """Whether the steps and the settled weight agree."""
        return abs(steps.missed_mg(now_mg)) <= _AGREES_WITHIN * self.cube.unit_mg

    def _add_step(self, mass_mg: int) -> None:
        if self._steps is None:
            return
        self._steps.step(mass_mg, _AGREES_WITHIN * self.cube.unit_mg)
        if self._steps.too_many:
            self._steps = None

    def _begin_motion(self) -> None:
        """Note how much more lies there than the steps say."""
        if self.mass_mg is not None and self._steps is not None:
            missed_mg = self._steps.missed_mg(self.mass_mg)
            self._steps.slow_mg = missed_mg if missed_mg > _AGREES_WITHIN * self.cube.unit_mg else 0.0

    def _is_lifted_at(self, level_mg: float) -> bool:
        return level_mg - self._zero_mg < -_LIFTED_BELOW * self.cube.unit_mg

    def _set_level(self, level_mg: float) -> None:
        self._level_mg = level_mg
        if not self._lifted:
            self._lowest_level_mg = min(self._lowest_level_mg, level_mg)

    def _is_put_back(self, mass_mg: int) -> bool:
        """Whether a lifted tray is being put back, edge by edge, with its content: none of that has
        fallen."""
        is_back = (
            not self._is_lifted_at(self._level_mg + mass_mg) or mass_mg > _LIFTED_BELOW * self.cube.unit_mg
        )
        return self._lifted and is_back

    def _take_rest_level(self, mass_mg: int) -> None:
        """Take a level at rest: after the tray was lifted only the total tells what lies there, and it may
        stand differently."""
        is_lifted = self._is_lifted_at(mass_mg)
        if self._lifted and not is_lifted:
            self._lowest_rest_mg = mass_mg
            if self._steps is not None:
                self._steps.felt_mg = []
        self._lifted = is_lifted
        if not is_lifted:
            self._highest_rest_mg = max(self._highest_rest_mg, mass_mg)
        self._set_level(mass_mg)

    def _correct_zero(self, cubes: int, now_mg: int) -> None:
        """Correct zero from a count if the present zero is impossible; else the empty tray tells it best."""
        zero_mg = now_mg - cubes * self.cube.unit_mg
        unsure_mg = math.hypot(math.sqrt(cubes) * self.cube.spread_mg, cubes * self.cube.unit_sigma_mg)
        if abs(zero_mg - self._zero_mg) > _EMPTY_WITHIN * self.cube.unit_mg + 3 * unsure_mg:
            self._zero_mg = zero_mg

    def _handle_settled(self, mass_mg: int) -> None:
        if self.mass_mg is None:
            self._lowest_rest_mg = self._highest_rest_mg = mass_mg
        self._lowest_rest_mg = min(self._lowest_rest_mg, mass_mg)
        self.moving, self.mass_mg, self._rest_mg = False, mass_mg, mass_mg
        self._take_rest_level(mass_mg)
        self._detect_empty_tray(mass_mg)

    def _handle_quiet_beat(self, mass_mg: int) -> None:
        """Handle a heartbeat in which nothing moves."""
        if self.mass_mg is None:
            self._zero_mg = 0.0  # an empty tray is recognised by its weight; otherwise people have to count
        if self.mass_mg is None or self.moving:  # the end of motion was lost, or never reported
            self._handle_settled(mass_mg)
            return
        self.mass_mg = mass_mg
        self._follow_drift(mass_mg - self._rest_mg)
        self._lowest_rest_mg = min(self._lowest_rest_mg, mass_mg)
        self._take_rest_level(mass_mg)
        self._detect_empty_tray(mass_mg)  # cubes that a slow hand takes away cause no motion

    def _follow_drift(self, deviation_mg: float) -> None:
        """Follow slow drift: cubes lie in the tray for minutes, and zero drifts by one of them meanwhile."""
        if abs(deviation_mg) > _DRIFT_WITHIN * self.cube.unit_mg:
            return
        drift_mg = max(-_DRIFT_A_BEAT_MG, min(_DRIFT_A_BEAT_MG, deviation_mg))
        self._rest_mg += drift_mg
        self._lowest_rest_mg += drift_mg
        self._highest_rest_mg += drift_mg
        self._zero_mg += drift_mg
        if self._steps is not None:
            self._steps.base_mg += drift_mg

    def _limit_step(self, step_mg: float) -> float:
        limit_mg = _MOST_CUBES * self.cube.unit_mg
        return max(-limit_mg, min(limit_mg, step_mg))

    def _missed_sigma(self, step_count: int) -> float:
        """Standard deviation of what remains of the settled weight after all steps: their errors add up."""
        return math.hypot(_DRIFT_MG, self._step_sigma() * math.sqrt(step_count), _STEP_BIAS_MG * step_count)

    def _step_sigma(self) -> float:
        return max(STEP_SIGMA_MG, _STEP_NOISE * self.noise_mg)

    def _detect_empty_tray(self, mass_mg: int) -> None:
        """Detect an empty tray by its weight; if it was lighter before, zero is off, and cubes came."""
        came = (mass_mg - self._lowest_rest_mg) / self.cube.unit_mg
        if _EMPTY_WITHIN < came < _LIGHTEST_TRAY:
            return
        if abs(mass_mg - self._zero_mg) < _EMPTY_WITHIN * self.cube.unit_mg:
            self._know(Steps(0, mass_mg), mass_mg)
            self._zero_mg = float(mass_mg)


def _is_possible(weighed: Weighed, cubes: int) -> bool:
    odds = weighed.odds[cubes] if cubes < len(weighed.odds) else 0.0
    return odds > _IMPOSSIBLE * max(weighed.odds)
