"""Scenarios of winter, points, the game's end and the limits of the box."""

from dataclasses import replace
from typing import Any

from companion.games.protocol import Colour, Json, Refused
from companion.games.shogun import facts
from companion.games.shogun.commands import (
    Correct,
    DrawRevolts,
    Fact,
    FightRevolt,
    LoseRice,
    Score,
    Settle,
)
from companion.games.shogun.deciding.winter import fighting_now, left_neighbour, missing_rice, revolts_to_draw
from companion.games.shogun.events import Scored
from companion.games.shogun.scenarios import stage
from companion.games.shogun.scoring import winners
from companion.games.shogun.state import Player, Province, State, owned
from companion.games.shogun.words import BLUE, FARMERS, Building, Phase, Season

Boards = dict[str, Province]


def rice_loss(given: Json, when: Json) -> Json:
    """Play the loss of rice to the winter card (W-1)."""
    rice = given["rice"]
    seats = stage.seats_for(given, *rice)
    loss = given.get("event_rice_loss")
    card = next((c.id for c in facts.EVENTS.values() if c.rice_loss == loss), None)
    state = stage.table(given, seats, {})
    for seat, number in rice.items():
        state = stage.with_player(state, Colour(seat), rice=int(number))
    event = stage.event_id(given.get("event")) if card is None else card
    state = replace(state, phase=Phase.WINTER, season=Season.WINTER, event=event)
    after, events = stage.do(state, LoseRice())
    rice_left = {seat: player.rice for seat, player in after.players.items() if seat in rice}
    return {"rice": rice_left, **stage.notices(events)}


def provision(given: Json, when: Json) -> Json:
    """Look up the consequences of missing rice (W-2)."""
    seat = Colour(given.get("seat") or given.get("player") or BLUE)
    number = given["provinces"] if isinstance(given["provinces"], int) else len(given["provinces"])
    seats = stage.seats_for(given, seat)
    keys = [*_as_names(given["provinces"]), *facts.CARDS]
    state = stage.table(given, seats, {key: Province(seat, 1) for key in keys[:number]})
    rice, points = int(given.get("rice_after_loss") or given.get("rice") or 0), int(given.get("points", 0))
    state = stage.with_player(state, seat, rice=rice, points=points)
    state = replace(state, phase=Phase.WINTER, season=Season.WINTER, event=None)
    after, events = stage.do(state, LoseRice())
    player = after.players[seat]
    has_seats = "seats_clockwise" in given or "seats" in given
    return {
        "missing": missing_rice(number, rice),
        "revolts": after.to_draw.get(seat, 0),
        "extra_farmers": after.extra_farmers.get(seat, 0),
        "drawn_by": left_neighbour(after, seat) if has_seats else "left neighbour",
        "rice": player.rice,
        "points": player.points,
        "in_game": seat in after.players,
        **stage.notices(events),
    }


def _as_names(provinces: object) -> list[str]:
    return [str(key) for key in provinces] if isinstance(provinces, list) else []


def draw(given: Json, when: Json) -> Json:
    """Play the left neighbour's draw of province cards (W-3)."""
    player = Colour(given.get("player") or given.get("seat") or BLUE)
    seats = stage.seats_for(given, player)
    cards = _as_names(given.get("province_cards", given.get("provinces", [])))
    state = stage.table(given, seats, {key: Province(player, 2) for key in cards})
    state = replace(
        state, phase=Phase.HUNGER, season=Season.WINTER, to_draw={player: int(given.get("revolts", 1))}
    )
    number = revolts_to_draw(state, player)
    drawn = tuple(when["provinces"]) if "provinces" in when else None
    try:
        after, events = stage.do(state, DrawRevolts(player, drawn))
    except Refused as error:
        return stage.refusal(error)
    return {
        "number": number,
        "drawn_from": list(owned(state, player)),
        "drawn_by": left_neighbour(state, player) if "seats_clockwise" in given else "left neighbour",
        "drawn": list(after.revolts.get(player, ())),
        **stage.notices(events),
    }


def order(given: Json, when: Json) -> Json:
    """Settle the winter revolts one after the other (W-4, W-6)."""
    if "drawn" not in given:
        return _revolts_left(given)
    drawn = {Colour(seat): tuple(keys) for seat, keys in given["drawn"].items()}
    seats = stage.seats_for(given, *drawn)
    board = {key: Province(seat, 2) for seat, keys in drawn.items() for key in keys}
    state = stage.table(given, seats, board)
    turn_order = tuple(Colour(c) for c in given.get("turn_order", seats))
    state = replace(state, phase=Phase.HUNGER, season=Season.WINTER, revolts=drawn, order=turn_order)
    fought: list[list[str]] = []
    while (seat := fighting_now(state)) is not None:
        chosen = [key for key in given.get("chosen", {}).get(seat, []) if key in state.revolts[seat]]
        key = chosen[0] if chosen else state.revolts[seat][0]
        state, _ = stage.do(state, FightRevolt(seat, key))
        state, _ = stage.do(state, Settle({seat: 1}))
        fought.append([seat, key])
    return {"order": fought, "then": state.phase.value}


def _revolts_left(given: Json) -> Json:
    """Return what is left to settle after lost revolts: missing rice is counted only once (W-6)."""
    seat = Colour(given.get("seat") or given.get("player") or BLUE)
    lost = int(given.get("lost_in_first_revolt", 0))
    keys = list(facts.CARDS)[: int(given["provinces"])]
    state = stage.table(given, stage.seats_for(given, seat), {key: Province(seat, 1) for key in keys})
    state = stage.with_player(state, seat, rice=int(given["rice_after_loss"]))
    state = replace(state, phase=Phase.WINTER, season=Season.WINTER, event=None)
    state, _ = stage.do(state, LoseRice())
    number = state.to_draw.get(seat, 0)
    state, _ = stage.do(state, DrawRevolts(seat, tuple(keys[:number])))
    for key in keys[: max(1, lost) if number else 0]:
        state, _ = stage.do(state, FightRevolt(seat, key))
        state, _ = stage.do(state, Settle({} if lost else {seat: 1}))
    return {
        "revolts_left": len(state.revolts.get(seat, ())),
        "extra_farmers": state.extra_farmers.get(seat, 0),
        "missing": missing_rice(int(given["provinces"]), int(given["rice_after_loss"])),
    }


def score(given: Json, when: Json) -> Json:
    """Count the points of a winter (section V)."""
    if "gained" in given:
        before, gained = given["points_before"], given["gained"]
        return {"points_after": {seat: before[seat] + gained.get(seat, 0) for seat in before}}
    holdings = given["holdings"]
    seats = stage.seats_for(given, *holdings)
    board: Boards = {
        key: Province(Colour(seat), 1, 0, tuple(sorted(Building(b) for b in buildings)))
        for seat, provinces in holdings.items()
        for key, buildings in _buildings_by_province(provinces)
    }
    state = replace(stage.table(given, seats, board), phase=Phase.SCORING, season=Season.WINTER)
    for seat, points in given.get("points_before", {}).items():
        state = stage.with_player(state, Colour(seat), points=int(points))
    after, events = stage.do(state, Score())
    scored = next(event for event in events if isinstance(event, Scored))
    return {
        "points": {seat: scored.gained.get(Colour(seat), 0) for seat in holdings},
        "majority_points": {seat: scored.majorities.get(Colour(seat), 0) for seat in holdings},
        "points_after": {seat: after.players[Colour(seat)].points for seat in holdings},
    }


def _buildings_by_province(provinces: Any) -> list[tuple[str, list[str]]]:
    if isinstance(provinces, dict):
        return list(provinces.items())
    return [(str(key), []) for key in provinces]


def end(given: Json, when: Json) -> Json:
    """Return who has won (T-10)."""
    points = {Colour(seat): int(n) for seat, n in given["points"].items()}
    chests = {seat: int(given.get("chests", {}).get(seat, 0)) for seat in points}
    best = winners(points, chests)
    return {"winners": list(best), "shared": len(best) > 1}


def year_end(given: Json, when: Json) -> Json:
    """Return what remains after the end of a year (T-9)."""
    seats = stage.seats_for(given, *given.get("rice", {}))
    raw = given.get("provinces", {})
    board: Boards = {
        key: stage.province(p, Colour(p.get("owner", BLUE))) for key, p in raw.items() if isinstance(p, dict)
    }
    state = replace(stage.table(given, seats, board), phase=Phase.SCORING, season=Season.WINTER)
    for seat, number in given.get("rice", {}).items():
        state = stage.with_player(state, Colour(seat), rice=int(number))
    after, _ = stage.do(state, Score())
    return {
        "rice": {seat: player.rice for seat, player in after.players.items()},
        "markers": {key: after.provinces[key].markers for key in board},
        "armies": {key: after.provinces[key].armies for key in board},
        "tower": dict(after.ledger.tower),
        "tray": dict(after.ledger.tray),
        "phase": after.phase.value,
        "year": after.year,
    }


def cleared(given: Json, when: Json) -> Json:
    """Clear provinces, whose tiles go back to the box (L-2)."""
    keys = given.get("cleared", {})
    board = {
        key: Province(BLUE, 1, 0, tuple(sorted(Building(b) for b in kinds))) for key, kinds in keys.items()
    }
    state = stage.table(given, stage.seats_for(given, BLUE), board)
    state = replace(state, phase=Phase.HUNGER, season=Season.WINTER, revolts={BLUE: tuple(keys)})
    for key in keys:
        state, _ = stage.do(state, FightRevolt(BLUE, key))
        state, _ = stage.do(state, Settle({}))
    return {"tiles": {kind.value: n for kind, n in state.tiles.items() if kind in given.get("tiles", {})}}


def count(given: Json, when: Json) -> Json:
    """Count markers, chests or cubes."""
    if when["count"] == "markers":
        players = int(given.get("players", 5))
        # at most one collection each of rice and taxes per player and round, three rounds a year (L-6)
        return {"most_a_year": 2 * players * len(facts.ACTION_ROUNDS), "box": facts.MARKERS}
    if when["count"] == "chests":
        owned = given.get("chests", {})
        return {"chests": int(given.get("bank", 0)) + sum(owned.values()), "box": facts.CHESTS}
    totals: dict[str, int] = {FARMERS: int(given.get("farmers_supply", 0))}
    for place in ("supply", "provinces", "tower", "tray"):
        for colour, number in given.get(place, {}).items():
            totals[colour] = totals.get(colour, 0) + int(number)
    return dict(totals)


def correct(given: Json, when: Json) -> Json:
    """Correct facts; breaking an invariant only gives a notice."""
    key, seat = given.get("province", "omi"), Colour(given.get("owner") or given.get("seat") or BLUE)
    owner = seat if given.get("owner", seat) else None
    state = stage.table(given, stage.seats_for(given, seat), {key: stage.province(given, owner)})
    found: Json = {}
    for name, value in when["correct"].items():
        fact = Fact(name)
        where = key if fact in _OF_PROVINCES else str(seat)
        new_value = tuple(value) if isinstance(value, list) else value
        try:
            state, events = stage.do(state, Correct(fact, where, new_value, "seen on the table"))
        except Refused as error:
            return stage.refusal(error)
        found |= stage.notices(events)
    return found | _fact_answers(state, key, seat)


_OF_PROVINCES = (Fact.ARMIES, Fact.OWNER, Fact.MARKERS, Fact.BUILDINGS)


def _fact_answers(state: State, key: str, seat: Colour) -> Json:
    province, player = state.provinces[key], state.players.get(seat, Player())
    return {
        "armies": province.armies,
        "owner": province.owner,
        "markers": province.markers,
        "buildings": [building.value for building in province.buildings],
        "chests": player.chests,
        "rice": player.rice,
        "points": player.points,
    }
