"""Corrections: a person overrules the app about a fact; broken invariants only give a notice (section X)."""

from collections.abc import Callable

from companion.games.shogun import facts
from companion.games.shogun.check import broken
from companion.games.shogun.commands import Accident, Correct, CountTower, EmptyTower, Fact
from companion.games.shogun.deciding.auction import by_place
from companion.games.shogun.deciding.fighting import no_throw
from companion.games.shogun.deciding.story import Story
from companion.games.shogun.deciding.winter import ahead
from companion.games.shogun.events import Corrected, FellOut, GameEnded, MoreInside, TowerCounted
from companion.games.shogun.state import Province, State
from companion.games.shogun.words import FARMERS, Building, Phase, Space, Special
from companion.tower.piles import lacking, plus, some, words

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
    problem = _KINDS[command.fact](state, command.where, command.value)
    empty = command.fact is Fact.ARMIES and state.provinces.get(command.where) == Province()
    sentence = SENTENCES.get(problem, "")
    rule = "X-3" if empty else "X-1"
    story.must(not problem, rule, problem, sentence, fact=command.fact, where=command.where)
    before = set(broken(state))
    story.add(Corrected(command.fact, command.where, command.value, command.reason))
    if story.state.phase is Phase.OVER and ahead(story.state) != state.winners:
        story.add(GameEnded(ahead(story.state)))
    for fault in broken(story.state):
        if fault not in before:
            story.warn(fault.rule, fault.sentence)
    out = {state.event, *state.spent_events}
    if command.fact is Fact.YEAR_EVENTS and not out.isdisjoint(story.state.year_events):  # drawn before
        story.warn("T-9", "Event cards of this round and of those before do not come again.")
    if command.fact is Fact.SPECIAL and state.order and by_place(story.state) not in (None, state.order):
        story.warn("O-4", "The special cards now lie in another order than the turns are taken in.")


def _number(value: Value) -> bool:
    return isinstance(value, int) and 0 <= value <= facts.MOST_OF_ANYTHING


def _province(state: State, where: str) -> str:
    return "" if where in state.provinces else "not_in_play"


def _armies(state: State, where: str, value: Value) -> str:
    if _province(state, where):
        return _province(state, where)
    if state.provinces[where].owner is None and value:
        return "cannot_neutral_no_armies"
    if state.throw is not None and where == state.throw.province:
        return "cannot_throw_first"  # its armies now lie in front of the tower (B-18)
    return "" if _number(value) else "cannot_number_from_0"


def _owner(state: State, where: str, value: Value) -> str:
    if _province(state, where):
        return _province(state, where)
    if value is not None and value not in state.seats:
        return "no_such_player"
    busy = state.throw is not None and where in (state.throw.province, state.throw.origin)
    return "cannot_throw_first" if busy else ""


def _markers(state: State, where: str, value: Value) -> str:
    return _province(state, where) or ("" if _number(value) else "cannot_number_from_0")


def _buildings(state: State, where: str, value: Value) -> str:
    known = isinstance(value, tuple) and set(value) <= set(Building)
    return _province(state, where) or ("" if known else "cannot_no_such_building")


def _of_seat(state: State, where: str, value: Value) -> str:
    if where not in state.seats:
        return "no_such_player"
    return "" if _number(value) else "cannot_number_from_0"


def _bank(state: State, where: str, value: Value) -> str:
    return "" if _number(value) else "cannot_number_from_0"


def _cubes(state: State, where: str, value: Value) -> str:
    fits = where in state.ledger.box and _number(value)
    return "" if fits else "no_such_cubes"


def _tiles(state: State, where: str, value: Value) -> str:
    return "" if where in set(Building) and _number(value) else "cannot_no_such_building"


def _card(state: State, where: str, value: Value) -> str:
    seat, _, space = where.partition(".")
    if seat not in state.seats or space not in set(Space):
        return "cannot_no_such_space"
    own = {p for p, province in state.provinces.items() if province.owner == seat}
    fits = value is None or (isinstance(value, str) and value in own | set(facts.CHEST_CARDS))
    return "" if fits else "cannot_not_their_card"


def _special(state: State, where: str, value: Value) -> str:
    fits = where in state.seats and (value is None or value in set(Special))
    return "" if fits else "cannot_no_such_special"


def _event(state: State, where: str, value: Value) -> str:
    return "" if value is None or value in facts.EVENTS else "cannot_no_such_event"


def _year_events(state: State, where: str, value: Value) -> str:
    names = {str(card) for card in facts.EVENTS}
    fits = isinstance(value, tuple) and set(value) <= names and len(set(value)) == len(value)
    return "" if fits else "cannot_no_such_event"


def _row(state: State, where: str, value: Value) -> str:
    known = [name for name in value if name] if isinstance(value, tuple) and len(value) == 10 else [""]
    fits = set(known) <= set(Space) - {"auction"} and len(set(known)) == len(known)
    return "" if fits else "cannot_no_such_row"


def _order(state: State, where: str, value: Value) -> str:
    if not isinstance(value, tuple) or sorted(value) != sorted(state.seats):
        return "cannot_no_such_order"
    acts = state.throw is not None and state.throw.of_turn
    acted, now = state.order[: state.turn], state.order[state.turn : state.turn + acts]
    kept = set(value[: state.turn]) == set(acted) and value[state.turn : state.turn + acts] == now
    return "" if kept else "cannot_amid_action"  # else one player acts twice and another never


def _border(state: State, where: str, value: Value) -> str:
    first, _, second = where.partition(".")
    fits = first in facts.CARDS and second in facts.CARDS and first != second and value in (0, 1)
    return "" if fits else "cannot_no_such_border"


def _house(state: State, where: str, value: Value) -> str:
    if where == "six_armies_under_deploy_event":
        return "" if value in facts.SIX_UNDER_EVENT else "cannot_no_such_house"
    names = ("farmers_pay_first", "must_move", "lost_revolt_income", "castle_event_in_revolts")
    return "" if where in names and value in (0, 1) else "cannot_no_such_house"


_KINDS: dict[Fact, Callable[[State, str, Value], str]] = {
    Fact.ARMIES: _armies,
    Fact.OWNER: _owner,
    Fact.MARKERS: _markers,
    Fact.BUILDINGS: _buildings,
    Fact.CHESTS: _of_seat,
    Fact.RICE: _of_seat,
    Fact.POINTS: _of_seat,
    Fact.BANK: _bank,
    Fact.TOWER: _cubes,
    Fact.TRAY: _cubes,
    Fact.TILES: _tiles,
    Fact.CARD: _card,
    Fact.SPECIAL: _special,
    Fact.EVENT: _event,
    Fact.YEAR_EVENTS: _year_events,
    Fact.ROW: _row,
    Fact.ORDER: _order,
    Fact.BORDER: _border,
    Fact.HOUSE: _house,
}


def accident(story: Story, command: Accident) -> None:
    """Record cubes that fell out between two throws (B-2)."""
    no_throw(story)
    ledger = story.state.ledger
    fell = some(command.fell)
    known = set(fell) <= set(ledger.box) and all(n > 0 for n in fell.values())
    story.must(known, "X-1", "no_such_cubes", "There are no such cubes in this game.")
    more = lacking(fell, ledger.tower)
    story.demand(
        not (more and ledger.certain),
        "X-1",
        "not_in_tower",
        f"More fell out than can be inside: {words(more)}. Count again, or insist.",
        more=dict(more),
    )
    short = lacking(more, ledger.supply)
    sentence = "The ledger has none of these cubes left. Correct it first."
    story.must(not short, "X-1", "not_in_box", sentence, more=dict(short))
    if more:
        story.add(MoreInside(more))
    story.add(FellOut(fell))


def empty_tower(story: Story, command: EmptyTower) -> None:
    """Empty the tower, which is only done after the game (B-2, C-8)."""
    no_throw(story)
    over = story.state.phase is Phase.OVER
    story.demand(over, "B-2", "not_emptied", "The tower is only emptied after the game.")
    if story.state.ledger.tower or not story.state.ledger.certain:
        story.add(TowerCounted({}))


def count_tower(story: Story, command: CountTower) -> None:
    """Record the contents of the tower after it was opened and counted."""
    no_throw(story)
    ledger = story.state.ledger
    inside = some(command.inside)
    there = plus(ledger.tower, ledger.supply)
    known = set(inside) <= {*story.state.seats, FARMERS} and all(n > 0 for n in inside.values())
    story.must(known, "X-1", "no_such_cubes", "There are no such cubes in this game.")
    short = lacking(inside, there)
    sentence = "The ledger has none of these cubes left. Correct it first."
    story.must(not short, "X-1", "not_in_box", sentence, more=dict(short))
    story.add(TowerCounted(inside))
