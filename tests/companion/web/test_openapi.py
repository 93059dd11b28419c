"""The API matches its description: every route, every answer, the file in docs."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from flask import Flask
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis.errors import Unsatisfiable
from schemathesis import Case, GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.core.result import Ok
from schemathesis.schemas import APIOperation, BaseSchema
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from companion.demo.table import FIRST, OPTIONS
from companion.games.registry import find
from companion.table.messages import SensorSpec
from companion.table.runtime import Runtime, TableSpec
from companion.web.access import HOST_HEADER, JOIN_HEADER, SEAT, SEAT_KEY
from companion.web.app import create_app
from companion.web.camera import INVITE
from companion.web.camera import KEY as CAMERA_KEY
from companion.web.openapi.document import BASE, document, routes
from companion.web.openapi.operations import OPERATIONS
from companion.web.seats import TICKET
from tests.companion.table.tables import looked
from vision.reading import Doubt

Operation = APIOperation[Any, Any, Any, Any]
ROOT = Path(__file__).parents[3]
EXAMPLES_EACH = 6
NOT_FUZZED = {"api.events", "openapi.description"}
"""One never ends (tests/companion/web/test_app.py reads it), the other is the source of the requests."""


def test_every_route_is_described_and_nothing_else(client_app: Flask) -> None:
    """A new route needs its line in companion/web/openapi/operations.py."""
    assert {rule.endpoint for rule in routes(client_app)} == set(OPERATIONS)


def test_the_file_in_docs_is_what_is_served(client_app: Flask) -> None:
    """After a change run make docs."""
    served = client_app.test_client().get(f"{BASE}/openapi.json").get_json()
    in_docs = json.loads((ROOT / "docs" / "api" / "openapi.json").read_text(encoding="utf-8"))
    assert in_docs == served == document(client_app)


def test_it_is_made_once(client_app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    """A device that kept asking held up all others for half a second each."""
    numbers = count(1)
    monkeypatch.setattr("companion.web.openapi.document.document", lambda _: {"made": next(numbers)})
    for _ in range(2):
        assert client_app.test_client().get(f"{BASE}/openapi.json").get_json() == {"made": 1}


def test_whatever_a_request_may_carry_beside_its_body_is_described(client_app: Flask) -> None:
    """The stream's `Last-Event-ID`, the sensor's `after` and a seat's ticket were missing, so that no client
    generated from the description could send them."""
    description = document(client_app)
    keys = {parameter["name"] for parameter in description["components"]["securitySchemes"].values()}
    parameters = {
        (path, parameter["name"])
        for path, methods in description["paths"].items()
        for operation in methods.values()
        for parameter in operation["parameters"]
    }
    assert keys == {HOST_HEADER, JOIN_HEADER, SEAT_KEY, CAMERA_KEY}
    assert {
        ("/events", "Last-Event-ID"),
        ("/sensor", "after"),
        ("/seats", SEAT),
        ("/seats", TICKET),
        ("/seats/{seat}/take", TICKET),
        ("/undo", SEAT),
        ("/camera/check", INVITE),
        ("/camera/photo", INVITE),
    } <= parameters
    assert description["paths"]["/undo"]["post"]["security"] == [{"seat": []}, {"joined": []}, {}]


def test_it_reads_nothing_from_elsewhere(client_app: Flask) -> None:
    text = json.dumps(document(client_app))
    assert "http://" not in text
    assert "https://" not in text


@pytest.fixture
def client_app(runtime: Runtime) -> Flask:
    return create_app(runtime)


@pytest.fixture(scope="module")
def fuzzed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Flask]:
    """A table in use: cubes thrown, doubted and settled, seats taken. There is no sensor process."""
    folder = tmp_path_factory.mktemp("fuzzed")
    sensors = SensorSpec("none", "none", profiles=str(folder / "profiles"))
    runtime = Runtime(TableSpec("demo", folder, sensors, OPTIONS, FIRST), find("shogun"))
    runtime.session.hear(looked(Doubt.STACKED, red=4, blue=1))
    app = create_app(runtime)
    app.config["TEST_RUNTIME"] = runtime
    patch = pytest.MonkeyPatch()
    patch.setattr("companion.table.desks.phone.CHECK_WAIT_S", 0.01)
    yield app
    patch.undo()
    runtime.stop()


@dataclass(frozen=True)
class FullAccess:
    """The keys of a device with full access: the host, on a seat, the camera."""

    runtime: Runtime
    seat: str
    keys: dict[str, str]

    def let_in(self, case: Case[Any]) -> None:
        """Give this request access and the current state of the table."""
        case.headers.update(self.keys)
        if "seat" in case.path_parameters:
            case.path_parameters["seat"] = self.seat
        if isinstance(case.body, dict) and "expected" in case.body:
            case.body["expected"] = self.runtime.session.view()["expected"]


@pytest.fixture
def inside(fuzzed: Flask) -> FullAccess:
    """Made anew for each operation, since some of them invalidate keys."""
    runtime: Runtime = fuzzed.config["TEST_RUNTIME"]
    seat = runtime.session.seats()[0]
    runtime.seats.free(seat)
    keys = {
        "X-Seat-Key": runtime.seats.take(seat, ""),
        "X-Camera-Key": runtime.camera.take("fuzz", runtime.camera.invite, "", free=True),
        "X-Host-Key": runtime.access.host_key,
    }
    return FullAccess(runtime, seat, keys)


@pytest.fixture(scope="module")
def described(fuzzed: Flask) -> dict[str, Operation]:
    """Each operation by its operationId."""
    fuzzed.config["PROPAGATE_EXCEPTIONS"] = False
    schema: BaseSchema = schemathesis.openapi.from_wsgi(f"{BASE}/openapi.json", fuzzed)
    operations = [operation.ok() for operation in schema.get_all_operations() if isinstance(operation, Ok)]
    return {operation.definition.raw["operationId"]: operation for operation in operations}


CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]


@pytest.mark.parametrize("mode", list(GenerationMode))
@pytest.mark.parametrize("endpoint", sorted(set(OPERATIONS) - NOT_FUZZED))
def test_what_nobody_thought_of_is_refused_in_a_sentence(
    inside: FullAccess, described: dict[str, Operation], endpoint: str, mode: GenerationMode
) -> None:
    """Valid and invalid requests generated from the description get no 5xx and no undescribed answer."""
    operation = described[endpoint.replace(".", "_")]

    @seed(6)
    @settings(
        max_examples=EXAMPLES_EACH,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=operation.as_strategy(generation_mode=mode))
    def send(case: Case[Any]) -> None:
        if mode is GenerationMode.POSITIVE:
            inside.let_in(case)
        case.call_and_validate(checks=CHECKS)

    try:
        send()
    except Unsatisfiable:
        assert mode is GenerationMode.NEGATIVE  # an operation without parameters has no invalid requests
