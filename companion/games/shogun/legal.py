"""The commands a seat, or the table, may give now; pages offer them and bots play them."""

from collections.abc import Callable, Iterator

from companion.games.protocol import Colour
from companion.games.shogun import commands as c
from companion.games.shogun import facts
from companion.games.shogun.able import find_bar, targets
from companion.games.shogun.deciding.auction import choosing_now, open_specials
from companion.games.shogun.deciding.draft import PILE, gap, may_swap, pile_cards
from companion.games.shogun.deciding.planning import to_place
from companion.games.shogun.deciding.winter import fighting_now, left_neighbour, still_to_fight
from companion.games.shogun.state import (
    Draft,
    State,
    acting_seat,
    action_now,
    hand,
    near,
    open_place_count,
    owned,
    privilege,
    supply,
)
from companion.games.shogun.words import ACTIONS, BATTLES, Phase, Space, Special


def legal(state: State, seat: Colour | None) -> list[c.Command]:
    """Return the commands possible without insisting; settling and correcting are not listed."""
    return list(_table_commands(state) if seat is None else _seat_commands(state, seat))


def _table_commands(state: State) -> Iterator[c.Command]:
    throw = state.throw
    if throw is not None:
        if throw.can_be_called_off:
            yield c.CallOff()
        return
    match state.phase:
        case Phase.YEAR | Phase.ROW | Phase.SPECIALS | Phase.EVENT:
            yield c.Lay()
        case Phase.DRAFT:
            if state.draft and gap(state, state.draft):
                yield c.Lay()
        case Phase.BIDS:
            yield c.Reveal({s: None for s, player in state.players.items() if player.by_cards})
        case Phase.ACTIONS:
            yield from _open_commands(state)
        case Phase.WINTER:
            yield c.LoseRice()
        case Phase.HUNGER:
            yield from (c.DrawRevolts(player) for player in state.to_draw)
        case Phase.SCORING:
            yield c.Score()
        case Phase.FREE:
            yield from _declare_commands(state)
        case _:
            pass


def _open_commands(state: State) -> Iterator[c.Command]:
    hidden_places = [at for at in range(1, open_place_count(state) + 1) if state.row[at - 1] is None]
    free_actions = [action for action in ACTIONS if action not in state.row]
    if hidden_places:
        yield from (c.OpenAction(hidden_places[0], action) for action in free_actions)


def _declare_commands(state: State) -> Iterator[c.Command]:
    for origin, province in state.provinces.items():
        if province.owner and province.armies > 1:
            for target in near(state, origin):
                if state.provinces[target].owner != province.owner:
                    yield c.Declare(province.owner, target, province.armies - 1, origin)


def _seat_commands(state: State, seat: Colour) -> Iterator[c.Command]:
    if seat not in state.players:
        return
    if state.throw is not None:
        if state.throw.ask_defence and state.throw.defender == seat:
            yield c.Defend(seat, bonus=True)
            yield c.Defend(seat, bonus=False)
        return
    offers = _OFFERS.get(state.phase)
    if offers is not None:
        yield from offers(state, seat)


def _draft_commands(state: State, seat: Colour) -> Iterator[c.Command]:
    if state.draft and state.draft.seat == seat and not gap(state, state.draft):
        yield from _take_commands(state.draft, seat, len(pile_cards(state, state.draft)))


def _choose_commands(state: State, seat: Colour) -> Iterator[c.Command]:
    if choosing_now(state) == seat:
        yield from (c.Choose(seat, special) for special in open_specials(state))


def _turn_commands(state: State, seat: Colour) -> Iterator[c.Command]:
    if acting_seat(state) == seat:
        yield from _act_commands(state, seat)


def _revolt_commands(state: State, seat: Colour) -> Iterator[c.Command]:
    yield from (c.DrawRevolts(player) for player in state.to_draw if left_neighbour(state, player) == seat)
    if fighting_now(state) == seat:
        yield from (c.FightRevolt(seat, province) for province in still_to_fight(state, seat))


def _take_commands(draft: Draft, seat: Colour, pile: int) -> Iterator[c.Command]:
    for group in dict.fromkeys(draft.groups[seat]):
        yield from (c.Take(seat, card, group) for card in draft.open)
        if pile:
            yield c.Take(seat, PILE, group)
    if may_swap(draft) and pile >= 2:
        yield c.Swap(seat)


def _plan_commands(state: State, seat: Colour) -> Iterator[c.Command]:
    player = state.players[seat]
    if not player.ready:
        yield c.Ready(seat, by_cards=True)
        if len(player.plan) == to_place(state, seat):
            yield c.Ready(seat)
    else:
        yield c.Ready(seat, ready=False)
    if player.by_cards:
        return
    cards = hand(state, seat)
    is_full = len(player.plan) >= to_place(state, seat)
    for space in Space:
        if space in player.plan:
            yield c.Place(seat, space, None)
        elif not is_full:
            yield from (c.Place(seat, space, card) for card in cards if _can_bid(state, seat, space, card))


def _can_bid(state: State, seat: Colour, space: Space, card: str) -> bool:
    return space is not Space.AUCTION or facts.CHEST_CARDS.get(card, 0) <= state.players[seat].chests


def _act_commands(state: State, seat: Colour) -> Iterator[c.Command]:
    space, player = action_now(state), state.players[seat]
    if space is None:
        return
    if player.by_cards and space not in player.shown:
        unused = [card for card in hand(state, seat) if card not in player.used]
        yield from (c.TurnUp(seat, card) for card in (*unused, None))
        return
    card = player.plan.get(space)
    if card is None or card in facts.CHEST_CARDS or card not in owned(state, seat):
        yield c.Act(seat)
        return
    if space not in BATTLES or find_bar(state, seat, space, card) or not state.house.must_move:
        yield c.Act(seat)
    if find_bar(state, seat, space, card):
        return
    if space is Space.DEPLOY_1_MOVE:
        yield from _join_commands(state, seat, card)
    elif space in BATTLES:
        yield from _march_commands(state, seat, card)


def _join_commands(state: State, seat: Colour, origin: str) -> Iterator[c.Command]:
    armies_there = state.provinces[origin].armies + 1
    for target in near(state, origin):
        if state.provinces[target].owner == seat:
            yield from (c.Act(seat, target, armies) for armies in range(1, armies_there))


def _march_commands(state: State, seat: Colour, origin: str) -> Iterator[c.Command]:
    armies_there = state.provinces[origin].armies
    may_add_army = privilege(state, seat) is Special.PLUS_ATTACK and supply(state, seat) > 0
    for target in targets(state, seat, origin):
        for armies in range(1, armies_there):
            yield c.Act(seat, target, armies)
            if may_add_army and state.provinces[target].owner != seat:
                yield c.Act(seat, target, armies, bonus_attack=True)


_OFFERS: dict[Phase, Callable[[State, Colour], Iterator[c.Command]]] = {
    Phase.DRAFT: _draft_commands,
    Phase.PLANNING: _plan_commands,
    Phase.ORDER: _choose_commands,
    Phase.ACTIONS: _turn_commands,
    Phase.HUNGER: _revolt_commands,
}
