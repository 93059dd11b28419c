"""Small state changes shared by several events."""

from collections.abc import Iterable
from dataclasses import replace

from companion.games.protocol import Colour
from companion.games.shogun import facts
from companion.games.shogun.state import Player, Province, State
from companion.games.shogun.words import Building, Phase, Space
from companion.tower.ledger import Place, move
from companion.tower.piles import Pile

_AFTER_PLANNING = frozenset({Phase.EVENT, Phase.BIDS, Phase.ORDER, Phase.ACTIONS})
"""Phases in which a province that is won cannot be used before the next planning (B-17)."""


def with_province(state: State, key: str, province: Province) -> State:
    """Return the state with one province replaced."""
    return replace(state, provinces={**state.provinces, key: province})


def with_player(state: State, seat: Colour, player: Player) -> State:
    """Return the state with one player replaced."""
    return replace(state, players={**state.players, seat: player})


def with_cubes(state: State, pile: Pile, source: Place, target: Place) -> State:
    """Return the state with cubes moved between two places of the ledger."""
    return replace(state, ledger=move(state.ledger, pile, source, target))


def pay(state: State, seat: Colour, chests: int) -> State:
    """Pay chests to the bank, or from the bank if negative."""
    player = state.players[seat]
    paid = with_player(state, seat, replace(player, chests=player.chests - chests))
    return replace(paid, bank=paid.bank + chests)


def with_tiles(state: State, buildings: Iterable[Building], change: int) -> State:
    """Take building tiles from the box (-1) or give them back (+1)."""
    tiles = dict(state.tiles)
    for building in buildings:
        tiles[building] += change
    return replace(state, tiles=tiles)


def take_off_board(state: State, seat: Colour, card: str) -> State:
    """Remove a province card from an individual board, face up or down (B-17)."""
    player = state.players[seat]
    gone = [space for space, laid in player.plan.items() if laid == card]
    if not gone:
        return state
    plan = {space: laid for space, laid in player.plan.items() if space not in gone}
    shown = tuple(space for space in player.shown if space not in gone)
    return with_player(state, seat, replace(player, plan=plan, shown=shown))


def player_with_card(state: State, seat: Colour, space: Space, card: str | None) -> Player:
    """Return the player with the revealed card alone on the space, whatever the app had there (P-3, P-7)."""
    player = (state if card is None else take_off_board(state, seat, card)).players[seat]
    plan = {at: laid for at, laid in player.plan.items() if at != space}
    return replace(player, plan=plan if card is None else {**plan, space: card})


def hand_over(state: State, key: str, after: Province) -> State:
    """Replace a province, and if its owner changes, move its card at once (B-17)."""
    before = state.provinces[key].owner
    changed = with_province(state, key, after)
    if before == after.owner:
        return changed
    changed = _remove_from_draft(changed, key, after.owner)
    if before is not None:
        changed = take_off_board(changed, before, key)
    if after.owner is not None and state.phase in _AFTER_PLANNING:
        winner = changed.players[after.owner]
        changed = with_player(changed, after.owner, replace(winner, used=(*winner.used, key)))
    return _reset_ready(changed, before, after.owner) if state.phase is Phase.PLANNING else changed


def _remove_from_draft(state: State, key: str, owner: Colour | None) -> State:
    """Take the card of a province that changed owner out of the draft; a neutral one goes under the pile."""
    draft = state.draft
    if draft is None:
        return state
    open_cards = tuple(card for card in draft.open if card != key)
    pile = None if draft.pile is None else tuple(card for card in draft.pile if card != key)
    if owner is None and pile is not None:
        pile = (*pile, key)
    if pile:  # a card put under an empty pile is turned up as well
        gap = max(0, facts.OPEN_PROVINCES - len(open_cards))
        open_cards, pile = (*open_cards, *pile[:gap]), pile[gap:]
    return replace(state, draft=replace(draft, open=open_cards, pile=pile))


def _reset_ready(state: State, *seats: Colour | None) -> State:
    """Reset `ready` for seats that planned on the phone, because their cards have changed (P-5)."""
    for seat in filter(None, seats):
        player = state.players[seat]
        if player.ready and not player.by_cards:
            state = with_player(state, seat, replace(player, ready=False))
    return state
