"""Play whole random games with a simulated tower: `python -m tests.companion.games.shogun.bots 2000`."""

import argparse
import random
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from companion.games.protocol import Json
from companion.games.shogun import commands as c
from companion.games.shogun.check import find_faults
from companion.games.shogun.decide import decide
from companion.games.shogun.deciding.planning import to_place
from companion.games.shogun.events import Event
from companion.games.shogun.evolve import evolve
from companion.games.shogun.game import Shogun
from companion.games.shogun.legal import legal
from companion.games.shogun.setup import new
from companion.games.shogun.state import State, hand, open_place_count
from companion.games.shogun.view import view
from companion.games.shogun.words import PLAYERS, Phase, Space
from companion.measures import from_one
from companion.tower.ledger import pile_to_throw
from companion.tower.piles import Colour, plus

GAME = Shogun()


@dataclass(frozen=True, slots=True)
class Played:
    """A played game: every event, the state after each, and the commands."""

    events: list[Event]
    states: list[State]
    commands: list[c.Command]


def options(number: int) -> Json:
    """Return a table's options, cycling through 3 to 5 players, both sides, draft and predetermined."""
    players = 3 + number % 3
    side = "sun" if number % 2 else "moon"
    start = "predetermined" if side == "sun" and number % 4 == 1 else "draft"
    return {
        "players": list(PLAYERS[:players]),
        "side": side,
        "start": start,
        "oldest": PLAYERS[1],
        "seed": number,
        "house": {"farmers_pay_first": number % 7 != 0, "castle_event_in_revolts": number % 5 == 0},
    }


def tower_gives(state: State, chance: random.Random) -> dict[Colour, int]:
    """Return what a simulated tower releases: most of what is thrown, some of what is inside."""
    tray: dict[Colour, int] = {}
    for colour, number in pile_to_throw(state.ledger).items():
        tray[colour] = sum(chance.random() < 0.65 for _ in range(number))
    for colour, number in state.ledger.tower.items():
        tray[colour] = tray.get(colour, 0) + sum(chance.random() < 0.2 for _ in range(number))
    return plus(tray)


def next_command(state: State, chance: random.Random) -> c.Command:
    """Return a legal command of somebody who may act, or the tower's result if a throw is awaited."""
    if state.throw is not None and not state.throw.ask_defence:
        return c.Settle(tower_gives(state, chance))
    if state.phase is Phase.PLANNING:
        return _plan(state, chance)
    offered = [command for seat in (*state.seats, None) for command in legal(state, seat)]
    return chance.choice(offered)


def _plan(state: State, chance: random.Random) -> c.Command:
    """Return a command that fills the board of the first seat that is not ready, with any of its cards."""
    seat = next(s for s, player in state.players.items() if not player.ready)
    player = state.players[seat]
    if len(player.plan) == to_place(state, seat):
        return c.Ready(seat)
    spaces = [space for space in Space if space not in player.plan]
    cards = list(hand(state, seat))
    chance.shuffle(spaces)
    chance.shuffle(cards)
    worth = {f"chest_{n}": n for n in range(5)}
    for space in spaces:
        for card in cards:
            if space is not Space.AUCTION or worth.get(card, 0) <= player.chests:
                return c.Place(seat, space, card)
    return c.Place(seat, chance.choice(list(player.plan)), None)


def play(number: int, look: Callable[[State, Event, State], None] | None = None) -> Played:
    """Play one whole game, calling `look` after every event."""
    chance = random.Random(number)  # seeded, so that a game can be replayed
    state: State | None = None
    played = Played([], [], [])

    def step(events: list[Event]) -> State:
        nonlocal state
        for event in events:
            before, state = state, evolve(state, event)
            played.events.append(event)
            played.states.append(state)
            if look and before is not None:
                look(before, event, state)
        assert state is not None
        return state

    now = step(new(options(number)))
    while now.phase is not Phase.OVER:
        command = next_command(now, chance)
        played.commands.append(command)
        now = step(decide(now, command))
    return played


def assert_sound(before: State, event: Event, after: State) -> None:
    """Assert what must hold after each event."""
    faults = find_faults(after)
    assert not faults, (event, faults)


def other_secrets(state: State, seat: Colour) -> Iterator[State]:
    """Yield states that differ in one seat's secret: cards placed in another order, two face-down cards
    swapped, one missing."""
    player = state.players[seat]
    face_down = [space for space in player.plan if space not in player.shown]
    reordered = dict([*player.plan.items()][::-1])
    yield replace(state, players={**state.players, seat: replace(player, plan=reordered)})
    if len(face_down) > 1:
        plan = dict(player.plan)
        plan[face_down[0]], plan[face_down[1]] = plan[face_down[1]], plan[face_down[0]]
        yield replace(state, players={**state.players, seat: replace(player, plan=plan)})
    if face_down and state.phase is Phase.PLANNING:
        plan = {space: card for space, card in player.plan.items() if space != face_down[-1]}
        yield replace(state, players={**state.players, seat: replace(player, plan=plan)})


def piles_differ(state: State) -> State:
    """Return the state with another seed, and with everything changed that is face down for everybody."""
    face_up = open_place_count(state)
    hidden = tuple(reversed(state.row[face_up:]))
    pile = None if state.event_pile is None else tuple(reversed(state.event_pile))
    draft = state.draft
    if draft is not None and draft.pile is not None:
        draft = replace(draft, pile=tuple(reversed(draft.pile)))
    row = (*state.row[:face_up], *hidden)
    return replace(state, seed=state.seed + 1, event_pile=pile, draft=draft, row=row)


def _view_and_card_order(state: State, looker: Colour | None) -> tuple[Json, list[list[str]]]:
    """Return a view and the order of the cards of each board, which comparing dicts would ignore."""
    seat_view = view(state, looker)
    return seat_view, [list(player["board"]) for player in seat_view["players"]]


def leaks(state: State) -> Iterator[str]:
    """Yield who can distinguish two states that differ only in what they may not know."""
    lookers = (*state.seats, None)
    seen = {looker: _view_and_card_order(state, looker) for looker in lookers}
    with_other_piles = piles_differ(state)
    for looker in lookers:
        if seen[looker] != _view_and_card_order(with_other_piles, looker):
            yield f"{looker} sees what lies face down"
    for seat in state.seats:
        for variant in other_secrets(state, seat):
            for looker in lookers:
                if looker != seat and seen[looker] != _view_and_card_order(variant, looker):
                    yield f"{looker} sees the plan of {seat}"


def main() -> int:
    """Play as many games as the first argument says."""
    parser = argparse.ArgumentParser(prog="python -m tests.companion.games.shogun.bots", description=__doc__)
    parser.add_argument("games", type=from_one, nargs="?", default=20, help="default 20")
    games = parser.parse_args().games
    events = leaked = 0
    kinds: dict[str, int] = {}
    for number in range(games):
        played = play(number, assert_sound)
        state: State | None = None
        for event, live in zip(played.events, played.states, strict=True):
            state = evolve(state, GAME.decode_event(GAME.encode_event(event)))
            assert state == live, event
            name = type(event).__name__
            kinds[name] = kinds.get(name, 0) + 1
        leaked += sum(1 for past_state in played.states[::150] for _ in leaks(past_state))
        events += len(played.events)
        if number % 100 == 99:
            print(f"{number + 1} games, {events} events, {leaked} leaks", flush=True)
    print(f"{games} games, {events} events, {leaked} leaks; kinds: {kinds}")
    return 1 if leaked else 0


if __name__ == "__main__":
    sys.exit(main())
