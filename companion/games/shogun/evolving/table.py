"""Setting up the table, drafting provinces, correcting facts."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from companion.games.protocol import Colour
from companion.games.shogun import events as e
from companion.games.shogun import facts
from companion.games.shogun.evolving.changing import with_cubes, with_province
from companion.games.shogun.evolving.correcting import apply_correction
from companion.games.shogun.state import Province, State
from companion.games.shogun.words import FARMERS, Season
from companion.tower.ledger import Ledger, Place
from companion.tower.piles import minus, plus


def table_set(event: e.TableSet) -> State:
    """Return the state at the first event; cubes that are nowhere else are in the supply."""
    box: dict[Colour, int] = {**dict.fromkeys(event.seats, facts.CUBES), FARMERS: facts.FARMER_CUBES}
    board = plus(*({p.owner: p.armies} for p in event.provinces.values() if p.owner))
    supply = minus(box, plus(board, event.tower, event.tray))
    winter = event.season is Season.WINTER
    standing = [b for p in event.provinces.values() for b in p.buildings]
    return State(
        side=event.side,
        seats=event.seats,
        house=event.house,
        phase=event.phase,
        provinces=dict(event.provinces),
        players=dict(event.players),
        ledger=Ledger(box, supply, board, {}, plus(event.tower), plus(event.tray)),
        bank=facts.CHESTS - sum(p.chests for p in event.players.values()),
        tiles={tile: number - standing.count(tile) for tile, number in facts.TILES.items()},
        borders=facts.BORDERS,
        seed=event.seed,
        by_table=event.by_table,
        draft=event.draft,
        year=event.year,
        season=event.season,
        event_pile=event.event_pile,
        year_events=() if winter else event.year_events,
        event=event.year_events[0] if winter and event.year_events else None,
        order=event.order,
        spent_events=event.spent_events,
    )


def _province_taken(state: State, event: e.ProvinceTaken) -> State:
    cubes = {event.seat: event.armies}
    armed = with_cubes(state, cubes, Place.SUPPLY, Place.BOARD)
    placed = with_province(armed, event.province, Province(event.seat, event.armies))
    return replace(placed, draft=event.draft)


def _open_swapped(state: State, event: e.OpenSwapped) -> State:
    return replace(state, draft=event.draft)


def _open_filled(state: State, event: e.OpenFilled) -> State:
    draft = state.draft
    return replace(state, draft=replace(draft, open=(*draft.open, *event.cards)) if draft else None)


def _unchanged(state: State, event: object) -> State:
    return state


AFTER: dict[type, Callable[[State, Any], State]] = {
    e.ProvinceTaken: _province_taken,
    e.OpenSwapped: _open_swapped,
    e.OpenFilled: _open_filled,
    e.Corrected: apply_correction,
    e.Overruled: _unchanged,
    e.Warned: _unchanged,
    e.Skipped: _unchanged,
    e.Stayed: _unchanged,
}
