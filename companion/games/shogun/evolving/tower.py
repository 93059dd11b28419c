"""Throws: what is staged in front of the tower, what a throw decides, accidents."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from companion.games.protocol import Colour
from companion.games.shogun import events as e
from companion.games.shogun import facts
from companion.games.shogun.battle import table_cubes
from companion.games.shogun.evolving.changing import hand_over, with_cubes, with_province, with_tiles
from companion.games.shogun.state import Last, Province, State, Throw
from companion.games.shogun.words import FARMERS, Fight, Space
from companion.tower import ledger as cubes
from companion.tower.ledger import Place
from companion.tower.piles import Pile, minus, without_zeros


def fill_of(state: State) -> Pile:
    """Return 7 armies of each player and 10 farmers (S-9), or as many as there are (L-3)."""
    wanted: Pile = {**dict.fromkeys(state.seats, facts.FILL_EACH), FARMERS: facts.FILL_FARMERS}
    in_supply = state.ledger.supply
    return without_zeros(
        {colour: min(number, max(0, in_supply.get(colour, 0))) for colour, number in wanted.items()}
    )


def _board_cubes(throw: Throw) -> Pile:
    """Return those of the thrown cubes that stood in provinces."""
    armies: dict[Colour, int] = {}
    if throw.attacker and throw.origin:
        armies[throw.attacker] = throw.moved
    if throw.defender:
        armies[throw.defender] = throw.defenders
    return without_zeros(armies)


def _with_armies_moved(state: State, throw: Throw, sign: int) -> State:
    """Take the throw's armies out of their provinces (-1) or put them back (+1)."""
    if throw.origin:
        origin = state.provinces[throw.origin]
        state = with_province(state, throw.origin, replace(origin, armies=origin.armies + sign * throw.moved))
    if throw.defender:
        target = state.provinces[throw.province]
        armies = target.armies + sign * throw.defenders
        state = with_province(state, throw.province, replace(target, armies=armies))
    return state


def _throw_declared(state: State, event: e.ThrowDeclared) -> State:
    throw = event.throw
    if throw.fight is Fight.FILL:
        return replace(with_cubes(state, fill_of(state), Place.SUPPLY, Place.STAGED), throw=throw)
    board = _board_cubes(throw)
    staged = with_cubes(state, board, Place.BOARD, Place.STAGED)
    staged = with_cubes(staged, minus(table_cubes(throw), board), Place.SUPPLY, Place.STAGED)
    revolts = state.revolts
    if throw.fight is Fight.WINTER_REVOLT and throw.defender is not None:
        unfought = tuple(p for p in revolts.get(throw.defender, ()) if p != throw.province)
        revolts = {**revolts, throw.defender: unfought}
    return replace(_with_armies_moved(staged, throw, -1), throw=throw, revolts=revolts)


def _defence_answered(state: State, event: e.DefenceAnswered) -> State:
    if state.throw is None or state.throw.defender is None:
        return state
    staged = with_cubes(state, {state.throw.defender: event.bonus}, Place.SUPPLY, Place.STAGED)
    extra = state.throw.extra_defence + event.bonus
    return replace(staged, throw=replace(state.throw, extra_defence=extra, ask_defence=False))


def _throw_called_off(state: State, event: e.ThrowCalledOff) -> State:
    board = _board_cubes(event.throw)
    restored = with_cubes(state, board, Place.STAGED, Place.BOARD)
    restored = with_cubes(restored, minus(table_cubes(event.throw), board), Place.STAGED, Place.SUPPLY)
    return replace(_with_armies_moved(restored, event.throw, 1), throw=None)


def _tower_filled(state: State, event: e.TowerFilled) -> State:
    thrown = replace(state, ledger=cubes.throw(state.ledger, event.tray), throw=None)
    return with_cubes(thrown, event.tray, Place.TRAY, Place.SUPPLY)


def _throw_settled(state: State, event: e.ThrowSettled) -> State:
    throw, result = event.throw, event.result
    before = state.provinces[throw.province]
    ledger = cubes.throw(state.ledger, event.tray)
    ledger = cubes.move(ledger, result.returned, Place.TRAY, Place.SUPPLY)
    if result.owner:
        ledger = cubes.move(ledger, {result.owner: result.armies}, Place.TRAY, Place.BOARD)
    after = replace(before, owner=result.owner, armies=result.armies) if result.owner else Province()
    cleared = before.buildings if result.owner is None else ()
    planned = _planned_space(state, throw.province) if before.owner != result.owner else None
    state = with_tiles(hand_over(state, throw.province, after), cleared, 1)
    last = Last(throw, event.thrown, event.tray, result, planned)
    return replace(state, ledger=ledger, throw=None, last=last)


def _planned_space(state: State, province: str) -> Space | None:
    owner = state.provinces[province].owner
    plan = state.players[owner].plan if owner else {}
    return next((space for space, card in plan.items() if card == province), None)


def _fell_out(state: State, event: e.FellOut) -> State:
    return replace(state, ledger=cubes.move_fallen(state.ledger, event.fell))


def _tower_knocked(state: State, event: e.TowerKnocked) -> State:
    return replace(state, ledger=cubes.mark_uncertain(state.ledger))


def _tower_counted(state: State, event: e.TowerCounted) -> State:
    return replace(state, ledger=cubes.set_counted(state.ledger, event.inside))


def _more_inside(state: State, event: e.MoreInside) -> State:
    return replace(state, ledger=cubes.add_inside(state.ledger, event.more))


def _armies_found(state: State, event: e.ArmiesFound) -> State:
    province = state.provinces[event.province]
    if province.owner is None:
        return state
    change = {province.owner: event.armies - province.armies}
    found = with_cubes(state, change, Place.SUPPLY, Place.BOARD)
    return with_province(found, event.province, replace(province, armies=event.armies))


AFTER: dict[type, Callable[[State, Any], State]] = {
    e.ThrowDeclared: _throw_declared,
    e.DefenceAnswered: _defence_answered,
    e.ThrowCalledOff: _throw_called_off,
    e.TowerFilled: _tower_filled,
    e.ThrowSettled: _throw_settled,
    e.FellOut: _fell_out,
    e.TowerKnocked: _tower_knocked,
    e.TowerCounted: _tower_counted,
    e.MoreInside: _more_inside,
    e.ArmiesFound: _armies_found,
}
