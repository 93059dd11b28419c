"""The two-rate model: its probabilities against enumeration, and against published figures."""

from itertools import product
from math import isclose

import pytest

from companion.tower.odds import (
    PUBLISHED,
    Rates,
    _convolve,
    compare_sides,
    mean,
    odds_of_coming_out,
    variance,
)


def test_chances_are_those_of_counting_every_way() -> None:
    """Two thrown and one stuck: eight outcomes, each with its own probability."""
    rates = Rates(0.7, 0.2)
    ways = [0.0] * 4
    for falls in product((0, 1), repeat=3):
        chance = 1.0
        for fell, rate in zip(falls, (0.7, 0.7, 0.2), strict=True):
            chance *= rate if fell else 1 - rate
        ways[sum(falls)] += chance
    assert odds_of_coming_out(rates, 2, 1) == pytest.approx(ways)


@pytest.mark.parametrize(("thrown", "stuck"), [(0, 0), (1, 0), (0, 3), (12, 7), (1500, 40)])
def test_mean_and_variance_are_those_of_the_chances(thrown: int, stuck: int) -> None:
    chances = odds_of_coming_out(PUBLISHED, thrown, stuck)
    assert isclose(sum(chances), 1.0)
    middle = sum(number * chance for number, chance in enumerate(chances))
    assert isclose(middle, mean(PUBLISHED, thrown, stuck), abs_tol=1e-9)
    spread = sum((number - middle) ** 2 * chance for number, chance in enumerate(chances))
    assert isclose(spread, variance(PUBLISHED, thrown, stuck), abs_tol=1e-9)


@pytest.mark.parametrize(
    ("own", "other", "wins"),
    [((5, 0), (5, 0), 0.37), ((5, 3), (5, 0), 0.61), ((5, 0), (5, 3), 0.19)],
)
def test_five_against_five_is_won_as_the_host_s_page_says(
    own: tuple[int, int], other: tuple[int, int], wins: float
) -> None:
    """`host.tower_note`: 61 of 100 with three own cubes inside, 19 with three of the foe's, else 37."""
    odds = compare_sides(odds_of_coming_out(PUBLISHED, *own), odds_of_coming_out(PUBLISHED, *other))
    assert round(odds.wins, 2) == pytest.approx(wins, abs=0.011)
    assert isclose(odds.wins + odds.even + odds.loses, 1.0)


class Counted(float):
    """A probability that counts how often it is multiplied."""

    products = 0

    def __mul__(self, other: float) -> float:
        Counted.products += 1
        return float(self) * other


def test_a_throw_of_thousands_is_reckoned_without_what_never_happens() -> None:
    """A file may claim ten thousand cubes of a colour, whose odds blocked the table for half a minute."""
    many = 2000
    fresh, stuck = odds_of_coming_out(PUBLISHED, many, 0), odds_of_coming_out(PUBLISHED, 0, many)
    both = _convolve([Counted(chance) for chance in fresh], stuck)
    assert isclose(sum(both), 1.0)
    assert Counted.products < many * many / 10
    assert isclose(compare_sides(both, both).wins, compare_sides(both, both).loses)
