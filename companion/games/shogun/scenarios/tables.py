"""Scenarios of set-up, draft, rounds, accidents and the box."""

from dataclasses import replace

from companion.games.protocol import Colour, Json, Refused
from companion.games.shogun import facts, setup
from companion.games.shogun.commands import Accident, Command, EmptyTower, Settle, Swap, Take
from companion.games.shogun.decide import decide
from companion.games.shogun.events import Event, RoundEnded, TableSet, TurnEnded
from companion.games.shogun.evolve import evolve
from companion.games.shogun.evolving.table import table_set
from companion.games.shogun.evolving.tower import fill_of
from companion.games.shogun.flow import ROUND_PHASES, ROUNDS
from companion.games.shogun.scenarios import stage
from companion.games.shogun.state import Draft, State, next_seat, open_place_count, owned, stock
from companion.games.shogun.words import (
    ACTIONS,
    BLUE,
    FARMERS,
    PLAYERS,
    SEASONS,
    Building,
    Phase,
    Season,
    Side,
    Space,
)
from companion.tower.piles import total


def begin(given: Json, when: Json) -> Json:
    """Play a set-up: materials, provinces, predetermined columns, events, the tower's first throw."""
    players = int(given.get("players", 4))
    side = given.get("side", "sun")
    start = "predetermined" if side == "sun" else "draft"
    try:
        events = setup.new({"players": list(PLAYERS[:players]), "side": side, "start": start, "seed": 1})
    except Refused as error:
        return stage.refusal(error)
    state = _replay(events)
    found = _material_answers(state, players) | _province_answers(state, Side(side), players)
    if "column" in when:
        column = facts.COLUMNS[players][str(when["column"])]
        found |= {"provinces": dict(column), "armies_total": sum(column.values())}
    if "setup" in when and when["setup"] == "events":
        after = _replay([*events, *decide(state, Settle({}))])
        found |= {"open": len(after.year_events), "pile": len(after.event_pile or ())}
    return found | _fill_answers(state, when)


def _replay(events: list[Event]) -> State:
    state: State | None = None
    for event in events:
        state = evolve(state, event)
    if state is None:
        raise ValueError("a table without an event")
    return state


def _material_answers(state: State, players: int) -> Json:
    groups = facts.START_GROUPS[players]
    return {
        "chests_each": facts.START_CHESTS[players],
        "bank": state.bank,
        "groups": list(groups),
        "armies_each": sum(groups),
        "provinces_each": len(groups),
        "supply_after_groups": facts.CUBES - sum(groups),
        "supply_after_fill": facts.CUBES - sum(groups) - facts.FILL_EACH,
        "provinces_in_play": len(state.provinces),
        "stock_after_start": len(state.provinces) - players * len(groups),
        "points": 0,
        "rice": 0,
        "cubes_each": facts.CUBES,
        "chest_cards_each": list(facts.CHEST_CARDS.values()),
        "daimyo_cards_each": 1,
        "action_spaces": len(ACTIONS),
        "auction_spaces": len(Space) - len(ACTIONS),
        "camps": facts.CAMPS,
        "action_cards": len(ACTIONS),
        "special_cards": len(facts.SPECIALS),
        "event_cards": len(facts.EVENTS),
        "revolt_markers": facts.MARKERS,
        "chests": facts.CHESTS,
        "castles": facts.TILES[Building.CASTLE],
        "temples": facts.TILES[Building.TEMPLE],
        "theatres": facts.TILES[Building.THEATRE],
    }


def _province_answers(state: State, side: Side, players: int) -> Json:
    regions = {
        region: [key for key in state.provinces if facts.CARDS[key].region[side] == region]
        for region in facts.REGIONS
    }
    return {
        "excluded": list(facts.excluded(side)) if players == 3 else [],
        "in_play": list(state.provinces),
        "regions": regions,
        "stock": list(stock(state)),
    }


def _fill_answers(state: State, when: Json) -> Json:
    filled = fill_of(state)
    supply = facts.FARMER_CUBES - facts.FILL_FARMERS
    found: Json = {
        "cubes_thrown": total(filled),
        "each_player": facts.FILL_EACH,
        "green": facts.FILL_FARMERS,
        "farmers_supply": supply,
    }
    if "tray_after" in when and when.get("throw") == "fill":
        after, _ = stage.do(state, Settle(stage.pile(when["tray_after"])))
        tray = stage.pile(when["tray_after"])
        found |= {
            "tray": dict(after.ledger.tray),
            "tower": dict(after.ledger.tower),
            "supply": dict(after.ledger.supply),
            "returned": tray,
            "farmers_supply": after.ledger.supply.get(FARMERS, 0),
        }
    return found


def draft(given: Json, when: Json) -> Json:
    """Play one choice of the draft, or return the order of choosing."""
    if "draft" in when:
        return {"order": _choosing_order(given)}
    seat = Colour(given.get("seat", BLUE))
    seats = stage.seats_for(given, seat)
    state = stage.table({**given, "supply": {}}, seats, {})
    groups = {s: tuple(given.get("groups", facts.START_GROUPS[len(seats)])) for s in seats}
    previous = {seat: tuple(given["open_at_previous_choice"])} if "open_at_previous_choice" in given else {}
    open_draft = Draft(
        seat,
        tuple(given["open"]),
        tuple(given.get("pile_top", ())),
        groups,
        previous,
        swapped=bool(given.get("swapped")),
    )
    state = replace(state, phase=Phase.DRAFT, draft=open_draft)
    command: Command = Swap(seat) if when.get("swap") else Take(seat, when["take"], int(when.get("group", 0)))
    try:
        after, _ = stage.do(state, command)
    except Refused as error:
        return stage.refusal(error)
    return _draft_answers(after, seat, when)


def _draft_answers(after: State, seat: Colour, when: Json) -> Json:
    open_draft = after.draft
    taken = owned(after, seat)
    found: Json = {
        "province": taken[0] if taken else None,
        "armies": after.provinces[taken[0]].armies if taken else 0,
        "hand": list(taken),
        "then_choose": open_draft is not None and open_draft.seat == seat,
    }
    if open_draft is not None:
        pile = open_draft.pile or ()
        found |= {"open": list(open_draft.open), "groups": list(open_draft.groups[seat])}
        found |= {"pile_top": list(pile), "pile_bottom_two": list(pile[-2:]), "next": open_draft.seat}
    return found


def _choosing_order(given: Json) -> list[Colour]:
    seats = tuple(Colour(c) for c in given["seats_clockwise"])
    events = setup.new({"players": list(seats), "start": "draft", "oldest": given.get("oldest"), "seed": 3})
    first = next(event for event in events if isinstance(event, TableSet))
    state = table_set(first)
    order: list[Colour] = []
    open_draft = state.draft
    while open_draft is not None and len(order) < 10 * len(seats):
        order.append(open_draft.seat)
        next_chooser = next_seat(state, open_draft)
        open_draft = replace(open_draft, seat=next_chooser) if next_chooser else None
    return order


def rounds(given: Json, when: Json) -> Json:
    """Return the eight rounds and the phases of an action round."""
    return {
        "rounds": [season.value for _, season in ROUNDS],
        "phases_of_action_rounds": list(ROUND_PHASES.values()),
    }


def phase(given: Json, when: Json) -> Json:
    """Return which cards of a row are open, and how many events are shuffled."""
    row = replace(stage.table(given, PLAYERS[:3], {}), row=ACTIONS)
    if when["phase"] == "special cards":
        return {"open_places": list(range(1, len(facts.SPECIALS) + 1)), "hidden_places": []}
    if when["phase"] == "event":
        number = int(given.get("open_events", facts.YEAR_EVENTS))
        shuffled = {season.value: number - at for at, season in enumerate(facts.ACTION_ROUNDS)}
        return {"shuffled": shuffled, "left_for_winter": number - len(facts.ACTION_ROUNDS)}
    return {
        "open_places": list(range(1, open_place_count(row) + 1)),
        "hidden_places": list(range(open_place_count(row) + 1, len(ACTIONS) + 1)),
    }


def finished(given: Json, when: Json) -> Json:
    """Return which place of the action row opens after each action (T-7)."""
    row = replace(stage.table(given, PLAYERS[:3], {}), row=ACTIONS)
    after: dict[str, int | None] = {}
    for done in when["finished"]:
        before, now = (open_place_count(evolve(row, TurnEnded(n, 0))) for n in (done - 1, done))
        after[str(done)] = now if now > before else None
    last = evolve(row, TurnEnded(max(when["finished"], default=0), 0))
    return {"opened_after": after, "open_places": list(range(1, open_place_count(last) + 1))}


def end_of_round(given: Json, when: Json) -> Json:
    """End a round: cards return to their owners (T-8)."""
    seats = stage.seats_for(given, *given.get("turn_order", []))
    season = Season(given.get("round", "spring"))
    state = stage.table(given, seats, {})
    drawn = stage.event_id(given.get("event"))
    open_events = tuple(card for card in facts.EVENTS if card != drawn)[: int(given.get("open_events", 1))]
    order = tuple(Colour(c) for c in given.get("turn_order", seats))
    state = replace(
        state, season=season, event=drawn, year_events=open_events, order=order, done=len(ACTIONS)
    )
    next_season = SEASONS[SEASONS.index(season) + 1]
    after = evolve(state, RoundEnded(next_season))
    return {
        "winter_order": list(after.order),
        "turn_order": list(after.order) or None,
        "special_cards_held": {s: p.special.value for s, p in after.players.items() if p.special},
        "cards_on_boards": sum(len(player.plan) for player in after.players.values()),
        "open_events": len(after.year_events),
        "events_out_of_game": 1,
        "round": after.season.value,
        "next": after.season.value,
    }


def accident(given: Json, when: Json) -> Json:
    """Play an accident: cubes fell out between two battles (B-2)."""
    state = stage.table(given, stage.seats_for(given, *given.get("tower", {})), {})
    return _play_on_tower(state, Accident(stage.pile(when["fell_out"])))


def empty(given: Json, when: Json) -> Json:
    """Try to empty the tower."""
    state = stage.table(given, stage.seats_for(given, *given.get("tower", {})), {})
    is_over = given.get("phase") == "over" or given.get("game") == "over"
    return _play_on_tower(replace(state, phase=Phase.OVER) if is_over else state, EmptyTower())


def _play_on_tower(state: State, command: Command) -> Json:
    try:
        after, events = stage.do(state, command)
    except Refused as error:
        return stage.refusal(error)
    ledger = after.ledger
    return {
        "tray": dict(ledger.tray),
        "tower": dict(ledger.tower),
        "supply": dict(ledger.supply),
        **stage.notices(events),
    }
