"""What a seat may know, built up from nothing: what is not added here never leaves the server (C-6, P-7)."""

from companion.games.codec import to_json
from companion.games.protocol import Colour, Json, TowerShown
from companion.games.shogun import facts
from companion.games.shogun.able import find_bar
from companion.games.shogun.battle import table_cubes
from companion.games.shogun.commands import Command, Correct, Fact, Place
from companion.games.shogun.deciding.auction import choosing_now
from companion.games.shogun.deciding.draft import gap, may_swap
from companion.games.shogun.deciding.planning import to_place
from companion.games.shogun.deciding.winter import fighting_now, left_neighbour, still_to_fight
from companion.games.shogun.state import State, acting_seat, action_now, hand, open_place_count, owned
from companion.games.shogun.words import Fight, Phase, Space

A_CARD = "a card"


def view(state: State, seat: Colour | None, tower: TowerShown = TowerShown.ALL) -> Json:
    """Return the view as JSON; `seat` None is the table's own page, which shows only public information."""
    return {
        "game": "shogun",
        "seat": seat,
        "side": state.side.value,
        "seats": list(state.seats),
        "phase": state.phase.value,
        "year": state.year,
        "season": state.season.value,
        "by_table": state.by_table,
        "house": to_json(state.house),
        "waiting_for": waiting_for(state),
        "provinces": [_province_json(state, key) for key in state.provinces],
        "players": [_player_json(state, player, seat, tower) for player in state.seats],
        "cubes": _cubes_json(state, tower),
        "bank": state.bank,
        "tiles": to_json(state.tiles),
        "cards": _cards_json(state),
        "turn": _turn_json(state, seat),
        "draft": _draft_json(state),
        "throw": _throw_json(state),
        "last": to_json(state.last),
        "winter": _winter_json(state),
        "winners": list(state.winners),
    }


def waiting_for(state: State) -> list[str]:
    """Return the seats that have to act now; `table` if all act together."""
    if state.throw is not None:
        asked_seat = state.throw.ask_defence and state.throw.defender
        return [asked_seat] if asked_seat else ["table"]
    match state.phase:
        case Phase.DRAFT:
            chooser = state.draft.seat if state.draft and not gap(state, state.draft) else None
        case Phase.PLANNING:
            return [seat for seat, player in state.players.items() if not player.ready]
        case Phase.ORDER:
            chooser = choosing_now(state)
        case Phase.ACTIONS:
            chooser = acting_seat(state) if action_now(state) else None
        case Phase.HUNGER if state.to_draw:
            return [left_neighbour(state, seat) for seat in state.to_draw]
        case Phase.HUNGER:
            chooser = fighting_now(state)
        case Phase.OVER:
            return []
        case _:
            chooser = None
    return [chooser] if chooser else ["table"]


def board_of(state: State, player: Colour, seat: Colour | None) -> Json:
    """Return a board as a seat sees it: own and face-up cards, and where others lie face down (P-7)."""
    owner = state.players[player]
    if state.phase is Phase.PLANNING and player != seat:
        return {}  # C-6: which spaces are filled is secret until planning ends
    return {  # in the board's order: the order of placing would reveal which card a seat placed last
        space.value: owner.plan[space] if player == seat or space in owner.shown else A_CARD
        for space in Space
        if space in owner.plan
    }


def secret_of(state: State, command: Command) -> Colour | None:
    """Return the seat whose plan the answer to a command would reveal: it plans on its phone, or is corrected
    there, after which the card is missing from the space where it lay (C-6, P-7)."""
    match command:
        case Place():
            return command.seat
        case Correct(fact=Fact.CARD):
            seat = Colour(command.where.partition(".")[0])
            return seat if _has_secret_plan(state, seat) else None
        case _:
            return None


def _has_secret_plan(state: State, seat: Colour) -> bool:
    """Whether a seat plans on its phone, or has cards face down there. Of real cards nothing is known."""
    player = state.players.get(seat)
    if player is None or player.by_cards:
        return False
    # whether a card was placed already is secret too (C-6)
    return state.phase is Phase.PLANNING or not set(player.plan) <= set(player.shown)


def _player_json(state: State, player: Colour, seat: Colour | None, tower: TowerShown) -> Json:
    holdings = state.players[player]
    is_own = player == seat
    return {
        "seat": player,
        "chests": holdings.chests,
        "rice": holdings.rice,
        "points": holdings.points,
        "supply": state.ledger.supply.get(player, 0) if tower is TowerShown.ALL else None,
        "provinces": list(owned(state, player)),
        "ready": holdings.ready,
        "by_cards": holdings.by_cards,
        "special": holdings.special.value if holdings.special else None,
        "board": board_of(state, player, seat),
        "face_up": [space.value for space in holdings.shown],
        "hand": list(hand(state, player)) if is_own else None,
        "to_place": to_place(state, player) if state.phase is Phase.PLANNING else None,
    }


def _province_json(state: State, key: str) -> Json:
    card, province = facts.CARDS[key], state.provinces[key]
    return {
        "id": key,
        "name": card.name,
        "region": card.region[state.side],
        "owner": province.owner,
        "armies": province.armies,
        "markers": province.markers,
        "buildings": [building.value for building in province.buildings],
        "taxes": card.taxes,
        "rice": card.rice,
        "slots": card.slots,
        "x": card.x,
        "y": card.y,
        "near": [p for p in facts.neighbours(state.borders)[key] if p in state.provinces],
    }


def _cubes_json(state: State, tower: TowerShown) -> Json:
    """Return the cubes by place; supplies give the tower away (L-1), so show both or neither."""
    ledger, shows_all = state.ledger, tower is TowerShown.ALL
    return {
        "shown": tower.value,
        "supply": dict(ledger.supply) if shows_all else None,
        "board": dict(ledger.board),
        "staged": dict(ledger.staged),
        "tower": dict(ledger.tower) if shows_all else None,
        "inside": None if tower is TowerShown.HIDDEN else sum(ledger.tower.values()),
        "tray": dict(ledger.tray),
        "certain": ledger.certain,
    }


def _cards_json(state: State) -> Json:
    face_up = open_place_count(state)
    event = facts.EVENTS.get(state.event or 0)
    action = action_now(state)
    return {
        "event_cards": [_event_json(card) for card in facts.EVENTS],
        "year_events": [_event_json(card) for card in state.year_events],
        "event": _event_json(event.id) if event else None,
        "actions": [a.value if a and at < face_up else None for at, a in enumerate(state.row)],
        "done": state.done,
        "action": action.value if action else None,
        "specials": [special.value for special in state.specials],
        "choosing": list(state.choosing),
        "order": list(state.order),
        "acting": acting_seat(state),
    }


def _turn_json(state: State, seat: Colour | None) -> Json | None:
    """Return, for the acting seat only, the province of its action and why it is barred, if it is (A-2)."""
    space = action_now(state)
    if seat is None or space is None or acting_seat(state) != seat or state.throw is not None:
        return None
    card = state.players[seat].plan.get(space)
    if card is None or card not in owned(state, seat):
        return None
    bar = find_bar(state, seat, space, card)
    return {"province": card, "barred": {"key": bar.key, "rule": bar.rule} if bar else None}


def _event_json(card: int) -> Json:
    event = facts.EVENTS[card]
    return {"id": card, "effect": event.effect.value, "winter_rice_loss": event.rice_loss}


def _draft_json(state: State) -> Json | None:
    draft = state.draft
    if draft is None:
        return None
    return {
        "seat": draft.seat,
        "open": list(draft.open),
        "pile": None if draft.pile is None else len(draft.pile),
        "groups": {seat: list(groups) for seat, groups in draft.groups.items()},
        "may_swap": may_swap(draft),
        "gap": gap(state, draft),
    }


def _throw_json(state: State) -> Json | None:
    throw = state.throw
    if throw is None:
        return None
    bring = state.ledger.staged if throw.fight is Fight.FILL else table_cubes(throw)
    return {**to_json(throw), "from_table": dict(bring), "from_tray": dict(state.ledger.tray)}


def _winter_json(state: State) -> Json:
    return {
        "to_draw": dict(state.to_draw),
        "drawn_by": {seat: left_neighbour(state, seat) for seat in state.to_draw},
        "revolts": {seat: list(still_to_fight(state, seat)) for seat in state.revolts},
        "extra_farmers": dict(state.extra_farmers),
    }
