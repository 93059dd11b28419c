"""The site of one table: answers, refusals, and access."""

import csv
import io
import json
from typing import Any

import pytest
from flask import request
from flask.testing import FlaskClient

from companion.table.messages import SensorSays
from companion.table.runtime import Runtime
from companion.web.guard import is_own_host
from firmware.link.events import Drop
from tests.companion.table.tables import JPEG, looked
from tests.companion.web.conftest import expected_of
from vision.reading import Doubt

KEYS = {"key", "sentence", "rule", "overrulable", "params"}
"""Keys of every refusal, even if no rule is broken, so that programs can rely on each of them."""


def _post(client: FlaskClient, path: str, **body: Any) -> Any:
    return client.post(f"/api/v1/{path}", json={"expected": expected_of(client), "author": "anna", **body})


@pytest.mark.parametrize(
    "page", ["/", "/throws", "/map", "/seat", "/static/table.js", "/static/i18n/en.json"]
)
def test_pages_come_with_a_strict_policy(client: FlaskClient, page: str) -> None:
    answer = client.get(page)
    assert answer.status_code == 200
    assert "script-src 'self'" in answer.headers["Content-Security-Policy"]
    assert "unsafe" not in answer.headers["Content-Security-Policy"]
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    answer.close()


@pytest.mark.parametrize("page", ["/", "/throws"])
def test_pages_have_no_inline_code_and_fetch_nothing_from_elsewhere(client: FlaskClient, page: str) -> None:
    text = client.get(page).get_data(as_text=True)
    assert "style=" not in text
    assert "onclick" not in text
    assert "://" not in text


def test_a_throw_from_the_look_to_the_log(client: FlaskClient, runtime: Runtime) -> None:
    runtime.session.hear(looked(Doubt.STACKED, red=4, blue=1))
    look = client.get("/api/v1/table").get_json()["look"]
    assert client.get(look["picture"]).data == JPEG
    preview = _post(client, "preview", counts={"red": 4, "blue": 1}).get_json()["result"]
    assert (preview["result"]["outcome"], preview["result"]["armies"]) == ("attacker", 3)
    answer = _post(client, "settle", counts={"red": 4, "blue": 2}, look=look["number"])
    assert answer.get_json()["game"]["last"]["result"]["outcome"] == "attacker"
    [throw] = client.get("/api/v1/throws").get_json()["throws"]
    assert (throw["corrected"], throw["author"]) == (True, "anna")
    assert client.get(f"/api/v1/evidence/{throw['evidence']}").data == JPEG


def test_throws_are_told_in_portions_to_who_asks_so(client: FlaskClient) -> None:
    """A tower under study has thousands, each with its reading; without parameters all are returned."""
    for _ in range(3):
        _post(client, "settle", counts={"red": 1})
        table = client.get("/api/v1/table").get_json()
        foe = next(province["id"] for province in table["game"]["provinces"] if province["owner"] != "red")
        _post(
            client, "commands", command={"kind": "declare", "attacker": "red", "province": foe, "armies": 3}
        )

    def portion(query: str = "") -> tuple[list[int], int]:
        answer = client.get(f"/api/v1/throws{query}").get_json()
        return [throw["batch"] for throw in answer["throws"]], answer["older"]

    (newest, middle, oldest), older = portion()
    assert older == 0
    assert portion("?last=2") == ([newest, middle], 1)
    assert portion(f"?last=2&before={middle}") == ([oldest], 0)
    assert [
        client.get(f"/api/v1/throws?{bad_query}").status_code for bad_query in ("last=0", "last=many")
    ] == [422, 422]


def test_counts_that_cannot_be_are_answered_with_why_and_are_no_error(client: FlaskClient) -> None:
    answer = _post(client, "preview", counts={"red": 4, "pink": 1})
    preview = answer.get_json()
    assert (answer.status_code, preview["result"], preview["error"]["key"]) == (200, None, "no_such_colour")


def test_counts_that_somebody_has_to_insist_on_are_told_before_they_are_refused(client: FlaskClient) -> None:
    """The page offered `That is right` as the main button, and then the counts were refused."""
    preview = _post(client, "preview", counts={"green": 16}).get_json()
    assert (preview["error"], preview["beyond"]["key"]) == (None, "not_in_tower")
    refused = _post(client, "settle", counts={"green": 16})
    assert (refused.status_code, refused.get_json()["error"]) == (422, preview["beyond"])
    assert _post(client, "preview", counts={"red": 4}).get_json()["beyond"] is None


def test_a_stale_command_hears_why_and_gets_the_present_table(client: FlaskClient) -> None:
    stale = expected_of(client)
    _post(client, "settle", counts={"red": 4})
    answer = client.post("/api/v1/settle", json={"expected": stale, "counts": {"red": 1}})
    assert answer.status_code == 409
    assert answer.get_json()["error"]["key"] == "outdated"
    assert answer.get_json()["table"]["game"]["last"]["tray"] == {"red": 4}


@pytest.mark.parametrize(
    ("path", "body", "status"),
    [
        ("settle", {"counts": {"red": -1}}, 422),
        ("settle", {"counts": {"pink": 1}}, 422),
        ("settle", {"counts": {"red": "many"}}, 422),
        ("settle", {"counts": {"red": 1.5}}, 422),
        ("settle", {"counts": {"red": 10**30}}, 422),
        ("settle", {}, 422),
        ("settle", {"counts": {}, "more": 1}, 422),
        ("commands", {"command": {"kind": "declare", "attacker": "red", "province": "mino"}}, 422),
        ("commands", {"command": []}, 422),
        ("commands", {"command": {"kind": ["place"]}}, 422),
        ("commands", {"command": {"kind": {"place": 1}}}, 422),
        ("hold", {"look": 7}, 409),
        ("undo", {"batch": 1}, 422),
        ("undo", {"batch": 999}, 422),
        ("correct", {"batch": 1, "counts": {}}, 422),
        ("demo/fall", {}, 422),
        ("nowhere", {}, 404),
    ],
)
def test_bad_requests_are_one_sentence_and_change_nothing(
    client: FlaskClient, path: str, body: dict[str, Any], status: int
) -> None:
    before = client.get("/api/v1/table").get_json()["expected"]
    answer = _post(client, path, **body)
    assert answer.status_code == status
    assert answer.get_json()["error"]["sentence"].endswith(".")
    assert client.get("/api/v1/table").get_json()["expected"] == before


@pytest.mark.parametrize(
    ("data", "kind", "status"),
    [
        (b"{", "application/json", 422),
        (b"\xff\xfe", "application/json", 422),
        (b"null", "application/json", 422),
        (b"expected=1", "application/x-www-form-urlencoded", 415),
        (b"[" * 70_000, "application/json", 413),
        (b"[" * 5_000, "application/json", 422),
    ],
)
def test_what_is_no_command_is_refused(client: FlaskClient, data: bytes, kind: str, status: int) -> None:
    answer = client.post("/api/v1/settle", data=data, content_type=kind)
    assert answer.status_code == status
    error = answer.get_json()["error"]
    assert error["sentence"].endswith(".")
    assert set(error) == KEYS


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Origin": "null"},
        {"Origin": "http://[::1"},
    ],
)
def test_pages_of_others_command_nothing(client: FlaskClient, headers: dict[str, str]) -> None:
    body = {"expected": expected_of(client), "counts": {"red": 1}}
    answer = client.post("/api/v1/settle", json=body, headers=headers)
    assert answer.status_code == 403
    assert "Open the table's own page." in answer.get_json()["error"]["sentence"]


@pytest.mark.parametrize(
    ("host", "own"),
    [
        ("localhost:8475", True),
        ("127.0.0.1", True),
        ("192.168.1.7:8475", True),
        ("[::1]:8475", True),
        ("evil.example", False),
        ("127.0.0.1.evil.example:80", False),
        ("", False),
    ],
)
def test_only_our_own_names_are_answered(host: str, own: bool) -> None:
    assert is_own_host(host) is own


def test_a_foreign_host_gets_nothing(client: FlaskClient) -> None:
    answer = client.get("/api/v1/table", headers={"Host": "evil.example"})
    assert answer.status_code == 400
    assert set(answer.get_json()) == {"error"}
    assert "Use the address" in answer.get_json()["error"]["sentence"]


BROWSER = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8", "Accept-Language": "de"}


@pytest.mark.parametrize(
    ("url", "status", "sentence"),
    [
        ("http://localhost/seats", 404, "Diese Seite gibt es nicht."),
        ("http://table.fritz.box:8475/", 400, "Unter diesem Namen ist Tenshu nicht zu erreichen."),
    ],
)
def test_a_browser_is_refused_with_a_page_in_its_language(
    client: FlaskClient, url: str, status: int, sentence: str
) -> None:
    """A mistyped URL and the router's name for this computer were both answered in JSON."""
    answer = client.get(url, headers=BROWSER)
    page = answer.get_data(as_text=True)
    assert (answer.status_code, answer.mimetype) == (status, "text/html")
    assert sentence in page
    assert ('href="/"' in page) is (status == 404)


def test_a_program_is_refused_in_json(client: FlaskClient) -> None:
    for path, accept in (("/nowhere", "*/*"), ("/api/v1/nowhere", BROWSER["Accept"])):
        assert client.get(path, headers={"Accept": accept}).get_json()["error"]["key"] == "http_404"


@pytest.mark.parametrize("name", ["..%2fdemo.sqlite3", "demo.sqlite3", "0" * 24 + ".jpg"])
def test_evidence_is_pictures_only(client: FlaskClient, name: str) -> None:
    assert client.get(f"/api/v1/evidence/{name}").status_code == 404


def test_the_stream_tells_the_table_and_numbers_it(client: FlaskClient, runtime: Runtime) -> None:
    answer = client.get("/api/v1/events")
    parts = answer.iter_encoded()
    assert next(parts) == b"retry: 1000\n\n"
    first = next(parts).decode()
    runtime.session.hear(SensorSays(Drop(1, 330)))
    second = next(parts).decode()
    views = [json.loads(part.split("data: ", 1)[1]) for part in (first, second)]
    assert [view["phase"] for view in views] == ["waiting", "falling"]
    assert first.startswith(f"id: {views[0]['start']}.{views[0]['rev']}\n")
    answer.close()


def test_too_many_streams_are_told_to_wait(client: FlaskClient) -> None:
    answers = [client.get("/api/v1/events") for _ in range(3)]
    assert [answer.status_code for answer in answers] == [200, 200, 503]
    assert answers[2].headers["Retry-After"] == "5"
    assert set(answers[2].get_json()["error"]) == KEYS
    for answer in answers:
        next(iter(answer.response), None)
        answer.close()
    again = client.get("/api/v1/events")
    assert again.status_code == 200
    next(iter(again.response))
    again.close()


def test_an_error_shows_no_path_of_the_machine(client: FlaskClient, runtime: Runtime) -> None:
    client.application.config["PROPAGATE_EXCEPTIONS"] = False
    runtime.session.view = None  # type: ignore[assignment, method-assign] # an unforeseen error
    answer = client.get("/api/v1/table")
    assert answer.status_code == 500
    assert answer.get_json()["error"]["sentence"].startswith("Something went wrong")


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("\u202eanna\u202c", "anna"),
        ("an\nna\x1b[2J", "anna[2J"),
        ("\u200b\u2060", "someone"),
        ("\u3164 \u2800", "someone"),
        ("דנה", "דנה"),
        ("👨‍👩‍👧 Țuțu", "👨‍👩‍👧 Țuțu"),
    ],
)
def test_a_name_turns_no_sentence_around_and_can_be_seen(client: FlaskClient, typed: str, shown: str) -> None:
    """A name appears within sentences, in the history for good, and in the host's terminal."""
    _post(client, "settle", counts={"red": 4}, author=typed)
    assert client.get("/api/v1/history").get_json()["entries"][0]["author"] == shown


def test_a_name_is_no_formula_to_the_program_that_opens_the_log(client: FlaskClient) -> None:
    """A spreadsheet program evaluated it on the host's computer."""
    _post(client, "settle", counts={"red": 4}, author="=cmd|' /C calc'!A0")
    rows = list(csv.DictReader(io.StringIO(client.get("/api/v1/throwlog.csv").get_data(as_text=True))))
    assert rows[0]["author"] == "'=cmd|' /C calc'!A0"
    throws = client.get("/api/v1/throwlog.json").get_json()["throws"]
    assert throws[0]["author"] == "=cmd|' /C calc'!A0"


@pytest.mark.parametrize("header", ["If-Modified-Since", "If-Unmodified-Since", "If-Range"])
def test_a_date_beyond_all_years_is_left_aside(client: FlaskClient, header: str) -> None:
    """It caused an internal error."""
    headers = {header: "Sat, 01 Nov 99999999999 10:00:00 GMT", "Range": "bytes=0-9"}
    with client.get("/static/mark.svg", headers=headers) as answer:
        assert answer.status_code in (200, 206)


def test_of_a_list_without_end_only_the_beginning_is_parsed(client: FlaskClient) -> None:
    """With a few such requests one device kept all others waiting for seconds."""
    endless = {"Accept-Language": "de," + "a," * 30_000, "Accept": "text/html," * 6_000}
    with client:
        page = client.get("/recovery", headers=endless)
        assert len(request.accept_languages) < 600
        assert len(request.accept_mimetypes) < 200
    assert '<html lang="de"' in page.text
