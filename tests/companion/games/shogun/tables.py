"""Small tables for tests: games brought to the point where a test begins."""

from collections.abc import Sequence
from typing import Any

import pytest

from companion.games.protocol import Json, Refused
from companion.games.shogun import commands as c
from companion.games.shogun.decide import decide
from companion.games.shogun.deciding.planning import to_place
from companion.games.shogun.events import Event
from companion.games.shogun.evolve import evolve
from companion.games.shogun.legal import legal
from companion.games.shogun.setup import new
from companion.games.shogun.state import State, hand
from companion.games.shogun.words import BLUE, RED, YELLOW, Phase, Space

SEATS = (BLUE, RED, YELLOW)


def after(state: State | None, events: Sequence[Event]) -> State:
    """Return the state after events."""
    for event in events:
        state = evolve(state, event)
    assert state is not None
    return state


def do(state: State, *commands: c.Command) -> State:
    """Return the state after commands."""
    for command in commands:
        state = after(state, decide(state, command))
    return state


def opened(**options: Any) -> State:
    """Return a new table: predetermined start and three players by default."""
    table_options: Json = {"players": list(SEATS), "seed": 4, **options}
    return after(None, new(table_options))


def planning(**options: Any) -> State:
    """Return the first planning of a new game, with the tower filled and no cube fallen out."""
    return do(opened(**options), c.Settle({}))


def planned(state: State) -> State:
    """Let everybody plan any cards on the phone, without bidding more chests than they have."""
    for seat in state.seats:
        while len(state.players[seat].plan) < to_place(state, seat):
            space = next(space for space in Space if space not in state.players[seat].plan)
            cards = [card for card in hand(state, seat) if space is not Space.AUCTION or card != "chest_4"]
            state = do(state, c.Place(seat, space, cards[0]))
        state = do(state, c.Ready(seat))
    return state


def acting(**options: Any) -> State:
    """Return the first turn of the first action."""
    state = planned(planning(**options))
    while state.phase is Phase.ORDER:
        state = do(state, _choose_free_special(state))
    return state


def _choose_free_special(state: State) -> c.Command:
    taken = {player.special for player in state.players.values()}
    chooser = next(seat for seat in state.choosing if state.players[seat].special is None)
    return c.Choose(chooser, next(special for special in state.specials if special not in taken))


def free(**options: Any) -> State:
    """Return a free table: blue in Mino beside yellow's Omi, and some cubes in the tower."""
    table_options: Json = {
        "players": ["blue", "yellow"],
        "start": "free",
        "provinces": {"mino": {"owner": "blue", "armies": 6}, "omi": {"owner": "yellow", "armies": 3}},
        "tower": {"blue": 4, "yellow": 4, "green": 6},
        **options,
    }
    return after(None, new(table_options))


def refused(state: State, command: c.Command) -> str:
    """Return the rule by which a command is refused."""
    with pytest.raises(Refused) as refusal:
        decide(state, command)
    assert refusal.value.sentence
    return refusal.value.rule


def any_plan(state: State, seat: str) -> State:
    """Return the state after the seat has planned, with a bid of one chest."""
    planned_state = planned(planning())
    player = planned_state.players[next(s for s in planned_state.seats if s == seat)]
    for space, card in player.plan.items():
        wanted = "chest_1" if space is Space.AUCTION else card
        placed = player.plan[Space.AUCTION] if card == "chest_1" else wanted
        state = do(state, c.Place(next(s for s in state.seats if s == seat), space, placed))
    return do(state, c.Ready(next(s for s in state.seats if s == seat)))


def choice(state: State) -> c.Command:
    """Return the first command that any seat may give."""
    return next(command for seat in state.seats for command in legal(state, seat))


def turn(state: State) -> list[c.Command]:
    """Return the next step: a throw with an empty tray, or the first legal command."""
    if state.throw is not None:
        return [c.Settle({})]
    return [next(command for seat in state.seats for command in legal(state, seat))]
