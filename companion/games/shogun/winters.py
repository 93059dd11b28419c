"""The winters of a game, rebuilt from its events: rice, hunger, each revolt, points region by region.

A page plays them step by step. Nothing is kept outside the log, so a restart loses nothing.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from companion.games.codec import to_json
from companion.games.protocol import Json, Step
from companion.games.shogun import events as e
from companion.games.shogun import facts
from companion.games.shogun.deciding.winter import (
    left_neighbour,
    missing_rice,
    revolts_to_draw,
    rice_after,
    winter_order,
)
from companion.games.shogun.evolve import evolve
from companion.games.shogun.scoring import regions
from companion.games.shogun.state import State, owned
from companion.games.shogun.words import Fight, Season

_MAY_LEAD_IN = (e.RoundEnded, e.TableSet)
"""Events that can lead into winter."""


@dataclass(slots=True)
class _Winter:
    """A winter while it is being collected."""

    year: int
    card: int | None
    order: list[str]
    provision: list[Json] = field(default_factory=list)
    fed: bool = False
    draws: list[Json] = field(default_factory=list)
    revolts: list[Json] = field(default_factory=list)
    scoring: Json | None = None
    over: bool = False
    winners: list[str] = field(default_factory=list)


def winters(past: Sequence[Step[State, e.Event]]) -> list[Json]:
    """Return the winters, oldest first; the last one may still be in progress."""
    collected: list[_Winter] = []
    for step in past:
        state = step.before
        if not _touches_winter(state, step.events):
            continue
        for event in step.events:
            if state is not None and state.season is Season.WINTER and collected:
                _record_event(collected[-1], state, event, step.batch)
            after = evolve(state, event)
            if after.season is Season.WINTER and (state is None or state.season is not Season.WINTER):
                collected.append(_new_winter(after))
            elif after.season is Season.WINTER and collected and not collected[-1].fed:
                collected[-1] = _new_winter(after)  # corrected before the rice was taken
            state = after
    return [_winter_json(winter) for winter in collected]


def provision(state: State) -> list[Json]:
    """Return what winter takes from each seat and demands, in the order revolts are settled (W-1 to W-4)."""
    loss = facts.EVENTS[state.event].rice_loss if state.event in facts.EVENTS else 0
    return [_seat_provision(state, seat, loss) for seat in winter_order(state)]


def _seat_provision(state: State, seat: Any, loss: int) -> Json:
    rice, provinces = state.players[seat].rice, len(owned(state, seat))
    rice_left = rice_after(rice, loss)
    rice_missing = missing_rice(provinces, rice_left)
    revolts, farmers = facts.provision(rice_missing)
    return {
        "seat": seat,
        "rice": rice,
        "left": rice_left,
        "provinces": provinces,
        "missing": rice_missing,
        "revolts": min(revolts, provinces),
        "extra_farmers": farmers if revolts else 0,
        "drawn_by": left_neighbour(state, seat),
    }


def _touches_winter(before: State | None, events: Sequence[e.Event]) -> bool:
    is_winter = before is not None and before.season is Season.WINTER
    return is_winter or any(isinstance(event, _MAY_LEAD_IN) for event in events)


def _new_winter(state: State) -> _Winter:
    return _Winter(state.year, state.event, list(winter_order(state)), provision(state))


def _record_event(winter: _Winter, before: State, event: e.Event, batch: int) -> None:
    record = _RECORDERS.get(type(event))
    if record is not None:
        record(winter, before, event, batch)


def _rice_lost(winter: _Winter, before: State, event: e.RiceLost, batch: int) -> None:
    winter.provision, winter.fed = provision(before), True
    winter.order = list(winter_order(before))


def _revolts_drawn(winter: _Winter, before: State, event: e.RevoltsDrawn, batch: int) -> None:
    if event.player not in before.to_draw:
        return  # in old logs: strikes off a province lost in the meantime
    number = revolts_to_draw(before, event.player)
    drawer = left_neighbour(before, event.player)
    winter.draws.append(
        {"player": event.player, "by": drawer, "number": number, "provinces": [*event.provinces]}
    )


def _throw_declared(winter: _Winter, before: State, event: e.ThrowDeclared, batch: int) -> None:
    throw = event.throw
    if throw.fight is not Fight.WINTER_REVOLT:
        return
    province = before.provinces[throw.province]
    winter.revolts.append(
        {
            "province": throw.province,
            "seat": throw.defender,
            "armies": throw.defenders,
            "farmers": throw.farmers,
            "markers": province.markers,
            "extra": throw.farmers - min(province.markers, throw.farmers),
            "buildings": to_json(province.buildings),
            "declared": batch,
            "batch": None,
            "tray": None,
            "result": None,
        }
    )


def _throw_settled(winter: _Winter, before: State, event: e.ThrowSettled, batch: int) -> None:
    for revolt in winter.revolts[-1:]:
        if event.throw.fight is Fight.WINTER_REVOLT and revolt["province"] == event.throw.province:
            revolt.update(batch=batch, tray=dict(event.tray), result=to_json(event.result))


def _scored(winter: _Winter, before: State, event: e.Scored, batch: int) -> None:
    points = {seat: player.points for seat, player in before.players.items()}
    winter.scoring = {
        "batch": batch,
        "before": points,
        "gained": dict(event.gained),
        "after": {seat: number + event.gained.get(seat, 0) for seat, number in points.items()},
        "regions": [_region_json(before, region) for region in regions(before.provinces, before.side)],
    }
    winter.over = True


def _region_json(state: State, score: Any) -> Json:
    return {
        "region": score.region,
        "provinces": [{"id": key, **to_json(state.provinces[key])} for key in score.provinces],
        "gains": to_json(score.gains),
    }


def _game_ended(winter: _Winter, before: State, event: e.GameEnded, batch: int) -> None:
    winter.winners = list(event.winners)


_RECORDERS: dict[type, Callable[[_Winter, State, Any, int], None]] = {
    e.RiceLost: _rice_lost,
    e.RevoltsDrawn: _revolts_drawn,
    e.ThrowDeclared: _throw_declared,
    e.ThrowSettled: _throw_settled,
    e.Scored: _scored,
    e.GameEnded: _game_ended,
}


def _winter_json(winter: _Winter) -> Json:
    card = facts.EVENTS.get(winter.card or 0)
    return {
        "year": winter.year,
        "card": {"id": card.id, "effect": card.effect.value, "rice_loss": card.rice_loss} if card else None,
        "order": winter.order,
        "provision": winter.provision,
        "fed": winter.fed,
        "draws": winter.draws,
        "revolts": winter.revolts,
        "scoring": winter.scoring,
        "over": winter.over,
        "winners": winter.winners,
    }
