"""Commands that are given while a throw is awaited (B-1, R-23)."""

from dataclasses import replace

from companion.games.shogun import commands as c
from companion.games.shogun.state import supply
from companion.games.shogun.words import BLUE, YELLOW
from tests.companion.games.shogun.tables import do, free


def test_R23_L4_a_defender_whose_supply_is_below_none_adds_no_army() -> None:
    """An army was taken from a negative supply: a correction had left -1 cubes."""
    state = do(free(), c.Declare(BLUE, "omi", 4, "mino"), c.Correct(c.Fact.TOWER, "yellow", 60))
    assert supply(state, YELLOW) < 0
    assert state.throw is not None
    asked = replace(state, throw=replace(state.throw, ask_defence=True))
    answered = do(asked, c.Defend(YELLOW, bonus=True))
    assert answered.throw is not None
    assert answered.throw.extra_defence == 0
    assert supply(answered, YELLOW) == supply(state, YELLOW)
