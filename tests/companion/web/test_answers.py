"""The API answers what is documented: key by key, for every JSON answer.

Every operation of a real app is called; an answer with a key that its model does not name fails here, as does
a promised key that never appears.
"""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from pydantic import BaseModel

from calibration.profiles.profile import save
from companion.demo.table import FIRST, OPTIONS
from companion.games.registry import find
from companion.table.messages import SensorSpec
from companion.table.runtime import Runtime, TableSpec
from companion.web.app import create_app
from companion.web.openapi.operations import OPERATIONS
from tests.calibration.test_profile import learned
from tests.companion.table.tables import looked

Json = dict[str, Any]
NO_JSON = {name for name, op in OPERATIONS.items() if isinstance(op.answer, str)}
NOT_REQUESTED = {
    "camera.take": "needs a sensor process; tests/companion/web/test_camera.py asks it",
    "camera.frame": "the same",
    "camera.photo": "the same",
    "camera.check": "the same",
    "camera.leave": "the same",
    "camera.address": "the same",
    "calibration.begin": "needs a camera; tests/e2e/test_calibrate.py walks it",
    "calibration.answer": "the same",
    "calibration.keep": "the same",
    "calibration.end": "the same",
    "calibration.use": "the same",
    "backups.take_up": "takes a file; tests/companion/web/test_backups.py sends one",
    "api.fall": "of the demo's camera; tests/e2e/test_firstuse.py taps it",
    "api.look_again": "asks the sensor process",
}
"""Operations that this test does not call, with the reason."""


@dataclass(frozen=True)
class Table:
    """A table in use, with the host's device."""

    runtime: Runtime
    client: FlaskClient
    profiles: Path

    @property
    def expected(self) -> int:
        return int(self.runtime.session.view()["expected"])

    def get(self, path: str) -> Any:
        return self.client.get(f"/api/v1/{path}")

    def post(self, path: str, body: Json | None = None, **headers: str) -> Any:
        return self.client.post(f"/api/v1/{path}", json=body or {}, headers=headers)

    def say(self, path: str, **body: Any) -> Any:
        return self.post(path, {"author": "anna", "expected": self.expected, **body})


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    sensors = SensorSpec("none", "none", profiles=str(tmp_path / "profiles"))
    spec = TableSpec("demo", tmp_path, sensors, OPTIONS, FIRST)
    runtime = Runtime(spec, find("shogun"))
    app: Flask = create_app(runtime)
    yield Table(runtime, app.test_client(), tmp_path / "profiles")
    runtime.stop()


def _seat_headers(table: Table) -> Json:
    key = table.post("seats/red/take").get_json()["key"]
    return {"X-Seat-Key": key}


def _hear_look(table: Table) -> int:
    table.runtime.session.hear(looked(red=3, blue=1))
    return int(table.runtime.session.view()["look"]["number"])


def _with_saved_profile(table: Table) -> Table:
    save(replace(learned(), name="home"), table.profiles)
    return table


REQUESTS: dict[str, Callable[[Table], Any]] = {
    "api.table": lambda t: (_hear_look(t), t.get("table"))[1],
    "api.legal": lambda t: t.get("legal"),
    "api.throws": lambda t: (t.say("settle", counts={"red": 3}), t.get("throws"))[1],
    "api.command": lambda t: t.say("commands", command={"kind": "call_off"}),
    "api.settle": lambda t: t.say("settle", counts={"red": 3, "blue": 1}),
    "api.preview": lambda t: t.say("preview", counts={"red": 3}),
    "api.hold": lambda t: t.say("hold", look=_hear_look(t)),
    "api.correct": lambda t: (
        t.say("settle", counts={"red": 3}),
        t.say("correct", batch=t.runtime.session.throws()[0]["batch"], counts={"red": 2}),
    )[1],
    "past.history": lambda t: t.get("history"),
    "past.moments": lambda t: t.get("moments"),
    "past.moment": lambda t: t.get("moments/1"),
    "past.chapters": lambda t: t.get("chapters"),
    "past.what_goes": lambda t: t.get("undo/2"),
    "past.undo": lambda t: t.say("undo", batch=2, agreed=True),
    "seats.seats": lambda t: t.get("seats"),
    "seats.take": lambda t: t.post("seats/red/take"),
    "seats.ask": lambda t: (_seat_headers(t), t.post("seats/red/ask", {"author": "ben", "expected": 0}))[1],
    "seats.free": lambda t: t.client.post("/api/v1/seats/red/free", json={}, headers=_seat_headers(t)),
    "seats.look": lambda t: t.client.get("/api/v1/seats/red", headers=_seat_headers(t)),
    "joining.state": lambda t: t.get("join"),
    "joining.join": lambda t: t.post("join", {"code": t.runtime.access.code()}),
    "sensor.sensor": lambda t: t.get("sensor"),
    "sensor.tare": lambda t: t.post("sensor/tare"),
    "sensor.calibrate": lambda t: t.post("sensor/calibrate", {"cubes": 62}),
    "calibration.look": lambda t: _with_saved_profile(t).get("calibration"),
    "calibration.remove": lambda t: _with_saved_profile(t).post("calibration/remove", {"name": "home"}),
    "calibration.rename": lambda t: _with_saved_profile(t).post(
        "calibration/rename", {"name": "home", "to": "club"}
    ),
    "camera.state": lambda t: t.get("camera"),
    "host.overview": lambda t: t.get("host"),
    "host.enter": lambda t: t.post("host/enter", {"key": t.runtime.access.host_key}),
    "host.new_table": lambda t: t.post(
        "host/tables", {"name": "next", "options": {"players": ["red", "blue", "yellow"]}}
    ),
    "host.open_table": lambda t: t.post("host/tables/demo/open"),
    "host.show_tower": lambda t: t.say("host/tower", show="hidden"),
    "host.new_code": lambda t: t.post("host/code"),
    "host.send_all_out": lambda t: t.post("host/out"),
    "host.link": lambda t: t.get("host/link"),
    "host.new_link": lambda t: t.post("host/link"),
    "host.reissue": lambda t: t.post("host/seats/red/reissue"),
    "host.answer": lambda t: (
        _seat_headers(t),
        t.post("seats/red/ask", {"author": "ben", "expected": 0}),
        t.post("host/asks/1", {"agree": True}),
    )[2],
    "statistics.statistics": lambda t: (t.say("settle", counts={"red": 3}), t.get("statistics"))[1],
    "statistics.as_json": lambda t: t.get("throwlog.json"),
    "keepsake.as_json": lambda t: t.get("keepsake.json"),
    "seats.command": lambda t: (
        headers := _seat_headers(t),
        t.client.post(
            "/api/v1/seats/red/commands",
            json={"author": "anna", "expected": t.expected, "command": {"kind": "call_off"}},
            headers=headers,
        ),
    )[1],
}


def test_every_operation_is_asked_or_has_its_reason() -> None:
    accounted_for = set(REQUESTS) | NO_JSON | set(NOT_REQUESTED) | {"past.answer"}
    assert set(OPERATIONS) == accounted_for


@pytest.mark.parametrize("endpoint", sorted(REQUESTS))
def test_what_is_documented_is_what_is_answered(table: Table, endpoint: str) -> None:
    answer = REQUESTS[endpoint](table)
    assert answer.status_code == 200, answer.get_data(as_text=True)
    model = OPERATIONS[endpoint].answer
    assert not isinstance(model, str)
    assert differences(answer.get_json(), model, endpoint) == []


def test_a_vote_is_answered_with_the_table(table: Table) -> None:
    """Two seats, something that everybody has seen, and an undo requested from a device without a seat."""
    keys = {seat: table.post(f"seats/{seat}/take").get_json()["key"] for seat in ("red", "blue")}
    table.say("settle", counts={"red": 3})
    token = table.post("join", {"code": table.runtime.access.code()}).get_json()["token"]
    undo = {"author": "anna", "expected": table.expected, "batch": 2, "agreed": True}
    phone = {"REMOTE_ADDR": "192.168.1.9"}
    headers = {"X-Seat": "red", "X-Seat-Key": keys["red"], "X-Join-Token": token}
    undo_answer = table.client.post("/api/v1/undo", json=undo, headers=headers, environ_base=phone)
    assert undo_answer.get_json()["poll"] is not None
    answer = table.client.post(
        "/api/v1/seats/blue/answer",
        json={"author": "ben", "expected": table.expected, "batch": 2, "yes": False},
        headers={"X-Seat-Key": keys["blue"]},
        environ_base=phone,
    )
    assert differences(answer.get_json(), OPERATIONS["past.answer"].answer, "past.answer") == []


def test_the_stream_carries_what_get_table_answers(table: Table) -> None:
    """Both carry `asks` and `rev`: the description of one is valid for the other."""
    table_view = table.get("table").get_json()
    stream = table.client.get("/api/v1/events")
    parts = (part.decode() if isinstance(part, bytes) else part for part in stream.response)
    table_event = next(part for part in parts if "event: table" in part)
    stream.close()
    streamed_view = json.loads(
        next(line for line in table_event.splitlines() if line.startswith("data: "))[6:]
    )
    assert streamed_view == table_view


def differences(answer: Any, model: Any, where: str) -> list[str]:
    """Unpromised keys in the answer, and promised keys missing from it, at any depth."""
    if answer is None or not (isinstance(model, type) and issubclass(model, BaseModel)):
        return []
    fields = model.model_fields
    faults = [f"{where}: {key} is not described" for key in answer if key not in fields]
    faults += [
        f"{where}: {key} did not come"
        for key, field in fields.items()
        if key not in answer and field.is_required()
    ]
    for key, field in fields.items():
        for inner_model in _models_in(field.annotation):
            value = answer.get(key)
            for item in value if isinstance(value, list) else [value]:
                faults += differences(item, inner_model, f"{where}.{key}")
    return list(dict.fromkeys(faults))


def _models_in(annotation: Any) -> list[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return [annotation]
    return [model for part in getattr(annotation, "__args__", ()) for model in _models_in(part)]
