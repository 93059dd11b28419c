"""What the ledger does to places: impossible colours become unlikely, and what shows clearly stays."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.vision.drawn_tray import drawn_tray
from vision.counting.odds import FORGOTTEN
from vision.counting.possible import apply_ledger, chance_of_one_more, colours_certainty, count_with_ledger
from vision.finding.candidates import Candidate
from vision.palette import SHOGUN
from vision.reader import TrayReader

RED, BLUE, BLACK = (SHOGUN.colours.index(c) for c in ("red", "blue", "black"))
PLENTY = dict.fromkeys(SHOGUN.colours, 30)


def place(**chances: float) -> Candidate:
    """A place that may be a cube of each of these colours, else none."""
    presence = sum(chances.values())
    shares = [chances.get(c, 0.0) / max(1e-12, presence) for c in SHOGUN.colours]
    return Candidate((100.0, 100.0), 20.0, presence, tuple(shares))


def chances(candidate: Candidate) -> list[float]:
    return [candidate.presence * share for share in candidate.shares]


@st.composite
def heaps(draw: st.DrawFn) -> list[Candidate]:
    parts = st.lists(st.floats(0.01, 1), min_size=4, max_size=4)
    drawn = [np.array(draw(parts)) for _ in range(draw(st.integers(1, 5)))]
    return [place(**dict(zip(("red", "blue", "black"), (p / p.sum())[1:], strict=True))) for p in drawn]


def enumerate_trays(found: Sequence[Candidate], most: int) -> tuple[list[list[float]], list[float]]:
    """By enumerating every tray: probabilities of each place, odds of the number of reds, hardly more than
    `most`."""
    coins = [[*chances(candidate), 1 - candidate.presence] for candidate in found]
    totals = np.zeros((len(found), len(SHOGUN.colours)))
    odds = np.zeros(len(found) + 1)
    for tray in product((RED, BLUE, BLACK, len(SHOGUN.colours)), repeat=len(found)):
        reds = tray.count(RED)
        weight = FORGOTTEN * 0.5 ** (reds - most - 1) if reds > most else 1.0
        probability = weight * float(np.prod([coins[n][colour] for n, colour in enumerate(tray)]))
        odds[reds] += probability
        for n, colour in enumerate(tray):
            if colour < len(SHOGUN.colours):
                totals[n, colour] += probability
    return (totals / odds.sum()).tolist(), (odds / odds.sum()).tolist()


@given(heaps(), st.integers(0, 4))
def test_one_limited_colour_is_what_counting_every_tray_gives(found: list[Candidate], most: int) -> None:
    after, odds = apply_ledger(found, SHOGUN, {**PLENTY, "red": most})
    expected, numbers = enumerate_trays(found, most)
    assert np.array([chances(candidate) for candidate in after]) == pytest.approx(
        np.array(expected), abs=1e-3
    )
    if "red" in odds:
        assert odds["red"] == pytest.approx(numbers)


@given(heaps(), st.dictionaries(st.sampled_from(SHOGUN.colours), st.integers(0, 5)))
def test_it_stays_probabilities_whatever_the_ledger_says(
    found: list[Candidate], at_most: dict[str, int]
) -> None:
    after, odds = count_with_ledger(found, SHOGUN, at_most)
    for candidate in after:
        assert 0 <= candidate.presence <= 1 + 1e-9
        assert sum(candidate.shares) == pytest.approx(1)
    for colour_odds in odds.values():
        assert sum(colour_odds) == pytest.approx(1)


def test_a_roomy_ledger_changes_nothing() -> None:
    found = [place(red=0.9, blue=0.05), place(black=0.5)]
    after, odds = apply_ledger(found, SHOGUN, PLENTY)
    assert (after, odds) == (found, {})


def test_what_may_be_black_or_blue_is_blue_where_no_black_can_be() -> None:
    [candidate], odds = count_with_ledger([place(black=0.6, blue=0.38)], SHOGUN, {**PLENTY, "black": 0})
    assert SHOGUN.colours[candidate.colour_index] == "blue"
    assert candidate.presence * candidate.shares[BLUE] > 0.9
    assert odds["blue"][1] > 0.9


def test_the_surest_of_three_are_red_where_two_can_be() -> None:
    found = [place(red=0.99), place(red=0.55), place(red=0.99)]
    after, odds = count_with_ledger(found, SHOGUN, {**PLENTY, "red": 2})
    assert after[1].presence < 0.1
    assert min(after[0].presence, after[2].presence) > 0.9
    assert odds["red"][2] > 0.9


def test_what_shows_clearly_stays_for_people_forget_cubes() -> None:
    """Five red cubes that nobody entered, and a black one."""
    found = [place(red=0.999)] * 5 + [place(black=0.9995)]
    after, odds = count_with_ledger(found, SHOGUN, {"blue": 4})
    assert all(candidate.presence > 0.9 for candidate in after)
    assert int(np.argmax(odds["red"])) == 5
    assert int(np.argmax(odds["black"])) == 1


def test_another_cube_of_a_colour_can_hardly_lie_unseen_when_all_are_seen() -> None:
    seen = [place(red=1.0), place(red=1.0)]
    assert chance_of_one_more("red", seen, SHOGUN, None) == 1
    assert chance_of_one_more("red", seen, SHOGUN, {"red": 3}) == 1
    assert chance_of_one_more("red", seen, SHOGUN, {"red": 2}) == FORGOTTEN
    assert chance_of_one_more("black", seen, SHOGUN, {"red": 2}) == FORGOTTEN


def test_a_reader_that_is_told_what_can_be_there_doubts_less() -> None:
    """A picture of red cubes, read with a ledger that has no more of them."""
    reader, picture = TrayReader(), drawn_tray([("red", x, 0) for x in (-40, 0, 40)])
    alone, beside = reader.read(picture), reader.read(picture, {"red": 3})
    assert alone.counts == beside.counts
    assert beside.confidence["red"] > alone.confidence["red"]
    assert 0.9 < alone.named < 1


def test_colours_of_what_is_counted_are_as_sure_as_all_of_its_shares() -> None:
    assert colours_certainty(
        [place(red=0.8, blue=0.2), place(red=0.57, blue=0.03), place(black=0.3)]
    ) == pytest.approx(0.76)
    assert colours_certainty([]) == 1


def test_lower_cubes_are_limited_too() -> None:
    upper = place(red=0.999)
    found = [upper, replace(place(red=0.4), under=True)]
    after, _ = count_with_ledger(found, SHOGUN, {**PLENTY, "red": 1})
    assert after[1].presence < 0.05
