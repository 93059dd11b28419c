"""The public part of an event as JSON, for a history in any language (C-6, P-7).

Like a view, it is built from what may be known, kind by kind; of a kind that is not listed here only the
name is told.
"""

from collections.abc import Callable
from typing import Any

from companion.games.codec import to_json
from companion.games.protocol import Json
from companion.games.shogun import events as e
from companion.games.shogun import facts
from companion.games.shogun.commands import Fact
from companion.games.shogun.words import Phase
from companion.games.snake import snake

SHOWN: frozenset[type] = frozenset(
    {
        e.ProvinceTaken,
        e.OpenSwapped,
        e.OpenFilled,
        e.TowerFilled,
        e.YearLaid,
        e.RowLaid,
        e.ActionOpened,
        e.SpecialsLaid,
        e.EventDrawn,
        e.BidsRevealed,
        e.CardTurned,
        e.ThrowSettled,
        e.FellOut,
        e.TowerCounted,
        e.RevoltsDrawn,
    }
)
"""Events that reveal a secret, draw by chance or use the tower: everybody has seen the outcome."""
_SECRET_FACTS = frozenset({Fact.CARD, Fact.ROW})
"""Facts whose place and value may still be face down."""


def told(event: e.Event) -> Json:
    """Return `kind`, what everybody may know, and `shown`."""
    kind = type(event)
    public_part = _PUBLIC_PARTS[kind](event) if kind in _PUBLIC_PARTS else {}
    return {"kind": snake(kind.__name__), **public_part, "shown": _is_shown(event)}


def _is_shown(event: e.Event) -> bool:
    match event:
        case e.PhaseBegun():
            return event.phase is Phase.EVENT  # planning is over: which spaces are filled is seen (C-6)
        case e.Corrected():
            return event.uncovers
        case _:
            return type(event) in SHOWN


def _whole_event(event: Any) -> Json:
    public_part: Json = to_json(event)
    return public_part


def _only_fields(*names: str) -> Callable[[Any], Json]:
    return lambda event: {name: to_json(getattr(event, name)) for name in names}


def _open_row(event: e.RowLaid) -> Json:
    return {"row": to_json(event.row[: facts.OPEN_ACTIONS])}  # T-2: the others are face down


def _event_and_effect(event: e.EventDrawn) -> Json:
    card = facts.EVENTS.get(event.event)
    return {"event": event.event, "effect": card.effect.value if card else None}


def _open_correction(event: e.Corrected) -> Json:
    public_part = {"fact": event.fact.value, "reason": event.reason}
    if event.fact in _SECRET_FACTS:
        return {**public_part, "where": event.where.partition(".")[0], "value": None}
    return {**public_part, "where": event.where, "value": to_json(event.value)}


_PUBLIC_PARTS: dict[type, Callable[[Any], Json]] = {
    e.TableSet: _only_fields("side", "seats", "phase", "year", "season"),
    e.ProvinceTaken: _only_fields("seat", "province", "armies"),
    e.OpenSwapped: _only_fields("seat"),
    e.OpenFilled: _whole_event,
    e.PhaseBegun: _whole_event,
    e.TowerFilled: _whole_event,
    e.YearLaid: _only_fields("events"),
    e.RowLaid: _open_row,
    e.ActionOpened: _whole_event,
    e.SpecialsLaid: _whole_event,
    e.CardPlaced: _only_fields("seat"),
    e.SeatReady: _whole_event,
    e.EventDrawn: _event_and_effect,
    e.BidsRevealed: _whole_event,
    e.SpecialChosen: _whole_event,
    e.OrderSet: _whole_event,
    e.CardTurned: _whole_event,
    e.Built: _whole_event,
    e.Collected: _whole_event,
    e.MarkerAdded: _whole_event,
    e.Deployed: _whole_event,
    e.Moved: _whole_event,
    e.Stayed: _whole_event,
    e.Skipped: _whole_event,
    e.ThrowDeclared: _whole_event,
    e.DefenceAnswered: _whole_event,
    e.ThrowCalledOff: _whole_event,
    e.ThrowSettled: _whole_event,
    e.IncomeForfeited: _whole_event,
    e.FellOut: _whole_event,
    e.TowerCounted: _whole_event,
    e.MoreInside: _whole_event,
    e.ArmiesFound: _whole_event,
    e.RoundEnded: _whole_event,
    e.RiceLost: _whole_event,
    e.RevoltsDrawn: _whole_event,
    e.Scored: _whole_event,
    e.GameEnded: _whole_event,
    e.Corrected: _open_correction,
    e.Overruled: _whole_event,
    e.Warned: _whole_event,
}
