"""What throws tell about a tower, with throws whose answer is known."""

import random

import pytest

from companion.tower.odds import PUBLISHED, Rates, odds_of_coming_out
from companion.tower.piles import Colour, minus, plus, without_zeros
from companion.tower.statistics import (
    FEWEST,
    Sides,
    Thrown,
    battles,
    chance_of_result,
    fit,
    kept,
    per_colour,
)

RED, BLUE, GREEN = Colour("red"), Colour("blue"), Colour("green")


def simulated(rates: Rates, throws: int, seed: int) -> list[Thrown]:
    """Return throws of a tower that follows the model: red and blue fight, and what stays is inside."""
    chance = random.Random(seed)
    inside: dict[Colour, int] = {RED: 4, BLUE: 4}
    simulated_throws = []
    for _ in range(throws):
        went_in = {RED: chance.randint(1, 8), BLUE: chance.randint(1, 8)}
        out = {c: _count_fallen(chance, rates, went_in[c], inside.get(c, 0)) for c in (RED, BLUE)}
        simulated_throws.append(Thrown(went_in, dict(inside), without_zeros(out), Sides(RED, BLUE)))
        inside = minus(plus(inside, went_in), out)
    return simulated_throws


def _count_fallen(chance: random.Random, rates: Rates, thrown: int, stuck: int) -> int:
    fresh = sum(chance.random() < rates.fresh for _ in range(thrown))
    return fresh + sum(chance.random() < rates.stuck for _ in range(stuck))


def test_what_went_in_and_came_out_is_summed_per_colour() -> None:
    throws = [
        Thrown({RED: 3, BLUE: 2}, {GREEN: 1}, {RED: 2, GREEN: 1}),
        Thrown({RED: 1}, None, {RED: 2}),
    ]
    red, blue, green = per_colour(throws, (RED, BLUE, GREEN))
    assert (red.went_in, red.came_out, red.known_out) == (4, 4, 2)
    assert (blue.went_in, blue.came_out) == (2, 0)
    assert blue.expected == pytest.approx(4 / 3)
    assert (green.went_in, green.came_out) == (0, 1)
    assert green.expected == pytest.approx(1 / 3)


def test_a_colour_that_never_was_there_has_no_row() -> None:
    assert [one.colour for one in per_colour([Thrown({RED: 1}, {}, {})], (RED, BLUE))] == [RED]


def test_what_is_kept_is_counted_without_gaps_and_the_odds_add_up_to_the_throws() -> None:
    throws = [Thrown({RED: 6}, {}, {RED: 5}), Thrown({RED: 6}, {BLUE: 4}, {RED: 6, BLUE: 2})]
    rows = kept(throws)
    assert {row.cubes: row.throws for row in rows if row.throws} == {1: 1, -2: 1}
    assert [row.cubes for row in rows] == list(range(rows[0].cubes, rows[-1].cubes + 1))
    assert sum(row.expected for row in rows) == pytest.approx(2.0, abs=0.1)


def test_the_odds_of_what_is_kept_speak_of_the_throws_whose_inside_is_known() -> None:
    """Throws after the tower was knocked over were counted, but not included in the odds beside them."""
    rows = kept([Thrown({RED: 6}, {}, {RED: 4}), Thrown({RED: 6}, None, {RED: 4})])
    assert [(row.throws, row.known) for row in rows if row.throws] == [(2, 1)]
    assert sum(row.expected for row in rows) == pytest.approx(1.0, abs=0.1)


def test_battles_are_held_against_what_the_model_says_of_each() -> None:
    """One cube against one in an empty tower: 2/9 for each side, 5/9 even."""
    throw = Thrown({RED: 1, BLUE: 1}, {}, {RED: 1}, Sides(RED, BLUE))
    summary = battles([throw, throw])
    assert (summary.ahead.counted, summary.even.counted, summary.behind.counted) == (2, 0, 0)
    assert summary.ahead.expected == pytest.approx(2 * 2 / 9)
    assert summary.even.expected == pytest.approx(2 * 5 / 9)
    assert chance_of_result(throw) == pytest.approx(2 / 9)


def test_one_battle_is_as_strange_as_it_was_unlikely() -> None:
    """With 1 against 1 either side is ahead in two of nine; with 6 against 3 "even" and "behind" together
    are one in seven, and both were called strange."""
    throw = Thrown({RED: 1, BLUE: 1}, {}, {RED: 1}, Sides(RED, BLUE))
    assert battles([throw]).chance == pytest.approx(4 / 9)
    uneven = [Thrown({RED: 6, BLUE: 3}, {}, out, Sides(RED, BLUE)) for out in ({RED: 1, BLUE: 1}, {BLUE: 1})]
    even, behind = (chance_of_result(throw) for throw in uneven)
    assert even is not None
    assert behind is not None
    assert battles(uneven[:1]).chance == pytest.approx(even + behind)
    assert battles(uneven[1:]).chance == pytest.approx(behind)
    assert battles([Thrown({}, {}, {}, Sides(RED, BLUE))]).chance is None


@pytest.mark.parametrize(("throws", "least"), [(1, 0.0), (4, 0.02), (25, 0.03), (41, 0.03)])
def test_results_of_the_very_model_are_called_strange_once_in_twenty_towers(
    throws: int, least: float
) -> None:
    """It was once in ten, because one of three counts is often outside its range."""
    chances = [battles(simulated(PUBLISHED, throws, seed)).chance for seed in range(1000)]
    share = sum(chance is not None and chance < 0.05 for chance in chances) / len(chances)
    assert least <= share < 0.07


def test_many_battles_are_as_strange_as_few_by_the_approximation() -> None:
    """Where the exact sum ends, the chi-square distribution goes on without a jump."""
    ahead, even, behind = (
        Thrown({RED: 3, BLUE: 3}, {}, out, Sides(RED, BLUE)) for out in ({RED: 1}, {}, {BLUE: 1})
    )
    exact, approximate = (
        battles([*[ahead] * number, *[even] * 7, *[behind] * 14]).chance for number in (19, 20)
    )
    assert exact is not None
    assert approximate == pytest.approx(exact, rel=0.5)


def test_a_throw_whose_inside_is_unknown_is_held_against_no_odds() -> None:
    throw = Thrown({RED: 1, BLUE: 1}, None, {RED: 1}, Sides(RED, BLUE))
    assert battles([throw]).number == 0
    assert chance_of_result(throw) is None


def test_a_model_s_own_throws_lie_within_the_range_it_gives() -> None:
    """Ranges of two standard deviations hold for 19 of 20: of forty towers a few may miss, but not many."""
    missed = 0
    for seed in range(40):
        summary = battles(simulated(PUBLISHED, 60, seed))
        missed += abs(summary.ahead.counted - summary.ahead.expected) > 2 * summary.ahead.spread
    assert missed <= 6


def test_another_tower_s_rates_are_found_and_the_published_ones_are_outside() -> None:
    fitted = fit(simulated(Rates(0.85, 0.2), 200, 7))
    assert fitted is not None
    assert abs(fitted.rates.fresh - 0.85) < 3 * fitted.fresh_sd
    assert abs(fitted.rates.stuck - 0.2) < 3 * fitted.stuck_sd
    assert abs(fitted.rates.fresh - PUBLISHED.fresh) > 4 * fitted.fresh_sd


def test_too_few_throws_have_no_rates() -> None:
    assert fit(simulated(PUBLISHED, FEWEST - 1, 1)) is None
    assert fit(simulated(PUBLISHED, FEWEST, 1)) is not None


def test_throws_that_scatter_more_than_the_model_widen_the_range() -> None:
    """A tower that releases all or nothing has the same mean, but much less is known about its rates."""
    calm = [Thrown({RED: 6}, {RED: 3}, {RED: 5}), Thrown({RED: 3}, {RED: 6}, {RED: 4})] * 10
    wild = [Thrown({RED: 6}, {RED: 3}, {RED: out}) for out in (9, 1)] * 5 + [
        Thrown({RED: 3}, {RED: 6}, {RED: out}) for out in (8, 0)
    ] * 5
    calm_fit, wild_fit = fit(calm), fit(wild)
    assert calm_fit is not None
    assert wild_fit is not None
    assert wild_fit.fresh_sd > 2 * calm_fit.fresh_sd


def test_whole_throws_that_vary_widen_the_range_too() -> None:
    """Three throws in ten are careless, all colours alike; the range then held only 89 times in 100."""
    careless_share, careless = 0.3, Rates(0.3, 0.15)
    true_rate = (1 - careless_share) * PUBLISHED.fresh + careless_share * careless.fresh
    fits = [fit(_throws_of_two_hands(seed, careless_share, careless)) for seed in range(500)]
    within_range = sum(
        abs(fitted.rates.fresh - true_rate) < 1.96 * fitted.fresh_sd for fitted in fits if fitted
    )
    assert within_range >= 0.925 * len(fits)


def _throws_of_two_hands(seed: int, careless_share: float, careless: Rates) -> list[Thrown]:
    chance, colours = random.Random(seed), [RED, BLUE, GREEN, Colour("black"), Colour("yellow")]
    inside = dict.fromkeys(colours, 0)
    throws = []
    for _ in range(30):
        rates = careless if chance.random() < careless_share else PUBLISHED
        went_in = {colour: chance.randint(1, 7) for colour in chance.sample(colours, 2)}
        out = {c: _count_fallen(chance, rates, went_in.get(c, 0), inside[c]) for c in colours}
        throws.append(Thrown(went_in, without_zeros(inside), without_zeros(out)))
        inside = {c: inside[c] + went_in.get(c, 0) - out[c] for c in colours}
    return throws


def test_all_that_is_thrown_and_nothing_stuck_can_be_fitted_by_no_line() -> None:
    """Nothing can be said about stuck cubes if there never were any."""
    assert fit([Thrown({RED: 5}, {}, {RED: 5})] * FEWEST) is None


def test_the_chances_cover_all_numbers() -> None:
    assert len(odds_of_coming_out(PUBLISHED, 30, 20)) == 51
