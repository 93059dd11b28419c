"""What follows automatically after a command: the order of play (T-1 to T-10)."""

from collections.abc import Callable

from companion.games.shogun import facts
from companion.games.shogun.commands import Lay, Reveal
from companion.games.shogun.deciding.actions import pass_quietly
from companion.games.shogun.deciding.auction import reveal, set_turn_order
from companion.games.shogun.deciding.draft import nothing_left
from companion.games.shogun.deciding.fighting import limit_farmers
from companion.games.shogun.deciding.laying import lay
from companion.games.shogun.deciding.story import Story
from companion.games.shogun.deciding.winter import fighting_now, still_to_fight
from companion.games.shogun.events import PhaseBegun, RoundEnded, ThrowDeclared
from companion.games.shogun.state import State, Throw
from companion.games.shogun.words import ACTIONS, SEASONS, Fight, Phase, Season


def go_on(story: Story) -> None:
    """Carry out all automatic steps, until somebody has to act."""
    while _take_step(story):
        pass


def _take_step(story: Story) -> bool:
    return story.state.phase in _STEPS and _STEPS[story.state.phase](story)


def _end_draft(story: Story) -> bool:
    state = story.state
    is_over = state.draft is None or nothing_left(state, state.draft)
    return is_over and state.throw is None and _fill(story)


def _fill_once(story: Story) -> bool:
    return story.state.throw is None and _fill(story)


def _lay_cards(story: Story) -> bool:
    return not story.state.by_table and _lay(story)


def _draw_event(story: Story) -> bool:
    return (story.state.event is not None or not story.state.by_table) and _lay(story)


def _end_planning(story: Story) -> bool:
    return all(player.ready for player in story.state.players.values()) and _begin(story, Phase.EVENT)


def _turn_up_bids(story: Story) -> bool:
    return not _asks_for_bids(story.state) and _reveal(story)


def _go_on_acting(story: Story) -> bool:
    return _end_round(story) if story.state.done >= len(ACTIONS) else pass_quietly(story)


def _end_hunger(story: Story) -> bool:
    state = story.state
    is_settled = not state.to_draw and state.throw is None and fighting_now(state) is None
    return is_settled and _begin(story, Phase.SCORING)


def _reopen_hunger(story: Story) -> bool:
    """Go back to the revolts if a correction shows that a province with an unfought revolt was not lost."""
    state = story.state
    has_revolts = any(still_to_fight(state, seat) for seat in state.revolts)
    return has_revolts and state.throw is None and _begin(story, Phase.HUNGER)


def _asks_for_bids(state: State) -> bool:
    """Return whether the table must report bids: real cards must be named, ties drawn with daimyo cards."""
    return state.by_table or any(player.by_cards for player in state.players.values())


def _begin(story: Story, phase: Phase) -> bool:
    story.add(PhaseBegun(phase))
    return True


def _fill(story: Story) -> bool:
    if story.state.phase is not Phase.FILL:
        story.add(PhaseBegun(Phase.FILL))
    limit_farmers(story, facts.FILL_FARMERS)
    story.add(ThrowDeclared(Throw(Fight.FILL)))  # S-9
    return True


def _lay(story: Story) -> bool:
    lay(story, Lay())
    return True


def _reveal(story: Story) -> bool:
    reveal(story, Reveal())
    return True


def _end_round(story: Story) -> bool:
    next_season = SEASONS[SEASONS.index(story.state.season) + 1]
    open_cards = len(story.state.year_events)
    story.add(RoundEnded(next_season))
    if next_season is Season.WINTER:
        _check_winter_card(story, open_cards)
    story.add(PhaseBegun(Phase.WINTER if next_season is Season.WINTER else Phase.ROW))
    return True


def _check_winter_card(story: Story, open_cards: int) -> None:
    """Warn, before rice is lost, if corrections left no event card for winter or several (T-5, W-1)."""
    if open_cards > 1:
        story.warn("W-1", "More than one event card lies open: the first is the winter's, unless put right.")
    elif not open_cards:
        story.warn("T-5", "No event card is open: the round is played without one.")


ROUNDS = tuple((year, season) for year in range(1, facts.YEARS + 1) for season in Season)
"""The eight rounds (T-1)."""
ROUND_PHASES = {
    Phase.ROW: "T-2",
    Phase.SPECIALS: "T-3",
    Phase.PLANNING: "T-4",
    Phase.EVENT: "T-5",
    Phase.BIDS: "T-6",
    Phase.ACTIONS: "T-7",
}
"""Phases of an action round in order, with the rule of each; choosing specials belongs to T-6."""

_STEPS: dict[Phase, Callable[[Story], bool]] = {
    Phase.DRAFT: _end_draft,
    Phase.FILL: _fill_once,
    Phase.YEAR: _lay_cards,
    Phase.ROW: _lay_cards,
    Phase.SPECIALS: _lay_cards,
    Phase.PLANNING: _end_planning,
    Phase.EVENT: _draw_event,
    Phase.BIDS: _turn_up_bids,
    Phase.ORDER: set_turn_order,
    Phase.ACTIONS: _go_on_acting,
    Phase.HUNGER: _end_hunger,
    Phase.SCORING: _reopen_hunger,
}
