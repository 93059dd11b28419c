"""Odds of counts: sums of unequal coin flips, and what ledger and scale make of them."""

from collections.abc import Sequence
from itertools import pairwise, product
from math import erf, exp, prod, sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.vision.test_possible import place
from vision.counting.odds import belief, count_odds
from vision.counting.possible import colours_certainty, count_with_ledger
from vision.palette import SHOGUN

chances = st.lists(st.floats(0, 1), max_size=12)


def _scale_odds(cubes: int, spread: float) -> list[float]:
    """Odds of 0, 1, 2, … cubes for a scale that shows this many, give or take `spread`."""
    below = [(1 + erf((number - 0.5 - cubes) / spread / sqrt(2))) / 2 for number in range(20)]
    return [upper - lower for lower, upper in pairwise(below)]


@given(chances)
def test_odds_are_a_distribution_with_the_right_mean(coins: list[float]) -> None:
    odds = count_odds({"red": coins})["red"]
    assert len(odds) == len(coins) + 1
    assert sum(odds) == pytest.approx(1)
    assert sum(n * p for n, p in enumerate(odds)) == pytest.approx(sum(coins))


@given(chances, chances)
def test_a_picture_alone_is_believed_as_it_is(red: list[float], blue: list[float]) -> None:
    seen = count_odds({"red": red, "blue": blue})
    believed = belief(seen)
    for colour, odds in seen.items():
        assert believed.confidence[colour] == pytest.approx(max(odds))


def test_the_scale_tells_that_a_hidden_cube_is_there() -> None:
    seen = count_odds({"red": [0.99, 0.98, 0.4], "blue": [0.99]})
    assert belief(seen).counts == {"red": 2, "blue": 1}
    weighed = belief(seen, total_odds=_scale_odds(4, 0.2))
    assert weighed.counts == {"red": 3, "blue": 1}
    assert weighed.confidence["red"] > 0.95


def _ledger_weight(number: int, most: int | None) -> float:
    return 1.0 if most is None or number <= most else 0.01 * 0.5 ** (number - most - 1)


def _odds_with_miscount(odds: Sequence[float]) -> list[float]:
    """One more or one fewer than any candidate shows, each in 0.3 % of trays; never fewer than none."""
    off = [0.0, *odds, 0.0, 0.0]
    wider = [0.003 * off[n] + 0.994 * off[n + 1] + 0.003 * off[n + 2] for n in range(len(odds) + 1)]
    return [wider[0] + 0.003 * odds[0], *wider[1:]]


@given(
    st.lists(st.lists(st.floats(0, 1), max_size=3), min_size=1, max_size=3),
    st.floats(0, 9),
    st.floats(0.1, 2),
    st.none() | st.lists(st.integers(0, 3), min_size=3, max_size=3),
)
def test_beside_a_weight_the_most_probable_tray_is_the_one_that_trying_all_of_them_finds(
    coins: list[list[float]], mean: float, spread: float, most: list[int] | None
) -> None:
    """The product of each colour's own odds is less: red one more and blue one fewer is one doubt, not two.

    The ledger, which is already in the odds, counts once, and also limits what no candidate shows.
    """
    picture = count_odds({str(number): flips for number, flips in enumerate(coins)})
    ledger = {
        c: [_ledger_weight(n, None if most is None else most[int(c)]) for n in range(5)] for c in picture
    }
    seen = {c: tuple(p * weight for p, weight in zip(o, ledger[c], strict=False)) for c, o in picture.items()}
    seen = {c: tuple(p / sum(odds) for p in odds) for c, odds in seen.items()}
    total = [exp(-(((number - mean) / spread) ** 2)) for number in range(13)]
    at_most = None if most is None else {str(place): number for place, number in enumerate(most) if number}
    believed = belief(seen, at_most, total_odds=total)
    wider = [
        [p * ledger[c][n] for n, p in enumerate(_odds_with_miscount(odds))] for c, odds in picture.items()
    ]
    trays = {
        counts: prod(odds[n] for odds, n in zip(wider, counts, strict=True)) * (total[sum(counts)] + 1e-12)
        for counts in product(*(range(len(odds)) for odds in wider))
    }
    whole = sum(trays.values())
    assert believed.probability == pytest.approx(max(trays.values()) / whole)
    assert trays[tuple(believed.counts.values())] == pytest.approx(max(trays.values()))
    for index, (colour, confidence) in enumerate(believed.confidence.items()):
        agreeing = sum(chance for tray, chance in trays.items() if tray[index] == believed.counts[colour])
        assert confidence == pytest.approx(agreeing / whole)


def test_one_cube_of_either_colour_is_one_doubt() -> None:
    """Eight dark cubes, one of them black or blue. The product of both colours' odds doubted that cube twice,
    and hardly at all with the total given, though a weight says nothing about colours."""
    found = [place(black=1.0)] * 7 + [place(black=0.98, blue=0.02)]
    _, seen = count_with_ledger(found, SHOGUN)
    assert belief(
        seen, total_odds=_scale_odds(8, 0.1), named=colours_certainty(found)
    ).probability == pytest.approx(0.98, abs=0.003)


def test_a_weight_makes_no_colour_sure() -> None:
    """Two cubes with two likely colours each and one hardly visible, on a scale that is sure of three."""
    found = [place(red=0.93, blue=0.07), place(blue=0.95, black=0.05), place(red=0.6)]
    _, seen = count_with_ledger(found, SHOGUN)
    believed = belief(seen, total_odds=_scale_odds(3, 0.1), named=colours_certainty(found))
    assert {c: n for c, n in believed.counts.items() if n} == {"red": 2, "blue": 1}
    assert believed.probability < 0.93 * 0.95
    assert prod(believed.confidence.values()) < 0.93 * 0.95


def test_what_shows_clearly_is_believed_beside_a_weight_and_against_the_ledger() -> None:
    """Five red cubes, of which the ledger has three (people forget some), and what may be a blue one."""
    _, seen = count_with_ledger(
        [place(red=0.999)] * 5 + [place(blue=0.4)], SHOGUN, {"red": 3, "blue": 2, "green": 9}
    )
    believed = belief(seen, {"red": 3, "blue": 2, "green": 9}, total_odds=_scale_odds(6, 0.2))
    assert {c: n for c, n in believed.counts.items() if n} == {"red": 5, "blue": 1}


def test_a_cube_that_no_candidate_tells_of_has_a_colour_that_can_come_out() -> None:
    _, seen = count_with_ledger([place(black=0.999)] * 2, SHOGUN, {"black": 2, "yellow": 1})
    believed = belief(seen, {"black": 2, "yellow": 1}, total_odds=_scale_odds(3, 0.1))
    assert {c: n for c, n in believed.counts.items() if n} == {"black": 2, "yellow": 1}
