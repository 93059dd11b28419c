"""Seats: each device sees and plans only for its own; scripted devices play a whole game over HTTP."""

import json
import random
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from companion.games.registry import find
from companion.table.messages import SensorSpec
from companion.table.runtime import Runtime, TableSpec
from companion.web.app import create_app
from companion.web.server import make_server
from tests.companion.table.tables import GAME
from tests.companion.web.conftest import expected_of
from tests.patience import PATIENCE_S

ELSEWHERE = {"REMOTE_ADDR": "192.168.1.20"}
SEATS = ("blue", "red", "yellow")


def spec(folder: Path, camera: str = "none") -> TableSpec:
    return TableSpec("game", folder, SensorSpec(camera, "none"), GAME, countdown_s=0.1)


@pytest.fixture
def client(tmp_path: Path) -> Iterator[FlaskClient]:
    runtime = Runtime(spec(tmp_path), find("shogun"))
    yield create_app(runtime).test_client()
    runtime.stop()


def take_seat(client: FlaskClient, seat: str) -> dict[str, str]:
    key = client.post(f"/api/v1/seats/{seat}/take").get_json()["key"]
    return {"X-Seat-Key": key}


class TestSeats:
    """Who sits where, and what only the seat's device gets."""

    def test_a_seat_is_taken_once_and_given_free_by_the_table(self, client: FlaskClient) -> None:
        seat_headers = take_seat(client, "blue")
        assert client.post("/api/v1/seats/blue/take").status_code == 403
        assert client.post("/api/v1/seats/blue/take", headers=seat_headers).status_code == 200
        assert client.get("/api/v1/seats").get_json() == {
            "table": "game",
            "seats": list(SEATS),
            "taken": ["blue"],
            "host": True,
            "joined": True,
            "asked": None,
        }
        client.post("/api/v1/seats/blue/free", json={})
        assert client.get("/api/v1/seats/blue", headers=seat_headers).status_code == 403
        assert take_seat(client, "blue") != seat_headers

    def test_only_its_device_and_the_computer_that_serves_give_a_seat_free(self, client: FlaskClient) -> None:
        seat_headers = take_seat(client, "blue")
        free = "/api/v1/seats/blue/free"
        assert client.post(free, json={}, environ_base=ELSEWHERE).status_code == 403
        assert client.get("/api/v1/seats/blue", headers=seat_headers).status_code == 200
        assert client.post(free, json={}, headers=seat_headers, environ_base=ELSEWHERE).status_code == 200
        assert client.get("/api/v1/seats/blue", headers=seat_headers).status_code == 403

    def test_a_seat_survives_a_restart_and_its_key_is_not_on_the_disk(self, tmp_path: Path) -> None:
        for begin in (True, False):
            runtime = Runtime(spec(tmp_path), find("shogun"))
            try:
                client = create_app(runtime).test_client()
                if begin:
                    seat_headers = take_seat(client, "red")
                assert client.get("/api/v1/seats/red", headers=seat_headers).status_code == 200
            finally:
                runtime.stop()
        kept = (tmp_path / "game.seats.json").read_text(encoding="utf-8")
        assert seat_headers["X-Seat-Key"] not in kept
        assert set(json.loads(kept)) == {"version", "red", "owner"}

    def test_a_seats_file_that_is_broken_frees_the_seats(self, tmp_path: Path) -> None:
        Runtime(spec(tmp_path), find("shogun")).stop()
        (tmp_path / "game.seats.json").write_text("[1", encoding="utf-8")
        runtime = Runtime(spec(tmp_path), find("shogun"))
        try:
            assert runtime.seats.taken() == []
        finally:
            runtime.stop()

    def test_a_digest_that_is_broken_frees_its_seat_alone(self, tmp_path: Path) -> None:
        """Each request of a phone that held a key was answered with "something broke in Tenshu"."""
        Runtime(spec(tmp_path), find("shogun")).stop()
        content = {"blue": "0" * 64, "red": "\u00e9" * 64, "yellow": "0" * 63}
        (tmp_path / "game.seats.json").write_text(json.dumps(content), encoding="utf-8")
        runtime = Runtime(spec(tmp_path), find("shogun"))
        try:
            client = create_app(runtime).test_client()
            assert client.get("/api/v1/table", headers={"X-Seat-Key": "k" * 24}).status_code == 200
            assert client.get("/api/v1/seats/red", headers={"X-Seat-Key": "k" * 24}).status_code == 403
            assert runtime.seats.taken() == ["blue"]
        finally:
            runtime.stop()

    def test_the_table_is_told_what_it_may_do(self, client: FlaskClient) -> None:
        assert client.get("/api/v1/legal").get_json()["legal"] == []

    def test_a_seat_nobody_has_is_a_sentence(self, client: FlaskClient) -> None:
        answer = client.post("/api/v1/seats/purple/take")
        assert answer.status_code == 422
        assert answer.get_json()["error"]["sentence"] == "There is no such seat at this table."

    def test_without_the_key_no_look_and_no_command(self, client: FlaskClient) -> None:
        take_seat(client, "blue")
        assert client.get("/api/v1/seats/blue").status_code == 403
        assert (
            client.post("/api/v1/seats/blue/commands", json={"expected": 1, "command": {}}).status_code == 403
        )

    def test_who_lost_a_seat_reads_whether_it_is_free_or_anothers(self, client: FlaskClient) -> None:
        """“Another device sits there” was said about a seat that nobody held."""
        key = take_seat(client, "blue")
        client.post("/api/v1/seats/blue/free")
        assert client.get("/api/v1/seats/blue", headers=key).get_json()["error"]["key"] == "seat_free"
        take_seat(client, "blue")
        refused = client.get("/api/v1/seats/blue", headers=key).get_json()["error"]
        assert refused["key"] == "seat_taken"
        assert refused["sentence"].endswith("Leave the seat there, or ask the host for it.")

    def test_a_device_that_made_its_key_may_ask_again_when_the_answer_was_lost(
        self, client: FlaskClient
    ) -> None:
        body = {"key": "k" * 24}
        for _ in range(2):
            assert client.post("/api/v1/seats/blue/take", json=body).get_json()["key"] == body["key"]
        assert client.get("/api/v1/seats/blue", headers={"X-Seat-Key": body["key"]}).status_code == 200
        assert client.post("/api/v1/seats/blue/take", json={"key": "o" * 24}).status_code == 403
        assert client.post("/api/v1/seats/red/take", json={"key": "short"}).status_code == 422
        assert client.get("/api/v1/seats").get_json()["taken"] == ["blue"]

    def test_a_command_whose_kind_is_no_word_is_one_sentence(self, client: FlaskClient) -> None:
        key = take_seat(client, "blue")
        body = {"expected": expected_of(client), "command": {"kind": ["ready"]}}
        answer = client.post("/api/v1/seats/blue/commands", json=body, headers=key)
        assert answer.status_code == 422
        assert answer.get_json()["error"]["sentence"] == "Shogun knows no such command."

    def test_a_refusal_says_whether_the_table_may_overrule_it(self, client: FlaskClient) -> None:
        client.post("/api/v1/settle", json={"expected": expected_of(client), "counts": {}})
        key = take_seat(client, "blue")

        def refusal_of(**command: object) -> tuple[str, bool]:
            body = {"expected": expected_of(client), "command": {"seat": "blue", **command}}
            error = client.post("/api/v1/seats/blue/commands", json=body, headers=key).get_json()["error"]
            return error["key"], error["overrulable"]

        assert refusal_of(kind="ready") == ("spaces_left", True)
        assert refusal_of(kind="place", space="taxes", card="nowhere") == ("not_own", False)

    def test_plans_are_secret_on_every_other_address(self, client: FlaskClient) -> None:
        """Promise 7: nothing that another device can request names the planned card."""
        client.post("/api/v1/settle", json={"expected": expected_of(client), "counts": {}})
        blue, red = take_seat(client, "blue"), take_seat(client, "red")
        plan = {"kind": "place", "seat": "blue", "space": "taxes", "card": "chest_3"}
        refused = client.post("/api/v1/commands", json={"expected": expected_of(client), "command": plan})
        assert refused.get_json()["error"]["key"] == "seat_only"
        body = {"expected": 0, "command": plan}
        foreign = client.post("/api/v1/seats/red/commands", headers=red, json=body)
        assert foreign.get_json()["error"]["key"] == "other_seat"
        done = client.post("/api/v1/seats/blue/commands", headers=blue, json=body)
        assert "chest_3" in json.dumps(done.get_json()["game"]["players"][0]["board"])
        for address in ("table", "history", "throws"):
            assert "chest_3" not in client.get(f"/api/v1/{address}").get_data(as_text=True)
        view_of_red = client.get("/api/v1/seats/red", headers=red).get_json()
        assert view_of_red["game"]["players"][0]["board"] == {}

    def test_a_card_planned_on_a_phone_is_corrected_from_its_own_device_alone(
        self, client: FlaskClient
    ) -> None:
        """C-6: the space that became empty named the card, and an undo left no trace in the plan."""
        client.post("/api/v1/settle", json={"expected": expected_of(client), "counts": {}})
        blue, red = ({"X-Seat": seat, **take_seat(client, seat)} for seat in ("blue", "red"))
        correct = {"kind": "correct", "fact": "card", "where": "blue.auction", "value": "chest_3"}

        def refusal_of(path: str, headers: dict[str, str], command: Any = correct) -> str | None:
            body = {"expected": expected_of(client), "command": command}
            error = client.post(f"/api/v1/{path}", json=body, headers=headers).get_json().get("error")
            return error and str(error["key"])

        assert refusal_of("commands", {}) == "seat_only"
        assert refusal_of("commands", red) == "seat_only"
        assert refusal_of("commands", {**red, "X-Seat": "blue"}) == "seat_only"
        assert refusal_of("seats/red/commands", red) == "seat_only"
        assert refusal_of("commands", blue) is None
        assert refusal_of("seats/blue/commands", blue) is None
        client.post("/api/v1/seats/blue/free", json={})
        assert refusal_of("commands", {}) == "seat_only"
        ready = {"kind": "ready", "seat": "blue", "by_cards": True}
        assert refusal_of("commands", {}, ready) is None
        assert refusal_of("commands", red) is None, "the real cards lie on the table"

    def test_another_device_says_nothing_for_a_seat_that_a_device_holds(self, client: FlaskClient) -> None:
        """P-8: the refusal said how many cards a seat had placed, and by the real cards its plan was gone."""
        client.post("/api/v1/settle", json={"expected": expected_of(client), "counts": {}})
        blue, red = ({"X-Seat": seat, **take_seat(client, seat)} for seat in ("blue", "red"))

        def refusal_of(headers: dict[str, str], **command: Any) -> str | None:
            body = {"expected": expected_of(client), "command": {"kind": "ready", "seat": "blue", **command}}
            error = client.post("/api/v1/commands", json=body, headers=headers).get_json().get("error")
            return error and str(error["key"])

        for headers in ({}, red):
            assert refusal_of(headers) == refusal_of(headers, by_cards=True) == "seat_only"
        assert refusal_of(blue) == "spaces_left"
        assert refusal_of(red, seat="yellow", by_cards=True) is None, "nobody holds it"


class TestSwitching:
    """Switching tables is atomic: a key never opens a seat of the other table."""

    @pytest.fixture
    def runtime(self, tmp_path: Path) -> Iterator[Runtime]:
        """A runtime with a second table open."""
        opened = Runtime(spec(tmp_path), find("shogun"))
        opened.begin_table("saturday", find("shogun"), {**GAME, "seed": 21}, "host")
        yield opened
        opened.stop()

    def test_seats_and_table_change_at_once(self, runtime: Runtime, monkeypatch: pytest.MonkeyPatch) -> None:
        """During a switch, a key of one table was shown a plan of the other."""
        others_waited: list[bool] = []
        turn_to = runtime.session.turn_to

        def turn_and_look(*arguments: Any) -> None:
            others_waited.append(_would_others_wait(runtime))
            turn_to(*arguments)

        monkeypatch.setattr(runtime.session, "turn_to", turn_and_look)
        runtime.open_table("game")
        assert others_waited == [True]

    @pytest.mark.parametrize("path", ["", "/commands", "/answer"])
    def test_what_a_key_opens_is_of_its_own_table(
        self, runtime: Runtime, monkeypatch: pytest.MonkeyPatch, path: str
    ) -> None:
        """The table cannot be switched between the check of the key and the answer."""
        client = create_app(runtime).test_client()
        seat_headers = take_seat(client, "red")
        others_waited: list[bool] = []
        check = runtime.seats.check

        def check_and_look(seat: str, key: str) -> None:
            others_waited.append(_would_others_wait(runtime))
            check(seat, key)

        monkeypatch.setattr(runtime.seats, "check", check_and_look)
        body: dict[str, Any] = {"expected": 0, "table": "saturday"}
        extra_body: Any = {
            "/commands": {"command": {"kind": "ready"}},
            "/answer": {"batch": 2, "yes": True},
        }.get(path)
        address = f"/api/v1/seats/red{path}"
        answer = (
            client.post(address, json=body | extra_body, headers=seat_headers)
            if extra_body
            else client.get(address, headers=seat_headers)
        )
        assert answer.status_code != 403
        assert others_waited[-1]

    def test_a_command_for_the_other_table_is_outdated(self, runtime: Runtime) -> None:
        client = create_app(runtime).test_client()
        body = {"expected": 0, "table": "game", "command": {"kind": "ready"}}
        answer = client.post("/api/v1/seats/red/commands", json=body, headers=take_seat(client, "red"))
        assert (answer.status_code, answer.get_json()["error"]["key"]) == (409, "outdated")


def _would_others_wait(runtime: Runtime) -> bool:
    """Whether another thread would have to wait for the table's lock now."""
    acquired: list[bool] = []

    def try_lock() -> None:
        lock = runtime.session._changed
        acquired.append(lock.acquire(blocking=False))
        if acquired[0]:
            lock.release()

    thread = threading.Thread(target=try_lock)
    thread.start()
    thread.join()
    return acquired == [False]


class Devices:
    """The table's page and one phone per seat, as scripts."""

    def __init__(self, port: int, by_camera: int) -> None:
        self.by_camera = by_camera
        self.read = 0
        self._base = f"http://127.0.0.1:{port}/api/v1/"
        self._chance = random.Random(9)
        self._keys = {seat: self.call(f"seats/{seat}/take", {})["key"] for seat in SEATS}

    def call(self, path: str, body: dict[str, Any] | None = None, seat: str = "") -> Any:
        """Send GET without a body, POST with one."""
        request = urllib.request.Request(self._base + path)
        if body is not None:
            request.data = json.dumps(body).encode()
            request.add_header("Content-Type", "application/json")
        if seat:
            request.add_header("X-Seat-Key", self._keys[seat])
        with urllib.request.urlopen(request, timeout=PATIENCE_S) as answer:
            return json.load(answer)

    def plan(self, seat: str) -> None:
        """Fill the seat's board with what is offered, and report ready."""
        seat_view = self.call(f"seats/{seat}", seat=seat)
        while True:
            ready = {"kind": "ready", "seat": seat, "ready": True, "by_cards": False, "insist": ""}
            offered = seat_view["legal"]
            places = [c for c in offered if c["kind"] == "place" and c["card"] is not None]
            command = ready if ready in offered else self._chance.choice(places)
            seat_view = self.ask(seat, command, seat_view["expected"])
            if command == ready:
                return

    def ask(self, seat: str, command: dict[str, Any], expected: int) -> Any:
        """Send a command from the seat's device."""
        return self.call(f"seats/{seat}/commands", {"expected": expected, "command": command}, seat)

    def watch(self, table: Any) -> None:
        """Let the demo's cubes fall under the embedded camera, and confirm as a person if the reader asks."""
        self.call("demo/fall", {"expected": table["expected"]})
        end = time.monotonic() + PATIENCE_S
        while time.monotonic() < end:
            now = self.call("table")
            if now["expected"] != table["expected"]:
                self.read += 1
                return
            if now["phase"] == "asking":
                look = now["look"]
                answer = {"look": look["number"], "counts": look["counts"], "insist": True}
                self.call("settle", {"expected": now["expected"], **answer})
            time.sleep(0.05)
        raise AssertionError("the embedded camera saw nothing")

    def settle(self, table: Any) -> None:
        """Count by hand: some of the thrown cubes lie in the tray."""
        throw = table["game"]["throw"]
        cubes = [(c, n) for pile in ("from_table", "from_tray") for c, n in throw[pile].items()]
        counts: dict[str, int] = {}
        for colour, number in cubes:
            counts[colour] = counts.get(colour, 0) + self._chance.randint(number // 2, number)
        self.call("settle", {"expected": table["expected"], "counts": counts})

    def step(self) -> str:
        """Do one thing that is due; return the phase in which it was done."""
        table = self.call("table")
        game = table["game"]
        phase: str = game["phase"]
        waiting = game["waiting_for"]
        asked_seat = next((seat for seat in waiting if seat in SEATS), None)
        if phase == "planning":
            for seat in waiting:
                self.plan(seat)
        elif game["throw"] is not None and asked_seat is None:
            if self.read < self.by_camera:
                self.watch(table)
            else:
                self.settle(table)
        elif game["winter"]["to_draw"]:
            player = next(iter(game["winter"]["to_draw"]))
            self._command_from_table({"kind": "draw_revolts", "player": player}, table)
        elif phase in ("winter", "scoring"):
            self._command_from_table({"kind": "lose_rice" if phase == "winter" else "score"}, table)
        elif asked_seat:
            seat_view = self.call(f"seats/{asked_seat}", seat=asked_seat)
            self.ask(asked_seat, self._chance.choice(seat_view["legal"]), seat_view["expected"])
        return phase

    def _command_from_table(self, command: dict[str, Any], table: Any) -> None:
        self.call("commands", {"expected": table["expected"], "command": command})


def test_T10_a_whole_game_over_http_by_a_device_a_seat(tmp_path: Path) -> None:
    """Three phones and a table play two years, with the first throws read by the embedded camera.

    Afterwards a new runtime reads the same end from the file.
    """
    runtime = Runtime(spec(tmp_path, "demo"), find("shogun"))
    server = make_server(create_app(runtime), "127.0.0.1", 0)
    thread = threading.Thread(target=server.serve, daemon=True)
    thread.start()
    runtime.start()
    try:
        devices = Devices(server.bind_addr[1], by_camera=4)
        phases = set()
        while (phase := devices.step()) != "over":
            phases.add(phase)
        end = devices.call("table")["game"]
    finally:
        server.stop()
        runtime.stop()
        thread.join(5)
    assert devices.read == 4
    assert {"fill", "planning", "order", "actions", "winter", "scoring"} <= phases
    assert end["winners"]
    reopened = Runtime(spec(tmp_path), find("shogun"))
    try:
        assert reopened.session.view()["game"] == end
    finally:
        reopened.stop()
