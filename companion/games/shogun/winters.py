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
    rice_after,
    to_draw,
    winter_order,
)
from companion.games.shogun.evolve import evolve
from companion.games.shogun.scoring import regions
from companion.games.shogun.state import State, owned
from companion.games.shogun.words import Fight, Season

_OPENS = (e.RoundEnded, e.TableSet)
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
    told: list[_Winter] = []
    for step in past:
        state = step.before
        if not _may_matter(state, step.events):
            continue
        for event in step.events:
            if state is not None and state.season is Season.WINTER and told:
                _listen(told[-1], state, event, step.batch)
            after = evolve(state, event)
            if after.season is Season.WINTER and (state is None or state.season is not Season.WINTER):
                told.append(_opened(after))
            elif after.season is Season.WINTER and told and not told[-1].fed:
                told[-1] = _opened(after)  # corrected before the rice was taken
            state = after
    return [_json(winter) for winter in told]


def provision(state: State) -> list[Json]:
    """Return what winter takes from each seat and demands, in the order revolts are settled (W-1 to W-4)."""
    loss = facts.EVENTS[state.event].rice_loss if state.event in facts.EVENTS else 0
    return [_fed(state, seat, loss) for seat in winter_order(state)]


def _fed(state: State, seat: Any, loss: int) -> Json:
    rice, provinces = state.players[seat].rice, len(owned(state, seat))
    left = rice_after(rice, loss)
    lack = missing_rice(provinces, left)
    revolts, farmers = facts.provision(lack)
    return {
        "seat": seat,
        "rice": rice,
        "left": left,
        "provinces": provinces,
        "missing": lack,
        "revolts": min(revolts, provinces),
        "extra_farmers": farmers if revolts else 0,
        "drawn_by": left_neighbour(state, seat),
    }


def _may_matter(before: State | None, events: Sequence[e.Event]) -> bool:
    winter = before is not None and before.season is Season.WINTER
    return winter or any(isinstance(event, _OPENS) for event in events)


def _opened(state: State) -> _Winter:
    return _Winter(state.year, state.event, list(winter_order(state)), provision(state))


def _listen(winter: _Winter, before: State, event: e.Event, batch: int) -> None:
    hear = _HEARD.get(type(event))
    if hear is not None:
        hear(winter, before, event, batch)


def _rice_lost(winter: _Winter, before: State, event: e.RiceLost, batch: int) -> None:
    winter.provision, winter.fed = provision(before), True
    winter.order = list(winter_order(before))


def _drawn(winter: _Winter, before: State, event: e.RevoltsDrawn, batch: int) -> None:
    if event.player not in before.to_draw:
        return  # in old logs: strikes off a province lost in the meantime
    number = to_draw(before, event.player)
    by = left_neighbour(before, event.player)
    winter.draws.append({"player": event.player, "by": by, "number": number, "provinces": [*event.provinces]})


def _declared(winter: _Winter, before: State, event: e.ThrowDeclared, batch: int) -> None:
    throw = event.throw
    if throw.fight is not Fight.WINTER_REVOLT:
        return
    here = before.provinces[throw.province]
    winter.revolts.append(
        {
            "province": throw.province,
            "seat": throw.defender,
            "armies": throw.defenders,
            "farmers": throw.farmers,
            "markers": here.markers,
            "extra": throw.farmers - min(here.markers, throw.farmers),
            "buildings": to_json(here.buildings),
            "declared": batch,
            "batch": None,
            "tray": None,
            "result": None,
        }
    )


def _settled(winter: _Winter, before: State, event: e.ThrowSettled, batch: int) -> None:
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
        "regions": [_region(before, region) for region in regions(before.provinces, before.side)],
    }
    winter.over = True


def _region(state: State, score: Any) -> Json:
    return {
        "region": score.region,
        "provinces": [{"id": key, **to_json(state.provinces[key])} for key in score.provinces],
        "gains": to_json(score.gains),
    }


def _ended(winter: _Winter, before: State, event: e.GameEnded, batch: int) -> None:
    winter.winners = list(event.winners)


_HEARD: dict[type, Callable[[_Winter, State, Any, int], None]] = {
    e.RiceLost: _rice_lost,
    e.RevoltsDrawn: _drawn,
    e.ThrowDeclared: _declared,
    e.ThrowSettled: _settled,
    e.Scored: _scored,
    e.GameEnded: _ended,
}


def _json(winter: _Winter) -> Json:
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
