"""Bids, ties, special cards and the turn order (O-1 to O-4)."""

from collections.abc import Mapping

from companion.games.chance import shuffled
from companion.games.protocol import Colour
from companion.games.shogun import facts
from companion.games.shogun.commands import Choose, Reveal
from companion.games.shogun.deciding.fighting import refuse_during_throw
from companion.games.shogun.deciding.story import Story
from companion.games.shogun.events import BidsRevealed, OrderSet, PhaseBegun, SpecialChosen
from companion.games.shogun.state import State, owned
from companion.games.shogun.words import Phase, Space, Special

_PROVINCE_RANK = 0.5
_NO_CARD_RANK = -1.0


def counts_as(card: str | None, chests: int) -> int | None:
    """Return what a bid is worth and costs, at most the player's chests (R-3); None unless a chest card."""
    return min(facts.CHEST_CARDS[card], chests) if card in facts.CHEST_CARDS else None


def groups(bids: Mapping[Colour, str | None], chests: Mapping[Colour, int]) -> tuple[tuple[Colour, ...], ...]:
    """Group equal bids, in the order of choosing: 4 to 1, provinces, 0, no card (O-2)."""
    ranks: dict[float, list[Colour]] = {}
    for seat, card in bids.items():
        ranks.setdefault(_rank(card, chests[seat]), []).append(seat)
    return tuple(tuple(sorted(ranks[rank])) for rank in sorted(ranks, reverse=True))


def _rank(card: str | None, chests: int) -> float:
    if card is None:
        return _NO_CARD_RANK
    worth = counts_as(card, chests)
    return _PROVINCE_RANK if worth is None else float(worth)


def reveal(story: Story, command: Reveal) -> None:
    """Turn up and pay all bids, and draw lots among equal ones (O-1, O-3)."""
    state = story.state
    story.must(state.phase is Phase.BIDS, "T-6", "no_bids", "There are no bids to turn up now.")
    bids = {seat: _find_bid(story, seat, command.bids) for seat in state.seats}
    chests = {seat: player.chests for seat, player in state.players.items()}
    paid = {seat: counts_as(card, chests[seat]) or 0 for seat, card in bids.items()}
    for seat, card in bids.items():
        if card in facts.CHEST_CARDS and facts.CHEST_CARDS[card] > chests[seat]:
            story.warn("P-6", f"{seat} bid more than there was; it counts as {chests[seat]}.")
    drawn = _choosing_order(story, groups(bids, chests), command.drawn)
    story.add(BidsRevealed(bids, paid, drawn))
    story.add(PhaseBegun(Phase.ORDER))


def _find_bid(story: Story, seat: Colour, reported_bids: Mapping[Colour, str | None]) -> str | None:
    player = story.state.players[seat]
    if not player.by_cards:
        return player.plan.get(Space.AUCTION)
    story.must(
        seat in reported_bids, "O-1", "tell_bid", "Say which card is on the real auction space.", seat=seat
    )
    card = reported_bids[seat]
    is_bid = card is None or card in facts.CHEST_CARDS or card in owned(story.state, seat)
    story.must(
        is_bid,
        "P-4",
        "not_a_bid",
        "A bid is a chest card or one of the player’s own province cards.",
        card=card,
    )
    return card


def _choosing_order(
    story: Story, tied: tuple[tuple[Colour, ...], ...], drawn: tuple[Colour, ...] | None
) -> tuple[Colour, ...]:
    """Return one order for all groups; the draw only decides within a group (O-3)."""
    if drawn is None:
        state = story.state
        return tuple(seat for group in tied for seat in shuffled(group, state.seed, state.draws))
    story.must(keeps_groups(tied, drawn), "O-3", "draw_in_group", "The draw only decides among equal bids.")
    return drawn


def keeps_groups(tied: tuple[tuple[Colour, ...], ...], drawn: tuple[Colour, ...]) -> bool:
    """Return whether a drawn order keeps the groups in their order."""
    start = 0
    for group in tied:
        if set(drawn[start : start + len(group)]) != set(group):
            return False
        start += len(group)
    return start == len(drawn)


def choose(story: Story, command: Choose) -> None:
    """Let a seat take one of the special cards that are left (O-4)."""
    refuse_during_throw(story)
    state = story.state
    chooser = choosing_now(state)
    story.must(chooser is not None, "O-4", "no_choice", "There are no special cards to choose now.")
    story.must(
        command.seat == chooser, "O-4", "not_your_choice", "Another player is choosing now.", seat=chooser
    )
    story.must(
        command.special in open_specials(state), "O-4", "special_taken", "This special card is already taken."
    )
    story.add(SpecialChosen(command.seat, command.special))


def choosing_now(state: State) -> Colour | None:
    """Return the seat that takes a special card next, or None."""
    if state.phase is not Phase.ORDER:
        return None
    return next((seat for seat in state.choosing if state.players[seat].special is None), None)


def open_specials(state: State) -> tuple[Special, ...]:
    """Return the special cards that nobody has taken."""
    taken_specials = {player.special for player in state.players.values()}
    return tuple(special for special in state.specials if special not in taken_specials)


def turn_order(specials: tuple[Special, ...], held: Mapping[Colour, Special]) -> tuple[Colour, ...]:
    """Return the players by the place of their special card, passing over places nobody took (O-4)."""
    return tuple(sorted(held, key=lambda seat: specials.index(held[seat])))


def set_turn_order(story: Story) -> bool:
    """Set the turn order once everybody has a special card; return whether it did."""
    state = story.state
    if choosing_now(state) is not None:
        return False
    story.add(OrderSet(turn_order(state.specials, _held_specials(state))))
    story.add(PhaseBegun(Phase.ACTIONS))
    return True


def order_by_specials(state: State) -> tuple[Colour, ...] | None:
    """Return the turn order given by the special cards (O-4), or None unless everybody holds one of them."""
    held = _held_specials(state)
    is_complete = len(held) == len(state.seats) and set(held.values()) <= set(state.specials)
    return turn_order(state.specials, held) if is_complete else None


def _held_specials(state: State) -> dict[Colour, Special]:
    return {seat: p.special for seat, p in state.players.items() if p.special is not None}
