"""Odds of counts: sums of unequal coins, and what ledger and scale make of them."""

from itertools import product
from math import exp, prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.counting.odds import _blurred, belief, count_odds

chances = st.lists(st.floats(0, 1), max_size=12)


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


@given(chances, st.integers(0, 12))
def test_no_more_is_believed_than_the_ledger_allows(coins: list[float], most: int) -> None:
    seen = count_odds({"red": coins})
    believed = belief(seen, at_most={"red": most})
    if sum(seen["red"][: most + 1]) > 1e-6:
        assert believed.counts["red"] <= most


def test_the_scale_tells_that_a_hidden_cube_is_there() -> None:
    seen = count_odds({"red": [0.99, 0.98, 0.4], "blue": [0.99]})
    assert belief(seen).counts == {"red": 2, "blue": 1}
    weighed = belief(seen, total=(4.0, 0.2))
    assert weighed.counts == {"red": 3, "blue": 1}
    assert weighed.confidence["red"] > 0.95


@given(
    st.lists(st.lists(st.floats(0, 1), max_size=3), min_size=1, max_size=3),
    st.floats(0, 9),
    st.floats(0.1, 2),
)
def test_beside_a_weight_the_most_probable_tray_is_the_one_that_trying_all_of_them_finds(
    coins: list[list[float]], mean: float, spread: float
) -> None:
    """A product of each colour's own odds is less: red one more and blue one fewer is one doubt, not two."""
    seen = count_odds({str(number): one for number, one in enumerate(coins)})
    total = [exp(-(((number - mean) / spread) ** 2)) for number in range(13)]
    believed = belief(seen, total_odds=total)
    wider = [_blurred(odds) for odds in seen.values()]
    trays = {
        counts: prod(odds[n] for odds, n in zip(wider, counts, strict=True)) * (total[sum(counts)] + 1e-12)
        for counts in product(*(range(len(odds)) for odds in wider))
    }
    whole = sum(trays.values())
    assert believed.probability == pytest.approx(max(trays.values()) / whole)
    assert trays[tuple(believed.counts.values())] == pytest.approx(max(trays.values()))
    for place, (colour, sure) in enumerate(believed.confidence.items()):
        alike = sum(chance for tray, chance in trays.items() if tray[place] == believed.counts[colour])
        assert sure == pytest.approx(alike / whole)


def test_one_cube_of_either_colour_is_one_doubt() -> None:
    """Eight dark cubes, one of them black or blue: the product of both colours' odds doubted it twice."""
    seen = count_odds({"black": [*[1.0] * 7, 0.98], "blue": [0.02]})
    assert belief(seen, total=(8.0, 0.2)).probability > 0.975


def test_the_ledger_settles_which_of_two_colours_it_is() -> None:
    seen = count_odds({"purple": [0.55], "blue": [0.45]})
    assert belief(seen, at_most={"purple": 0, "blue": 3}, total=(1.0, 0.2)).counts == {"purple": 0, "blue": 1}


def test_evidence_that_excludes_everything_leaves_what_was_seen() -> None:
    seen = count_odds({"red": [1.0]})
    assert belief(seen, at_most={"red": 0}).counts == {"red": 1}
