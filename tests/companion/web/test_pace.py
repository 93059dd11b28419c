"""How slowly a request may arrive."""

import http.client
import socket
import threading
from collections.abc import Iterator
from typing import Any, cast

import pytest
from cheroot.wsgi import Server

from companion.table.runtime import Runtime
from companion.web import pace
from companion.web.app import create_app
from companion.web.pace import GRACE_S, PacedReader
from companion.web.server import make_server
from tests.companion.table.tables import Clock
from tests.patience import PATIENCE_S


class _Device:
    """A socket on which a number of bytes arrives at fixed intervals."""

    def __init__(self, size: int, every_s: float, clock: Clock) -> None:
        self._size, self._every_s, self._clock = size, every_s, clock
        self.usual_s: float | None = 10.0
        self.waits: list[float | None] = []

    def gettimeout(self) -> float | None:
        return self.usual_s

    def settimeout(self, seconds: float | None) -> None:
        self.usual_s = seconds

    def recv_into(self, buffer: memoryview) -> int:
        self.waits.append(self.usual_s)
        if self.usual_s is not None and self.usual_s < self._every_s:
            self._clock.now_s += self.usual_s
            raise TimeoutError("timed out")
        self._clock.now_s += self._every_s
        return min(self._size, len(buffer))

    def _decref_socketios(self) -> None:
        """Called when a reader is garbage-collected; Python 3.13 reports an error if it is missing."""


def _paced_reader(size: int, every_s: float) -> tuple[Any, _Device, Clock]:
    clock = Clock()
    device = _Device(size, every_s, clock)
    return PacedReader(cast(Any, device), 8192, clock), device, clock


def test_one_byte_every_five_seconds_ends_after_half_a_minute() -> None:
    """It held its thread as long as it liked, since each byte had its own ten seconds."""
    reader, _, clock = _paced_reader(1, 5)
    begin = clock.now_s
    with pytest.raises(TimeoutError):
        reader.read(1000)
    assert clock.now_s - begin == pytest.approx(GRACE_S, abs=1)


def test_a_photo_over_weak_wifi_comes_through() -> None:
    """16 MB at 9 kB a second, in half an hour."""
    reader, _, _ = _paced_reader(64 << 10, 7)
    for _ in range(256):
        assert len(reader.read(64 << 10)) == 64 << 10


def test_the_last_wait_is_no_longer_than_what_is_left_and_the_answer_has_its_own() -> None:
    reader, device, _ = _paced_reader(1, 9)
    with pytest.raises(TimeoutError):
        reader.read(1000)
    assert device.waits[:3] == [10, 10, 10]
    assert device.waits[3] == pytest.approx(3, abs=0.1)
    assert device.usual_s == 10


def test_our_own_work_between_two_pieces_is_not_the_devices_time() -> None:
    """For example writing a backup to a slow disk."""
    reader, _, clock = _paced_reader(1000, 0)
    for _ in range(100):
        assert len(reader.read(1000)) == 1000
        clock.now_s += 60


@pytest.fixture
def served(runtime: Runtime, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    """The real server, whose timeout for a single byte is as long as a test's."""
    monkeypatch.setattr(pace, "GRACE_S", 0.2)
    server = make_server(create_app(runtime), "127.0.0.1", 0)
    server.timeout = PATIENCE_S
    thread = threading.Thread(target=server.serve, daemon=True)
    thread.start()
    yield server
    server.stop()
    thread.join()


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        (b"GET /", 408),
        (b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: a", 408),
        (b"POST /api/v1/join HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100\r\n\r\n{", 400),
    ],
)
def test_half_a_request_is_not_waited_for(sent: bytes, status: int, served: Server) -> None:
    with socket.create_connection(served.bind_addr, timeout=PATIENCE_S) as connection:
        connection.sendall(sent)
        answer = connection.makefile("rb").read()  # reads to the end, as the connection is closed
        assert answer.startswith(b"HTTP/1.1 %d" % status)


def test_each_request_on_a_connection_has_its_own_time(
    served: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin = PacedReader.begin
    readers: list[PacedReader] = []

    def begin_and_keep(self: PacedReader) -> None:
        readers.append(self)
        begin(self)

    monkeypatch.setattr(PacedReader, "begin", begin_and_keep)
    connection = http.client.HTTPConnection("127.0.0.1", served.bind_addr[1], timeout=PATIENCE_S)
    for number in (1, 2):
        connection.request("GET", "/api/v1/table")
        answer = connection.getresponse()
        assert (answer.status, answer.read()[:1]) == (200, b"{")
        assert readers == readers[:1] * number  # the same connection
        readers[0]._paced.waited_s += 3600
    connection.close()
