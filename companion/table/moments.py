"""The past of a table: what was open to all after each command that still counts."""

from collections.abc import Iterator, Sequence
from typing import Any

from companion.store.events import StoredEvent, effective
from companion.table.history import NOT_THE_GAMES, AnyGame, Json, batches

_COUNTED = ("points", "chests", "rice")


def moments(game: AnyGame, events: Sequence[StoredEvent]) -> list[Json]:
    """Oldest first: `batch`, `ts_ms`, `year`, `season`, and of each seat what a chart shows."""
    return [_moment(newest, game.view(state, None)) for newest, state in _states(game, events)]


def moment(game: AnyGame, events: Sequence[StoredEvent], batch: int) -> Json | None:
    """The table's view as it was after a command; None when there is no such command that counts."""
    for newest, state in _states(game, events):
        if newest.batch == batch:
            return dict(game.view(state, None))
    return None


def _states(game: AnyGame, events: Sequence[StoredEvent]) -> Iterator[tuple[StoredEvent, Any]]:
    state = None
    for batch in batches(effective(list(events))):
        mine = [event for event in batch if event.kind not in NOT_THE_GAMES]
        for event in mine:
            state = game.evolve(state, game.decode_event(event.body))
        if mine:
            yield mine[-1], state


def _moment(newest: StoredEvent, view: Json) -> Json:
    armies: dict[str, int] = {}
    for province in view.get("provinces", ()):
        if province["owner"]:
            armies[province["owner"]] = armies.get(province["owner"], 0) + province["armies"]
    seats = {
        player["seat"]: {
            **{key: player[key] for key in _COUNTED},
            "provinces": len(player["provinces"]),
            "armies": armies.get(player["seat"], 0),
        }
        for player in view.get("players", ())
        if isinstance(player, dict)
    }
    place = {"year": view.get("year"), "season": view.get("season")}
    return {"batch": newest.batch, "ts_ms": newest.ts_ms, **place, "seats": seats}
