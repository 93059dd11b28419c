"""The example client against a live table."""

import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from runpy import run_path
from typing import Any, ClassVar

import pytest

from companion.games.protocol import Colour
from companion.table.runtime import Runtime
from companion.web.app import create_app
from companion.web.server import make_server
from tests.patience import PATIENCE_S

ROOT = Path(__file__).parents[3]
EXAMPLE = ROOT / "examples" / "follow.py"


@pytest.fixture
def address(runtime: Runtime) -> Iterator[str]:
    server = make_server(create_app(runtime), "127.0.0.1", 0)
    thread = threading.Thread(target=server.serve, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.bind_addr[1]}"
    runtime._stopping.set()
    runtime.session.wake()
    server.stop()
    thread.join(5)


def test_it_joins_declares_and_says_each_battle(runtime: Runtime, address: str) -> None:
    session = runtime.session
    session.settle({Colour("red"): 4, Colour("blue"): 1}, "anna", session.view()["expected"])
    options = ["--code", runtime.access.code(), "--attack", "red", "ise", "3", "--battles", "1"]
    command = [sys.executable, str(EXAMPLE), address, *options]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONUNBUFFERED": "1"}
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "Following.\n"
        assert session.view()["game"]["throw"]["province"] == "ise"
        session.settle({Colour("red"): 3}, "ben", session.view()["expected"])
        stdout = process.stdout.read()
        assert process.wait(PATIENCE_S) == 0
    assert stdout.startswith("Ise: ")
    assert stdout.endswith("(ben)\n")


def test_a_refusal_is_one_sentence(address: str) -> None:
    command = [sys.executable, str(EXAMPLE), address, "--code", "WRONG"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S, check=False)
    assert done.returncode == 2
    assert done.stderr == "That is not the code. It is in the menu on the table's page, and can change.\n"


def test_where_too_many_listen_it_says_so(runtime: Runtime) -> None:
    """It reported that the table does not answer."""
    server = make_server(create_app(runtime, max_streams=0), "127.0.0.1", 0)
    threading.Thread(target=server.serve, daemon=True).start()
    command = [sys.executable, str(EXAMPLE), f"127.0.0.1:{server.bind_addr[1]}"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S, check=False)
    server.stop()
    assert (done.returncode, done.stderr) == (2, "Too many devices are connected. Close one and wait.\n")


def test_who_has_heard_enough_is_told_nothing(address: str) -> None:
    """Piped into `head`, it reported that the table does not answer."""
    reader, writer = os.pipe()
    os.close(reader)
    command = [sys.executable, str(EXAMPLE), address]
    done = subprocess.run(
        command, stdout=writer, stderr=subprocess.PIPE, text=True, timeout=PATIENCE_S, check=False
    )
    os.close(writer)
    assert (done.returncode, done.stderr) == (0, "")


def test_the_address_is_taken_as_people_type_it(runtime: Runtime, address: str) -> None:
    """Without `http://` the table was reported as not answering."""
    command = [sys.executable, str(EXAMPLE), address.removeprefix("http://"), "--code", "WRONG"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S, check=False)
    assert done.stderr.startswith("That is not the code.")


def test_what_is_no_number_of_armies_is_one_sentence() -> None:
    command = [sys.executable, str(EXAMPLE), "http://127.0.0.1:9", "--attack", "red", "omi", "five"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S, check=False)
    assert done.returncode == 2
    assert done.stderr.endswith("'five' is no number of armies\n")


def test_another_server_is_told_to_be_no_table() -> None:
    """A router's page or a shop's: any server that answers a command with a page of its own."""
    with HTTPServer(("127.0.0.1", 0), BaseHTTPRequestHandler) as server:  # answers each POST with a 501 page
        threading.Thread(target=server.handle_request, daemon=True).start()
        command = [sys.executable, str(EXAMPLE), f"127.0.0.1:{server.server_port}", "--code", "ACDEFH"]
        done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S, check=False)
    assert done.returncode == 2
    assert "does not answer as a table does" in done.stderr
    assert "Traceback" not in done.stderr


class _PageServer(BaseHTTPRequestHandler):
    """Answers every request with a page of its own."""

    def do_GET(self) -> None:
        """Answer with 200."""
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"<html>Welcome</html>")

    def do_POST(self) -> None:
        """Answer likewise."""
        self.rfile.read(int(self.headers["Content-Length"]))
        self.do_GET()


@pytest.mark.parametrize("options", [(), ("--code", "ACDEFH")], ids=["watching", "joining"])
def test_a_server_that_finds_a_page_for_everything_is_no_table(options: tuple[str, ...]) -> None:
    with HTTPServer(("127.0.0.1", 0), _PageServer) as server:
        threading.Thread(target=server.handle_request, daemon=True).start()
        command = [sys.executable, str(EXAMPLE), f"127.0.0.1:{server.server_port}", *options]
        done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S, check=False)
    assert done.returncode == 2
    assert "does not answer as a table does" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("address", ["127.0.0.1:port", "127.0.0.1:9/my table", "[::", "http://"])
def test_what_is_no_address_is_one_sentence(address: str) -> None:
    command = [sys.executable, str(EXAMPLE), address]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S, check=False)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr


def test_nobody_there_is_one_sentence() -> None:
    command = [sys.executable, str(EXAMPLE), "http://127.0.0.1:9"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S, check=False)
    assert done.returncode == 2
    assert "does not answer" in done.stderr
    assert "Traceback" not in done.stderr


class _StartedAnew(BaseHTTPRequestHandler):
    """A table whose stream ends after one view; the next stream has one more battle."""

    event_ids: ClassVar[list[str]] = []

    def do_GET(self) -> None:
        """Send one view, then end the stream."""
        self.event_ids.append(self.headers["Last-Event-ID"])
        number = len(self.event_ids)
        battle = {"batch": 5, "throw": True, "title": "Ise: red keeps it", "author": "ben"}
        view = json.dumps({"table": "friday", "history": [battle] if number > 1 else []})
        self.send_response(200)
        self.end_headers()
        self.wfile.write(f"id: a.{number}\nevent: table\ndata: {view}\n\n".encode())

    def log_message(self, *_: object) -> None:
        """Log nothing."""


def test_it_follows_on_when_the_table_is_started_anew() -> None:
    """It ended silently, and an overlay built on it froze."""
    with HTTPServer(("127.0.0.1", 0), _StartedAnew) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        command = [sys.executable, str(EXAMPLE), f"http://127.0.0.1:{server.server_port}", "--battles", "1"]
        done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S, check=False)
        server.shutdown()
    assert (done.returncode, done.stdout) == (0, "Following.\nIse: red keeps it (ben)\n")
    assert _StartedAnew.event_ids == ["", "a.1"]


class _CutOff(BaseHTTPRequestHandler):
    """A table whose second view is cut off, as when the Wi-Fi goes; then it sends what is asked for."""

    def do_GET(self) -> None:
        """Send both views or, after the first, the second alone."""
        battle = {"batch": 5, "throw": True, "title": "Ise: red keeps it", "author": "ben"}
        views = [{"table": "friday", "history": []}, {"table": "friday", "history": [battle]}]
        events = [f"id: a.{n}\nevent: table\ndata: {json.dumps(view)}\n\n" for n, view in enumerate(views)]
        self.send_response(200)
        self.end_headers()
        is_first = not self.headers["Last-Event-ID"]
        sent = events[0] + events[1][:-20] if is_first else events[1]
        self.wfile.write(sent.encode() if is_first or self.headers["Last-Event-ID"] == "a.0" else b"")

    def log_message(self, *_: object) -> None:
        """Log nothing."""


def test_a_view_that_was_cut_off_is_asked_for_again() -> None:
    """It ended with half a view, or went on without the battle in it."""
    with HTTPServer(("127.0.0.1", 0), _CutOff) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        command = [sys.executable, str(EXAMPLE), f"http://127.0.0.1:{server.server_port}", "--battles", "1"]
        done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S, check=False)
        server.shutdown()
    assert (done.returncode, done.stdout) == (0, "Following.\nIse: red keeps it (ben)\n")


def test_a_battle_of_the_table_that_is_opened_next_is_said() -> None:
    """Its commands have the first table's numbers, so that the battle was taken for one already reported."""

    def view(table: str, *throws: str) -> dict[str, Any]:
        entries = [
            {"batch": n, "throw": True, "title": title, "author": "ben"} for n, title in enumerate(throws, 2)
        ]
        return {"table": table, "history": entries[::-1]}

    battles = run_path(str(EXAMPLE))["battles"]
    views = [view("saturday", "Kai"), view("saturday", "Kai", "Ise")]
    lines = list(battles(view("friday", "Omi", "Mino"), iter(views)))
    assert lines == ["Ise (ben)"]


def test_it_needs_no_package() -> None:
    text = EXAMPLE.read_text(encoding="utf-8")
    imported = {
        line.split()[1].split(".")[0] for line in text.splitlines() if line.startswith(("import ", "from "))
    }
    assert imported <= set(sys.stdlib_module_names)
