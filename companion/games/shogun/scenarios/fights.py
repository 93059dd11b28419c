"""Scenarios of actions, battles and revolts."""

from dataclasses import dataclass, replace
from typing import Any

from companion.games.protocol import Colour, Json, Refused
from companion.games.shogun import facts
from companion.games.shogun.able import can_be_built
from companion.games.shogun.commands import Act, Command, Defend, FightRevolt, Settle
from companion.games.shogun.events import CardTurned, Event, Skipped, ThrowSettled
from companion.games.shogun.evolve import evolve
from companion.games.shogun.scenarios import stage
from companion.games.shogun.state import Province, State, near, owned
from companion.games.shogun.view import board_of
from companion.games.shogun.words import BLUE, STOCK, Fight, Phase, Season, Space, Special
from companion.tower.ledger import thrown
from companion.tower.piles import Pile, lacking, plus


@dataclass(frozen=True, slots=True)
class _At:
    """The province concerned, the acting seat, and the other province involved."""

    province: str
    seat: Colour
    other: str | None = None
    tower_known: bool = False


def battle(given: Json, when: Json) -> Json:
    """Play an attack with Battle/Move."""
    attacker, target = Colour(when["attacker"]), given["province"]
    owner = Colour(given["owner"]) if given.get("owner") else None
    seats = stage.seats_for(given, attacker, owner, *given.get("tray", {}), *given.get("boards", {}))
    origin = when.get("origin") or _origin(given, seats, target)
    moved = int(when["moved"])
    board = _around(given, attacker)
    board[target] = stage.province(given, owner)
    board[origin] = Province(attacker, int(given.get("origin_armies", moved + 1)))
    state = _amounts(stage.table(given, seats, board), given, attacker)
    space = Space(when.get("action", "battle_a"))
    for seat, cards in given.get("boards", {}).items():
        state = stage.with_board(state, Colour(seat), cards)
    state = stage.with_board(state, attacker, {space.value: origin})
    state = stage.at_action(state, space, attacker)
    act = Act(
        attacker,
        target,
        moved,
        bonus_attack=bool(when.get("bonus_attack")),
    )
    return _fought(state, act, when, _At(target, attacker, origin, "tower" in given))


def _origin(given: Json, seats: tuple[Colour, ...], target: str) -> str:
    return near(stage.table(given, seats, {}), target)[0]


def action(given: Json, when: Json) -> Json:
    """Play an action of one seat, with the revolt it may start."""
    space, key = Space(when["action"]), given.get("province") or _planned(given, when)
    seat = Colour(given.get("seat") or given.get("player") or given.get("owner") or BLUE)
    owners = [n.get("owner") for n in _neighbours(given).values()]
    seats = stage.seats_for(
        given, seat, given.get("owner"), *owners, *given.get("tray", {}), *given.get("privileges", {})
    )
    board = _around(given, seat)
    if key in facts.CARDS:
        board[key] = stage.province(given, Colour(given.get("owner") or seat))
    state = _amounts(stage.table(given, seats, board), given, seat)
    laid = given.get("board", {}).get(space.value, key)
    for other, cards in given.get("boards", {}).items():
        state = stage.with_board(state, Colour(other), cards)
    state = stage.at_action(stage.with_board(state, seat, {space.value: laid}), space, seat)
    move = when.get("move") or {}
    act = Act(
        seat,
        move.get("to"),
        int(move.get("armies", 0)),
        bonus_attack=bool(when.get("bonus_attack")),
    )
    return _fought(state, act, when, _At(str(key), seat, move.get("to"), "tower" in given))


def _planned(given: Json, when: Json) -> str:
    card = given.get("board", {}).get(when["action"], "omi")
    return card if card in facts.CARDS else "omi"


def winter_revolt(given: Json, when: Json) -> Json:
    """Play a winter revolt caused by missing rice."""
    owner, key = Colour(given.get("owner", BLUE)), given["province"]
    seats = stage.seats_for(given, owner, *given.get("tray", {}))
    state = stage.table(given, seats, {key: stage.province(given, owner)})
    state = _amounts(state, given, owner)
    extra = when.get("extra_farmers", facts.provision(int(given.get("rice_missing", 0)))[1])
    state = replace(
        state,
        phase=Phase.HUNGER,
        season=Season.WINTER,
        extra_farmers={owner: int(extra)},
        revolts={owner: (key,)},
    )
    return _fought(state, FightRevolt(owner, key), when, _At(key, owner, tower_known="tower" in given))


def _neighbours(given: Json) -> dict[str, Json]:
    found: dict[str, Json] = dict(given.get("neighbours", {}))
    if given.get("neighbour"):
        found[given["neighbour"]["id"]] = given["neighbour"]
    return found


def _around(given: Json, own: Colour) -> dict[str, Province]:
    board: dict[str, Province] = {}
    for key, raw in _neighbours(given).items():
        name = raw.get("owner")
        owner = own if name == "self" else Colour(name) if name else None
        board[key] = stage.province(raw, owner)
    return board


def _amounts(state: State, given: Json, seat: Colour) -> State:
    """Set the acting player's chests, rice, supply and privilege."""
    if "chests" in given or "bank" in given:
        chests = given.get("chests", stage.CHESTS)
        if isinstance(chests, dict):
            for colour, number in chests.items():
                state = stage.with_chests(state, Colour(colour), int(number))
        else:
            state = stage.with_chests(state, seat, int(chests), given.get("bank"))
    if isinstance(given.get("rice"), int):
        state = stage.with_player(state, seat, rice=given["rice"])
    if given.get("privilege"):
        state = stage.with_player(state, seat, special=Special(given["privilege"]))
    if isinstance(given.get("supply"), int):
        supply = {**state.ledger.supply, seat: given["supply"]}
        state = stage.with_supply(state, supply, state.ledger.tower, state.ledger.tray)
    return state


def _fought(state: State, command: Command, when: Json, at: _At) -> Json:
    """Play a command and the throw it leads to, and return everything a scenario can ask about it."""
    try:
        after, events = stage.do(state, command)
    except Refused as error:
        unchanged = _amount_of(state, state, at)
        return {**stage.refusal(error), "override": _insisted(state, command), **unchanged}
    found: Json = {}
    if after.throw is not None and after.throw.ask_defence and after.throw.defender:
        answer = Defend(after.throw.defender, bool(when.get("bonus_defence")))
        after, answered = stage.do(after, answer)
        events = [*events, *answered]
    if after.throw is not None:
        went_in = thrown(after.ledger)
        found |= {"thrown": went_in, "farmers_thrown": went_in.get(_GREEN, 0), "battle": True}
        found["revolt"] = after.throw.fight is not Fight.ATTACK
        if not when.get("tray_after") and "tray_after" not in when:
            found["markers_if_put_down"] = _if_put_down(after, at.province)
    else:
        found |= {"battle": False, "revolt": False}
    if "tray_after" in when and after.throw is not None:
        try:
            after, more = _thrown(after, stage.pile(when["tray_after"]), at.tower_known)
        except Refused as error:
            return {**found, **stage.refusal(error), "override": True}
        events = [*events, *more]
    return found | _told(state, after, events) | _amount_of(state, after, at)


_GREEN = Colour("green")


def _insisted(state: State, command: Command) -> bool:
    """Return whether the companion accepts the command if the table insists."""
    if not hasattr(command, "insist"):
        return False
    changes: dict[str, Any] = {"insist": "the table plays it so"}
    try:
        stage.do(state, replace(command, **changes))
    except Refused:
        return False
    return True


def _thrown(state: State, tray: Pile, known: bool = False) -> tuple[State, list[Event]]:
    """Settle the throw; if the scenario does not give the tower's contents, anything may come out."""
    there = plus(thrown(state.ledger), state.ledger.tower)
    short = lacking(tray, there)
    if short and not known:
        ledger = state.ledger
        state = stage.with_supply(state, ledger.supply, plus(ledger.tower, short), ledger.tray)
    return stage.do(state, Settle(tray))


def _if_put_down(state: State, key: str) -> int:
    owner = state.provinces[key].owner
    after, _ = _thrown(state, {owner: 1} if owner else {})
    return after.provinces[key].markers


def _told(before: State, after: State, events: list[Event]) -> Json:
    found: Json = stage.notices(events)
    skipped = [event for event in events if isinstance(event, Skipped)]
    found["skipped"] = bool(skipped)
    if skipped:
        found["because"] = skipped[0].because
    for event in events:
        if isinstance(event, ThrowSettled):
            result = event.result
            found |= {"outcome": result.outcome.value, "returned": dict(result.returned)}
            found["everyone_learns"] = _learnt(before, after, event.throw.province)
    return found


def _learnt(before: State, after: State, key: str) -> Json:
    """Return the card that left a board together with its lost province (B-17)."""
    owner = before.provinces[key].owner
    planned = after.last.planned if after.last else None
    return {owner: {planned.value: key}} if owner and planned else {}


def _amount_of(before: State, after: State, at: _At) -> Json:
    key, seat = at.province, at.seat
    player, was = after.players[seat], before.players[seat]
    here = after.provinces.get(key, Province())
    owner = here.owner
    found: Json = {
        "owner": owner,
        "armies": here.armies,
        "markers": here.markers,
        "buildings": [building.value for building in here.buildings],
        "tray": dict(after.ledger.tray),
        "tower": dict(after.ledger.tower),
        "chests": player.chests,
        "rice": player.rice,
        "chests_gained": player.chests - was.chests,
        "rice_gained": player.rice - was.rice,
        "paid": was.chests - player.chests,
        "supply": dict(after.ledger.supply),
        "own_supply": after.ledger.supply.get(seat, 0),
        "farmers_supply": after.ledger.supply.get(_GREEN, 0),
        "bank": after.bank,
        "tiles": {kind.value: number for kind, number in after.tiles.items()},
        "points": player.points,
        "card_of": {p: province.owner or STOCK for p, province in after.provinces.items()},
        "boards": _boards(after),
        "card_stays_on_board": key in player.plan.values(),
        "usable_this_round": owner is not None and key not in after.players[owner].used,
        "provinces_of": {s: list(owned(after, s)) for s in after.seats},
    }
    if key in facts.CARDS:
        fitting = can_be_built(after, key) if key in after.provinces else ()
        found["free_spaces"] = facts.CARDS[key].slots - len(here.buildings)
        found["can_still_be_built"] = [kind.value for kind in fitting]
    neighbour = after.provinces.get(at.other or "")
    if neighbour is not None:
        found |= {"neighbour_armies": neighbour.armies, "neighbour_owner": neighbour.owner}
        found["origin_armies"] = neighbour.armies
    return found


def _boards(state: State) -> Json:
    return {
        seat: {space.value: player.plan.get(space) for space in Space}
        for seat, player in state.players.items()
    }


def seen(given: Json, when: Json) -> Json:
    """Return who sees which card while a seat acts (P-7)."""
    space, acting = Space(when["action"]), Colour(when["acting"])
    seats = stage.seats_for(given, acting, *given.get("boards", {}))
    board = {
        card: Province(Colour(seat), 2)
        for seat, cards in given.get("boards", {}).items()
        for card in cards.values()
        if card in facts.CARDS
    }
    state = stage.table(given, seats, board)
    state = replace(state, order=tuple(Colour(c) for c in given.get("turn_order", seats)))
    for seat, cards in given.get("boards", {}).items():
        state = stage.with_board(state, Colour(seat), cards)
    state = stage.at_action(state, space, acting)
    for seat in state.order[: state.turn + 1]:
        state = evolve(state, CardTurned(seat, space, state.players[seat].plan.get(space)))
    return {
        f"{looker}_sees": {seat: board_of(state, seat, looker) for seat in seats if seat != looker}
        for looker in seats
    }
