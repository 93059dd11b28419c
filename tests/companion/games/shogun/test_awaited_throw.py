"""Commands that are given while a throw is awaited (B-1, R-23)."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from companion.games.shogun import commands as c
from companion.games.shogun.legal import legal
from companion.games.shogun.state import State, owned, supply
from companion.games.shogun.words import BLUE, RED, YELLOW, Phase, Space
from tests.companion.games.shogun.tables import choice, do, free, opened, planned, planning, refused


def _draft() -> tuple[State, c.Command]:
    state = opened(start="draft")
    assert state.draft is not None
    first, second = state.draft.open
    return do(state, c.Take(BLUE, first, 5)), c.Take(RED, second, 5)


def _draft_with_the_same_cards() -> tuple[State, c.Command]:
    state = do(opened(start="draft"), *(c.Take(seat, "pile", 5) for seat in (BLUE, RED, YELLOW)))
    return state, c.Swap(BLUE)


def _year() -> tuple[State, c.Command]:
    return do(opened(by_table=True), c.Settle({})), c.Lay(("1", "2", "3", "4"))


def _bids() -> tuple[State, c.Command]:
    state = do(planning(), *(c.Ready(seat, by_cards=True) for seat in (BLUE, RED, YELLOW)))
    return state, c.Reveal(dict.fromkeys(state.seats))


def _order() -> tuple[State, c.Command]:
    state = planned(planning())
    return state, choice(state)


def _hunger() -> tuple[State, c.Command]:
    board = {"omi": {"owner": "yellow", "armies": 3}, "kai": {"owner": "yellow", "armies": 1}}
    state = opened(start="board", season="winter", year_events=[7], provinces=board)
    return do(state, c.LoseRice()), c.DrawRevolts(YELLOW)


_STAGES = (_draft, _draft_with_the_same_cards, _year, _bids, _order, _hunger)


@pytest.mark.parametrize("stage", _STAGES, ids=lambda stage: stage.__name__.strip("_"))
def test_B1_nothing_moves_on_while_a_throw_out_of_turn_is_awaited(
    stage: Callable[[], tuple[State, c.Command]],
) -> None:
    """It was carried out, although neither a seat nor the table was offered it."""
    state, command = stage()
    province = next(p for seat in state.seats for p in owned(state, seat))
    awaited = do(state, c.DeclareRevolt(province, 1))
    assert [legal(awaited, seat) for seat in (*state.seats, None)] == [[], [], [], [c.CallOff()]]
    assert refused(awaited, command) == "B-1"
    assert do(awaited, c.CallOff(), command) == do(state, command)


def test_P8_planning_goes_on_while_a_throw_is_awaited() -> None:
    """The pages let cards be placed meanwhile; the round then waits for the throw at the special cards."""
    state = planning()
    state = planned(do(state, c.DeclareRevolt(owned(state, BLUE)[0], 1)))
    assert state.phase is Phase.ORDER
    assert Space.AUCTION in state.players[BLUE].plan
    settled = do(state, c.Settle({}))
    do(settled, choice(settled))


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
