"""A table as a scenario describes it; what it does not mention is plentiful and in its owner's hand."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from companion.games.codec import from_json
from companion.games.protocol import Colour, Json, Refused
from companion.games.shogun import facts
from companion.games.shogun.commands import Command
from companion.games.shogun.decide import decide_alone
from companion.games.shogun.events import Event, Overruled, TableSet, Warned
from companion.games.shogun.evolve import evolve
from companion.games.shogun.evolving.table import table_set
from companion.games.shogun.state import House, Player, Province, State
from companion.games.shogun.words import (
    ACTIONS,
    FARMERS,
    PLAYERS,
    Building,
    Phase,
    Season,
    Side,
    Space,
    Special,
)
from companion.tower.ledger import Place
from companion.tower.piles import Pile, plus, without_zeros

CHESTS = 15
"""Chests per player: enough for anything, and five players leave a bank of 60."""


def seats_for(given: Json, *named: object) -> tuple[Colour, ...]:
    """Return the colours at the table: the named ones first, then others up to the number of players."""
    order = [*_named_seats(given), *named]
    seats = [Colour(c) for c in dict.fromkeys(map(str, order)) if c in PLAYERS]
    number = given.get("players") if isinstance(given.get("players"), int) else len(PLAYERS)
    others = [colour for colour in PLAYERS if colour not in seats]
    return tuple((seats + others)[: max(int(number or 0), len(seats), 3)])


def _named_seats(given: Json) -> list[str]:
    for key in ("seats_clockwise", "seats", "turn_order", "choosing"):
        if isinstance(given.get(key), list):
            return list(given[key])
    return []


def pile(raw: object) -> dict[Colour, int]:
    """Return counts by colour, without zeros."""
    return without_zeros({Colour(str(c)): int(n) for c, n in raw.items()}) if isinstance(raw, Mapping) else {}


def province(raw: Json, owner: Colour | None, armies: int = 2) -> Province:
    """Return a province, with the defaults of the format."""
    if owner is None:
        return Province()
    buildings = tuple(sorted(Building(name) for name in raw.get("buildings", [])))
    return Province(owner, int(raw.get("armies", armies)), int(raw.get("markers", 0)), buildings)


def table(given: Json, seats: tuple[Colour, ...], provinces: Mapping[str, Province]) -> State:
    """Return the state that a scenario describes, in the middle of an action round."""
    side = Side(given.get("side", "sun"))
    board = {key: provinces.get(key, Province()) for key in facts.in_play(side, len(seats))}
    house = _house_rules(given)
    players = {seat: Player(chests=CHESTS, special=_held_special(given, seat)) for seat in seats}
    event = TableSet(side, seats, house, Phase.ACTIONS, board, players, {}, {}, seed=1, by_table=True)
    state = replace(table_set(event), event=event_id(given.get("event")), order=seats)
    tiles = given.get("tiles", {})
    season = str(given.get("round") or given.get("season") or "spring")
    return replace(
        _with_cubes(state, given),
        tiles={**state.tiles, **{Building(kind): int(n) for kind, n in tiles.items()}},
        season=Season(season),
    )


_SETTINGS = {"yes": True, "no": False, "keep": True, "forfeit": False}


def _house_rules(given: Json) -> House:
    """Return the house rules by their ruling names; values may be yes/no, keep/forfeit or true/false."""
    raw: Json = next((given[key] for key in ("house", "house_rules", "settings") if given.get(key)), {})
    return from_json(House, {name: _SETTINGS.get(str(value), value) for name, value in raw.items()})


def event_id(effect: object) -> int | None:
    """Return the id of an event card with this effect; a number is taken as the card itself."""
    if isinstance(effect, int):
        return effect
    return next((card.id for card in facts.EVENTS.values() if card.effect == effect), None)


def _held_special(given: Json, seat: Colour) -> Special | None:
    held = given.get("privileges", {}).get(seat)
    return Special(held) if held else None


def _with_cubes(state: State, given: Json) -> State:
    """Set tower and tray as given, and supplies as given or as what is left of the box."""
    tower, tray = pile(given.get("tower")), pile(given.get("tray"))
    supplies = given["supply"] if isinstance(given.get("supply"), Mapping) else {}
    supply: dict[Colour, int] = {}
    for colour in (*state.seats, FARMERS):
        placed = sum(p.get(colour, 0) for p in (state.ledger.board, tower, tray))
        box = facts.FARMER_CUBES if colour == FARMERS else facts.CUBES
        supply[colour] = int(supplies.get(colour, max(0, box - placed)))
    if "farmers_supply" in given:
        supply[FARMERS] = int(given["farmers_supply"])
    return with_supply(state, supply, tower, tray)


def with_supply(state: State, supply: Pile, tower: Pile, tray: Pile) -> State:
    """Place cubes where the scenario has them; the box is defined as their sum."""
    ledger = replace(
        state.ledger, supply=without_zeros(supply), tower=without_zeros(tower), tray=without_zeros(tray)
    )
    return replace(state, ledger=replace(ledger, box=plus(*(ledger.at(place) for place in Place))))


def with_player(state: State, seat: Colour, **changes: Any) -> State:
    """Return the state with some fields of a player changed."""
    return replace(state, players={**state.players, seat: replace(state.players[seat], **changes)})


def with_chests(state: State, seat: Colour, chests: int, bank: int | None = None) -> State:
    """Set the chests of a player, and the bank as given or as what is left."""
    state = with_player(state, seat, chests=chests)
    left = facts.CHESTS - sum(player.chests for player in state.players.values())
    return replace(state, bank=left if bank is None else bank)


def with_board(state: State, seat: Colour, board: Mapping[str, str | None]) -> State:
    """Add cards to an individual board, face down."""
    plan = {Space(space): card for space, card in board.items() if card}
    return with_player(state, seat, plan={**state.players[seat].plan, **plan})


def at_action(state: State, action: Space, seat: Colour) -> State:
    """Make it this seat's turn in this action, which lies on place 1."""
    row = (action, *(next_action for next_action in ACTIONS if next_action is not action))
    order = state.order if seat in state.order else (seat, *state.order)
    return replace(state, row=row, done=0, order=order, turn=order.index(seat))


def do(state: State, command: Command) -> tuple[State, list[Event]]:
    """Carry out a command without automatic steps; return the state after it and its events."""
    events = decide_alone(state, command)
    for event in events:
        state = evolve(state, event)
    return state, events


def is_overridable(state: State, command: Command) -> bool:
    """Return whether the companion accepts the command if the table insists."""
    if not hasattr(command, "insist"):
        return False
    changes: dict[str, Any] = {"insist": "the table plays it so"}
    try:
        do(state, replace(command, **changes))
    except Refused:
        return False
    return True


def refusal(error: Refused) -> Json:
    """Return a refusal in the scenario format."""
    return {"refused": error.rule, "skipped": False}


def notices(events: list[Event]) -> Json:
    """Return the warnings and overrulings among events."""
    warned = [event.rule for event in events if isinstance(event, Warned)]
    overruled = [event.rule for event in events if isinstance(event, Overruled)]
    found: Json = {"warn": warned} if warned else {}
    return {**found, **({"overruled": overruled} if overruled else {})}
