"""Backup and restore over HTTP: a whole game with its pictures, under a free name."""

import io
import json
import zipfile
from collections.abc import Callable
from typing import Any

import pytest
from flask.testing import FlaskClient

from companion.games.protocol import Colour
from companion.store.backup import ABOUT, EVENTS, MOST_EVENT_BYTES, MOST_PICTURES_BYTES
from companion.table.past.undoing import Wish
from companion.table.runtime import Runtime
from companion.web.app import create_app
from companion.web.backups import MOST_BYTES
from companion.web.server import MOST_BODY_BYTES

FILLED, LAST = 3, 12
"""Commands of a game of three players: the tower is filled, and that is undone."""


@pytest.fixture
def runtime(friday: Runtime) -> Runtime:
    return friday


@pytest.fixture
def client(runtime: Runtime) -> FlaskClient:
    return create_app(runtime).test_client()


def _download_backup(client: FlaskClient) -> bytes:
    with client.get("/api/v1/host/tables/friday/backup") as answer:
        assert answer.headers["Cache-Control"] == "no-store"  # it holds all secret plans
        assert answer.status_code == 200
        assert "friday-" in answer.headers["Content-Disposition"]
        assert answer.headers["Content-Disposition"].endswith(".tenshu")
        return bytes(answer.data)


def _with_edited_events(saved: bytes, edit: Callable[[list[dict[str, Any]]], object]) -> bytes:
    """Return the file with changed events."""
    edited = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(saved)) as source, zipfile.ZipFile(edited, "w") as archive:
        for name in source.namelist():
            text = source.read(name).decode()
            if name == EVENTS:
                events = [json.loads(line) for line in text.splitlines()]
                edit(events)
                text = "\n".join(json.dumps(event) for event in events) + "\n"
            archive.writestr(name, text)
    return edited.getvalue()


def test_a_game_goes_through_a_file_and_goes_on(client: FlaskClient, runtime: Runtime) -> None:
    runtime.session.settle({Colour("green"): 10}, "anna", runtime.session.view()["expected"])
    before = runtime.session.view()
    name = client.post("/api/v1/host/restore", data=_download_backup(client)).get_json()["name"]
    assert name == "friday-2"
    assert runtime.session.view()["table"] == "friday"
    client.post("/api/v1/host/tables/friday-2/open")
    after = runtime.session.view()
    assert after["table"] == "friday-2"
    assert (after["game"], after["history"]) == (before["game"], before["history"])
    assert client.get("/api/v1/seats").get_json()["taken"] == []


def _with_damaged_member(saved: bytes, name: str) -> bytes:
    """Return the file with one wrong byte in a member."""
    damaged = bytearray(saved)
    with zipfile.ZipFile(io.BytesIO(saved)) as archive:
        damaged[archive.getinfo(name).header_offset + 30 + len(name)] ^= 0xFF
    return bytes(damaged)


def test_a_damaged_picture_is_left_out_and_the_game_is_taken_up(
    client: FlaskClient, runtime: Runtime
) -> None:
    """One wrong byte in one picture made the whole game be refused."""
    runtime.session.settle({Colour("green"): 10}, "anna", runtime.session.view()["expected"])
    runtime.session.undo(Wish(FILLED, "anna"), runtime.session.view()["expected"], ["blue"])
    runtime.session.settle({Colour("green"): 9}, "anna", runtime.session.view()["expected"])
    kept = [runtime.evidence.keep(jpeg) for jpeg in (b"of the first", b"of the second")]

    def attach_pictures(events: list[dict[str, Any]]) -> None:
        throws = [event["body"] for event in events if event["kind"] == "throw"]
        for body, name in zip(throws, kept, strict=True):
            body["evidence"] = name

    saved = io.BytesIO(_with_edited_events(_download_backup(client), attach_pictures))
    with zipfile.ZipFile(saved, "a") as archive:
        for name in kept:
            archive.writestr(f"pictures/{name}", runtime.evidence.read(name) or b"")
    for path in runtime.tables.folder.glob("*/*.jpg"):
        path.unlink()
    answer = client.post(
        "/api/v1/host/restore", data=_with_damaged_member(saved.getvalue(), f"pictures/{kept[0]}")
    )
    assert (answer.status_code, answer.get_json()) == (200, {"name": "friday-2", "damaged": 1, "unkept": 0})
    assert [runtime.evidence.read(name) for name in kept] == [None, b"of the second"]
    answer = client.post("/api/v1/host/restore", data=_with_damaged_member(saved.getvalue(), EVENTS))
    assert (answer.status_code, answer.get_json()["error"]["key"]) == (422, "bad_backup")


def test_pictures_that_the_disk_does_not_take_are_counted(client: FlaskClient, runtime: Runtime) -> None:
    """They were skipped silently: the host read that everything was restored, and the pictures were gone."""
    runtime.session.settle({Colour("green"): 10}, "anna", runtime.session.view()["expected"])
    name = runtime.evidence.keep(b"of the throw")
    saved = io.BytesIO(
        _with_edited_events(_download_backup(client), lambda events: _attach_picture(events, name))
    )
    with zipfile.ZipFile(saved, "a") as archive:
        archive.writestr(f"pictures/{name}", b"of the throw")
    [picture] = runtime.tables.folder.glob("*/*.jpg")
    picture.unlink()
    picture.parent.rmdir()
    picture.parent.write_bytes(b"no folder")
    answer = client.post("/api/v1/host/restore", data=saved.getvalue())
    assert (answer.status_code, answer.get_json()) == (200, {"name": "friday-2", "damaged": 0, "unkept": 1})


def _attach_picture(events: list[dict[str, Any]], name: str) -> None:
    [throw] = [event["body"] for event in events if event["kind"] == "throw"]
    throw["evidence"] = name


def test_the_second_file_gets_the_next_name(client: FlaskClient) -> None:
    saved = _download_backup(client)
    names = [client.post("/api/v1/host/restore", data=saved).get_json()["name"] for _ in range(2)]
    assert names == ["friday-2", "friday-3"]


def test_a_file_of_a_newer_tenshu_asks_to_update_this_one(client: FlaskClient, runtime: Runtime) -> None:
    """It was reported as incomplete, with a request for another file, which nobody has."""
    backup = io.BytesIO()
    with zipfile.ZipFile(backup, "w") as archive:
        archive.writestr(ABOUT, json.dumps({"format": "tenshu-backup/2"}))
    answer = client.post("/api/v1/host/restore", data=backup.getvalue())
    assert (answer.status_code, answer.get_json()["error"]["key"]) == (422, "unknown_events")
    assert runtime.tables.names() == ["friday"]


def test_a_file_from_elsewhere_is_refused_and_makes_no_table(client: FlaskClient, runtime: Runtime) -> None:
    unknown_board = _with_edited_events(
        _download_backup(client), lambda events: [events[0]["body"].update(side="star")]
    )
    for body, key in ((b"nothing", "bad_backup"), (unknown_board, "unknown_events")):
        answer = client.post("/api/v1/host/restore", data=body)
        assert (answer.status_code, answer.get_json()["error"]["key"]) == (422, key)
    assert runtime.tables.names() == ["friday"]
    assert not list(runtime.tables.folder.glob("*.part*"))


@pytest.mark.parametrize(
    "record",
    [
        {},
        {"possible": None},
        {"accepted": {"red": "3"}},
        {"from_tray": {"red": -1}},
        {"from_table": ["red"]},
        {"seen": 4},
        {"corrected": "no"},
        {"by": None},
        {"evidence": 7},
        {"weight": 3},
        {"weight": {"sure": "very"}},
        {"weight": {"mass_mg": 10**400}},
    ],
)
def test_a_throw_that_no_tenshu_wrote_is_refused_with_its_file(
    record: dict[str, Any], client: FlaskClient, runtime: Runtime
) -> None:
    """It was restored, and then log, statistics and the camera failed on it."""
    runtime.session.settle({Colour("green"): 10}, "anna", runtime.session.view()["expected"])
    saved = _download_backup(client)

    def spoil(events: list[dict[str, Any]]) -> None:
        [throw] = [event for event in events if event["kind"] == "throw"]
        throw["body"] = {**throw["body"], **record} if record else {}

    answer = client.post("/api/v1/host/restore", data=_with_edited_events(saved, spoil))
    assert (answer.status_code, answer.get_json()["error"]["key"]) == (422, "unknown_events")
    assert runtime.tables.names() == ["friday"]


@pytest.mark.parametrize(
    "undo",
    [
        {"batches": [LAST]},
        {"batches": [LAST + 1]},
        {"batches": [0]},
        {"batches": [FILLED, "4"]},
        {"batches": True},
        {"batches": [FILLED], "also": [LAST]},
        {"batches": [FILLED], "also": 1},
        {"batches": [FILLED], "agreed": True},
        {"batches": [FILLED], "agreed": [7]},
        {"batches": [FILLED], "reason": 7},
        {},
    ],
)
def test_an_undo_that_no_tenshu_wrote_is_refused_with_its_file(
    undo: dict[str, Any], client: FlaskClient, runtime: Runtime
) -> None:
    """It was restored; the history failed on it, or looped for ever if an undo took back itself."""
    runtime.session.settle({Colour("green"): 10}, "anna", runtime.session.view()["expected"])
    runtime.session.undo(Wish(FILLED, "anna"), runtime.session.view()["expected"], ["blue"])
    saved = _download_backup(client)

    def spoil(events: list[dict[str, Any]]) -> None:
        last = events[-1]
        assert (last["kind"], last["batch"]) == ("undone", LAST)
        last["body"] = undo

    answer = client.post("/api/v1/host/restore", data=_with_edited_events(saved, spoil))
    assert (answer.status_code, answer.get_json()["error"]["key"]) == (422, "unknown_events")
    assert runtime.tables.names() == ["friday"]


@pytest.mark.parametrize(
    "bodies",
    [
        pytest.param(
            [
                {"kind": "phase_begun", "phase": "actions"},
                {"kind": "turn_ended", "done": -99, "turn": 0},
                {"kind": "turn_ended", "done": 0, "turn": 0},
                {"kind": "phase_begun", "phase": "planning"},
            ],
            id="an action before the first, long ago",
        ),
        pytest.param(
            [
                {"kind": "event_drawn", "event": 99},
                {"kind": "event_drawn", "event": 1},
            ],
            id="a card that is in no box, long ago",
        ),
    ],
)
def test_a_past_that_no_page_can_tell_is_refused_with_its_file(
    bodies: list[dict[str, Any]], client: FlaskClient, runtime: Runtime
) -> None:
    """Only the final state was checked: it was restored, and history, chart and keepsake failed on it."""
    runtime.session.settle({Colour("green"): 10}, "anna", runtime.session.view()["expected"])

    def append_events(events: list[dict[str, Any]]) -> None:
        for body in bodies:
            seq = len(events) + 1
            events.append({**events[-1], "seq": seq, "batch": seq, "kind": body["kind"], "body": body})

    answer = client.post(
        "/api/v1/host/restore", data=_with_edited_events(_download_backup(client), append_events)
    )
    assert (answer.status_code, answer.get_json()["error"]["key"]) == (422, "unknown_events")
    assert runtime.tables.names() == ["friday"]


@pytest.mark.parametrize("province", [{"owner": "green"}, {"owner": "winter"}, {"markers": 10_000}])
def test_a_board_that_no_sheet_can_draw_is_refused_with_its_file(
    province: dict[str, Any], client: FlaskClient, runtime: Runtime
) -> None:
    """The keepsake failed on an owner without a seat, and drew ten thousand revolts one by one."""

    def spoil(events: list[dict[str, Any]]) -> None:
        provinces = events[0]["body"]["provinces"]
        provinces["hida"] = {**provinces["hida"], **province}

    answer = client.post("/api/v1/host/restore", data=_with_edited_events(_download_backup(client), spoil))
    assert (answer.status_code, answer.get_json()["error"]["key"]) == (422, "unknown_events")
    assert runtime.tables.names() == ["friday"]


def test_no_file_is_saved_that_would_be_refused() -> None:
    """The largest set of saved pictures, plus the log, which compresses to a tenth."""
    assert MOST_PICTURES_BYTES + MOST_EVENT_BYTES // 4 < MOST_BYTES < MOST_BODY_BYTES


def test_a_body_without_end_is_cut_off(client: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.web.backups.MOST_BYTES", 1000)
    assert client.post("/api/v1/host/restore", data=b"x" * 1001).status_code == 413


def test_only_the_host_saves_and_restores(client: FlaskClient) -> None:
    """A backup holds the plans of every seat."""
    phone = client.application.test_client()
    phone.environ_base["REMOTE_ADDR"] = "192.168.1.20"
    assert phone.get("/api/v1/host/tables/friday/backup").status_code == 403
    assert phone.post("/api/v1/host/restore", data=b"").status_code == 403
