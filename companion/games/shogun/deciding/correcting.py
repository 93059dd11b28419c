"""Corrections: a person overrules the app about a fact; broken invariants only give a notice (section X)."""

from collections.abc import Callable
from dataclasses import replace

from companion.games.shogun import facts
from companion.games.shogun.check import find_faults
from companion.games.shogun.commands import Accident, Correct, CountTower, EmptyTower, Fact
from companion.games.shogun.deciding.auction import order_by_specials
from companion.games.shogun.deciding.fighting import refuse_during_throw
from companion.games.shogun.deciding.story import Story
from companion.games.shogun.deciding.winter import current_winners
from companion.games.shogun.events import Corrected, FellOut, GameEnded, MoreInside, TowerCounted
from companion.games.shogun.evolve import evolve
from companion.games.shogun.state import Province, State
from companion.games.shogun.words import FARMERS, Building, Phase, Space, Special
from companion.tower.piles import in_words, plus, shortfall, without_zeros

Value = int | str | tuple[str, ...] | None
SENTENCES = {
    "not_in_play": "This province is not in play.",
    "cannot_neutral_no_armies": "A neutral province holds no armies; set its owner first.",
    "cannot_number_from_0": "Enter a number from 0 to 999.",
    "no_such_player": "Nobody plays this colour here.",
    "cannot_throw_first": "A throw for this province is awaited; settle it first.",
    "cannot_no_such_building": "Buildings are castle, temple and theatre.",
    "no_such_cubes": "Cubes are a number of a colour that is in the game.",
    "cannot_no_such_space": "A card must be on a seat's space.",
    "cannot_not_their_card": "Only the player’s own province cards and chest cards go on a board.",
    "cannot_no_such_special": "There is no such special card or seat.",
    "cannot_no_such_event": "The event cards are 1 to 12, each used once.",
    "cannot_no_such_row": "The action row has ten places, each action once; an unknown card is empty text.",
    "cannot_done_action": "Actions that are done or under way keep their places in the row; "
    "correct the places after them.",
    "cannot_no_such_order": "The turn order names each player once.",
    "cannot_amid_action": "Players who have already acted stay first until this action is over; "
    "correct the rest then.",
    "cannot_no_such_border": "A border is between two provinces, 1 on and 0 off.",
    "cannot_no_such_house": "There is no such house rule, or it has no such setting.",
}
"""Why a correction is impossible, by translation key."""


def correct(story: Story, command: Correct) -> None:
    """Apply a correction; the table is right, so only what cannot exist at all is refused."""
    state = story.state
    problem = _FIND_PROBLEM[command.fact](state, command.where, command.value)
    is_empty = command.fact is Fact.ARMIES and state.provinces.get(command.where) == Province()
    sentence = SENTENCES.get(problem, "")
    rule = "X-3" if is_empty else "X-1"
    story.must(not problem, rule, problem, sentence, fact=command.fact, where=command.where)
    before = set(find_faults(state))
    corrected = Corrected(command.fact, command.where, command.value, command.reason)
    uncovers = _uncovers_card(state, evolve(state, corrected), command.where)
    story.add(replace(corrected, uncovers=uncovers))
    if story.state.phase is Phase.OVER and current_winners(story.state) != state.winners:
        story.add(GameEnded(current_winners(story.state)))
    for fault in find_faults(story.state):
        if fault not in before:
            story.warn(fault.rule, fault.sentence)
    gone = {state.event, *state.spent_events}
    if command.fact is Fact.YEAR_EVENTS and not gone.isdisjoint(story.state.year_events):  # drawn before
        story.warn("T-9", "Event cards of this round and of those before do not come again.")
    if (
        command.fact is Fact.SPECIAL
        and state.order
        and order_by_specials(story.state) not in (None, state.order)
    ):
        story.warn("O-4", "The special cards now lie in another order than the turns are taken in.")


def _uncovers_card(before: State, after: State, where: str) -> bool:
    """Return whether everybody sees where a card lay face down: on a board that it leaves (B-17), or in the
    draft, where it takes the place of an open one (S-4)."""
    if before.draft and after.draft and set(after.draft.open) - {*before.draft.open, where}:
        return True
    return before.phase is not Phase.PLANNING and any(  # until all are ready boards are secret (C-6)
        set(player.plan) - {*player.shown, *after.players[seat].plan}
        for seat, player in before.players.items()
    )


def _is_number(value: Value) -> bool:
    return isinstance(value, int) and 0 <= value <= facts.MOST_OF_ANYTHING


def _province_problem(state: State, where: str) -> str:
    return "" if where in state.provinces else "not_in_play"


def _armies_problem(state: State, where: str, value: Value) -> str:
    if _province_problem(state, where):
        return _province_problem(state, where)
    if state.provinces[where].owner is None and value:
        return "cannot_neutral_no_armies"
    if state.throw is not None and where == state.throw.province:
        return "cannot_throw_first"  # its armies now lie in front of the tower (B-18)
    return "" if _is_number(value) else "cannot_number_from_0"


def _owner_problem(state: State, where: str, value: Value) -> str:
    if _province_problem(state, where):
        return _province_problem(state, where)
    if value is not None and value not in state.seats:
        return "no_such_player"
    is_in_throw = state.throw is not None and where in (state.throw.province, state.throw.origin)
    return "cannot_throw_first" if is_in_throw else ""


def _markers_problem(state: State, where: str, value: Value) -> str:
    return _province_problem(state, where) or ("" if _is_number(value) else "cannot_number_from_0")


def _buildings_problem(state: State, where: str, value: Value) -> str:
    is_known = isinstance(value, tuple) and set(value) <= set(Building)
    return _province_problem(state, where) or ("" if is_known else "cannot_no_such_building")


def _seat_problem(state: State, where: str, value: Value) -> str:
    if where not in state.seats:
        return "no_such_player"
    return "" if _is_number(value) else "cannot_number_from_0"


def _bank_problem(state: State, where: str, value: Value) -> str:
    return "" if _is_number(value) else "cannot_number_from_0"


def _cubes_problem(state: State, where: str, value: Value) -> str:
    is_valid = where in state.ledger.box and _is_number(value)
    return "" if is_valid else "no_such_cubes"


def _tiles_problem(state: State, where: str, value: Value) -> str:
    return "" if where in set(Building) and _is_number(value) else "cannot_no_such_building"


def _card_problem(state: State, where: str, value: Value) -> str:
    seat, _, space = where.partition(".")
    if seat not in state.seats or space not in set(Space):
        return "cannot_no_such_space"
    own_provinces = {p for p, province in state.provinces.items() if province.owner == seat}
    is_allowed = value is None or (isinstance(value, str) and value in own_provinces | set(facts.CHEST_CARDS))
    return "" if is_allowed else "cannot_not_their_card"


def _special_problem(state: State, where: str, value: Value) -> str:
    is_valid = where in state.seats and (value is None or value in set(Special))
    return "" if is_valid else "cannot_no_such_special"


def _event_problem(state: State, where: str, value: Value) -> str:
    return "" if value is None or value in facts.EVENTS else "cannot_no_such_event"


def _year_events_problem(state: State, where: str, value: Value) -> str:
    names = {str(card) for card in facts.EVENTS}
    is_valid = isinstance(value, tuple) and set(value) <= names and len(set(value)) == len(value)
    return "" if is_valid else "cannot_no_such_event"


def _row_problem(state: State, where: str, value: Value) -> str:
    places = value if isinstance(value, tuple) and len(value) == 10 else ()
    known_names = [name for name in places if name]
    is_known = set(known_names) <= set(Space) - {"auction"} and len(set(known_names)) == len(known_names)
    if not places or not is_known:
        return "cannot_no_such_row"
    begun = state.done + (state.turn > 0 or _is_acting(state))
    if places[:begun] != tuple(action or "" for action in state.row[:begun]):
        return "cannot_done_action"  # else one action is done twice and another never (T-7)
    return ""


def _order_problem(state: State, where: str, value: Value) -> str:
    if not isinstance(value, tuple) or sorted(value) != sorted(state.seats):
        return "cannot_no_such_order"
    is_acting = _is_acting(state)
    acted, acting = state.order[: state.turn], state.order[state.turn : state.turn + is_acting]
    keeps_acted = (
        set(value[: state.turn]) == set(acted) and value[state.turn : state.turn + is_acting] == acting
    )
    return "" if keeps_acted else "cannot_amid_action"  # else one player acts twice and another never


def _is_acting(state: State) -> bool:
    """Return whether the acting player's turn has begun and ends when its throw is settled."""
    return state.throw is not None and state.throw.of_turn


def _border_problem(state: State, where: str, value: Value) -> str:
    first, _, second = where.partition(".")
    is_valid = first in facts.CARDS and second in facts.CARDS and first != second and value in (0, 1)
    return "" if is_valid else "cannot_no_such_border"


def _house_problem(state: State, where: str, value: Value) -> str:
    if where == "six_armies_under_deploy_event":
        return "" if value in facts.SIX_UNDER_EVENT else "cannot_no_such_house"
    names = ("farmers_pay_first", "must_move", "lost_revolt_income", "castle_event_in_revolts")
    return "" if where in names and value in (0, 1) else "cannot_no_such_house"


_FIND_PROBLEM: dict[Fact, Callable[[State, str, Value], str]] = {
    Fact.ARMIES: _armies_problem,
    Fact.OWNER: _owner_problem,
    Fact.MARKERS: _markers_problem,
    Fact.BUILDINGS: _buildings_problem,
    Fact.CHESTS: _seat_problem,
    Fact.RICE: _seat_problem,
    Fact.POINTS: _seat_problem,
    Fact.BANK: _bank_problem,
    Fact.TOWER: _cubes_problem,
    Fact.TRAY: _cubes_problem,
    Fact.TILES: _tiles_problem,
    Fact.CARD: _card_problem,
    Fact.SPECIAL: _special_problem,
    Fact.EVENT: _event_problem,
    Fact.YEAR_EVENTS: _year_events_problem,
    Fact.ROW: _row_problem,
    Fact.ORDER: _order_problem,
    Fact.BORDER: _border_problem,
    Fact.HOUSE: _house_problem,
}


def accident(story: Story, command: Accident) -> None:
    """Record cubes that fell out between two throws (B-2)."""
    refuse_during_throw(story)
    ledger = story.state.ledger
    fell = without_zeros(command.fell)
    is_known = set(fell) <= set(ledger.box) and all(n > 0 for n in fell.values())
    story.must(is_known, "X-1", "no_such_cubes", "There are no such cubes in this game.")
    more = shortfall(fell, ledger.tower)
    story.demand(
        not (more and ledger.certain),
        "X-1",
        "not_in_tower",
        f"More fell out than can be inside: {in_words(more)}. Count again, or insist.",
        more=dict(more),
    )
    short = shortfall(more, ledger.supply)
    sentence = "The ledger has none of these cubes left. Correct it first."
    story.must(not short, "X-1", "not_in_box", sentence, more=dict(short))
    if more:
        story.add(MoreInside(more))
    story.add(FellOut(fell))


def empty_tower(story: Story, command: EmptyTower) -> None:
    """Empty the tower, which is only done after the game (B-2, C-8)."""
    refuse_during_throw(story)
    is_over = story.state.phase is Phase.OVER
    story.demand(is_over, "B-2", "not_emptied", "The tower is only emptied after the game.")
    if story.state.ledger.tower or not story.state.ledger.certain:
        story.add(TowerCounted({}))


def count_tower(story: Story, command: CountTower) -> None:
    """Record the contents of the tower after it was opened and counted."""
    refuse_during_throw(story)
    ledger = story.state.ledger
    inside = without_zeros(command.inside)
    available = plus(ledger.tower, ledger.supply)
    is_known = set(inside) <= {*story.state.seats, FARMERS} and all(n > 0 for n in inside.values())
    story.must(is_known, "X-1", "no_such_cubes", "There are no such cubes in this game.")
    short = shortfall(inside, available)
    sentence = "The ledger has none of these cubes left. Correct it first."
    story.must(not short, "X-1", "not_in_box", sentence, more=dict(short))
    story.add(TowerCounted(inside))
