"""What a person's correction changes: one function per fact."""

from collections.abc import Callable
from dataclasses import replace

from companion.games.codec import from_json, to_json
from companion.games.protocol import Colour
from companion.games.shogun import events as e
from companion.games.shogun import facts
from companion.games.shogun.commands import Fact
from companion.games.shogun.evolving.changing import (
    hand_over,
    take_off_board,
    with_cubes,
    with_player,
    with_province,
    with_tiles,
)
from companion.games.shogun.state import House, Province, State, next_seat, owned
from companion.games.shogun.words import Building, Space, Special
from companion.tower.ledger import Place

Value = int | str | tuple[str, ...] | None


def apply_correction(state: State, event: e.Corrected) -> State:
    """Return the state with the fact as the table has it."""
    return _SETTERS[event.fact](state, event.where, event.value)


def _as_number(value: Value) -> int:
    return value if isinstance(value, int) else 0


def _as_texts(value: Value) -> tuple[str, ...]:
    return value if isinstance(value, tuple) else ()


def _set_armies(state: State, where: str, value: Value) -> State:
    province = state.provinces[where]
    if province.owner is None:
        return state
    change = {province.owner: _as_number(value) - province.armies}
    changed = with_cubes(state, change, Place.SUPPLY, Place.BOARD)
    changed = with_province(changed, where, replace(province, armies=_as_number(value)))
    return _advance_draft(changed, province.owner)


def _set_owner(state: State, where: str, value: Value) -> State:
    """Return the former owner's armies to the supply and put in as many of the new owner's as there are."""
    before = state.provinces[where]
    owner = Colour(value) if isinstance(value, str) else None
    if before.owner == owner:
        return state
    changed = state
    if before.owner:
        changed = with_cubes(changed, {before.owner: before.armies}, Place.BOARD, Place.SUPPLY)
    if owner is None:
        changed = with_tiles(changed, before.buildings, 1)
        return _advance_draft(hand_over(changed, where, Province()), before.owner)
    in_supply = max(0, changed.ledger.supply.get(owner, 0))  # negative if the box was overdrawn before
    armies = min(max(1, before.armies), in_supply)
    changed = with_cubes(changed, {owner: armies}, Place.SUPPLY, Place.BOARD)
    changed = hand_over(changed, where, replace(before, owner=owner, armies=armies))
    return _advance_draft(changed, before.owner, owner)


def _advance_draft(state: State, *seats: Colour | None) -> State:
    """During the draft, do not ask again for groups that the table has already placed (S-4)."""
    draft = state.draft
    if draft is None:
        return state
    groups_left = {seat: _groups_left(state, seat) for seat in filter(None, seats)}
    draft = replace(draft, groups={**draft.groups, **groups_left})
    next_chooser = draft.seat if draft.groups[draft.seat] else next_seat(state, draft)
    return replace(state, draft=replace(draft, seat=next_chooser) if next_chooser else None)


def _groups_left(state: State, seat: Colour) -> tuple[int, ...]:
    """Return a seat's unplaced groups: each province uses its exact group, or else the nearest in size."""
    unplaced = list(facts.START_GROUPS[len(state.seats)])
    unmatched: list[int] = []
    for armies in (state.provinces[key].armies for key in owned(state, seat)):
        if armies in unplaced:
            unplaced.remove(armies)
        else:
            unmatched.append(armies)
    for armies in unmatched[: len(unplaced)]:
        unplaced.remove(min(unplaced, key=lambda group: abs(group - armies)))
    return tuple(unplaced)


def _set_markers(state: State, where: str, value: Value) -> State:
    return with_province(state, where, replace(state.provinces[where], markers=_as_number(value)))


def _set_buildings(state: State, where: str, value: Value) -> State:
    province = state.provinces[where]
    buildings = tuple(sorted(Building(name) for name in _as_texts(value)))
    changed = with_tiles(with_tiles(state, province.buildings, 1), buildings, -1)
    return with_province(changed, where, replace(province, buildings=buildings))


def _set_chests(state: State, where: str, value: Value) -> State:
    seat = Colour(where)
    player = state.players[seat]
    changed = with_player(state, seat, replace(player, chests=_as_number(value)))
    return replace(changed, bank=state.bank + player.chests - _as_number(value))


def _set_rice(state: State, where: str, value: Value) -> State:
    seat = Colour(where)
    return with_player(state, seat, replace(state.players[seat], rice=_as_number(value)))


def _set_points(state: State, where: str, value: Value) -> State:
    seat = Colour(where)
    return with_player(state, seat, replace(state.players[seat], points=_as_number(value)))


def _set_bank(state: State, where: str, value: Value) -> State:
    return replace(state, bank=_as_number(value))


def _set_tower(state: State, where: str, value: Value) -> State:
    change = {Colour(where): _as_number(value) - state.ledger.tower.get(Colour(where), 0)}
    return with_cubes(state, change, Place.SUPPLY, Place.TOWER)


def _set_tray(state: State, where: str, value: Value) -> State:
    """Take the difference from the tower, and what the tower lacks from the supply."""
    colour = Colour(where)
    more = _as_number(value) - state.ledger.tray.get(colour, 0)
    inside = min(more, state.ledger.tower.get(colour, 0))
    changed = with_cubes(state, {colour: inside}, Place.TOWER, Place.TRAY)
    return with_cubes(changed, {colour: more - inside}, Place.SUPPLY, Place.TRAY)


def _set_tiles(state: State, where: str, value: Value) -> State:
    return replace(state, tiles={**state.tiles, Building(where): _as_number(value)})


def _set_card(state: State, where: str, value: Value) -> State:
    name, _, space = where.partition(".")
    seat = Colour(name)
    if isinstance(value, str):
        state = take_off_board(state, seat, value)
    player = state.players[seat]
    plan = {s: c for s, c in player.plan.items() if s != space}
    if isinstance(value, str):
        plan[Space(space)] = value
    return with_player(state, seat, replace(player, plan=plan))


def _set_special(state: State, where: str, value: Value) -> State:
    """Swap special cards with the seat that was thought to hold this one, as each exists once (O-4)."""
    seat = Colour(where)
    special = Special(value) if isinstance(value, str) else None
    former = state.players[seat].special
    for holder, player in state.players.items():
        if special is not None and holder != seat and player.special is special:
            state = with_player(state, holder, replace(player, special=former))
    return with_player(state, seat, replace(state.players[seat], special=special))


def _set_event(state: State, where: str, value: Value) -> State:
    """Set the drawn event; if that card was thought to be open, it is swapped with the one thought drawn."""
    event = value if isinstance(value, int) else None
    if event is None:
        return replace(state, event=None)
    open_cards = (state.event if card == event else card for card in state.year_events)
    return replace(state, event=event, year_events=tuple(card for card in open_cards if card is not None))


def _set_year_events(state: State, where: str, value: Value) -> State:
    return replace(state, year_events=tuple(int(card) for card in _as_texts(value)))


def _set_row(state: State, where: str, value: Value) -> State:
    return replace(state, row=tuple(Space(name) if name else None for name in _as_texts(value)))


def _set_order(state: State, where: str, value: Value) -> State:
    return replace(state, order=tuple(Colour(name) for name in _as_texts(value)))


def _set_border(state: State, where: str, value: Value) -> State:
    first, second = sorted(where.split("."))
    pair = frozenset({(first, second)})
    return replace(state, borders=state.borders | pair if value else state.borders - pair)


def _set_house(state: State, where: str, value: Value) -> State:
    house = to_json(state.house)
    house[where] = value if where == "six_armies_under_deploy_event" else bool(value)
    return replace(state, house=from_json(House, house))


_SETTERS: dict[Fact, Callable[[State, str, Value], State]] = {
    Fact.ARMIES: _set_armies,
    Fact.OWNER: _set_owner,
    Fact.MARKERS: _set_markers,
    Fact.BUILDINGS: _set_buildings,
    Fact.CHESTS: _set_chests,
    Fact.RICE: _set_rice,
    Fact.POINTS: _set_points,
    Fact.BANK: _set_bank,
    Fact.TOWER: _set_tower,
    Fact.TRAY: _set_tray,
    Fact.TILES: _set_tiles,
    Fact.CARD: _set_card,
    Fact.SPECIAL: _set_special,
    Fact.EVENT: _set_event,
    Fact.YEAR_EVENTS: _set_year_events,
    Fact.ROW: _set_row,
    Fact.ORDER: _set_order,
    Fact.BORDER: _set_border,
    Fact.HOUSE: _set_house,
}
