"""Odds of a throw by a model of two rates: a cube thrown in comes out with one, a stuck one with another.

The rates that are used until a tower has its own are those of SpielByWeb's model of the Wallenstein tower,
quoted at bgdf.com/node/180: 2 of 3 thrown, 1 of 3 stuck, however many are thrown. A model, not a law: real
towers differ, and a careless throw changes them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import accumulate, chain, repeat
from math import exp, lgamma, log


@dataclass(frozen=True, slots=True)
class Rates:
    """Chances to come out, each from 0 to 1."""

    fresh: float
    """Of a cube that is thrown in now."""
    stuck: float
    """Of one that was inside before."""


PUBLISHED = Rates(2 / 3, 1 / 3)
_NEVER = 1e-18
"""Of thousands of cubes nearly all numbers are that unlikely: one throw took half a minute with them."""


@dataclass(frozen=True, slots=True)
class Ahead:
    """Chances of one side against another; they add up to 1."""

    wins: float
    even: float
    loses: float


def coming_out(rates: Rates, thrown: int, stuck: int) -> tuple[float, ...]:
    """Chance of each number that may come out, from 0 to all."""
    return _sum(_several(rates.fresh, thrown), _several(rates.stuck, stuck))


def mean(rates: Rates, thrown: int, stuck: int) -> float:
    """How many come out on average."""
    return rates.fresh * thrown + rates.stuck * stuck


def variance(rates: Rates, thrown: int, stuck: int) -> float:
    """Of that number."""
    return rates.fresh * (1 - rates.fresh) * thrown + rates.stuck * (1 - rates.stuck) * stuck


def against(own: Sequence[float], other: Sequence[float]) -> Ahead:
    """More of one side than of the other, from the chances of each number."""
    fewer = accumulate(chain(other, repeat(0.0)), initial=0.0)
    wins = sum(chance * behind for chance, behind in zip(own, fewer, strict=False))
    even = sum(one * two for one, two in zip(own, other, strict=False))
    return Ahead(wins, even, max(0.0, 1 - wins - even))


@cache
def _several(rate: float, number: int) -> tuple[float, ...]:
    if not 0 < rate < 1:
        return tuple(float(k == number * rate) for k in range(number + 1))
    ways = [lgamma(number + 1) - lgamma(k + 1) - lgamma(number - k + 1) for k in range(number + 1)]
    out, stays = log(rate), log(1 - rate)  # in logarithms: of a thousand cubes there are too many ways
    return tuple(exp(way + k * out + (number - k) * stays) for k, way in enumerate(ways))


def _sum(one: Sequence[float], other: Sequence[float]) -> tuple[float, ...]:
    found = [0.0] * (len(one) + len(other) - 1)
    some = [(by, more) for by, more in enumerate(other) if more > _NEVER]
    for at, chance in enumerate(one):
        if chance > _NEVER:
            for by, more in some:
                found[at + by] += chance * more
    return tuple(found)
