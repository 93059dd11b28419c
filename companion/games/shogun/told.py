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
_COVERED = frozenset({Fact.CARD, Fact.ROW})
"""Facts whose place and value may still be face down."""


def told(event: e.Event) -> Json:
    """Return `kind`, what everybody may know, and `shown`."""
    kind = type(event)
    open_to_all = _TELL[kind](event) if kind in _TELL else {}
    return {"kind": snake(kind.__name__), **open_to_all, "shown": kind in SHOWN}


def _all(event: Any) -> Json:
    open_to_all: Json = to_json(event)
    return open_to_all


def _only(*names: str) -> Callable[[Any], Json]:
    return lambda event: {name: to_json(getattr(event, name)) for name in names}


def _row(event: e.RowLaid) -> Json:
    return {"row": to_json(event.row[: facts.OPEN_ACTIONS])}  # T-2: the others are face down


def _event_drawn(event: e.EventDrawn) -> Json:
    card = facts.EVENTS.get(event.event)
    return {"event": event.event, "effect": card.effect.value if card else None}


def _corrected(event: e.Corrected) -> Json:
    open_to_all = {"fact": event.fact.value, "reason": event.reason}
    if event.fact in _COVERED:
        return {**open_to_all, "where": event.where.partition(".")[0], "value": None}
    return {**open_to_all, "where": event.where, "value": to_json(event.value)}


_TELL: dict[type, Callable[[Any], Json]] = {
    e.TableSet: _only("side", "seats", "phase", "year", "season"),
    e.ProvinceTaken: _only("seat", "province", "armies"),
    e.OpenSwapped: _only("seat"),
    e.OpenFilled: _all,
    e.PhaseBegun: _all,
    e.TowerFilled: _all,
    e.YearLaid: _only("events"),
    e.RowLaid: _row,
    e.ActionOpened: _all,
    e.SpecialsLaid: _all,
    e.CardPlaced: _only("seat"),
    e.SeatReady: _all,
    e.EventDrawn: _event_drawn,
    e.BidsRevealed: _all,
    e.SpecialChosen: _all,
    e.OrderSet: _all,
    e.CardTurned: _all,
    e.Built: _all,
    e.Collected: _all,
    e.MarkerAdded: _all,
    e.Deployed: _all,
    e.Moved: _all,
    e.Stayed: _all,
    e.Skipped: _all,
    e.ThrowDeclared: _all,
    e.DefenceAnswered: _all,
    e.ThrowCalledOff: _all,
    e.ThrowSettled: _all,
    e.IncomeForfeited: _all,
    e.FellOut: _all,
    e.TowerCounted: _all,
    e.MoreInside: _all,
    e.ArmiesFound: _all,
    e.RoundEnded: _all,
    e.RiceLost: _all,
    e.RevoltsDrawn: _all,
    e.Scored: _all,
    e.GameEnded: _all,
    e.Corrected: _corrected,
    e.Overruled: _all,
    e.Warned: _all,
}
