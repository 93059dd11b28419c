"""The host over HTTP: who is the host, who has joined, tables, seats and devices."""

from typing import Any

import pytest
from flask.testing import FlaskClient

from companion.games.registry import find
from companion.table.messages import SensorSpec
from companion.table.runtime import Runtime, TableSpec
from companion.web.app import create_app
from tests.companion.table.tables import GAME
from tests.companion.web.conftest import expected_of

ELSEWHERE = {"REMOTE_ADDR": "192.168.1.20"}


@pytest.fixture
def runtime(friday: Runtime) -> Runtime:
    return friday


@pytest.fixture
def laptop(runtime: Runtime) -> FlaskClient:
    """The serving computer."""
    app = create_app(runtime)
    app.config["JOIN_URL"] = "http://192.168.1.2:8475/"
    return app.test_client()


@pytest.fixture
def phone(laptop: FlaskClient) -> FlaskClient:
    """A phone on the network, with its own cookies."""
    client = laptop.application.test_client()
    client.environ_base.update(ELSEWHERE)
    return client


def _join(phone: FlaskClient, runtime: Runtime) -> None:
    assert phone.post("/api/v1/join", json={"code": runtime.access.code()}).status_code == 200


def _post_to_host(laptop: FlaskClient, path: str, **body: Any) -> Any:
    answer = laptop.post(f"/api/v1/host/{path}", json=body)
    assert answer.status_code == 200, answer.get_json()
    return answer.get_json()


class TestJoining:
    """A device that has not joined only watches."""

    def test_a_device_that_has_not_joined_watches_and_changes_nothing(self, phone: FlaskClient) -> None:
        assert phone.get("/api/v1/table").status_code == 200
        answer = phone.post("/api/v1/settle", json={"expected": 2, "counts": {}})
        assert (answer.status_code, answer.get_json()["error"]["key"]) == (403, "not_joined")
        assert "table" in answer.get_json()
        assert phone.post("/api/v1/seats/blue/take").status_code == 403
        assert phone.get("/api/v1/join").get_json() == {
            "joined": False,
            "url": "http://192.168.1.2:8475/",
            "code": None,
        }

    def test_the_code_lets_in_and_the_seat_follows(self, phone: FlaskClient, runtime: Runtime) -> None:
        _join(phone, runtime)
        assert phone.post("/api/v1/seats/blue/take").status_code == 200
        assert phone.get("/api/v1/join").get_json()["code"] == runtime.access.code()

    def test_the_key_of_a_seat_lets_in_when_the_browser_forgot_the_rest(
        self, phone: FlaskClient, runtime: Runtime
    ) -> None:
        _join(phone, runtime)
        key = phone.post("/api/v1/seats/blue/take").get_json()["key"]
        phone.delete_cookie("tenshu_join")
        body = {"expected": 2, "counts": {}}
        assert phone.post("/api/v1/settle", json=body).status_code == 403
        assert phone.post("/api/v1/settle", json=body, headers={"X-Seat-Key": key}).status_code == 200

    def test_the_form_works_without_scripts(self, phone: FlaskClient, runtime: Runtime) -> None:
        wrong = phone.post("/join", data={"code": "zzz"})
        assert wrong.status_code == 403
        assert "That is not the code" in wrong.get_data(as_text=True)
        right = phone.post("/join", data={"code": runtime.access.code().lower()})
        assert (right.status_code, right.headers["Location"]) == (303, "/seat")
        assert "HttpOnly" in right.headers["Set-Cookie"]
        assert "SameSite=Strict" in right.headers["Set-Cookie"]
        assert phone.get("/api/v1/join").get_json()["joined"]

    def test_guessing_is_told_to_wait(self, phone: FlaskClient) -> None:
        answers = [phone.post("/api/v1/join", json={"code": "x"}).status_code for _ in range(7)]
        assert answers == [403] * 6 + [429]

    def test_the_picture_to_scan_tells_the_code_only_to_those_inside(
        self, laptop: FlaskClient, phone: FlaskClient
    ) -> None:
        assert laptop.get("/api/v1/join.svg").data != phone.get("/api/v1/join.svg").data


class TestHost:
    """The host by a secret, or on the serving computer."""

    def test_a_phone_becomes_host_by_the_link_alone(self, phone: FlaskClient, runtime: Runtime) -> None:
        assert phone.get("/api/v1/host").status_code == 403
        assert phone.post("/api/v1/host/enter", json={"key": "guess"}).status_code == 422
        assert phone.get("/api/v1/host", headers={"X-Host-Key": "guess"}).status_code == 403
        phone.post("/api/v1/host/enter", json={"key": runtime.access.host_key})
        assert phone.get("/api/v1/host").status_code == 200
        phone.delete_cookie("tenshu_host")
        assert phone.get("/api/v1/host").status_code == 403

    @pytest.mark.parametrize(("path", "name"), [("join", "tenshu_join"), ("host/enter", "tenshu_host")])
    def test_what_was_kept_over_https_stands_not_in_the_way_of_http(
        self, phone: FlaskClient, runtime: Runtime, path: str, name: str
    ) -> None:
        """Browsers let plain HTTP neither send nor replace an HTTPS cookie, so each has its own name."""
        access = runtime.access
        cookies: dict[str, str] = {}
        body = {"key": access.host_key} if name == "tenshu_host" else {"code": access.code()}
        for scheme in ("https", "http"):
            client = phone.application.test_client(use_cookies=False)
            answer = client.post(
                f"/api/v1/{path}", json=body, base_url=f"{scheme}://localhost", environ_base=ELSEWHERE
            )
            cookies[scheme] = answer.headers["Set-Cookie"].partition(";")[0]
            assert ("Secure" in answer.headers["Set-Cookie"]) == (scheme == "https")
            seats = client.get("/api/v1/seats", headers={"Cookie": cookies[scheme]}, environ_base=ELSEWHERE)
            assert seats.get_json()["joined"]
            assert seats.get_json()["host"] == (name == "tenshu_host")
        assert [cookie.partition("=")[0] for cookie in cookies.values()] == [f"__Host-{name}", name]

    def test_who_comes_through_a_proxy_is_not_taken_for_the_computer_that_serves(
        self, laptop: FlaskClient
    ) -> None:
        assert laptop.get("/api/v1/host").status_code == 200
        for header in ("X-Forwarded-For", "Forwarded", "X-Real-IP"):
            assert laptop.get("/api/v1/host", headers={header: "127.0.0.1"}).status_code == 403

    def test_joining_makes_nobody_host(self, phone: FlaskClient, runtime: Runtime) -> None:
        _join(phone, runtime)
        for path in ("tables", "tower", "code", "out", "link", "seats/blue/reissue", "asks/1"):
            assert phone.post(f"/api/v1/host/{path}", json={}).status_code == 403

    def test_a_new_link_ends_the_old_one(
        self, laptop: FlaskClient, phone: FlaskClient, runtime: Runtime
    ) -> None:
        phone.post("/api/v1/host/enter", json={"key": runtime.access.host_key})
        _post_to_host(laptop, "link")
        assert phone.get("/api/v1/host").status_code == 403

    def test_no_secret_of_the_host_is_in_what_others_get(
        self, laptop: FlaskClient, phone: FlaskClient, runtime: Runtime
    ) -> None:
        _join(phone, runtime)
        for address in ("table", "seats", "join", "history", "legal"):
            assert runtime.access.host_key not in phone.get(f"/api/v1/{address}").get_data(as_text=True)
        assert runtime.access.host_key not in laptop.get("/api/v1/host").get_data(as_text=True)

    def test_all_are_sent_out(self, laptop: FlaskClient, phone: FlaskClient, runtime: Runtime) -> None:
        _join(phone, runtime)
        _post_to_host(laptop, "out")
        assert phone.post("/api/v1/settle", json={"expected": 2, "counts": {}}).status_code == 403


class TestTables:
    """Several tables in one folder, and switching between them."""

    def test_a_new_game_is_played_at_once_and_the_old_one_waits(
        self, laptop: FlaskClient, runtime: Runtime
    ) -> None:
        overview = _post_to_host(
            laptop,
            "tables",
            name="saturday",
            options={"players": ["red", "black", "purple", "blue"], "side": "sun"},
        )
        assert overview["table"] == "saturday"
        assert sorted(overview["seats"]) == ["black", "blue", "purple", "red"]
        assert {card["name"] for card in overview["tables"]} == {"friday", "saturday"}
        assert laptop.get("/api/v1/table").get_json()["table"] == "saturday"
        assert runtime.tables.current == "saturday"
        reopened = _post_to_host(laptop, "tables/friday/open")
        assert (reopened["table"], reopened["seats"]) == ("friday", ["blue", "red", "yellow"])

    def test_each_table_keeps_its_seats(self, laptop: FlaskClient) -> None:
        seat_headers = {"X-Seat-Key": laptop.post("/api/v1/seats/blue/take").get_json()["key"]}
        _post_to_host(laptop, "tables", name="other", options={"players": ["blue", "red", "yellow"]})
        assert laptop.get("/api/v1/seats/blue", headers=seat_headers).status_code == 403
        _post_to_host(laptop, "tables/friday/open")
        assert laptop.get("/api/v1/seats/blue", headers=seat_headers).status_code == 200

    def test_house_rules_and_the_tower_are_chosen_with_the_game(self, laptop: FlaskClient) -> None:
        options = {"players": ["blue", "red", "yellow"], "house": {"must_move": False}}
        overview = _post_to_host(laptop, "tables", name="house", options=options, tower="hidden")
        assert overview["house"]["must_move"] is False
        assert overview["tower_shown"] == "hidden"
        assert laptop.get("/api/v1/table").get_json()["game"]["cubes"]["tower"] is None

    def test_a_free_table_has_the_whole_board(self, laptop: FlaskClient) -> None:
        overview = _post_to_host(laptop, "tables", name="free", options={"start": "free", "players": []})
        assert len(overview["seats"]) == 5

    @pytest.mark.parametrize(
        ("body", "key"),
        [
            ({"name": "../x", "options": {}}, "bad_name"),
            ({"name": "friday", "options": GAME}, "table_exists"),
            ({"name": "two", "options": {"players": ["red", "blue"]}}, "bad_number"),
            ({"name": "two", "game": "chess", "options": {}}, "no_such_game"),
            ({"name": "two", "options": {"castle": 1}}, "bad_options"),
        ],
    )
    def test_what_makes_no_table_is_one_sentence_and_leaves_no_file(
        self, laptop: FlaskClient, runtime: Runtime, body: dict[str, Any], key: str
    ) -> None:
        answer = laptop.post("/api/v1/host/tables", json=body)
        assert (answer.status_code, answer.get_json()["error"]["key"]) == (422, key)
        assert runtime.tables.names() == ["friday"]
        assert laptop.get("/api/v1/table").get_json()["table"] == "friday"

    def test_a_table_that_is_not_there_is_not_opened(self, laptop: FlaskClient, runtime: Runtime) -> None:
        answer = laptop.post("/api/v1/host/tables/nowhere/open")
        assert answer.get_json()["error"]["key"] == "no_such_table"
        assert runtime.tables.names() == ["friday"]

    def test_a_table_that_another_tenshu_plays_is_not_opened(
        self, laptop: FlaskClient, runtime: Runtime
    ) -> None:
        """It was opened and then showed an old state; it can be opened once the other process has left it."""
        _post_to_host(laptop, "tables", name="other", options=GAME)
        spec = TableSpec("friday", runtime.tables.folder, SensorSpec("none", "none"), GAME)
        second = Runtime(spec, find("shogun"))
        answer = laptop.post("/api/v1/host/tables/friday/open")
        assert (answer.status_code, answer.get_json()["error"]["key"]) == (409, "open_elsewhere")
        assert laptop.get("/api/v1/table").get_json()["table"] == "other"
        second.stop()
        _post_to_host(laptop, "tables/friday/open")
        _post_to_host(laptop, "tables/friday/open")  # as the recovery page does, to reload it

    def test_a_file_of_another_program_is_listed_but_not_opened(
        self, laptop: FlaskClient, runtime: Runtime
    ) -> None:
        (runtime.tables.folder / "notes.sqlite3").write_bytes(b"no database")
        [card] = [
            entry for entry in laptop.get("/api/v1/host").get_json()["tables"] if entry["name"] == "notes"
        ]
        assert (card["game"], card["events"]) == ("", 0)
        answer = laptop.post("/api/v1/host/tables/notes/open")
        assert answer.get_json()["error"]["key"] == "unknown_events"

    def test_a_command_meant_for_another_table_is_refused(self, laptop: FlaskClient) -> None:
        _post_to_host(laptop, "tables", name="other", options={"players": ["blue", "red", "yellow"]})
        expected = laptop.get("/api/v1/table").get_json()["expected"]
        body = {"expected": expected, "table": "friday", "counts": {}}
        answer = laptop.post("/api/v1/settle", json=body)
        assert (answer.status_code, answer.get_json()["error"]["key"]) == (409, "outdated")


class TestSeats:
    """Moving a seat to another phone."""

    def test_the_new_phone_asks_the_host_agrees_and_the_old_key_is_dead(
        self, laptop: FlaskClient, phone: FlaskClient, runtime: Runtime
    ) -> None:
        old_key = {"X-Seat-Key": laptop.post("/api/v1/seats/blue/take").get_json()["key"]}
        _join(phone, runtime)
        ticket = phone.post("/api/v1/seats/blue/ask", json={"author": "Anna"}).get_json()["ticket"]
        ticket_headers = {"X-Seat-Ticket": ticket}
        assert phone.get("/api/v1/seats", headers=ticket_headers).get_json()["asked"]["answer"] == "waiting"
        assert phone.post("/api/v1/seats/blue/take", headers=ticket_headers).status_code == 403
        [ask] = laptop.get("/api/v1/host").get_json()["asks"]
        assert (ask["seat"], ask["name"]) == ("blue", "Anna")
        _post_to_host(laptop, f"asks/{ask['number']}", agree=True)
        new_key = {
            "X-Seat-Key": phone.post("/api/v1/seats/blue/take", headers=ticket_headers).get_json()["key"]
        }
        assert laptop.get("/api/v1/seats/blue", headers=old_key).status_code == 403
        assert phone.get("/api/v1/seats/blue", headers=new_key).status_code == 200

    def test_a_seat_is_issued_anew_by_a_link_that_works_once(
        self, laptop: FlaskClient, phone: FlaskClient, runtime: Runtime
    ) -> None:
        old_key = {"X-Seat-Key": laptop.post("/api/v1/seats/red/take").get_json()["key"]}
        link = _post_to_host(laptop, "seats/red/reissue")["url"]
        code, seat, ticket = link.partition("#")[2].split(".")
        assert (code, seat) == (runtime.access.code(), "red")
        assert laptop.get("/api/v1/seats/red", headers=old_key).status_code == 403
        _join(phone, runtime)
        ticket_headers = {"X-Seat-Ticket": ticket}
        assert phone.post("/api/v1/seats/red/take", headers=ticket_headers).status_code == 200
        assert phone.post("/api/v1/seats/red/take", headers=ticket_headers).status_code == 403

    def test_a_link_may_be_opened_again_by_the_device_whose_answer_was_lost(
        self, laptop: FlaskClient, phone: FlaskClient, runtime: Runtime
    ) -> None:
        """It uses the key of its own making; the link works for nobody else."""
        laptop.post("/api/v1/seats/red/take")
        ticket_headers = {
            "X-Seat-Ticket": _post_to_host(laptop, "seats/red/reissue")["url"].rpartition(".")[2]
        }
        _join(phone, runtime)
        for key, status in (("k" * 24, 200), ("k" * 24, 200), ("o" * 24, 403)):
            answer = phone.post("/api/v1/seats/red/take", headers=ticket_headers, json={"key": key})
            assert answer.status_code == status

    def test_a_newer_link_makes_the_older_one_nothing(
        self, laptop: FlaskClient, phone: FlaskClient, runtime: Runtime
    ) -> None:
        """The older link still worked, and invalidated the newer one."""
        _join(phone, runtime)
        first, second = (
            _post_to_host(laptop, "seats/red/reissue")["url"].rpartition(".")[2] for _ in range(2)
        )
        for ticket, status in ((first, 403), (second, 200)):
            ticket_headers = {"X-Seat-Ticket": ticket}
            assert phone.post("/api/v1/seats/red/take", headers=ticket_headers).status_code == status

    @pytest.mark.parametrize("by_link", [True, False])
    def test_who_was_agreed_to_comes_too_late_when_the_seat_went_to_another(
        self, by_link: bool, laptop: FlaskClient, phone: FlaskClient, runtime: Runtime
    ) -> None:
        """The granted ticket evicted the player who had sat down meanwhile, and revealed the plan."""
        _join(phone, runtime)
        old_key = {"X-Seat-Key": laptop.post("/api/v1/seats/blue/take").get_json()["key"]}
        ticket = phone.post("/api/v1/seats/blue/ask", json={"author": "Bob"}).get_json()["ticket"]
        [ask] = laptop.get("/api/v1/host").get_json()["asks"]
        _post_to_host(laptop, f"asks/{ask['number']}", agree=True)
        if by_link:
            link = _post_to_host(laptop, "seats/blue/reissue")["url"].rpartition(".")[2]
            taken = laptop.post("/api/v1/seats/blue/take", headers={"X-Seat-Ticket": link})
        else:
            assert laptop.post("/api/v1/seats/blue/free", headers=old_key).status_code == 200
            taken = laptop.post("/api/v1/seats/blue/take")
        key = {"X-Seat-Key": taken.get_json()["key"]}
        ticket_headers = {"X-Seat-Ticket": ticket}
        assert phone.post("/api/v1/seats/blue/take", headers=ticket_headers).status_code == 403
        assert laptop.get("/api/v1/seats/blue", headers=key).status_code == 200

    def test_devices_are_seen_with_their_seats_and_ghosts_are_named(
        self, laptop: FlaskClient, phone: FlaskClient, runtime: Runtime
    ) -> None:
        _join(phone, runtime)
        device = {"X-Device": "phone-0001"}
        key = phone.post("/api/v1/seats/blue/take", headers=device).get_json()["key"]
        stream = phone.get("/api/v1/events?device=phone-0001&name=Anna&page=seat")
        next(iter(stream.response))
        phone.get("/api/v1/seats/blue", headers={**device, "X-Seat-Key": key})
        overview = laptop.get("/api/v1/host").get_json()
        [phone_entry] = [entry for entry in overview["devices"] if entry["id"] == "phone-0001"]
        assert (phone_entry["name"], phone_entry["seat"], phone_entry["connected"]) == ("Anna", "blue", True)
        assert (phone_entry["address"], phone_entry["host"], phone_entry["joined"]) == (
            "192.168.1.20",
            False,
            True,
        )
        assert (overview["taken"], overview["ghosts"]) == (["blue"], [])
        stream.close()
        assert laptop.get("/api/v1/host").get_json()["ghosts"] == ["blue"]


class TestTower:
    """How much of the tower is shown."""

    def test_the_host_changes_it_and_every_view_follows(
        self, laptop: FlaskClient, phone: FlaskClient
    ) -> None:
        expected = laptop.get("/api/v1/table").get_json()["expected"]
        _post_to_host(laptop, "tower", expected=expected, show="hidden", author="Host")
        assert phone.get("/api/v1/table").get_json()["game"]["cubes"]["tower"] is None
        assert phone.get("/api/v1/history").get_json()["entries"][0]["author"] == "Host"

    def test_T6_nobody_else_takes_it_back(
        self, laptop: FlaskClient, phone: FlaskClient, runtime: Runtime
    ) -> None:
        """Any player could reveal the tower's content by undoing the host's change."""
        _join(phone, runtime)
        _post_to_host(laptop, "tower", expected=expected_of(laptop), show="hidden", author="Host")
        undo = {"batch": expected_of(laptop), "expected": expected_of(laptop), "author": "Anna"}
        for agreed in (False, True):
            answer = phone.post("/api/v1/undo", json={**undo, "agreed": agreed})
            assert (answer.status_code, answer.get_json()["error"]["key"]) == (403, "not_host")
        assert laptop.post("/api/v1/undo", json=undo).get_json()["tower_shown"] == "all"
        undo_again = {**undo, "batch": expected_of(laptop), "expected": expected_of(laptop)}
        assert phone.post("/api/v1/undo", json=undo_again).status_code == 403

    def test_a_stale_change_hears_why(self, laptop: FlaskClient) -> None:
        answer = laptop.post("/api/v1/host/tower", json={"expected": 0, "show": "hidden"})
        assert (answer.status_code, answer.get_json()["error"]["key"]) == (409, "outdated")
