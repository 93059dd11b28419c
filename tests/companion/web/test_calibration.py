"""Saved trays over HTTP: listed, renamed, removed; and those that must not be changed."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from errno import ENOSPC
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from calibration.profiles.profile import save
from companion.demo.table import FIRST, OPTIONS
from companion.games.registry import find
from companion.table.desks.profiles import profile_in_use, use_profile
from companion.table.messages import (
    Calibrate,
    CalibrationAnswer,
    CalibrationSays,
    CameraSays,
    Order,
    SensorSpec,
    UseProfile,
)
from companion.table.runtime import Runtime, TableSpec
from companion.web.app import create_app
from tests.calibration.test_profile import COLOURS, learned
from tests.companion.table.tables import hearing
from vision.scene.drawn import DrawnOutline

Served = tuple[Runtime, FlaskClient, list[Order], SensorSpec]


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Callable[..., Served]]:
    """A table with two trays, the kitchen's in use; also what the sensor process would be told."""
    runtimes: list[Runtime] = []

    def start_table(fixed_profile: str | None = None) -> Served:
        sensors = SensorSpec("none", "none", fixed_profile, str(tmp_path / "profiles"))
        runtime = Runtime(TableSpec("demo", tmp_path, sensors, OPTIONS, FIRST), find("shogun"))
        runtimes.append(runtime)
        for name in ("kitchen", "attic 2"):
            save(replace(learned(), name=name), tmp_path / "profiles")
        use_profile(sensors, "kitchen")
        orders: list[Order] = []
        runtime.calibration.order = hearing(orders)
        return runtime, create_app(runtime).test_client(), orders, sensors

    yield start_table
    for runtime in runtimes:
        runtime.stop()


def post_action(client: FlaskClient, action: str, **body: str) -> tuple[int, dict[str, object]]:
    answer = client.post(f"/api/v1/calibration/{action}", json=body)
    return answer.status_code, answer.get_json()


def test_trays_are_told_with_day_and_colours(serve: Callable[..., Served], tmp_path: Path) -> None:
    """An unreadable one is listed too."""
    (tmp_path / "profiles").mkdir()
    (tmp_path / "profiles" / "broken.json").write_text("{broken")
    _, client, _, _ = serve()
    state = client.get("/api/v1/calibration").get_json()
    facts = {"made": learned().made, "colours": list(COLOURS), "mat": True, "readable": True}
    none = {"made": "", "colours": [], "mat": False, "readable": False}
    assert state["kept"] == [
        {"name": "attic 2", **facts},
        {"name": "broken", **none},
        {"name": "kitchen", **facts},
    ]
    assert state["in_use"] == "kitchen"


def test_the_tray_in_use_stays_so_under_another_name(serve: Callable[..., Served]) -> None:
    """The camera keeps reading and need not be reopened."""
    _, client, orders, sensors = serve()
    status, state = post_action(client, "rename", name="kitchen", to=" Кухня ")
    assert (status, state["in_use"], state["profiles"]) == (200, "Кухня", ["attic 2", "Кухня"])
    assert profile_in_use(sensors) == "Кухня"
    assert orders == []


def test_none_is_read_when_the_tray_in_use_is_removed(serve: Callable[..., Served]) -> None:
    _, client, orders, _ = serve()
    assert post_action(client, "remove", name="attic 2")[1]["in_use"] == "kitchen"
    assert orders == []
    status, state = post_action(client, "remove", name="kitchen")
    assert (status, state["in_use"], state["profiles"]) == (200, None, [])
    assert orders == [UseProfile()]


HANDLES = [[0.2, 0.1], [0.8, 0.1], [0.8, 0.9], [0.2, 0.9]]


def test_the_floor_that_a_page_draws_reaches_the_walk(serve: Callable[..., Served]) -> None:
    _, client, orders, _ = serve()
    outline = {"shape": "oval", "handles": HANDLES}
    assert client.post("/api/v1/calibration/answer", json={"yes": True, "asked": 3}).status_code == 200
    body = {"yes": True, "asked": 4, "outline": outline}
    assert client.post("/api/v1/calibration/answer", json=body).status_code == 200
    first, second, third, fourth = ((x, y) for x, y in HANDLES)
    drawn = DrawnOutline("oval", (first, second, third, fourth))
    assert orders == [CalibrationAnswer(True, 3), CalibrationAnswer(True, 4, drawn)]


@pytest.mark.parametrize(
    "outline",
    [
        {"shape": "round", "handles": HANDLES},
        {"shape": "oval", "handles": HANDLES[:3]},
        {"shape": "oval", "handles": [*HANDLES[:3], [0.2, 9.0]]},
        {"shape": "oval", "handles": [*HANDLES[:3], [0.2, "NaN"]]},
        {"shape": "oval", "handles": HANDLES, "more": 1},
    ],
    ids=["shape", "three", "far away", "no number", "more"],
)
def test_an_outline_that_is_none_is_refused(serve: Callable[..., Served], outline: dict[str, object]) -> None:
    _, client, orders, _ = serve()
    body = {"yes": True, "asked": 4, "outline": outline}
    answer = client.post("/api/v1/calibration/answer", json=body)
    assert answer.status_code == 422
    assert answer.get_json()["error"]["key"] == "not_understood"
    assert orders == []


@pytest.mark.parametrize(
    ("action", "body", "key"),
    [
        ("remove", {"name": "cellar"}, "tray_gone"),
        ("use", {"name": "cellar"}, "tray_gone"),
        ("rename", {"name": "cellar", "to": "club"}, "tray_gone"),
        ("rename", {"name": "kitchen", "to": "attic 2"}, "tray_taken"),
        ("rename", {"name": "kitchen", "to": "a\x07b"}, "not_understood"),
        ("rename", {"name": "kitchen"}, "not_understood"),
        ("rename", {"name": "broken", "to": "club"}, "tray_broken"),
    ],
)
def test_what_cannot_be_done_is_refused_by_its_key(
    serve: Callable[..., Served], tmp_path: Path, action: str, body: dict[str, str], key: str
) -> None:
    _, client, _, _ = serve()
    (tmp_path / "profiles" / "broken.json").write_text("{broken")
    status, answer = post_action(client, action, **body)
    assert status == 422
    assert isinstance(answer["error"], dict)
    assert answer["error"]["key"] == key
    assert client.get("/api/v1/calibration").get_json()["profiles"] == ["attic 2", "broken", "kitchen"]


def test_a_disk_that_takes_nothing_is_told_where_a_tray_is_chosen(
    serve: Callable[..., Served], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The list jumped back to the old tray without a message."""
    _, client, orders, _ = serve()

    def write_on_full_disk(path: Path, text: str) -> None:
        raise OSError(ENOSPC, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr("companion.table.desks.profiles.write_atomically", write_on_full_disk)
        status, answer = post_action(client, "use", name="attic 2")
    assert isinstance(answer["error"], dict)
    assert (status, answer["error"]["key"], orders) == (422, "tray_not_changed", [])
    status, state = post_action(client, "use", name="attic 2")
    assert (status, state["in_use"], orders) == (200, "attic 2", [UseProfile()])


def test_the_tray_named_at_the_start_is_for_the_first_camera_alone(serve: Callable[..., Served]) -> None:
    """The pictures of a phone that had taken over were read with it, whatever was chosen for the phone."""
    runtime, client, _, _ = serve("kitchen")

    def told() -> tuple[object, object]:
        state = client.get("/api/v1/calibration").get_json()
        return state["in_use"], state["fixed"]

    assert told() == ("kitchen", True)
    key = runtime.camera.take("anna", runtime.camera.invite, "", free=False)
    assert told() == (None, False)
    runtime.calibration.order = runtime._host.order
    assert post_action(client, "use", name="attic 2")[0] == 200
    assert told() == ("attic 2", False)
    runtime.camera.leave(key)
    assert told() == ("kitchen", True)


@pytest.mark.parametrize(
    ("action", "to"), [("remove", {}), ("rename", {"to": "club"})], ids=["remove", "rename"]
)
def test_a_tray_that_is_relied_on_is_left_alone(
    serve: Callable[..., Served], action: str, to: dict[str, str]
) -> None:
    """One that a running calibration is replacing, and the one that Tenshu was started with."""
    runtime, client, _, _ = serve("kitchen")
    status, answer = post_action(client, action, name="kitchen", **to)
    assert isinstance(answer["error"], dict)
    assert (status, answer["error"]["key"]) == (422, "tray_fixed")
    runtime.calibration.hear(CameraSays("camera 0"))
    runtime.calibration.begin(Calibrate("attic 2", ""))
    for state in (None, {"phase": "walking"}):
        if state:
            runtime.calibration.hear(CalibrationSays(state))
        status, answer = post_action(client, action, name="attic 2", **to)
        assert isinstance(answer["error"], dict)
        assert (status, answer["error"]["key"]) == (422, "tray_walked")
    runtime.calibration.hear(CalibrationSays({"phase": "off"}))
    assert post_action(client, action, name="attic 2", **to)[0] == 200


def test_a_name_stays_free_while_a_calibration_may_still_be_saved_under_it(
    serve: Callable[..., Served],
) -> None:
    """Another tray that was given the name meanwhile was replaced without a question."""
    runtime, client, _, _ = serve()
    runtime.calibration.hear(CameraSays("camera 0"))
    runtime.calibration.begin(Calibrate("garden", ""))
    runtime.calibration.hear(CalibrationSays({"phase": "done", "verdict": {"kept": False}}))
    status, answer = post_action(client, "rename", name="kitchen", to="garden")
    assert isinstance(answer["error"], dict)
    assert (status, answer["error"]["key"]) == (422, "tray_walked")
    runtime.calibration.hear(CalibrationSays({"phase": "off"}))
    assert post_action(client, "rename", name="kitchen", to="garden")[0] == 200
