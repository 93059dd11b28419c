"""Laying out cards: draft (S-4), events of the year (S-10), actions (T-2), specials (T-3), event (T-5)."""

from companion.games.chance import shuffled
from companion.games.shogun import facts
from companion.games.shogun.commands import Lay, OpenAction
from companion.games.shogun.deciding.draft import fill
from companion.games.shogun.deciding.story import Story
from companion.games.shogun.events import (
    ActionOpened,
    EventDrawn,
    PhaseBegun,
    RowLaid,
    SpecialsLaid,
    YearLaid,
)
from companion.games.shogun.state import open_place_count
from companion.games.shogun.words import ACTIONS, Phase, Space, Special


def lay(story: Story, command: Lay) -> None:
    """Lay out the cards that the phase asks for, as the table laid them or as the app shuffles them."""
    match story.state.phase:
        case Phase.DRAFT:
            fill(story, command)
        case Phase.YEAR:
            _lay_year(story, command.cards)
        case Phase.ROW:
            _lay_row(story, command.cards)
        case Phase.SPECIALS:
            _lay_specials(story, command.cards)
        case Phase.EVENT:
            _draw_event(story, command.cards)
        case _:
            story.must(False, "T-1", "nothing_to_lay", "There are no cards to lay out now.")


def _lay_year(story: Story, cards: tuple[str, ...] | None) -> None:
    state = story.state
    pile = state.event_pile
    if cards is None:
        unspent = [card for card in facts.EVENTS if card not in state.spent_events]
        known_pile = None if pile is None else tuple(card for card in pile if card in unspent)
        rest = shuffled(unspent, state.seed, state.draws) if known_pile is None else known_pile
        if len(rest) < facts.YEAR_EVENTS:  # too many are said to be spent: the year still needs four
            missing = [card for card in facts.EVENTS if card not in rest]
            rest = (*rest, *shuffled(missing, state.seed, state.draws))
        drawn, pile = rest[: facts.YEAR_EVENTS], rest[facts.YEAR_EVENTS :]
    else:
        drawn = tuple(int(card) for card in cards if card.isdecimal())
        pile = None if pile is None else tuple(card for card in pile if card not in drawn)
    is_valid = len(drawn) == len(set(drawn)) == facts.YEAR_EVENTS and set(drawn) <= set(facts.EVENTS)
    story.must(is_valid, "S-10", "four_events", "Four of the twelve event cards must be open.")
    if not set(drawn).isdisjoint(state.spent_events):  # the real cards are right, the log may be wrong
        story.warn("T-9", "Event cards of the rounds before have left the game.")
    story.add(YearLaid(drawn, pile))
    story.add(PhaseBegun(Phase.ROW))


def _lay_row(story: Story, cards: tuple[str, ...] | None) -> None:
    names = _known_names(story, cards, ACTIONS)
    laid = shuffled(ACTIONS, story.state.seed, story.state.draws) if cards is None else _as_spaces(names)
    open_count = facts.OPEN_ACTIONS
    is_valid = open_count <= len(laid) <= len(ACTIONS) and len(set(laid)) == len(laid)
    story.must(is_valid, "T-2", "five_open", "The row has ten action cards, the first five open.")
    hidden: tuple[None, ...] = (None,) * (len(ACTIONS) - len(laid))
    story.add(RowLaid((*laid, *hidden)))
    story.add(PhaseBegun(Phase.SPECIALS))


def _as_spaces(names: tuple[str, ...]) -> tuple[Space, ...]:
    return tuple(Space(name) for name in names)


def _lay_specials(story: Story, cards: tuple[str, ...] | None) -> None:
    names = _known_names(story, cards, facts.SPECIALS)
    laid = (
        shuffled(facts.SPECIALS, story.state.seed, story.state.draws)
        if cards is None
        else tuple(Special(name) for name in names)
    )
    is_valid = len(laid) == len(set(laid)) == len(facts.SPECIALS)
    story.must(is_valid, "T-3", "five_specials", "The five special cards must be open on places 1 to 5.")
    story.add(SpecialsLaid(laid))
    story.add(PhaseBegun(Phase.PLANNING))


def _known_names(story: Story, cards: tuple[str, ...] | None, known: tuple[str, ...]) -> tuple[str, ...]:
    names = cards or ()
    story.must(set(names) <= set(known), "T-2", "unknown_card", "There is no such card.")
    return names


def _draw_event(story: Story, cards: tuple[str, ...] | None) -> None:
    state = story.state
    if cards is None and (state.event is not None or not state.year_events):
        _skip_draw(story)
        return
    if cards is None:
        drawn = shuffled(state.year_events, state.seed, state.draws)[:1]
    else:
        drawn = tuple(int(card) for card in cards if card.isdecimal())
    is_valid = len(drawn) == 1 and drawn[0] in state.year_events
    story.must(is_valid, "T-5", "one_event", "Draw one of the open events of the year.")
    story.add(EventDrawn(drawn[0]))
    story.add(PhaseBegun(Phase.BIDS))


def _skip_draw(story: Story) -> None:
    """Go on without drawing: the event is known already, or no card is left and play would be stuck (T-5)."""
    if story.state.event is None:
        story.warn("T-5", "No event card is open: the round is played without one.")
    story.add(PhaseBegun(Phase.BIDS))


def open_action(story: Story, command: OpenAction) -> None:
    """Record a hidden action card that the table turned up (T-7)."""
    state = story.state
    is_next = 1 <= command.place <= open_place_count(state) and state.row[command.place - 1] is None
    story.must(is_next, "T-7", "not_to_open", "This place in the action row is not turned up now.")
    is_free = command.action in ACTIONS and command.action not in state.row
    story.must(is_free, "T-2", "action_twice", "This action card is elsewhere in the row.")
    story.add(ActionOpened(command.place, command.action))
