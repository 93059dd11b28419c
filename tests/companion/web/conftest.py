from collections.abc import Iterator
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from companion.demo.table import FIRST, OPTIONS
from companion.games.registry import find
from companion.table.messages import SensorSpec
from companion.table.runtime import Runtime, TableSpec
from companion.web.app import create_app
from tests.companion.table.tables import GAME


def _sensors_of(folder: Path) -> SensorSpec:
    """No camera, and a tray folder separate from that of the person who runs the tests."""
    return SensorSpec("none", "none", profiles=str(folder / "profiles"))


@pytest.fixture
def runtime(tmp_path: Path) -> Iterator[Runtime]:
    """A table without camera and threads: nothing happens unless a test does it."""
    spec = TableSpec("demo", tmp_path, _sensors_of(tmp_path), OPTIONS, FIRST)
    opened = Runtime(spec, find("shogun"))
    yield opened
    opened.stop()


@pytest.fixture
def friday(tmp_path: Path) -> Iterator[Runtime]:
    """The same with a whole game of three players, at a table with its own name."""
    spec = TableSpec("friday", tmp_path, _sensors_of(tmp_path), GAME)
    opened = Runtime(spec, find("shogun"))
    yield opened
    opened.stop()


@pytest.fixture
def client(runtime: Runtime) -> FlaskClient:
    return create_app(runtime, max_streams=2).test_client()


def expected_of(client: FlaskClient) -> int:
    """Return the number of the newest event, as the next command must state it."""
    return int(client.get("/api/v1/table").get_json()["expected"])


def expected_at(runtime: Runtime) -> int:
    """Return the same, without a request."""
    return int(runtime.session.view()["expected"])
