"""Small tables for tests: a game brought to where the test begins."""

from collections.abc import Sequence
from typing import Any

from companion.games.protocol import Json
from companion.games.shogun import commands as c
from companion.games.shogun.decide import decide
from companion.games.shogun.deciding.planning import to_place
from companion.games.shogun.events import Event
from companion.games.shogun.evolve import evolve
from companion.games.shogun.setup import new
from companion.games.shogun.state import State, hand
from companion.games.shogun.words import BLUE, RED, YELLOW, Phase, Space

SEATS = (BLUE, RED, YELLOW)


def after(state: State | None, events: Sequence[Event]) -> State:
    """The state after events."""
    for event in events:
        state = evolve(state, event)
    assert state is not None
    return state


def do(state: State, *commands: c.Command) -> State:
    """Commands one after the other."""
    for command in commands:
        state = after(state, decide(state, command))
    return state


def opened(**options: Any) -> State:
    """A new table; predetermined, three players, unless told otherwise."""
    asked: Json = {"players": list(SEATS), "seed": 4, **options}
    return after(None, new(asked))


def planning(**options: Any) -> State:
    """The first planning of a new game, the tower filled without a cube falling out."""
    return do(opened(**options), c.Settle({}))


def planned(state: State) -> State:
    """Everybody plans any cards on the phone; nobody bids more than there is."""
    for seat in state.seats:
        while len(state.players[seat].plan) < to_place(state, seat):
            space = next(space for space in Space if space not in state.players[seat].plan)
            cards = [card for card in hand(state, seat) if space is not Space.AUCTION or card != "chest_4"]
            state = do(state, c.Place(seat, space, cards[0]))
        state = do(state, c.Ready(seat))
    return state


def acting(**options: Any) -> State:
    """The first turn of the first action."""
    state = planned(planning(**options))
    while state.phase is Phase.ORDER:
        state = do(state, _any_special(state))
    return state


def _any_special(state: State) -> c.Command:
    taken = {player.special for player in state.players.values()}
    chooser = next(seat for seat in state.choosing if state.players[seat].special is None)
    return c.Choose(chooser, next(special for special in state.specials if special not in taken))


def free(**options: Any) -> State:
    """Blue in Mino beside yellow's Omi, with some cubes in the tower."""
    asked: Json = {
        "players": ["blue", "yellow"],
        "start": "free",
        "provinces": {"mino": {"owner": "blue", "armies": 6}, "omi": {"owner": "yellow", "armies": 3}},
        "tower": {"blue": 4, "yellow": 4, "green": 6},
        **options,
    }
    return after(None, new(asked))
