"""What a chart shows of a moment: each seat's points, provinces, armies, chests and rice."""

from companion.store.events import StoredEvent
from companion.table.past.history import Json

_COUNTED = ("points", "chests", "rice")


def moment_of(newest: StoredEvent, view: Json) -> Json:
    """Return `batch`, `ts_ms`, where the game was, and each seat's figures, from the view open to all."""
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
    place = {key: view.get(key) for key in ("year", "season", "phase")}
    return {"batch": newest.batch, "ts_ms": newest.ts_ms, **place, "seats": seats}
