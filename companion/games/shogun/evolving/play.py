"""The ten actions: what is built, collected, deployed and moved."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from companion.games.shogun import events as e
from companion.games.shogun.evolving.changing import (
    pay,
    player_with_card,
    with_cubes,
    with_player,
    with_province,
    with_tiles,
)
from companion.games.shogun.state import State
from companion.tower.ledger import Place


def _card_turned(state: State, event: e.CardTurned) -> State:
    player = player_with_card(state, event.seat, event.space, event.card)
    return with_player(state, event.seat, replace(player, shown=(*player.shown, event.space)))


def _built(state: State, event: e.Built) -> State:
    province = state.provinces[event.province]
    buildings = tuple(sorted((*province.buildings, event.building)))
    after = replace(province, buildings=buildings, markers=province.markers - event.unrest)
    standing = with_tiles(with_province(state, event.province, after), [event.building], -1)
    return pay(standing, event.seat, event.paid)


def _collected(state: State, event: e.Collected) -> State:
    player = state.players[event.seat]
    richer = with_player(state, event.seat, replace(player, rice=player.rice + event.rice))
    return pay(richer, event.seat, -event.chests)


def _income_forfeited(state: State, event: e.IncomeForfeited) -> State:
    player = state.players[event.seat]
    poorer = with_player(state, event.seat, replace(player, rice=player.rice - event.rice))
    return pay(poorer, event.seat, event.chests)


def _marker_added(state: State, event: e.MarkerAdded) -> State:
    province = state.provinces[event.province]
    return with_province(state, event.province, replace(province, markers=province.markers + 1))


def _deployed(state: State, event: e.Deployed) -> State:
    province = state.provinces[event.province]
    armed = with_cubes(state, {event.seat: event.armies}, Place.SUPPLY, Place.BOARD)
    placed = with_province(armed, event.province, replace(province, armies=province.armies + event.armies))
    return pay(placed, event.seat, event.paid)


def _moved(state: State, event: e.Moved) -> State:
    source, target = state.provinces[event.source], state.provinces[event.target]
    departed = with_province(state, event.source, replace(source, armies=source.armies - event.armies))
    return with_province(departed, event.target, replace(target, armies=target.armies + event.armies))


def _turn_ended(state: State, event: e.TurnEnded) -> State:
    return replace(state, done=event.done, turn=event.turn)


AFTER: dict[type, Callable[[State, Any], State]] = {
    e.CardTurned: _card_turned,
    e.Built: _built,
    e.Collected: _collected,
    e.IncomeForfeited: _income_forfeited,
    e.MarkerAdded: _marker_added,
    e.Deployed: _deployed,
    e.Moved: _moved,
    e.TurnEnded: _turn_ended,
}
