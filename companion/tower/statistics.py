"""What throws tell about a tower: per colour, how many cubes stay, results against the odds, its own rates.

Everything is computed from one `Thrown` per throw; if it is not known what was inside before, a throw only
counts for what went in and came out.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import exp, sqrt

from companion.tower.odds import PUBLISHED, Ahead, Rates, compare_sides, mean, odds_of_coming_out, variance
from companion.tower.piles import Colour, Pile, plus, total

FEWEST = 12
"""Fewest throws for a tower's own rates: with 10 cubes each they are then known to about ± 10 %."""
_BAR_AT_LEAST = 0.05
"""Least expected number of throws for which a number of cubes gets its own bar."""
_ITERATIONS = 4
_LEAST_VARIANCE = 0.25
_NOTHING_RANDOM = 1e-9
_FEW_BATTLES = 40
"""Most battles of which all outcomes are added up, in some ten milliseconds."""


@dataclass(frozen=True, slots=True)
class Sides:
    """The colours of the two sides of a battle."""

    attacker: Colour
    defender: Colour


@dataclass(frozen=True, slots=True)
class Thrown:
    """One throw: what went in, what was inside before (None: unknown), what lay in the tray."""

    went_in: Pile
    stuck: Pile | None
    came_out: Pile
    sides: Sides | None = None

    @property
    def kept(self) -> int:
        """How many more cubes went in than came out; negative if the tower gave up some of its own."""
        return total(self.went_in) - total(self.came_out)


@dataclass(frozen=True, slots=True)
class ColourTold:
    """One colour over all throws; `expected` and `spread` (one standard deviation) follow from the odds."""

    colour: Colour
    went_in: int
    came_out: int
    known_out: int
    """Those from throws whose contents before are known: compare this with `expected`."""
    expected: float
    spread: float


@dataclass(frozen=True, slots=True)
class Kept:
    """Number of throws in which the tower kept `cubes` more than it gave, counted and by the odds."""

    cubes: int
    throws: int
    known: int
    """Those from throws whose contents before are known: compare this with `expected`."""
    expected: float


@dataclass(frozen=True, slots=True)
class Counted:
    """How often something happened, and how often by the odds; `spread` is one standard deviation."""

    counted: int
    expected: float
    spread: float


@dataclass(frozen=True, slots=True)
class Battles:
    """How often more of the attacker's cubes than of the defender's came out, as many, or fewer."""

    number: int
    ahead: Counted
    even: Counted
    behind: Counted
    chance: float | None
    """Probability of deviations at least as large as these under the odds; None if nothing was random."""


@dataclass(frozen=True, slots=True)
class Fit:
    """A tower's own rates, each with its standard deviation."""

    rates: Rates
    fresh_sd: float
    stuck_sd: float
    throws: int


def per_colour(throws: Sequence[Thrown], colours: Iterable[Colour]) -> list[ColourTold]:
    """Return the colours of which any cube was thrown or came out."""
    colours_told = [_summarise_colour(colour, throws) for colour in colours]
    return [colour_told for colour_told in colours_told if colour_told.went_in or colour_told.came_out]


def _summarise_colour(colour: Colour, throws: Sequence[Thrown]) -> ColourTold:
    known = [(t.went_in.get(colour, 0), t.stuck.get(colour, 0)) for t in throws if t.stuck is not None]
    return ColourTold(
        colour,
        went_in=sum(t.went_in.get(colour, 0) for t in throws),
        came_out=sum(t.came_out.get(colour, 0) for t in throws),
        known_out=sum(t.came_out.get(colour, 0) for t in throws if t.stuck is not None),
        expected=sum(mean(PUBLISHED, *pair) for pair in known),
        spread=sqrt(sum(variance(PUBLISHED, *pair) for pair in known)),
    )


def kept(throws: Sequence[Thrown]) -> list[Kept]:
    """Return an entry for each number from the least to the most that a throw kept, without gaps."""
    counted = Counter(throw.kept for throw in throws)
    known = Counter(throw.kept for throw in throws if throw.stuck is not None)
    chances: dict[int, float] = {}
    for throw in throws:
        if throw.stuck is None:
            continue
        went_in = total(throw.went_in)
        for out, chance in enumerate(odds_of_coming_out(PUBLISHED, went_in, total(throw.stuck))):
            chances[went_in - out] = chances.get(went_in - out, 0.0) + chance
    likely = [cubes for cubes, chance in chances.items() if chance >= _BAR_AT_LEAST]
    bounds = [*counted, *likely]
    if not bounds:
        return []
    return [
        Kept(cubes, counted[cubes], known[cubes], chances.get(cubes, 0.0))
        for cubes in range(min(bounds), max(bounds) + 1)
    ]


def odds_of(throw: Thrown) -> Ahead | None:
    """Return the odds of the attacker's colour against the defender's, or None if they are unknown."""
    if throw.sides is None or throw.stuck is None:
        return None
    attacker, defender = (
        odds_of_coming_out(PUBLISHED, throw.went_in.get(side, 0), throw.stuck.get(side, 0))
        for side in (throw.sides.attacker, throw.sides.defender)
    )
    return compare_sides(attacker, defender)


def chance_of_result(throw: Thrown) -> float | None:
    """Return the probability of the result that occurred (ahead, even or behind), or None if unknown."""
    odds = odds_of(throw)
    if odds is None:
        return None
    return (odds.loses, odds.even, odds.wins)[_battle_result(throw) + 1]


def _battle_result(throw: Thrown) -> int:
    """Return 1 if more of the attacker's cubes came out, 0 if as many, -1 if fewer."""
    assert throw.sides is not None
    more = throw.came_out.get(throw.sides.attacker, 0) - throw.came_out.get(throw.sides.defender, 0)
    return (more > 0) - (more < 0)


def battles(throws: Sequence[Thrown]) -> Battles:
    """Summarise all battles whose odds are known."""
    outcomes = [(odds, _battle_result(throw)) for throw in throws if (odds := odds_of(throw)) is not None]
    results = Counter(result for _, result in outcomes)

    def counted(result: int, chances: Sequence[float]) -> Counted:
        return Counted(results[result], sum(chances), sqrt(sum(p * (1 - p) for p in chances)))

    return Battles(
        len(outcomes),
        ahead=counted(1, [odds.wins for odds, _ in outcomes]),
        even=counted(0, [odds.even for odds, _ in outcomes]),
        behind=counted(-1, [odds.loses for odds, _ in outcomes]),
        chance=_chance_of_all([odds for odds, _ in outcomes], results),
    )


def _chance_of_all(odds: Sequence[Ahead], results: Mapping[int, int]) -> float | None:
    """Return the p-value of a chi-square statistic with two degrees of freedom (the third count is implied).

    It is a joint test: each count alone is outside its range once in 20 times, but any of them once in ten.
    Few battles are far from a chi-square distribution, so all their outcomes are added up instead.
    """
    win_variance = sum(ahead.wins * (1 - ahead.wins) for ahead in odds)
    loss_variance = sum(ahead.loses * (1 - ahead.loses) for ahead in odds)
    covariance = -sum(ahead.wins * ahead.loses for ahead in odds)
    wins, losses = sum(ahead.wins for ahead in odds), sum(ahead.loses for ahead in odds)
    determinant = win_variance * loss_variance - covariance**2
    if determinant < _NOTHING_RANDOM:
        return None

    def distance(won: int, lost: int) -> float:
        more, less = won - wins, lost - losses
        return (loss_variance * more**2 - 2 * covariance * more * less + win_variance * less**2) / determinant

    observed = distance(results[1], results[-1])
    if len(odds) > _FEW_BATTLES:
        return exp(-observed / 2)
    outcomes = _outcomes(odds).items()
    return min(1.0, sum(chance for counts, chance in outcomes if distance(*counts) >= observed - 1e-9))


def _outcomes(odds: Sequence[Ahead]) -> dict[tuple[int, int], float]:
    """Return the probability of each number of battles won and lost by the attacker."""
    chances = {(0, 0): 1.0}
    for ahead in odds:
        longer: dict[tuple[int, int], float] = {}
        for (won, lost), chance in chances.items():
            for counts, share in (
                ((won + 1, lost), ahead.wins),
                ((won, lost + 1), ahead.loses),
                ((won, lost), ahead.even),
            ):
                longer[counts] = longer.get(counts, 0.0) + chance * share
        chances = longer
    return chances


def fit(throws: Sequence[Thrown]) -> Fit | None:
    """Fit the two rates by weighted least squares; None if there are too few throws.

    If throws scatter more than the model says, the standard deviations are widened as much: by the scatter of
    colours, or of whole throws as by a careless hand (White's sandwich, by throw), whichever is larger.
    """
    known = [throw for throw in throws if throw.stuck is not None]
    observations = [row for throw in known for row in _observations(throw)]
    if len(known) < FEWEST:
        return None
    rates = PUBLISHED
    for _ in range(_ITERATIONS):
        sums = _NormalSums.of(observations, rates)
        if sums.determinant <= 0:
            return None
        rates = sums.rates
    scatter = sum(
        (out - mean(rates, new, old)) ** 2 / _residual_variance(rates, new, old)
        for new, old, out in observations
    )
    inflation = max(1.0, scatter / max(1, len(observations) - 2))
    fresh, stuck = _sandwich_variances(known, rates, sums)
    return Fit(
        rates,
        fresh_sd=sqrt(max(fresh, inflation * sums.old_old / sums.determinant)),
        stuck_sd=sqrt(max(stuck, inflation * sums.new_new / sums.determinant)),
        throws=len(known),
    )


def _sandwich_variances(known: Sequence[Thrown], rates: Rates, sums: "_NormalSums") -> tuple[float, float]:
    """Return the variances of both rates without assuming that cubes of one throw are independent."""
    fresh = stuck = 0.0
    for throw in known:
        new_score = old_score = 0.0
        for new, old, out in _observations(throw):
            residual = (out - mean(rates, new, old)) / _residual_variance(rates, new, old)
            new_score, old_score = new_score + new * residual, old_score + old * residual
        fresh += (sums.old_old * new_score - sums.new_old * old_score) ** 2
        stuck += (sums.new_new * old_score - sums.new_old * new_score) ** 2
    scale = len(known) / (len(known) - 2) / sums.determinant**2
    return fresh * scale, stuck * scale


def _observations(throw: Thrown) -> list[tuple[int, int, int]]:
    """Return, for each colour that could come out, the numbers thrown, stuck and come out."""
    stuck = throw.stuck or {}
    present = plus(throw.went_in, stuck)
    return [
        (throw.went_in.get(c, 0), stuck.get(c, 0), throw.came_out.get(c, 0)) for c in present if present[c]
    ]


def _residual_variance(rates: Rates, new: int, old: int) -> float:
    return max(_LEAST_VARIANCE, variance(rates, new, old))


@dataclass(frozen=True, slots=True)
class _NormalSums:
    """Sums of the normal equations."""

    new_new: float
    new_old: float
    old_old: float
    new_out: float
    old_out: float

    @classmethod
    def of(cls, observations: Sequence[tuple[int, int, int]], rates: Rates) -> "_NormalSums":
        weights = [1 / _residual_variance(rates, new, old) for new, old, _ in observations]
        pairs = list(zip(observations, weights, strict=True))
        return cls(
            sum(w * new * new for (new, _, _), w in pairs),
            sum(w * new * old for (new, old, _), w in pairs),
            sum(w * old * old for (_, old, _), w in pairs),
            sum(w * new * out for (new, _, out), w in pairs),
            sum(w * old * out for (_, old, out), w in pairs),
        )

    @property
    def determinant(self) -> float:
        return self.new_new * self.old_old - self.new_old**2

    @property
    def rates(self) -> Rates:
        fresh = (self.new_out * self.old_old - self.old_out * self.new_old) / self.determinant
        stuck = (self.old_out * self.new_new - self.new_out * self.new_old) / self.determinant
        return Rates(min(1.0, max(0.0, fresh)), min(1.0, max(0.0, stuck)))
