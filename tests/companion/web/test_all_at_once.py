"""Several devices at once: tables are opened, begun, saved and restored while others play on."""

import random
import subprocess
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from companion.games.protocol import Colour
from companion.games.registry import find, games
from companion.store.sqlite import SqliteStore
from companion.table.files.tables import Tables, checked_game, stamp
from companion.table.runtime import Runtime
from companion.web.app import create_app
from tests.companion.table.tables import GAME, looked
from tests.patience import PATIENCE_S

DEVICES = 4
REQUESTS = 60
"""Requests per device."""
_REMAKE_FILE = """
import os
import sys
print("begun", flush=True)
while True:
    open(sys.argv[1], "w").close()
    os.unlink(sys.argv[1])
"""


class Device:
    """Requests whatever a page may request, and collects invalid answers."""

    def __init__(self, client: FlaskClient, runtime: Runtime, seed: int) -> None:
        self.server_errors: list[str] = []
        self._client = client
        self._runtime = runtime
        self._rng = random.Random(seed)
        self._actions = (
            self._open_or_begin_table,
            self._save_and_restore,
            self._take_seats,
            self._play,
            self._read_past,
        )

    def send_random_requests(self) -> None:
        for _ in range(REQUESTS):
            self._rng.choice(self._actions)()

    def _send(self, method: str, path: str, **more: Any) -> Any:
        with self._client.open(f"/api/v1/{path}", method=method, **more) as answer:
            if answer.status_code >= 500:
                self.server_errors.append(f"{method} {path}: {answer.get_data(as_text=True)[:200]}")
            return answer.get_json(silent=True) if answer.is_json else answer.data

    def _open_or_begin_table(self) -> None:
        names = [card["name"] for card in self._send("GET", "host")["tables"]]
        if self._rng.random() < 0.3:
            options = {"players": self._rng.sample(["blue", "red", "yellow", "black"], 3), "seed": 4}
            body = {"name": f"t{self._rng.randrange(20)}", "game": self._rng.choice(list(games()))}
            self._send("POST", "host/tables", json={**body, "options": options})
        else:
            self._send("POST", f"host/tables/{self._rng.choice(names)}/open")

    def _save_and_restore(self) -> None:
        names = [card["name"] for card in self._send("GET", "host")["tables"]]
        saved = self._send("GET", f"host/tables/{self._rng.choice(names)}/backup")
        if isinstance(saved, bytes):
            self._send("POST", "host/restore", data=saved)

    def _take_seats(self) -> None:
        for seat in self._send("GET", "seats")["seats"]:
            self._send("POST", f"seats/{seat}/take")
            self._send("POST", f"host/seats/{seat}/reissue")

    def _play(self) -> None:
        view = self._send("GET", "table")
        known_state: dict[str, Any] = {"expected": view["expected"], "table": view["table"]}
        offered = self._send("GET", "legal")["legal"]
        declared = {"kind": "declare", "attacker": "red", "province": "ise", "armies": 2}
        command = self._rng.choice(offered) if offered else declared
        self._send("POST", "commands", json={**known_state, "command": command})
        self._runtime.session.hear(looked(red=self._rng.randrange(4)))
        self._send("POST", "settle", json={**known_state, "counts": {"red": 2}, "insist": True})
        self._send("POST", "undo", json={**known_state, "batch": self._rng.randrange(2, 9), "agreed": True})

    def _read_past(self) -> None:
        for path in ("moments", "history", "chapters", "statistics", "throws", "keepsake.json"):
            self._send("GET", path)


def test_nothing_breaks_and_what_was_saved_can_be_read(friday: Runtime, caplog: Any) -> None:
    """Commands reached a table whose game had not begun, and two tables were written into one file."""
    app = create_app(friday)
    devices = [Device(app.test_client(), friday, seed) for seed in range(DEVICES)]
    with ThreadPoolExecutor(DEVICES) as pool:
        for future in [pool.submit(device.send_random_requests) for device in devices]:
            future.result(PATIENCE_S)
    assert [error for device in devices for error in device.server_errors] == []
    assert [record.message for record in caplog.records] == []
    for name in friday.tables.names():
        checked_game(friday.tables.events(name))


def test_a_new_table_is_never_seen_without_its_game(friday: Runtime, monkeypatch: pytest.MonkeyPatch) -> None:
    views: list[Any] = []
    turn_to: Callable[..., None] = friday.session.turn_to

    def turn_and_view(*arguments: Any) -> None:
        turn_to(*arguments)
        views.append(friday.session.view())

    monkeypatch.setattr(friday.session, "turn_to", turn_and_view)
    body = {"name": "saturday", "options": GAME, "tower": "hidden"}
    assert create_app(friday).test_client().post("/api/v1/host/tables", json=body).status_code == 200
    assert [(view["game"]["phase"], view["tower_shown"]) for view in views] == [("fill", "hidden")]


def test_a_full_disk_begins_no_table_and_the_one_that_is_played_stays(
    friday: Runtime, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A table without a game was opened, and nothing worked there."""
    client = create_app(friday).test_client()
    body = {"name": "saturday", "options": GAME}
    insert = SqliteStore._insert

    def insert_on_full_disk(store: SqliteStore, stored: Any) -> None:
        store._connection.execute("PRAGMA max_page_count = 1")  # no pages beyond the present ones
        insert(store, [replace(stored[0], body={"x": "y" * 100_000})])

    with monkeypatch.context() as patched:
        patched.setattr(SqliteStore, "_insert", insert_on_full_disk)
        answer = client.post("/api/v1/host/tables", json=body)
        assert (answer.status_code, answer.get_json()["error"]["key"]) == (507, "not_saved")
    assert (friday.session.table, friday.tables.names()) == ("friday", ["friday"])
    assert friday.session.view()["game"]["phase"] == "fill"
    assert client.post("/api/v1/host/tables", json=body).get_json()["table"] == "saturday"


def test_the_past_of_one_table_is_not_told_of_another(friday: Runtime) -> None:
    """Caches are keyed by command number, and every table has a first command."""
    options = {"players": ["red", "black", "purple", "yellow"], "seed": 7}
    friday.begin_table("saturday", find("shogun"), options, "host")
    moments = friday.session.past.moments()
    friday.open_table("friday")
    past, read_events, openings = friday.session.past, friday.session.past._events, list[threading.Thread]()

    def read_while_opening() -> Any:
        events = read_events()
        if not openings:
            openings.append(threading.Thread(target=friday.open_table, args=("saturday",)))
            openings[0].start()
            openings[0].join(0.3)
        return events

    past._events = read_while_opening
    assert past.moment(1) is not None
    openings[0].join(PATIENCE_S)
    assert friday.session.table == "saturday"
    assert past.moments() == moments


def test_two_devices_take_up_one_file_as_two_tables(friday: Runtime, monkeypatch: pytest.MonkeyPatch) -> None:
    client = create_app(friday).test_client()
    friday.session.settle({Colour("green"): 10}, "anna", friday.session.view()["expected"])
    with client.get("/api/v1/host/tables/friday/backup") as answer:
        saved = answer.data
    free_name, barrier = Tables.free_name, threading.Barrier(2)

    def free_name_at_once(tables: Tables, wanted: str) -> str:
        name = free_name(tables, wanted)
        with suppress(threading.BrokenBarrierError):
            barrier.wait(0.3)
        return name

    monkeypatch.setattr(Tables, "free_name", free_name_at_once)
    with ThreadPoolExecutor() as pool:
        futures = [
            pool.submit(create_app(friday).test_client().post, "/api/v1/host/restore", data=saved)
            for _ in range(2)
        ]
        names = [future.result(PATIENCE_S).get_json()["name"] for future in futures]
    assert sorted(names) == ["friday-2", "friday-3"]
    for name in names:
        assert friday.tables.events(name)[-1].seq == friday.session.view()["expected"]


def test_a_journal_that_goes_as_it_is_looked_at_breaks_no_list(tmp_path: Path) -> None:
    """The journal is removed when its table is closed, that is, when another one is opened."""
    journal = tmp_path / "friday.sqlite3-wal"
    with subprocess.Popen(
        [sys.executable, "-c", _REMAKE_FILE, str(journal)], stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline()
        try:
            for _ in range(40_000):
                stamp(tmp_path / "friday.sqlite3")
        finally:
            process.kill()


def test_what_comes_as_all_ends_is_told_so(friday: Runtime) -> None:
    """The disk was reported as full instead."""
    client = create_app(friday).test_client()
    expected = friday.session.view()["expected"]
    friday.stop()
    for path, body in (
        ("settle", {"expected": expected, "counts": {"green": 10}}),
        ("host/tables/friday/open", {}),
        ("host/tables", {"name": "saturday", "options": GAME}),
    ):
        answer = client.post(f"/api/v1/{path}", json=body)
        assert (answer.status_code, answer.get_json()["error"]["key"]) == (503, "ended")
    assert friday.tables.names() == ["friday"]
