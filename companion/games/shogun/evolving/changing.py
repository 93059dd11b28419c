"""Small changes that several events share."""

from collections.abc import Iterable
from dataclasses import replace

from companion.games.protocol import Colour
from companion.games.shogun import facts
from companion.games.shogun.state import Player, Province, State
from companion.games.shogun.words import Building, Phase, Space
from companion.tower.ledger import Place, move
from companion.tower.piles import Pile

_AFTER_PLANNING = frozenset({Phase.EVENT, Phase.BIDS, Phase.ORDER, Phase.ACTIONS})
"""Of a round: a province won then is not used before the next planning (B-17)."""


def with_province(state: State, key: str, province: Province) -> State:
    """Another province in its place."""
    return replace(state, provinces={**state.provinces, key: province})


def with_player(state: State, seat: Colour, player: Player) -> State:
    """Another player in a seat."""
    return replace(state, players={**state.players, seat: player})


def with_cubes(state: State, pile: Pile, source: Place, target: Place) -> State:
    """Cubes go from place to place in the ledger."""
    return replace(state, ledger=move(state.ledger, pile, source, target))


def pay(state: State, seat: Colour, chests: int) -> State:
    """Chests to the bank; below zero from the bank."""
    player = state.players[seat]
    paid = with_player(state, seat, replace(player, chests=player.chests - chests))
    return replace(paid, bank=paid.bank + chests)


def with_tiles(state: State, buildings: Iterable[Building], change: int) -> State:
    """Tiles taken from the box (-1) or given back (+1)."""
    tiles = dict(state.tiles)
    for building in buildings:
        tiles[building] += change
    return replace(state, tiles=tiles)


def off_board(state: State, seat: Colour, card: str) -> State:
    """A province card leaves an individual board, face up or down (B-17)."""
    player = state.players[seat]
    gone = [space for space, laid in player.plan.items() if laid == card]
    if not gone:
        return state
    plan = {space: laid for space, laid in player.plan.items() if space not in gone}
    shown = tuple(space for space in player.shown if space not in gone)
    return with_player(state, seat, replace(player, plan=plan, shown=shown))


def turned_up(state: State, seat: Colour, space: Space, card: str | None) -> Player:
    """A space shows its card: that alone lies there, whatever was put right before (P-3, P-7)."""
    player = (state if card is None else off_board(state, seat, card)).players[seat]
    plan = {at: laid for at, laid in player.plan.items() if at != space}
    return replace(player, plan=plan if card is None else {**plan, space: card})


def handed_over(state: State, key: str, after: Province) -> State:
    """A province with another owner, or none: its card moves at once (B-17)."""
    before = state.provinces[key].owner
    changed = with_province(state, key, after)
    if before == after.owner:
        return changed
    changed = _out_of_draft(changed, key, after.owner)
    if before is not None:
        changed = off_board(changed, before, key)
    if after.owner is not None and state.phase in _AFTER_PLANNING:
        winner = changed.players[after.owner]
        changed = with_player(changed, after.owner, replace(winner, used=(*winner.used, key)))
    return _plan_again(changed, before, after.owner) if state.phase is Phase.PLANNING else changed


def _out_of_draft(state: State, key: str, owner: Colour | None) -> State:
    """A card that went another way than by the draft is not taken; one that is free goes under the pile."""
    draft = state.draft
    if draft is None:
        return state
    shown = tuple(card for card in draft.open if card != key)
    pile = None if draft.pile is None else tuple(card for card in draft.pile if card != key)
    if owner is None and pile is not None:
        pile = (*pile, key)
    if pile:  # a card that went under a pile of none is turned up as well
        gap = max(0, facts.OPEN_PROVINCES - len(shown))
        shown, pile = (*shown, *pile[:gap]), pile[gap:]
    return replace(state, draft=replace(draft, open=shown, pile=pile))


def _plan_again(state: State, *seats: Colour | None) -> State:
    """Other cards are theirs now: who was done planning on the phone is asked once more (P-5)."""
    for seat in filter(None, seats):
        player = state.players[seat]
        if player.ready and not player.by_cards:
            state = with_player(state, seat, replace(player, ready=False))
    return state
