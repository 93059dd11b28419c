"""Odds of a throw from a model with two rates: one for cubes thrown in now, another for cubes stuck inside.

Until a tower has rates of its own, those of SpielByWeb's model of the Wallenstein tower are used, quoted at
bgdf.com/node/180: 2 of 3 thrown and 1 of 3 stuck cubes come out, however many are thrown. It is a model, not
a law: real towers differ, and a careless throw changes the rates.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import accumulate, chain, repeat
from math import exp, lgamma, log


@dataclass(frozen=True, slots=True)
class Rates:
    """Probabilities of coming out, each from 0 to 1."""

    fresh: float
    """For a cube that is thrown in now."""
    stuck: float
    """For a cube that was inside before."""


PUBLISHED = Rates(2 / 3, 1 / 3)
_NEGLIGIBLE = 1e-18
"""Probabilities up to this are skipped: with thousands of cubes that is most, and saves half a minute."""


@dataclass(frozen=True, slots=True)
class Ahead:
    """Probabilities that one side has more, as many or fewer cubes than the other; they sum to 1."""

    wins: float
    even: float
    loses: float


def odds_of_coming_out(rates: Rates, thrown: int, stuck: int) -> tuple[float, ...]:
    """Return the probability of each number of cubes that may come out, from 0 to all."""
    return _convolve(_binomial(rates.fresh, thrown), _binomial(rates.stuck, stuck))


def mean(rates: Rates, thrown: int, stuck: int) -> float:
    """Return the expected number of cubes that come out."""
    return rates.fresh * thrown + rates.stuck * stuck


def variance(rates: Rates, thrown: int, stuck: int) -> float:
    """Return the variance of the number of cubes that come out."""
    return rates.fresh * (1 - rates.fresh) * thrown + rates.stuck * (1 - rates.stuck) * stuck


def compare_sides(own: Sequence[float], other: Sequence[float]) -> Ahead:
    """Compare two sides, given the probability of each number of their cubes."""
    fewer = accumulate(chain(other, repeat(0.0)), initial=0.0)
    wins = sum(chance * behind for chance, behind in zip(own, fewer, strict=False))
    even = sum(own_chance * other_chance for own_chance, other_chance in zip(own, other, strict=False))
    return Ahead(wins, even, max(0.0, 1 - wins - even))


@cache
def _binomial(rate: float, number: int) -> tuple[float, ...]:
    if not 0 < rate < 1:
        return tuple(float(k == number * rate) for k in range(number + 1))
    ways = [lgamma(number + 1) - lgamma(k + 1) - lgamma(number - k + 1) for k in range(number + 1)]
    out, stays = log(rate), log(1 - rate)  # in logarithms: a thousand cubes would overflow
    return tuple(exp(way + k * out + (number - k) * stays) for k, way in enumerate(ways))


def _convolve(first: Sequence[float], second: Sequence[float]) -> tuple[float, ...]:
    total = [0.0] * (len(first) + len(second) - 1)
    relevant = [(by, more) for by, more in enumerate(second) if more > _NEGLIGIBLE]
    for index, chance in enumerate(first):
        if chance > _NEGLIGIBLE:
            for by, more in relevant:
                total[index + by] += chance * more
    return tuple(total)
