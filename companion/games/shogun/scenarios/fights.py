"""Scenarios of actions, battles and revolts."""

from dataclasses import dataclass, replace

from companion.games.protocol import Colour, Json, Refused
from companion.games.shogun import facts
from companion.games.shogun.able import fitting_buildings
from companion.games.shogun.commands import Act, Command, Defend, FightRevolt, Settle
from companion.games.shogun.events import CardTurned, Event, Skipped, ThrowSettled
from companion.games.shogun.evolve import evolve
from companion.games.shogun.scenarios import stage
from companion.games.shogun.state import Province, State, near, owned
from companion.games.shogun.view import board_of
from companion.games.shogun.words import BLUE, STOCK, Fight, Phase, Season, Space, Special
from companion.tower.ledger import pile_to_throw
from companion.tower.piles import Pile, plus, shortfall


@dataclass(frozen=True, slots=True)
class _Focus:
    """The province concerned, the acting seat, and the other province involved."""

    province: str
    seat: Colour
    other_province: str | None = None
    tower_known: bool = False


def battle(given: Json, when: Json) -> Json:
    """Play an attack with Battle/Move."""
    attacker, target = Colour(when["attacker"]), given["province"]
    owner = Colour(given["owner"]) if given.get("owner") else None
    seats = stage.seats_for(given, attacker, owner, *given.get("tray", {}), *given.get("boards", {}))
    origin = when.get("origin") or _default_origin(given, seats, target)
    moved = int(when["moved"])
    board = _neighbour_board(given, attacker)
    board[target] = stage.province(given, owner)
    board[origin] = Province(attacker, int(given.get("origin_armies", moved + 1)))
    state = _with_amounts(stage.table(given, seats, board), given, attacker)
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
    return _play_fight(state, act, when, _Focus(target, attacker, origin, "tower" in given))


def _default_origin(given: Json, seats: tuple[Colour, ...], target: str) -> str:
    return near(stage.table(given, seats, {}), target)[0]


def action(given: Json, when: Json) -> Json:
    """Play an action of one seat, with the revolt it may start."""
    space, key = Space(when["action"]), given.get("province") or _planned_card(given, when)
    seat = Colour(given.get("seat") or given.get("player") or given.get("owner") or BLUE)
    owners = [n.get("owner") for n in _given_neighbours(given).values()]
    seats = stage.seats_for(
        given, seat, given.get("owner"), *owners, *given.get("tray", {}), *given.get("privileges", {})
    )
    board = _neighbour_board(given, seat)
    if key in facts.CARDS:
        board[key] = stage.province(given, Colour(given.get("owner") or seat))
    state = _with_amounts(stage.table(given, seats, board), given, seat)
    laid = given.get("board", {}).get(space.value, key)
    for owner, cards in given.get("boards", {}).items():
        state = stage.with_board(state, Colour(owner), cards)
    state = stage.at_action(stage.with_board(state, seat, {space.value: laid}), space, seat)
    move = when.get("move") or {}
    act = Act(
        seat,
        move.get("to"),
        int(move.get("armies", 0)),
        bonus_attack=bool(when.get("bonus_attack")),
    )
    return _play_fight(state, act, when, _Focus(str(key), seat, move.get("to"), "tower" in given))


def _planned_card(given: Json, when: Json) -> str:
    card = given.get("board", {}).get(when["action"], "omi")
    return card if card in facts.CARDS else "omi"


def winter_revolt(given: Json, when: Json) -> Json:
    """Play a winter revolt caused by missing rice."""
    owner, key = Colour(given.get("owner", BLUE)), given["province"]
    seats = stage.seats_for(given, owner, *given.get("tray", {}))
    state = stage.table(given, seats, {key: stage.province(given, owner)})
    state = _with_amounts(state, given, owner)
    extra = when.get("extra_farmers", facts.provision(int(given.get("rice_missing", 0)))[1])
    state = replace(
        state,
        phase=Phase.HUNGER,
        season=Season.WINTER,
        extra_farmers={owner: int(extra)},
        revolts={owner: (key,)},
    )
    return _play_fight(state, FightRevolt(owner, key), when, _Focus(key, owner, tower_known="tower" in given))


def _given_neighbours(given: Json) -> dict[str, Json]:
    found: dict[str, Json] = dict(given.get("neighbours", {}))
    if given.get("neighbour"):
        found[given["neighbour"]["id"]] = given["neighbour"]
    return found


def _neighbour_board(given: Json, seat: Colour) -> dict[str, Province]:
    board: dict[str, Province] = {}
    for key, raw in _given_neighbours(given).items():
        name = raw.get("owner")
        owner = seat if name == "self" else Colour(name) if name else None
        board[key] = stage.province(raw, owner)
    return board


def _with_amounts(state: State, given: Json, seat: Colour) -> State:
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


def _play_fight(state: State, command: Command, when: Json, focus: _Focus) -> Json:
    """Play a command and the throw it leads to, and return everything a scenario can ask about it."""
    try:
        after, events = stage.do(state, command)
    except Refused as error:
        unchanged = _state_answers(state, state, focus)
        return {**stage.refusal(error), "override": stage.is_overridable(state, command), **unchanged}
    found: Json = {}
    if after.throw is not None and after.throw.ask_defence and after.throw.defender:
        answer = Defend(after.throw.defender, bool(when.get("bonus_defence")))
        after, answered = stage.do(after, answer)
        events = [*events, *answered]
    if after.throw is not None:
        went_in = pile_to_throw(after.ledger)
        found |= {"thrown": went_in, "farmers_thrown": went_in.get(_GREEN, 0), "battle": True}
        found["revolt"] = after.throw.fight is not Fight.ATTACK
        if "tray_after" not in when:
            found["markers_if_put_down"] = _markers_if_put_down(after, focus.province)
    else:
        found |= {"battle": False, "revolt": False}
    if "tray_after" in when and after.throw is not None:
        try:
            after, more = _settle_throw(after, stage.pile(when["tray_after"]), focus.tower_known)
        except Refused as error:
            return {**found, **stage.refusal(error), "override": True}
        events = [*events, *more]
    return found | _event_answers(state, after, events) | _state_answers(state, after, focus)


_GREEN = Colour("green")


def _settle_throw(state: State, tray: Pile, is_tower_known: bool = False) -> tuple[State, list[Event]]:
    """Settle the throw; if the scenario does not give the tower's contents, anything may come out."""
    available = plus(pile_to_throw(state.ledger), state.ledger.tower)
    short = shortfall(tray, available)
    if short and not is_tower_known:
        ledger = state.ledger
        state = stage.with_supply(state, ledger.supply, plus(ledger.tower, short), ledger.tray)
    return stage.do(state, Settle(tray))


def _markers_if_put_down(state: State, key: str) -> int:
    owner = state.provinces[key].owner
    after, _ = _settle_throw(state, {owner: 1} if owner else {})
    return after.provinces[key].markers


def _event_answers(before: State, after: State, events: list[Event]) -> Json:
    found: Json = stage.notices(events)
    skipped = [event for event in events if isinstance(event, Skipped)]
    found["skipped"] = bool(skipped)
    if skipped:
        found["because"] = skipped[0].because
    for event in events:
        if isinstance(event, ThrowSettled):
            result = event.result
            found |= {"outcome": result.outcome.value, "returned": dict(result.returned)}
            found["everyone_learns"] = _card_revealed(before, after, event.throw.province)
    return found


def _card_revealed(before: State, after: State, key: str) -> Json:
    """Return the card that left a board together with its lost province (B-17)."""
    owner = before.provinces[key].owner
    planned = after.last.planned if after.last else None
    return {owner: {planned.value: key}} if owner and planned else {}


def _state_answers(before: State, after: State, focus: _Focus) -> Json:
    key, seat = focus.province, focus.seat
    player, before_player = after.players[seat], before.players[seat]
    target = after.provinces.get(key, Province())
    owner = target.owner
    found: Json = {
        "owner": owner,
        "armies": target.armies,
        "markers": target.markers,
        "buildings": [building.value for building in target.buildings],
        "tray": dict(after.ledger.tray),
        "tower": dict(after.ledger.tower),
        "chests": player.chests,
        "rice": player.rice,
        "chests_gained": player.chests - before_player.chests,
        "rice_gained": player.rice - before_player.rice,
        "paid": before_player.chests - player.chests,
        "supply": dict(after.ledger.supply),
        "own_supply": after.ledger.supply.get(seat, 0),
        "farmers_supply": after.ledger.supply.get(_GREEN, 0),
        "bank": after.bank,
        "tiles": {kind.value: number for kind, number in after.tiles.items()},
        "points": player.points,
        "card_of": {p: province.owner or STOCK for p, province in after.provinces.items()},
        "boards": _boards_json(after),
        "card_stays_on_board": key in player.plan.values(),
        "usable_this_round": owner is not None and key not in after.players[owner].used,
        "provinces_of": {s: list(owned(after, s)) for s in after.seats},
    }
    if key in facts.CARDS:
        fitting = fitting_buildings(after, key) if key in after.provinces else ()
        found["free_spaces"] = facts.CARDS[key].slots - len(target.buildings)
        found["can_still_be_built"] = [kind.value for kind in fitting]
    neighbour = after.provinces.get(focus.other_province or "")
    if neighbour is not None:
        found |= {"neighbour_armies": neighbour.armies, "neighbour_owner": neighbour.owner}
        found["origin_armies"] = neighbour.armies
    return found


def _boards_json(state: State) -> Json:
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
        f"{viewer}_sees": {seat: board_of(state, seat, viewer) for seat in seats if seat != viewer}
        for viewer in seats
    }
