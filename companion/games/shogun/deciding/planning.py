"""Secret planning: a card on each space (P-1 to P-8)."""

from companion.games.protocol import Colour
from companion.games.shogun import facts
from companion.games.shogun.commands import Place, Ready
from companion.games.shogun.deciding.story import Story
from companion.games.shogun.events import CardPlaced, SeatReady
from companion.games.shogun.state import State, owned
from companion.games.shogun.words import Phase, Space

SPACES = len(Space)


def place(story: Story, command: Place) -> None:
    """Put a card face down on a space, or take it off."""
    _require_planning(story, command.seat)
    player = story.state.players[command.seat]
    if command.card is None:
        story.must(command.space in player.plan, "P-1", "space_empty", "There is no card on this space.")
    else:
        _check_card(story, command)
    if player.ready or player.by_cards:
        story.add(SeatReady(command.seat, ready=False, by_cards=False))
    story.add(CardPlaced(command.seat, command.space, command.card))


def _check_card(story: Story, command: Place) -> None:
    state, card = story.state, command.card or ""
    player = state.players[command.seat]
    story.must(
        card in facts.CHEST_CARDS or card in owned(state, command.seat),
        "P-2",
        "not_own",
        "Only your own province cards and the five chest cards can be planned.",
        card=card,
    )
    story.must(
        card not in player.plan.values(),
        "P-3",
        "card_used",
        "Each card can be used once a round; this one is on another space.",
        card=card,
    )
    story.must(
        command.space not in player.plan,
        "P-1",
        "space_taken",
        "Each space takes one card; take it off first.",
    )
    bid = facts.CHEST_CARDS.get(card, 0) if command.space is Space.AUCTION else 0
    may_bid = bid <= player.chests or bool(story.insist)  # not logged: that would reveal the bid (C-6)
    story.demand(may_bid, "P-6", "overbid", "A bid should not be higher than the chests the player owns.")


def ready(story: Story, command: Ready) -> None:
    """Record that a seat has planned, on the phone or on the real board, or that it reconsiders."""
    _require_planning(story, command.seat)
    if command.ready and not command.by_cards:
        plan = story.state.players[command.seat].plan
        story.demand(
            len(plan) == to_place(story.state, command.seat),
            "P-5",
            "spaces_left",
            "Fill every space, as far as the cards go.",
            placed=len(plan),
            wanted=to_place(story.state, command.seat),
        )
    story.add(SeatReady(command.seat, command.ready, command.by_cards and command.ready))


def to_place(state: State, seat: Colour) -> int:
    """Return how many of the eleven spaces a seat must fill: all, or as many as it has cards for (P-5)."""
    return SPACES - empty_spaces(len(owned(state, seat)))


def empty_spaces(provinces: int) -> int:
    """Return how many spaces stay empty with this many provinces and five chest cards (P-5, L-7)."""
    return max(0, SPACES - provinces - len(facts.CHEST_CARDS))


def _require_planning(story: Story, seat: Colour) -> None:
    story.must(
        story.state.phase is Phase.PLANNING,
        "P-8",
        "plans_are_final",
        "Once all players are ready, plans cannot be changed.",
    )
    story.must(seat in story.state.players, "C-1", "no_such_player", "Nobody plays this colour here.")
