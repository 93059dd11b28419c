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
_CHECK = 0.45
"""Largest difference between the steps and the total at which they agree, in cubes."""
_DRIFT_A_BEAT_MG = 10.0
"""Fastest drift of zero per heartbeat while a cell warms up or creeps: 0.6 g a minute."""
_NO_DRIFT = 0.25
"""Largest deviation from the level at rest, in cubes, that can be drift and not something put there or taken
away."""
_EMPTY = 0.5
"""Distance from the last zero, in cubes, below which the tray is empty."""
_TRAY = 60.0
"""So many cubes below zero are not cubes that a hand took out: the tray itself is lifted."""
_MOST_CUBES = 1000.0
"""Limit of a step, in cubes: beyond it a hand leans on the tray or the scale is wrong, and convolving it
would take seconds."""
_MOST = 0.5
"""Fraction of what lies there that has to have been felt falling: some cubes land as one, and some unfelt."""
_HALF = 0.5
"""Tolerance, in cubes, when all must have been felt: with one cube fewer nobody would call it all."""
_IMPOSSIBLE = 1e-6
_TELLING = 3
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
        self._since: Steps | None = None
        """Steps since it was last known for sure what lies there; None while that is unknown."""
        self._zero_mg = 0.0
        self._told: tuple[object, Weighed] | None = None
        """What the last result was computed from, and that result."""
        self._was_right = False
        """Whether the weight was right when the table last said how many lie there; if not, it may be another
        board, or one that is wrongly calibrated."""
        self.wrong = 0
        """How many times in a row it was wrong."""
        self._felt_mg = self._lowest_mg = 0
        """Net weight that came and went since a throw has been awaited, and its minimum."""
        self._level_mg = 0.0
        """The present level, also during motion."""
        self._low_mg = math.inf
        """The lowest level since a throw has been awaited, leaving out a lifted tray."""
        self._lifted = False
        """Whether the tray is lifted, or was since it last rested on the cell."""
        self._rest_mg = 0.0
        """The level since everything came to rest; it follows changes as slow as drift."""
        self._least_mg = 0.0
        """The lowest such level since it was last known what lies there."""

    def hear(self, event: SensorEvent) -> None:
        """Take the board's events, in order."""
        match event:
            case LinkUp() | LinkDown() | Answered(Command.TARE | Command.CALIBRATE, reason=None):
                # What was weighed before refers to another zero, or to another scale.
                self.moving, self.mass_mg, self._since = False, None, None
                self._was_right, self.wrong, self._lifted = False, 0, False
                self._level_mg, self._low_mg = self._zero_mg, math.inf
            case Motion():
                if not self.moving:
                    self._begins_to_move()
                self.moving = True
            case Drop(_, mass_mg):
                if not self._put_back(mass_mg):
                    self._felt_mg += mass_mg
                    self._lowest_mg = min(self._lowest_mg, self._felt_mg)
                    self._stepped(mass_mg)
                self._lifted = self._lifted or self._below(self._level_mg + mass_mg)
                self._stands(self._level_mg + mass_mg)
            case Settled(_, mass_mg):
                self._settled(mass_mg)
            case Beat(_, mass_mg, noise_mg, _, moving, weighs=True):
                self.noise_mg = noise_mg
                if not moving:
                    self._rests(mass_mg)

    def await_throw(self) -> None:
        """Count what arrives from here on as thrown."""
        self._felt_mg = self._lowest_mg = 0
        self._low_mg = math.inf if self.mass_mg is None else self._level_mg

    def fell(self, cubes: int, *, every: bool = False) -> bool:
        """Whether most of these cubes, or `every` one, came since a throw has been awaited: a hand that
        clears a tray only takes away.

        A hand that comes suddenly and leaves slowly is felt only as coming, but the level ends no higher than
        it was.
        """
        came_mg = min(self._felt_mg - self._lowest_mg, self._level_mg - self._low_mg)
        at_least = cubes - _HALF if every else _MOST * cubes
        return self.weighed() is not None and came_mg > at_least * self.cube.unit_mg

    def weighed(self) -> Weighed | None:
        """Return the present weight; None while unknown: no board, motion, or cubes that nobody has
        counted."""
        since = self._since
        if self.mass_mg is None or since is None or self.moving:
            return None
        of = (
            self.mass_mg,
            (since.cubes, since.base_mg),
            *since.felt_mg,
            self._zero_mg,
            self.noise_mg,
            self.cube,
            self._was_right,
        )
        if self._told is None or of != self._told[0]:  # every view asks, and a step takes a millisecond
            self._told = of, self._reckoned(self.mass_mg, since)
        return self._told[1]

    def _reckoned(self, now_mg: int, since: Steps) -> Weighed:
        whole = self._adds_up(since, now_mg)
        odds = CountOdds(self.cube, since.cubes)
        for step_mg in since.felt_mg:
            odds.step(self._held(step_mg), self._step_sigma())
        steps = len(since.felt_mg)
        if not whole:
            odds.step(self._held(since.missed_mg(now_mg)), self._missed_sigma(steps), _NOTHING_MISSED)
        mass_mg = round(now_mg - self._zero_mg)
        may_clear = self._may_clear and self._was_right
        return Weighed(tuple(map(float, odds.odds())), mass_mg, steps, whole, may_clear)

    def confirm(self, cubes: int) -> None:
        """Take the table's count of what lies there: the next steps count from it, and a cube's weight is
        learned.

        A count that the weight calls impossible is of what lay there before: the tray was emptied, or an
        older throw corrected.
        """
        now_mg = self.mass_mg
        if now_mg is None or self.moving:
            self._since = None
            return
        self._begin_at_least(cubes, now_mg)
        weighed, right = self.weighed(), self._judged(cubes, now_mg)
        if weighed is not None and not _possible(weighed, cubes):
            return
        if self._since is not None and cubes > self._since.cubes and self._adds_up(self._since, now_mg):
            came, came_mg = cubes - self._since.cubes, now_mg - self._since.base_mg
            self.cube = self.cube.taught(came, came_mg, _DRIFT_MG)
        self._since, self._least_mg = Steps(cubes, now_mg), now_mg
        if right:
            self._mend_zero(cubes, now_mg)

    def _begin_at_least(self, cubes: int, now_mg: int) -> None:
        """Count from the lowest level if that fits: zero was set while cubes lay there, or drifted away."""
        since = self._since
        if since is None or self._fit(cubes - since.cubes, now_mg - since.base_mg):
            return
        if self._fit(cubes, now_mg - self._least_mg):
            self._since, self._zero_mg = Steps(0, self._least_mg), self._least_mg

    def _fit(self, came: int, came_mg: float) -> bool:
        """Whether that many cubes weigh that much."""
        return came > 0 and self.cube.fits(came, came_mg, _DRIFT_MG)

    def _judged(self, cubes: int, now_mg: int) -> bool:
        """Whether what came weighs what that many cubes do; true for a tray emptied since, not judged."""
        since = self._since
        if since is None or (since.cubes, since.base_mg) == (0, now_mg) or cubes <= since.cubes:
            return True
        came = cubes - since.cubes
        right = self._fit(came, now_mg - since.base_mg)
        self._was_right = right and (self._was_right or came >= _TELLING)
        self.wrong = 0 if right else self.wrong + 1
        return right

    def _adds_up(self, since: Steps, now_mg: int) -> bool:
        """Whether the steps and the settled weight agree."""
        return abs(since.missed_mg(now_mg)) <= _CHECK * self.cube.unit_mg

    def _stepped(self, mass_mg: int) -> None:
        if self._since is None:
            return
        self._since.step(mass_mg, _CHECK * self.cube.unit_mg)
        if self._since.too_many:
            self._since = None

    def _begins_to_move(self) -> None:
        """Note how much more lies there than the steps say."""
        if self.mass_mg is not None and self._since is not None:
            missed_mg = self._since.missed_mg(self.mass_mg)
            self._since.slow_mg = missed_mg if missed_mg > _CHECK * self.cube.unit_mg else 0.0

    def _below(self, level_mg: float) -> bool:
        return level_mg - self._zero_mg < -_TRAY * self.cube.unit_mg

    def _stands(self, level_mg: float) -> None:
        self._level_mg = level_mg
        if not self._lifted:
            self._low_mg = min(self._low_mg, level_mg)

    def _put_back(self, mass_mg: int) -> bool:
        """Whether a lifted tray is being put back, edge by edge, with its content: none of that has
        fallen."""
        back = not self._below(self._level_mg + mass_mg) or mass_mg > _TRAY * self.cube.unit_mg
        return self._lifted and back

    def _lies(self, mass_mg: int) -> None:
        """Take a level at rest: after the tray was lifted only the total tells what lies there, and it may
        stand differently."""
        below = self._below(mass_mg)
        if self._lifted and not below:
            self._least_mg = mass_mg
            if self._since is not None:
                self._since.felt_mg = []
        self._lifted = below
        self._stands(mass_mg)

    def _mend_zero(self, cubes: int, now_mg: int) -> None:
        """Correct zero from a count if the present zero is impossible; else the empty tray tells it best."""
        zero_mg = now_mg - cubes * self.cube.unit_mg
        unsure_mg = math.hypot(math.sqrt(cubes) * self.cube.spread_mg, cubes * self.cube.unit_sigma_mg)
        if abs(zero_mg - self._zero_mg) > _EMPTY * self.cube.unit_mg + 3 * unsure_mg:
            self._zero_mg = zero_mg

    def _settled(self, mass_mg: int) -> None:
        self._least_mg = mass_mg if self.mass_mg is None else min(self._least_mg, mass_mg)
        self.moving, self.mass_mg, self._rest_mg = False, mass_mg, mass_mg
        self._lies(mass_mg)
        self._look_for_nothing(mass_mg)

    def _rests(self, mass_mg: int) -> None:
        """Handle a heartbeat in which nothing moves."""
        if self.mass_mg is None:
            self._zero_mg = 0.0  # an empty tray is recognised by its weight; otherwise people have to count
        if self.mass_mg is None or self.moving:  # the end of motion was lost, or never reported
            self._settled(mass_mg)
            return
        self.mass_mg = mass_mg
        self._follow(mass_mg - self._rest_mg)
        self._least_mg = min(self._least_mg, mass_mg)
        self._lies(mass_mg)
        self._look_for_nothing(mass_mg)  # cubes that a slow hand takes away cause no motion

    def _follow(self, off_mg: float) -> None:
        """Follow slow drift: cubes lie in the tray for minutes, and zero drifts by one of them meanwhile."""
        if abs(off_mg) > _NO_DRIFT * self.cube.unit_mg:
            return
        drift_mg = max(-_DRIFT_A_BEAT_MG, min(_DRIFT_A_BEAT_MG, off_mg))
        self._rest_mg += drift_mg
        self._least_mg += drift_mg
        self._zero_mg += drift_mg
        if self._since is not None:
            self._since.base_mg += drift_mg

    def _held(self, step_mg: float) -> float:
        most_mg = _MOST_CUBES * self.cube.unit_mg
        return max(-most_mg, min(most_mg, step_mg))

    def _missed_sigma(self, steps: int) -> float:
        """Standard deviation of what remains of the settled weight after all steps: their errors add up."""
        return math.hypot(_DRIFT_MG, self._step_sigma() * math.sqrt(steps), _STEP_BIAS_MG * steps)

    def _step_sigma(self) -> float:
        return max(STEP_SIGMA_MG, _STEP_NOISE * self.noise_mg)

    def _look_for_nothing(self, mass_mg: int) -> None:
        if abs(mass_mg - self._zero_mg) < _EMPTY * self.cube.unit_mg:
            self._since, self._zero_mg = Steps(0, mass_mg), float(mass_mg)
            self._least_mg = mass_mg


def _possible(weighed: Weighed, cubes: int) -> bool:
    own = weighed.odds[cubes] if cubes < len(weighed.odds) else 0.0
    return own > _IMPOSSIBLE * max(weighed.odds)
