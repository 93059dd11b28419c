"""Whole random games: invariants after every event, and what no seat may see."""

from collections.abc import Iterator

import pytest

from companion.games.shogun.check import find_faults
from companion.games.shogun.events import GameEnded, Scored
from companion.games.shogun.evolve import evolve
from companion.games.shogun.state import State
from tests.companion.games.shogun import bots

GAMES = 12


@pytest.fixture(scope="module", params=range(GAMES))
def played(request: pytest.FixtureRequest) -> bots.Played:
    """Return one of the games, which cycle through 3 to 5 players, both sides, draft and predetermined."""
    number: int = request.param
    return bots.play(number)


def test_X1_X2_X3_X4_X5_X6_X7_X8_X9_hold_after_every_event(played: bots.Played) -> None:
    for event, state in zip(played.events, played.states, strict=True):
        assert find_faults(state) == (), event


def test_T10_every_game_ends_after_two_scored_winters(played: bots.Played) -> None:
    assert sum(isinstance(event, Scored) for event in played.events) == 2
    assert isinstance(played.events[-1], GameEnded)
    points = {seat: player.points for seat, player in played.states[-1].players.items()}
    assert all(points[winner] == max(points.values()) for winner in played.states[-1].winners)


def test_replay_from_json_is_the_live_game_and_undo_any_earlier_state(played: bots.Played) -> None:
    """Undo replays fewer events: each prefix gives exactly the state at that time."""
    for state, live in zip(_replayed_states(played), played.states, strict=True):
        assert state == live


def _replayed_states(played: bots.Played) -> Iterator[State]:
    state: State | None = None
    for event in played.events:
        state = evolve(state, bots.GAME.decode_event(bots.GAME.encode_event(event)))
        yield state


def test_C6_P7_R36_no_view_leaks_a_secret(played: bots.Played) -> None:
    assert [leak for state in played.states[::20] for leak in bots.leaks(state)] == []


def test_commands_go_through_json(played: bots.Played) -> None:
    for command in played.commands:
        assert bots.GAME.decode_command(bots.GAME.encode_command(command)) == command


def test_every_event_has_a_title(played: bots.Played) -> None:
    assert all(bots.GAME.title(event) for event in played.events)
