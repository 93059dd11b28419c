"""Claims of docs/threat-model.md about the network boundary; the others are tested where they are kept."""

import ast
import json
import re
import struct
import zlib
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from flask import Flask
from flask.testing import FlaskClient

import companion.web
from companion.store.errors import StoreError
from companion.table.desks.host import SensorHost
from companion.table.desks.phone import CameraDesk
from companion.table.messages import SensorSpec
from companion.table.runtime import Runtime
from companion.web.app import create_app
from companion.web.iconmaking import MASKABLE, SIZES, icon
from companion.web.limits import COMMANDS, MOST_ADDRESSES, READING, Buckets, Rate
from companion.web.streams import MOST_EACH
from tests.companion.table.tables import Clock
from tests.patience import PATIENCE_S

ROOT = Path(__file__).parents[3]
WEB = Path(companion.web.__file__).parent
PAGE = ROOT / "docs" / "threat-model.md"
ELSEWHERE = {"REMOTE_ADDR": "192.168.1.20"}
NEIGHBOUR = {"REMOTE_ADDR": "192.168.1.21"}


def test_every_claim_names_a_test_that_exists() -> None:
    claims = [line for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("| T")]
    assert len(claims) >= 20
    for claim in claims:
        named = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", claim)
        assert named, claim
        for file, name in named:
            tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
            assert name in {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}, name


class TestRates:
    """One address cannot lock out the others."""

    def test_a_bucket_fills_again(self) -> None:
        clock = Clock()
        bucket = Buckets(Rate(per_s=2, burst=3), clock)
        assert [bucket.take("a") for _ in range(4)] == [True, True, True, False]
        assert bucket.take("b")
        clock.now_s += 0.5
        assert [bucket.take("a") for _ in range(2)] == [True, False]
        clock.now_s += 3600
        assert [bucket.take("a") for _ in range(4)] == [True, True, True, False]

    def test_a_flood_of_addresses_takes_no_memory(self) -> None:
        bucket = Buckets(Rate(1, 1), Clock())
        for number in range(3 * MOST_ADDRESSES):
            bucket.take(str(number))
        assert len(bucket._left) == MOST_ADDRESSES

    def test_too_many_commands_are_told_to_wait_and_others_are_served(self, runtime: Runtime) -> None:
        client = create_app(runtime, clock=Clock()).test_client()  # no time passes, so no token is refilled

        def hold(environ: dict[str, str]) -> Any:
            return client.post("/api/v1/hold", json={}, environ_base=environ)

        statuses = [hold(ELSEWHERE).status_code for _ in range(int(COMMANDS.burst) + 40)]
        assert statuses[0] == 403
        assert 429 in statuses
        answer = hold(ELSEWHERE)
        assert answer.get_json()["error"]["sentence"] == "Too many requests. Wait a moment."
        assert answer.headers["Retry-After"] == "1"
        assert hold(NEIGHBOUR).status_code == 403
        assert client.post("/api/v1/hold", json={}).status_code == 422  # the serving computer

    def test_a_page_and_all_it_loads_is_far_below_the_limit(self) -> None:
        assert len(list((WEB / "static").glob("*"))) * 4 < READING.burst

    def test_one_address_has_its_share_of_streams(self, runtime: Runtime) -> None:
        client = create_app(runtime, max_streams=MOST_EACH + 4).test_client()
        answers = [client.get("/api/v1/events", environ_base=ELSEWHERE) for _ in range(MOST_EACH + 1)]
        assert [answer.status_code for answer in answers] == [200] * MOST_EACH + [503]
        neighbours = client.get("/api/v1/events", environ_base=NEIGHBOUR)
        assert neighbours.status_code == 200
        for answer in [*answers, neighbours]:
            answer.close()
        again = client.get("/api/v1/events", environ_base=ELSEWHERE)
        assert again.status_code == 200
        again.close()

    def test_streams_that_were_never_read_take_no_place(self, client: FlaskClient) -> None:
        for _ in range(20):
            client.head("/api/v1/events").close()
        answer = client.get("/api/v1/events")
        assert answer.status_code == 200
        answer.close()


class TestPages:
    """What pages may load and run."""

    def test_the_policy_allows_our_own_files_and_nothing_inline(self, client: FlaskClient) -> None:
        policy = client.get("/").headers["Content-Security-Policy"]
        rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
        assert rules["default-src"] == "'none'"
        assert rules["script-src"] == rules["style-src"] == rules["connect-src"] == "'self'"
        assert rules["frame-ancestors"] == rules["base-uri"] == "'none'"
        assert rules["require-trusted-types-for"] == "'script'"
        assert "unsafe" not in policy
        assert "*" not in policy

    @pytest.mark.parametrize("file", sorted(WEB.glob("static/*.js")), ids=lambda file: file.name)
    def test_no_script_turns_text_into_code_or_markup(self, file: Path) -> None:
        text = file.read_text(encoding="utf-8")
        sinks = (
            r"innerHTML|outerHTML|insertAdjacentHTML|DOMParser|\beval\(|new Function|document\.write|srcdoc"
        )
        assert re.findall(sinks, text) == []

    @pytest.mark.parametrize(
        "file",
        sorted([*WEB.glob("static/*.*s"), *WEB.glob("static/*.webmanifest"), *WEB.glob("pages/*.html")]),
        ids=lambda file: file.name,
    )
    def test_nothing_is_loaded_from_elsewhere(self, file: Path) -> None:
        text = file.read_text(encoding="utf-8")
        loads = re.findall(r"""(?:src|href|action|url|from|import|fetch)[\s=:("'`]+(https?:|//)""", text)
        assert loads == []
        addresses = set(re.findall(r"https?://[^\s\"'`<>)]*", text))
        assert addresses <= {"http://www.w3.org/2000/svg", "http://192.168.1.20:8080/shot.jpg"}

    def test_no_page_has_inline_code_or_style(self, client: FlaskClient) -> None:
        pages = [
            rule.rule
            for rule in client.application.url_map.iter_rules()
            if rule.endpoint.startswith("pages.")
        ]
        assert len(pages) >= 6
        for page in [*pages, "/join"]:
            text = client.get(page).get_data(as_text=True)
            assert re.findall(r"<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=", text) == [], page


class TestErrors:
    """Errors reveal no path of this machine and no internals of the program."""

    def test_a_store_that_fails_tells_no_folder(
        self, client: FlaskClient, runtime: Runtime, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def fail(*_: object) -> None:
            raise StoreError(
                "/home/anna/private/x.sqlite3 cannot be opened ('/home/anna/x y').", "Free space."
            )

        monkeypatch.setattr(runtime.session, "command", fail)
        answer = client.post("/api/v1/commands", json={"expected": 1, "command": {}})
        assert answer.status_code == 507
        assert b"anna" not in answer.data

    def test_an_error_nobody_thought_of_tells_nothing(
        self, client: FlaskClient, runtime: Runtime, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def fail() -> None:
            raise RuntimeError("/home/anna/private")

        client.application.config["PROPAGATE_EXCEPTIONS"] = False
        monkeypatch.setattr(runtime.session, "view", fail)
        answer = client.get("/api/v1/table")
        assert answer.status_code == 500
        assert b"anna" not in answer.data
        assert b"Traceback" not in answer.data

    def test_there_is_no_debug_mode(self, client: FlaskClient) -> None:
        app = client.application
        assert not app.debug
        assert not app.config["DEBUG"]
        sources = [path.read_text(encoding="utf-8") for path in (ROOT / "companion").rglob("*.py")]
        assert not any("debug=True" in text or "use_debugger" in text for text in sources)

    def test_a_wrong_method_names_the_right_one(self, client: FlaskClient) -> None:
        answer = client.get("/api/v1/settle")
        assert answer.status_code == 405
        assert "POST" in answer.headers["Allow"]


def _decompression_bomb() -> bytes:
    """A PNG of a few kilobytes that decompresses to 400 million pixels."""
    side = 20_000
    rows = zlib.compressobj(9)
    row = b"\0" + bytes(side * 3 // 3)
    data = b"".join(rows.compress(row) for _ in range(200)) + rows.flush()

    def chunk(name: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))

    head = struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", data) + chunk(b"IEND", b"")


def test_a_picture_that_claims_to_be_huge_is_refused_and_the_next_is_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("companion.table.desks.phone.CHECK_WAIT_S", PATIENCE_S)
    desk = CameraDesk(SensorSpec("none", "none"), lambda _: None, Clock())
    host = SensorHost(SensorSpec("none", "none"), desk.hear)
    desk.connect(host)
    host.start()
    try:
        bomb = _decompression_bomb()
        assert len(bomb) < 100_000
        assert desk.check(bomb).key == "picture_large"
        picture = np.full((480, 640, 3), 120, np.uint8)
        assert desk.check(cv2.imencode(".jpg", picture)[1].tobytes()).looked is not None
    finally:
        desk.stop()
        host.stop()


class TestHomeScreen:
    """Installable, with our own files only."""

    def test_the_manifest_names_icons_that_are_there(self, client: FlaskClient) -> None:
        assert '<link rel="manifest" href="/static/manifest.webmanifest">' in client.get("/seat").get_data(
            as_text=True
        )
        answer = client.get("/static/manifest.webmanifest")
        assert answer.mimetype == "application/manifest+json"
        manifest = json.loads(answer.data)
        answer.close()
        assert {"192x192", "512x512"} <= {entry["sizes"] for entry in manifest["icons"]}
        assert any(entry["purpose"] == "maskable" for entry in manifest["icons"])
        for entry in manifest["icons"]:
            answer = client.get(entry["src"])
            assert answer.mimetype == entry["type"]
            if entry["type"] == "image/png":
                side = int(entry["sizes"].split("x")[0])
                decoded = cv2.imdecode(np.frombuffer(answer.data, np.uint8), cv2.IMREAD_UNCHANGED)
                assert decoded is not None
                assert decoded.shape[:2] == (side, side)
            answer.close()
        for address in [manifest["start_url"], *(entry["url"] for entry in manifest["shortcuts"])]:
            answer = client.get(address)
            assert answer.status_code == 200
            answer.close()

    @pytest.mark.parametrize("name", [*SIZES, MASKABLE[0]])
    def test_icons_are_those_of_the_drawing(self, name: str) -> None:
        """After a change of mark.svg run python -m companion.web.iconmaking."""
        kept = cv2.imread(str(WEB / "static" / f"{name}.png"), cv2.IMREAD_UNCHANGED)
        assert kept is not None
        drawn = icon(kept.shape[0], maskable=name in ("icon-180", MASKABLE[0]))
        assert float(np.abs(kept.astype(int) - drawn.astype(int)).mean()) < 1


def test_loopback_alone_makes_nobody_else_host(client: FlaskClient) -> None:
    spoofed = {"X-Forwarded-For": "127.0.0.1", "X-Real-IP": "127.0.0.1", "Forwarded": "for=127.0.0.1"}
    assert client.get("/api/v1/host", environ_base=ELSEWHERE, headers=spoofed).status_code == 403


@pytest.mark.parametrize(("address", "status"), [("::ffff:127.0.0.1", 200), ("::ffff:192.168.1.20", 403)])
def test_the_computer_that_serves_ipv6_too_is_the_host(
    client: FlaskClient, address: str, status: int
) -> None:
    """With `--host ::` the address that Tenshu showed for this computer was a spectator's."""
    assert client.get("/api/v1/host", environ_base={"REMOTE_ADDR": address}).status_code == status


def test_secrets_in_cookies_are_kept_from_scripts_and_other_sites(
    client: FlaskClient, runtime: Runtime
) -> None:
    answer = client.post("/api/v1/join", json={"code": runtime.access.code()}, environ_base=ELSEWHERE)
    cookie = answer.headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie
    assert isinstance(client.application, Flask)
