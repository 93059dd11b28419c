"""Scenarios of planning, bids and turn order."""

from collections.abc import Iterator
from dataclasses import replace

from companion.games.protocol import Colour, Json, Refused
from companion.games.shogun import facts
from companion.games.shogun.commands import Choose, Command, Place, Ready, Reveal
from companion.games.shogun.deciding.auction import groups, open_specials, turn_order
from companion.games.shogun.deciding.planning import empty_spaces
from companion.games.shogun.events import BidsRevealed
from companion.games.shogun.scenarios import stage
from companion.games.shogun.state import Province, State
from companion.games.shogun.words import BLUE, Phase, Space, Special


def place(given: Json, when: Json) -> Json:
    """Try to put a card on a space, or to change it after everybody was ready."""
    seat = Colour(given.get("seat", BLUE))
    cards = given.get("provinces", [c for c in given.get("board", {}).values() if c in facts.CARDS])
    state = _planning_state(given, seat, [str(card) for card in cards])
    if given.get("all_ready"):
        state = replace(state, phase=Phase.ACTIONS)
    state = stage.with_board(state, seat, given.get("board", {}))
    card = when.get("place", when.get("move"))
    command = Place(seat, Space(when["space"]), card)
    found = _try_command(state, command)
    if "after" in found:
        player = found.pop("after").players[seat]
        found["board"] = {space.value: laid for space, laid in player.plan.items()}
    return found


def complete(given: Json, when: Json) -> Json:
    """Return how many spaces stay empty (P-5)."""
    owned = given.get("provinces_owned", len(given.get("provinces", [])))
    empty = empty_spaces(int(owned))
    return {"empty_spaces": empty, "filled_spaces": len(Space) - empty, "cards": int(owned) + 5}


def ready(given: Json, when: Json) -> Json:
    """Try to declare a seat's plan finished."""
    seat = Colour(given.get("seat", BLUE))
    number = int(given.get("provinces_owned", len(given.get("provinces", []))))
    provinces = [str(p) for p in given.get("provinces", list(facts.CARDS)[:number])]
    state = _planning_state(given, seat, provinces)
    empty = set(given.get("empty", []))
    cards = [*facts.CHEST_CARDS, *provinces]
    order = [Space.AUCTION, *(space for space in Space if space is not Space.AUCTION)]
    spaces = [space for space in order if space.value not in empty]
    placed = int(given.get("cards_placed", min(len(spaces), len(cards))))
    board = given.get("board") or {s.value: c for s, c in zip(spaces[:placed], cards, strict=False)}
    state = stage.with_board(state, seat, board)
    found = _try_command(state, Ready(seat))
    if "after" in found:
        after = found.pop("after")
        found["bid"] = after.players[seat].plan.get(Space.AUCTION)
    return found


def _planning_state(given: Json, seat: Colour, provinces: list[str]) -> State:
    owned = {key: Province(seat, 2) for key in provinces if key in facts.CARDS}
    state = stage.table(given, stage.seats_for(given, seat), owned)
    if isinstance(given.get("chests"), int):
        state = stage.with_chests(state, seat, given["chests"])
    return replace(state, phase=Phase.PLANNING)


def _try_command(state: State, command: Command) -> Json:
    try:
        after, events = stage.do(state, command)
    except Refused as error:
        return {**stage.refusal(error), "accepted": False, "override": stage.is_overridable(state, command)}
    return {"accepted": True, "after": after, **stage.notices(events)}


def reveal(given: Json, when: Json) -> Json:
    """Turn up, pay and order the bids."""
    bids = given["bids"]
    seats = tuple(Colour(c) for c in bids)
    spare = iter(facts.CARDS)
    cards = {seat: _bid_card(bids[seat], spare) for seat in seats}
    board = {card: Province(seat, 2) for seat, card in cards.items() if card in facts.CARDS}
    state = stage.table({**given, "players": len(seats)}, seats, board)
    state = replace(state, phase=Phase.BIDS, seats=seats)
    state = replace(state, players={s: p for s, p in state.players.items() if s in seats})
    for seat in seats:
        chests = given.get("chests", {}).get(seat, stage.CHESTS)
        state = stage.with_chests(state, seat, int(chests))
        state = stage.with_board(state, seat, {"auction": cards[seat]})
    drawn = [
        Colour(c) for group in given.get("drawn", []) for c in (group if isinstance(group, list) else [group])
    ]
    try:
        after, events = stage.do(state, Reveal(drawn=tuple(drawn) or None))
    except Refused as error:
        return stage.refusal(error)
    revealed = next(event for event in events if isinstance(event, BidsRevealed))
    chests_before = {seat: player.chests for seat, player in state.players.items()}
    return {
        "order": list(revealed.choosing),
        "paid": {seat: revealed.paid.get(seat, 0) for seat in seats},
        "chests": {seat: player.chests for seat, player in after.players.items()},
        "bank": after.bank,
        "groups": [list(group) for group in groups(revealed.bids, chests_before)],
        **stage.notices(events),
    }


def _bid_card(bid: object, spare: Iterator[str]) -> str | None:
    if bid is None:
        return None
    if isinstance(bid, int):
        return f"chest_{bid}"
    name = str(bid)
    return name if name in facts.CARDS or name in facts.CHEST_CARDS else next(spare)


def choices(given: Json, when: Json) -> Json:
    """Choose special cards, and derive the turn order."""
    order = tuple(Colour(c) for c in given["choosing"])
    taken = {Colour(c): Special(s) for c, s in given.get("taken", {}).items()}
    seats = order
    state = stage.table({**given, "players": len(order)}, seats, {})
    players = {seat: replace(state.players[seat], special=taken.get(seat)) for seat in order}
    laid = tuple(Special(s) for s in given["specials"])
    state = replace(state, phase=Phase.ORDER, seats=order, players=players, choosing=order, specials=laid)
    found: Json = {}
    for seat, special in when["choices"]:
        try:
            state, events = stage.do(state, Choose(Colour(seat), Special(special)))
        except Refused as error:
            return stage.refusal(error)
        found |= stage.notices(events)
    held = {seat: player.special for seat, player in state.players.items() if player.special}
    return {
        **found,
        "turn_order": list(turn_order(laid, held)),
        "privileges": {seat: special.value for seat, special in held.items()},
        "places": {str(laid.index(special) + 1): seat for seat, special in held.items()},
        "out_this_round": [special.value for special in open_specials(state)],
        "open": [special.value for special in open_specials(state)],
    }
