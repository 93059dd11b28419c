"""One address cannot take all threads or all connections; over real sockets, from several addresses."""

import http.client
import socket
import ssl
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

import pytest

from companion.table.runtime import Runtime
from companion.web import pace, shares
from companion.web.app import create_app
from companion.web.secure import make_secure
from companion.web.server import make_server
from companion.web.shares import (
    CONNECTIONS,
    CONNECTIONS_EACH,
    KEPT_OPEN,
    STREAMS_AT_MOST,
    THREADS,
    THREADS_EACH,
    FairServer,
    Shares,
)
from companion.web.streams import MOST_EACH
from tests.patience import PATIENCE_S, until

HOST, GREEDY, OTHER = "127.0.0.1", "127.0.0.2", "127.0.0.3"
"""The serving computer, and two loopback addresses that the tests treat as remote."""
HALF_A_HANDSHAKE = b"\x16\x03\x01\x40\x00" + bytes(30)
REST = b"ET /api/v1/table HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n"

several_addresses = pytest.mark.skipif(sys.platform == "darwin", reason="has 127.0.0.1 alone")


class TestShares:
    """The allocation of places."""

    def test_an_address_has_its_share_and_the_next_its_own(self) -> None:
        places = Shares(100, 3)
        assert [places.take(f"a{number}", "192.168.1.20") for number in range(4)] == [True] * 3 + [False]
        assert places.take("b", "192.168.1.21")
        places.give_back("a0")
        assert places.take("a4", "192.168.1.20")

    def test_no_address_has_more_than_it_leaves_free(self) -> None:
        places = Shares(8, 8)
        granted = [
            sum(places.take((address, number), f"192.168.1.{address}") for number in range(8))
            for address in range(4)
        ]
        assert granted == [4, 2, 1, 0]
        assert places.take("host", "127.0.0.1")

    def test_what_is_given_back_twice_counts_once(self) -> None:
        places = Shares(100, 2)
        assert places.take("one", "192.168.1.20")
        assert places.take("two", "192.168.1.20")
        for _ in range(2):
            places.give_back("one")
        assert [places.take(f"a{number}", "192.168.1.20") for number in range(2)] == [True, False]

    def test_streams_and_one_greedy_address_leave_threads_for_commands(self) -> None:
        """At worst: the most that one address can hold, in addition to all streams."""
        assert THREADS - STREAMS_AT_MOST - THREADS_EACH >= 16
        assert THREADS_EACH >= 2 * MOST_EACH
        assert CONNECTIONS_EACH >= 6 * MOST_EACH
        assert KEPT_OPEN > CONNECTIONS_EACH
        assert CONNECTIONS <= 512 - 64  # the limit of Windows, with sockets for streams left over


@pytest.fixture
def greedy(monkeypatch: pytest.MonkeyPatch) -> Iterator[ExitStack]:
    """The connections the tests keep open, with timeouts too long to matter."""
    monkeypatch.setattr(shares, "is_loopback", lambda address: address == HOST)
    monkeypatch.setattr(pace, "GRACE_S", PATIENCE_S)
    with ExitStack() as open_connections:
        yield open_connections


@pytest.fixture
def served(runtime: Runtime, greedy: ExitStack) -> Iterator[FairServer]:
    """The real server."""
    server = make_server(create_app(runtime), HOST, 0)
    server.timeout = PATIENCE_S
    thread = threading.Thread(target=server.serve, daemon=True)
    thread.start()
    yield server
    greedy.close()
    runtime.stop()  # ends the streams
    server.stop()
    thread.join()


def _connect(server: FairServer, address: str, open_connections: ExitStack) -> socket.socket:
    connection = socket.create_connection(server.bind_addr, PATIENCE_S, source_address=(address, 0))
    return open_connections.enter_context(connection)


def _ask(server: FairServer, address: str) -> int:
    connection = http.client.HTTPConnection(
        HOST, server.bind_addr[1], PATIENCE_S, source_address=(address, 0)
    )
    try:
        connection.request("GET", "/api/v1/table", headers={"Connection": "close"})
        return connection.getresponse().status
    finally:
        connection.close()


@several_addresses
def test_who_says_nothing_holds_no_thread(served: FairServer, greedy: ExitStack) -> None:
    """With 300 of these the next device waited 16 s, since each held a thread for ten seconds."""
    for _ in range(40):
        _connect(served, GREEDY, greedy)
    assert _ask(served, OTHER) == 200  # accepted after the silent ones
    until(lambda: served.requests.idle == THREADS)


@several_addresses
def test_who_feeds_byte_by_byte_holds_a_share_and_others_are_answered(
    served: FairServer, greedy: ExitStack
) -> None:
    """A hundred of these held all threads for ever. Now waiting connections are answered in turn."""
    connections = [_connect(served, GREEDY, greedy) for _ in range(CONNECTIONS_EACH)]
    for connection in connections:
        connection.sendall(b"G")
    until(lambda: served.requests.idle == THREADS - THREADS_EACH)
    assert [_ask(served, OTHER) for _ in range(30)] == [200] * 30
    assert _ask(served, HOST) == 200
    assert served.requests.idle <= THREADS - THREADS_EACH
    for connection in reversed(connections):
        connection.sendall(REST)
    for connection in connections:
        assert connection.recv(12) == b"HTTP/1.1 200"


@several_addresses
def test_more_connections_than_a_share_are_closed_and_the_next_has_room_when_one_goes(
    served: FairServer, greedy: ExitStack
) -> None:
    connections = [_connect(served, GREEDY, greedy) for _ in range(CONNECTIONS_EACH)]
    assert _connect(served, GREEDY, greedy).recv(1) == b""
    assert _ask(served, OTHER) == 200

    def is_let_in() -> bool:
        try:
            return _ask(served, GREEDY) == 200
        except (http.client.HTTPException, OSError):
            return False

    assert not is_let_in()
    connections[0].close()
    until(is_let_in)


@several_addresses
def test_many_phones_behind_one_address_are_all_served(served: FairServer, greedy: ExitStack) -> None:
    """A hotspot, or a proxy on another computer: twelve streams and thirty pages at the same time."""
    for _ in range(MOST_EACH):
        connection = _connect(served, GREEDY, greedy)
        connection.sendall(b"GET /api/v1/events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        assert connection.recv(12) == b"HTTP/1.1 200"
    with ThreadPoolExecutor(30) as phones:
        assert list(phones.map(lambda _: _ask(served, GREEDY), range(90))) == [200] * 90


@several_addresses
def test_half_a_handshake_holds_a_share_and_others_are_answered(
    runtime: Runtime, tmp_path: Path, greedy: ExitStack
) -> None:
    listener = make_secure(create_app(runtime), HOST, 0, tmp_path)
    server = listener.server
    server.timeout = PATIENCE_S
    listener.start()
    for _ in range(CONNECTIONS_EACH):
        _connect(server, GREEDY, greedy).sendall(HALF_A_HANDSHAKE)
    until(lambda: server.requests.idle == THREADS - THREADS_EACH)
    context = ssl.create_default_context(cadata=listener.certificates.authority_pem.decode())
    connection = http.client.HTTPSConnection(
        HOST, server.bind_addr[1], timeout=PATIENCE_S, source_address=(OTHER, 0), context=context
    )
    connection.request("GET", "/camera")
    assert connection.getresponse().status == 200
    connection.close()
    greedy.close()
    listener.stop()


def test_a_server_that_ends_closes_those_that_wait(
    runtime: Runtime, greedy: ExitStack, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No page is left loading for ever."""
    server = make_server(create_app(runtime), HOST, 0)
    server.timeout = PATIENCE_S
    threading.Thread(target=server.serve, daemon=True).start()
    monkeypatch.setattr(shares, "is_loopback", lambda _: False)
    connections = [_connect(server, HOST, greedy) for _ in range(THREADS_EACH + 1)]
    for connection in connections[:-1]:
        connection.sendall(b"G")
    until(lambda: server.requests.idle == THREADS - THREADS_EACH)
    connections[-1].sendall(b"G")
    until(lambda: server._waiting)
    server.stop()
    assert connections[-1].recv(1) == b""
