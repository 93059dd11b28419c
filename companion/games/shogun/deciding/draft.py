"""The draft: provinces are taken one by one (S-4, S-5)."""

from dataclasses import replace

from companion.games.protocol import Colour
from companion.games.shogun import facts
from companion.games.shogun.commands import Lay, Swap, Take
from companion.games.shogun.deciding.fighting import refuse_during_throw
from companion.games.shogun.deciding.story import Story
from companion.games.shogun.events import OpenFilled, OpenSwapped, ProvinceTaken
from companion.games.shogun.state import Draft, State, next_seat
from companion.games.shogun.words import Phase

PILE = "pile"


def take(story: Story, command: Take) -> None:
    """Let a seat take a province and place a group of armies in it (S-4)."""
    draft = _require_draft(story, command.seat)
    groups = draft.groups[command.seat]
    story.must(
        command.group in groups,
        "S-4",
        "no_such_group",
        "A whole group goes to one province, and there is no such group left.",
        groups=groups,
    )
    story.must(
        command.take in (*draft.open, PILE),
        "S-4",
        "card_not_open",
        "Take one of the two open cards, or the top card of the pile.",
    )
    top, pile = _draw_top(story, draft, command.drawn)
    from_pile = command.take == PILE
    story.must(bool(top) or not from_pile, "S-4", "pile_empty", "The pile is empty.")
    province = top if from_pile else command.take
    turned = (top,) if top else ()
    open_cards = draft.open if from_pile else (*(card for card in draft.open if card != province), *turned)
    groups_left = list(groups)
    groups_left.remove(command.group)
    after = replace(
        draft,
        open=open_cards,
        pile=pile,
        groups={**draft.groups, command.seat: tuple(groups_left)},
        previous={**draft.previous, command.seat: draft.open},
        swapped=False,
    )
    next_chooser = next_seat(story.state, after)
    next_draft = replace(after, seat=next_chooser) if next_chooser else None
    story.add(ProvinceTaken(command.seat, province, command.group, next_draft))


def pile_cards(state: State, draft: Draft) -> tuple[str, ...]:
    """Return the cards of the pile; for a real pile, those that can be in it, in no particular order."""
    if draft.pile is not None:
        return draft.pile
    return tuple(card for card in state.provinces if _may_be_in_pile(state, draft, card))


def nothing_left(state: State, draft: Draft) -> bool:
    """Return whether no card can be taken: corrections during the draft gave the others away."""
    return not draft.open and not pile_cards(state, draft)


def gap(state: State, draft: Draft) -> int:
    """Return how many open cards the table must turn up: real ones that a correction or battle took away."""
    if draft.pile is not None:
        return 0
    return max(0, min(facts.OPEN_PROVINCES - len(draft.open), len(pile_cards(state, draft))))


def fill(story: Story, command: Lay) -> None:
    """Record the cards that the table turned up to replace missing open ones (S-4)."""
    draft = story.state.draft
    missing = gap(story.state, draft) if draft else 0
    story.must(missing > 0, "T-1", "nothing_to_lay", "There are no cards to lay out now.")
    cards = command.cards or ()
    are_free = draft is not None and all(_may_be_in_pile(story.state, draft, card) for card in cards)
    _require_named_cards(story, are_valid=are_free and len(cards) == len(set(cards)) == missing)
    story.add(OpenFilled(cards))


def may_swap(draft: Draft) -> bool:
    """Return whether the seat may swap: the same two cards were open at its previous choice (S-5, R-19)."""
    return not draft.swapped and set(draft.open) == set(draft.previous.get(draft.seat, ()))


def swap(story: Story, command: Swap) -> None:
    """Put both open cards under the pile and turn up two new ones from its top (S-5, R-30)."""
    draft = _require_draft(story, command.seat)
    story.must(
        may_swap(draft),
        "S-5",
        "other_cards",
        "Only the same two cards as at this player's previous choice may be changed, once a turn.",
    )
    if draft.pile is None:
        named = command.drawn or ()
        are_free = all(_may_be_in_pile(story.state, draft, card) for card in named)
        story.must(
            len(set(named)) == 2 and are_free, "S-5", "tell_two", "Say which two cards were turned up."
        )
        after = replace(draft, open=tuple(named), swapped=True)
    else:
        story.must(
            len(draft.pile) >= 2, "S-5", "pile_short", "There are fewer than two cards left in the pile."
        )
        after = replace(draft, open=draft.pile[:2], pile=(*draft.pile[2:], *sorted(draft.open)), swapped=True)
    story.add(OpenSwapped(command.seat, after))


def _require_draft(story: Story, seat: Colour) -> Draft:
    refuse_during_throw(story)
    draft = story.state.draft
    if draft is None or story.state.phase is not Phase.DRAFT:
        story.must(False, "S-4", "no_draft", "There are no provinces to take now.")
        raise AssertionError
    story.must(seat == draft.seat, "S-4", "not_your_turn", "Another player is choosing now.", seat=draft.seat)
    _require_named_cards(story, are_valid=not gap(story.state, draft))
    return draft


def _may_be_in_pile(state: State, draft: Draft, card: str | None) -> bool:
    province = state.provinces.get(card or "")
    return province is not None and province.owner is None and card not in draft.open


def _draw_top(story: Story, draft: Draft, drawn: str | None) -> tuple[str, tuple[str, ...] | None]:
    """Return the pile's top card (empty if none) and the rest; with real cards the table must name it."""
    if draft.pile is not None:
        return "".join(draft.pile[:1]), draft.pile[1:]
    if not pile_cards(story.state, draft):
        return "", None
    _require_named_cards(story, are_valid=_may_be_in_pile(story.state, draft, drawn))
    return drawn or "", None


def _require_named_cards(story: Story, *, are_valid: bool) -> None:
    story.must(
        are_valid,
        "S-4",
        "tell_card",
        "Say which card came from the pile: a province in play that nobody has.",
    )
