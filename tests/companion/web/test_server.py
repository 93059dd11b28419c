"""The real server in its own process: it starts, survives, and ends."""

import itertools
import json
import os
import signal
import socket
import struct
import subprocess
import sys
import threading
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from cheroot.makefile import MakeFile
from cheroot.server import HTTPConnection
from flask import Flask, Response

from companion.cli import main
from companion.web.server import PortTaken, check_port, make_server
from tests.patience import PATIENCE_S, until
from tests.ports import free_port

ROOT = Path(__file__).parents[3]


@contextmanager
def _serving(data: Path, port: int) -> Iterator[subprocess.Popen[str]]:
    arguments = ["serve", "--camera", "none", "--port-serial", "none", "--host", "127.0.0.1"]
    command = [sys.executable, "-m", "companion", *arguments, "--port", str(port), "--data", str(data)]
    with subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONUNBUFFERED": "1"}
    ) as process:
        try:
            assert process.stdout is not None
            assert "http://127.0.0.1" in process.stdout.readline()
            yield process
        finally:
            if process.poll() is None:
                process.kill()


def _call(port: int, path: str, **body: Any) -> Any:
    request = urllib.request.Request(f"http://127.0.0.1:{port}/api/v1/{path}")
    if body:
        request.data = json.dumps(body).encode()
        request.add_header("Content-Type", "application/json")
    with urllib.request.urlopen(request, timeout=PATIENCE_S) as answer:
        return json.load(answer)


def test_killed_in_the_middle_of_a_battle_nothing_is_lost(tmp_path: Path) -> None:
    port = free_port()
    with _serving(tmp_path, port) as process:
        attack = {"kind": "declare", "attacker": "red", "province": "omi", "armies": 5}
        before = _call(port, "commands", expected=1, author="anna", command=attack)
        process.kill()
        process.wait(PATIENCE_S)
    with _serving(tmp_path, port):
        after = _call(port, "table")
        assert (after["game"], after["phase"]) == (before["game"], "waiting")
        counts = {"red": 4, "blue": 1}
        settled = _call(port, "settle", expected=after["expected"], author="anna", counts=counts)
        assert settled["game"]["last"]["result"]["outcome"] == "attacker"


def test_it_ends_with_a_stream_open(tmp_path: Path) -> None:
    port = free_port()
    with _serving(tmp_path, port) as process:
        stream = urllib.request.urlopen(f"http://127.0.0.1:{port}/api/v1/events", timeout=PATIENCE_S)
        assert stream.readline() == b"retry: 1000\n"
        process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENCE_S) == 0  # a stream does not end by itself
        stream.close()


def test_a_port_that_is_taken_is_one_sentence(tmp_path: Path, capfd: Any) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        status = main(["demo", "--no-browser", "--port", port, "--data", str(tmp_path)])
    assert status == 2
    assert "Choose another with --port" in capfd.readouterr().err


def test_a_table_with_a_bad_name_is_one_sentence(tmp_path: Path, capfd: Any) -> None:
    assert main(["serve", "--table", "../x", "--data", str(tmp_path)]) == 2
    assert "lower-case letters" in capfd.readouterr().err


@pytest.mark.parametrize("port", ["99999", "-1", "http"])
def test_a_port_that_is_none_is_one_sentence(port: str, capfd: Any) -> None:
    with pytest.raises(SystemExit) as end:
        main(["serve", "--port", port])
    assert end.value.code == 2
    assert "give a number from 0 to 65535" in capfd.readouterr().err


def test_a_profile_that_is_not_there_is_told_before_anything_starts(tmp_path: Path, capfd: Any) -> None:
    assert main(["serve", "--profile", "nobody", "--data", str(tmp_path)]) == 2
    assert "nobody" in capfd.readouterr().err


def test_the_web_process_needs_no_eyes() -> None:
    modules = "companion.web.app, companion.web.server, companion.table.runtime"
    code = f"import sys, {modules}; print('cv2' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


@pytest.mark.skipif(not hasattr(socket, "TCP_USER_TIMEOUT"), reason="only Linux can be told")
def test_a_device_whose_battery_died_is_given_up_after_half_a_minute() -> None:
    """For 941 s the host saw it as connected, while the system kept retransmitting."""
    server = make_server(Flask(__name__), "127.0.0.1", 0)
    with socket.create_connection(server.bind_addr):
        accepted, _ = server.socket.accept()
        connection = server.ConnectionClass(server, accepted, MakeFile)
        assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT) == 30_000
        connection.close()
    server.stop()


def test_what_a_device_that_has_gone_does_not_take_is_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    """From Python 3.13 on, discarding the unsent data caused a traceback in the host's terminal each time."""
    app = Flask(__name__)
    app.add_url_rule("/", view_func=lambda: Response(itertools.repeat(b"x" * 65_536, 400)))
    server = make_server(app, "127.0.0.1", 0)
    connections: list[HTTPConnection] = []
    begin_connection = server.ConnectionClass.__init__

    def begin_and_keep(self: HTTPConnection, *args: Any, **named: Any) -> None:
        begin_connection(self, *args, **named)
        connections.append(self)

    monkeypatch.setattr(server.ConnectionClass, "__init__", begin_and_keep)
    thread = threading.Thread(target=server.serve, daemon=True)
    thread.start()
    try:
        with socket.create_connection(server.bind_addr) as phone:
            phone.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
            assert phone.recv(100)
            phone.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))  # resets at once
        until(lambda: connections and connections[0].socket.fileno() < 0)
        until(lambda: connections[0].wfile.closed)
    finally:
        server.stop()
        thread.join(PATIENCE_S)


@pytest.mark.parametrize("host", ["a..b", "a" * 70])
def test_a_host_that_no_name_can_be_is_told_in_a_sentence(host: str) -> None:
    """It ended in a traceback."""
    with pytest.raises(PortTaken):
        check_port(host, 0)
