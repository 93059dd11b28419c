"""Old files: what a Tenshu of long ago saved can be played on with this one, and all of it is there.

`tests/data/older` was made by the program of 21 November 2026, before most events had all their present
fields: 22 throws of a game in its second year, some taken back or corrected, a table of the tower alone, and
what their views told then. Views may tell more by now; nothing that they told may be missing or different.
"""

import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.games.registry import find
from companion.store.backup import load
from companion.store.errors import StoreError
from companion.table.files.backups import restore
from companion.table.files.tables import Tables
from companion.table.messages import SensorSpec
from companion.table.people.access import Access
from companion.table.runtime import Runtime, TableSpec
from companion.web.app import create_app
from tests.companion.table.tables import GAME

OLDER = Path(__file__).parents[2] / "data" / "older"
TOLD: dict[str, Any] = json.loads((OLDER / "told.json").read_text("utf-8"))
KEY, TOKEN = "EjNzNY_m1z5Y5CZumjDtOvNg", "8yUfMo7Yl__I.c9b0fee7b4dcc0bcd80a14d1e3d1ca3a"
"""What a phone of that time holds: the key of blue's seat, and the token that it has joined."""
SEATS = {"blue": "d31d61285a4195ec86aa35c952e3b480921d0fdfabd3d4711ecc49e8ef97c4ea"}
HOST, CODE, SINCE_MS = "_N03n5rKTrhQroGHK2SZMwrgpZ82CfmI", "WTPJAX", 1_795_000_000_000
ACCESS = {"host": HOST, "sign": "1JCnP81CfP9rvIoS-TRuEVYnr4ptSq1M", "code": CODE, "code_since": SINCE_MS}
TABLES = """
CREATE TABLE migrations (name TEXT PRIMARY KEY) STRICT;
INSERT INTO migrations VALUES ('0001 events');
CREATE TABLE events (
    game   TEXT    NOT NULL,
    seq    INTEGER NOT NULL,
    batch  INTEGER NOT NULL,
    kind   TEXT    NOT NULL,
    author TEXT    NOT NULL,
    ts_ms  INTEGER NOT NULL,
    body   TEXT    NOT NULL,
    PRIMARY KEY (game, seq)
) STRICT, WITHOUT ROWID;
"""
FOR_ALL = (
    "table", "legal", "seats", "join", "history", "throws", "moments", "moments/12", "chapters", "undo/12",
    "statistics?of=all", "throwlog.csv", "throwlog.json", "keepsake.json", "host/tables/{}/backup",
)  # fmt: skip


def _write_old_table(folder: Path, name: str) -> None:
    """Write the file as that version did."""
    with (OLDER / f"{name}.tenshu").open("rb") as file:
        events = load(file).events
    connection = sqlite3.connect(folder / f"{name}.sqlite3")
    connection.executescript(TABLES)
    rows = [(name, e.seq, e.batch, e.kind, e.author, e.ts_ms, json.dumps(e.body)) for e in events]
    connection.executemany("INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?)", rows)
    connection.commit()
    connection.close()


@pytest.fixture(params=["friday", "counter"])
def then(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Runtime]:
    """A table of that time, opened by this version."""
    _write_old_table(tmp_path, request.param)
    (tmp_path / "friday.seats.json").write_text(json.dumps(SEATS))
    (tmp_path / "access.json").write_text(json.dumps(ACCESS))
    sensors = SensorSpec("none", "none", profiles=str(tmp_path / "profiles"))
    runtime = Runtime(TableSpec(request.param, tmp_path, sensors, GAME), find("shogun"))
    yield runtime
    runtime.stop()


def _differences(was: Any, now: Any, where: str = "") -> Iterator[str]:
    """What was told then and is missing, or is told differently."""
    if isinstance(was, dict) and isinstance(now, dict):
        for key, value in was.items():
            yield from _differences(value, now.get(key, "gone"), f"{where}.{key}")
    elif isinstance(was, list) and isinstance(now, list) and len(was) == len(now):
        for at, (was_item, now_item) in enumerate(zip(was, now, strict=True)):
            yield from _differences(was_item, now_item, f"{where}[{at}]")
    elif was != now:
        yield f"{where}: {was} -> {now}"


def test_a_table_stands_as_it_stood(then: Runtime) -> None:
    name = then.session.table
    assert then.trouble is None
    view = then.session.view()
    assert list(_differences(TOLD[name], json.loads(json.dumps(view["game"])))) == []
    assert len(then.session.throws()) == {"friday": 22, "counter": 6}[name]
    assert any(throw["undone"] for throw in then.session.throws())


def test_everything_of_it_is_told_and_the_game_goes_on(then: Runtime) -> None:
    client, name = create_app(then).test_client(), then.session.table
    for path in FOR_ALL:
        if name != "counter" or not path.startswith("keepsake"):
            with client.get(f"/api/v1/{path.format(name)}") as answer:
                assert answer.status_code == 200, path
    view = client.get("/api/v1/table").get_json()
    body = {"expected": view["expected"], "author": "anna"}
    undone = client.post("/api/v1/undo", json={**body, "batch": view["undo"]["batch"], "agreed": True})
    assert undone.status_code == 200, undone.get_json()
    assert undone.get_json()["expected"] == view["expected"] + 1


def test_phones_of_then_are_known(tmp_path: Path, then: Runtime) -> None:
    access = Access(tmp_path / "access.json", lambda: SINCE_MS)
    assert access.is_host(HOST)
    assert access.has_joined(TOKEN)
    assert access.code() == CODE
    if then.session.table == "friday":
        sits = {"X-Seat": "blue", "X-Seat-Key": KEY}
        seat = create_app(then).test_client().get("/api/v1/seats/blue", headers=sits)
        assert list(_differences(TOLD["blue"], seat.get_json()["game"])) == []


@pytest.mark.parametrize("name", ["friday", "counter"])
def test_a_game_that_was_saved_then_is_taken_up(name: str, then: Runtime) -> None:
    with (OLDER / f"{name}.tenshu").open("rb") as file:
        restored = restore(file, then.tables, then.evidence)
    assert (restored.damaged, restored.unkept) == (0, 0)
    then.open_table(restored.name)
    assert list(_differences(TOLD[name], json.loads(json.dumps(then.session.view()["game"])))) == []


def _migrate_to_next_version(path: Path) -> None:
    """Change a table's file as a future migration may: with a column that this program does not know."""
    with sqlite3.connect(path) as connection:
        connection.executescript(
            f"""ALTER TABLE events RENAME TO before;
            {TABLES.split(";")[2].replace("body   TEXT", "device TEXT NOT NULL, body   TEXT")};
            INSERT INTO events SELECT game, seq, batch, kind, author, ts_ms, 'phone', body FROM before;
            DROP TABLE before;
            INSERT INTO migrations VALUES ('0002 devices');"""
        )
    connection.close()


def test_a_table_of_a_newer_tenshu_is_shown_and_told_as_that_and_not_written(tmp_path: Path) -> None:
    """Each tap was answered with "somebody was faster", forever."""
    _write_old_table(tmp_path, "friday")
    _migrate_to_next_version(tmp_path / "friday.sqlite3")
    before = (tmp_path / "friday.sqlite3").read_bytes()
    sensors = SensorSpec("none", "none", profiles=str(tmp_path / "profiles"))
    runtime = Runtime(TableSpec("friday", tmp_path, sensors, GAME), find("shogun"))
    client = create_app(runtime).test_client()
    view = client.get("/api/v1/table").get_json()
    assert list(_differences(TOLD["friday"], view["game"])) == []
    assert client.get("/api/v1/host").get_json()["trouble"]["key"] == "unknown_events"
    assert "a newer Tenshu" in client.get("/recovery?lang=en").get_data(as_text=True)
    undo = {"batch": view["undo"]["batch"], "expected": view["expected"], "author": "anna", "agreed": True}
    refused = client.post("/api/v1/undo", json=undo)
    assert refused.status_code == 507
    assert refused.get_json()["error"]["key"] == "store_read_only"
    runtime.stop()
    assert (tmp_path / "friday.sqlite3").read_bytes() == before


def test_secrets_say_their_version_and_those_of_then_are_the_first(tmp_path: Path, then: Runtime) -> None:
    assert json.loads((tmp_path / "access.json").read_text()) == {"version": 1, **ACCESS}
    if then.session.table == "friday":
        then.seats.take("red", "")
        stored = json.loads((tmp_path / "friday.seats.json").read_text())
        assert (stored["version"], stored["blue"]) == (1, SEATS["blue"])


def test_seats_of_a_newer_tenshu_are_nobodys_and_not_written_over(tmp_path: Path) -> None:
    """Treated as damaged, they were all free: whoever took one read what was planned there in secret."""
    _write_old_table(tmp_path, "friday")
    newer = tmp_path / "friday.seats.json"
    newer.write_text('{"version": 2, "seats": [["blue", "of another kind"]]}')
    before = newer.read_bytes()
    sensors = SensorSpec("none", "none", profiles=str(tmp_path / "profiles"))
    runtime = Runtime(TableSpec("friday", tmp_path, sensors, GAME), find("shogun"))
    client = create_app(runtime).test_client()
    refused = client.post("/api/v1/seats/blue/take", json={})
    assert refused.status_code == 507
    assert refused.get_json()["error"]["key"] == "unknown_events"
    assert refused.get_json()["error"]["sentence"].endswith("was written by a newer Tenshu. Update Tenshu.")
    with pytest.raises(StoreError, match="newer"):  # a copy does not get free ones either
        runtime.tables.hand_seats_on("friday", "saturday", runtime.session.events())
    runtime.begin_table("sunday", find("shogun"), GAME, "anna")
    assert client.post("/api/v1/seats/blue/take", json={}).status_code == 200
    runtime.stop()
    assert newer.read_bytes() == before


def test_the_code_and_the_link_of_a_newer_tenshu_are_left_and_told(tmp_path: Path) -> None:
    """Treated as damaged, they were made anew, and every phone was logged out."""
    newer = tmp_path / "access.json"
    newer.write_text('{"version": 2, "keys": {}}')
    before = newer.read_bytes()
    with pytest.raises(StoreError) as refusal:
        Runtime(TableSpec("friday", tmp_path, SensorSpec("none", "none"), GAME), find("shogun"))
    assert refusal.value.sentence == f"{newer} was written by a newer Tenshu."
    assert refusal.value.remedy == "Update Tenshu, or remove that file: then every phone has to join again."
    assert newer.read_bytes() == before


def test_which_table_a_newer_tenshu_played_last_keeps_none_from_being_served(tmp_path: Path) -> None:
    _write_old_table(tmp_path, "friday")
    (tmp_path / "current.json").write_text('{"version": 2, "tables": ["sunday"]}')
    assert Tables(tmp_path).last == "friday"
