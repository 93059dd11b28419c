"""Phones and real cards at one table, and every offered command."""

import random

import pytest

from companion.games.shogun import commands as c
from companion.games.shogun.check import find_faults
from companion.games.shogun.decide import decide
from companion.games.shogun.legal import legal
from companion.games.shogun.state import State, hand
from companion.games.shogun.words import PLAYERS, Phase
from tests.companion.games.shogun import bots
from tests.companion.games.shogun.tables import after, do, opened


def _next_command(state: State, chance: random.Random) -> c.Command:
    """Return the next command; every other seat plans with real cards."""
    if state.throw is not None or state.phase is not Phase.PLANNING:
        chosen = bots.next_command(state, chance)
        return _reveal_real_cards(state, chance) if isinstance(chosen, c.Reveal) else chosen
    seat = next(seat for seat, player in state.players.items() if not player.ready)
    if state.seats.index(seat) % 2 == 0:
        return c.Ready(seat, by_cards=True)
    return bots.next_command(state, chance)


def _reveal_real_cards(state: State, chance: random.Random) -> c.Command:
    with_cards = [seat for seat, player in state.players.items() if player.by_cards]
    return c.Reveal({seat: chance.choice([*hand(state, seat), None]) for seat in with_cards})


@pytest.mark.parametrize("number", range(4))
def test_P7_T2_phones_and_real_cards_play_one_game_to_its_end(number: int) -> None:
    chance = random.Random(number)
    state = opened(players=list(PLAYERS[: 3 + number % 3]), seed=number, by_table=number % 2 == 0)
    while state.phase is not Phase.OVER:
        state = do(state, _next_command(state, chance))
        assert find_faults(state) == ()
    assert state.winners


@pytest.mark.parametrize("number", range(3))
def test_A2_every_command_that_is_offered_is_accepted(number: int) -> None:
    for state in bots.play(number).states[::60]:
        for seat in (*state.seats, None):
            for command in legal(state, seat):
                assert find_faults(after(state, decide(state, command))) == ()
