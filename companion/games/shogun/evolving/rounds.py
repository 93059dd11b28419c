"""Laying out cards, planning, paying bids; the end of rounds, years and the game."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from companion.games.shogun import events as e
from companion.games.shogun.evolving.changing import pay, player_with_card, with_player
from companion.games.shogun.state import Player, State
from companion.games.shogun.words import Phase, Season, Space


def _phase_begun(state: State, event: e.PhaseBegun) -> State:
    return replace(state, phase=event.phase, draft=state.draft if event.phase is Phase.DRAFT else None)


def _year_laid(state: State, event: e.YearLaid) -> State:
    return replace(state, year_events=event.events, event_pile=event.pile, draws=state.draws + 1)


def _row_laid(state: State, event: e.RowLaid) -> State:
    return replace(state, row=event.row, done=0, draws=state.draws + 1)


def _action_opened(state: State, event: e.ActionOpened) -> State:
    row = tuple(event.action if at == event.place else a for at, a in enumerate(state.row, 1))
    return replace(state, row=row)


def _specials_laid(state: State, event: e.SpecialsLaid) -> State:
    return replace(state, specials=event.specials, draws=state.draws + 1)


def _card_placed(state: State, event: e.CardPlaced) -> State:
    player = state.players[event.seat]
    plan = {space: card for space, card in player.plan.items() if space != event.space}
    if event.card is not None:
        plan[event.space] = event.card
    return with_player(state, event.seat, replace(player, plan=plan))


def _seat_ready(state: State, event: e.SeatReady) -> State:
    player = replace(state.players[event.seat], ready=event.ready, by_cards=event.by_cards)
    return with_player(state, event.seat, replace(player, plan={}) if event.by_cards else player)


def _event_drawn(state: State, event: e.EventDrawn) -> State:
    open_cards = tuple(card for card in state.year_events if card != event.event)
    return replace(state, event=event.event, year_events=open_cards, draws=state.draws + 1)


def _bids_revealed(state: State, event: e.BidsRevealed) -> State:
    for seat, card in event.bids.items():
        player = player_with_card(state, seat, Space.AUCTION, card)
        shown = (*player.shown, Space.AUCTION) if card is not None else player.shown
        state = with_player(state, seat, replace(player, shown=shown))
        state = pay(state, seat, event.paid.get(seat, 0))
    return replace(state, choosing=event.choosing, draws=state.draws + 1)


def _special_chosen(state: State, event: e.SpecialChosen) -> State:
    player = state.players[event.seat]
    return with_player(state, event.seat, replace(player, special=event.special))


def _order_set(state: State, event: e.OrderSet) -> State:
    return replace(state, order=event.order, turn=0)


def _round_ended(state: State, event: e.RoundEnded) -> State:
    winter = event.season is Season.WINTER
    return replace(
        state,
        season=event.season,
        players={seat: _with_cards_back(player) for seat, player in state.players.items()},
        event=state.year_events[0] if winter and state.year_events else None,
        spent_events=_spent_with_current(state),
        year_events=() if winter else state.year_events,
        row=(),
        done=0,
        turn=0,
        specials=(),
        choosing=(),
        order=state.order if winter else (),  # autumn's order holds in winter
    )


def _spent_with_current(state: State) -> tuple[int, ...]:
    return state.spent_events if state.event is None else (*state.spent_events, state.event)


def _with_cards_back(player: Player) -> Player:
    return replace(player, plan={}, shown=(), used=(), ready=False, by_cards=False, special=None)


def _rice_lost(state: State, event: e.RiceLost) -> State:
    players = {s: replace(p, rice=event.rice.get(s, p.rice)) for s, p in state.players.items()}
    return replace(state, players=players, to_draw=event.to_draw, extra_farmers=event.extra_farmers)


def _revolts_drawn(state: State, event: e.RevoltsDrawn) -> State:
    to_draw = {seat: n for seat, n in state.to_draw.items() if seat != event.player}
    revolts = {**state.revolts, event.player: event.provinces}
    return replace(state, to_draw=to_draw, revolts=revolts, draws=state.draws + 1)


def _scored(state: State, event: e.Scored) -> State:
    gained = event.gained
    players = {s: replace(p, points=p.points + gained.get(s, 0)) for s, p in state.players.items()}
    return replace(state, players=players)


def _year_ended(state: State, event: e.YearEnded) -> State:
    return replace(
        state,
        year=state.year + 1,
        season=Season.SPRING,
        players={s: replace(p, rice=0) for s, p in state.players.items()},
        provinces={k: replace(p, markers=0) for k, p in state.provinces.items()},
        event=None,
        year_events=(),
        spent_events=_spent_with_current(state),
        order=(),
        extra_farmers={},
        to_draw={},
        revolts={},
    )


def _game_ended(state: State, event: e.GameEnded) -> State:
    return replace(state, winners=event.winners, phase=Phase.OVER)


AFTER: dict[type, Callable[[State, Any], State]] = {
    e.PhaseBegun: _phase_begun,
    e.YearLaid: _year_laid,
    e.RowLaid: _row_laid,
    e.ActionOpened: _action_opened,
    e.SpecialsLaid: _specials_laid,
    e.CardPlaced: _card_placed,
    e.SeatReady: _seat_ready,
    e.EventDrawn: _event_drawn,
    e.BidsRevealed: _bids_revealed,
    e.SpecialChosen: _special_chosen,
    e.OrderSet: _order_set,
    e.RoundEnded: _round_ended,
    e.RiceLost: _rice_lost,
    e.RevoltsDrawn: _revolts_drawn,
    e.Scored: _scored,
    e.YearEnded: _year_ended,
    e.GameEnded: _game_ended,
}
