"""Bodies sent to the real server with requests that it refuses."""

import http.client
import io
import socket
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from cheroot.server import KnownLengthRFile
from cheroot.wsgi import Server

from companion.table.runtime import Runtime
from companion.web.app import create_app
from companion.web.chunks import Chunks
from companion.web.server import MOST_BODY_BYTES, MOST_HEADER_BYTES, make_server
from tests.patience import PATIENCE_S


@pytest.fixture
def served(runtime: Runtime) -> Iterator[Server]:
    """The real server."""
    server = make_server(create_app(runtime), "127.0.0.1", 0)
    thread = threading.Thread(target=server.serve, daemon=True)
    thread.start()
    yield server
    server.stop()
    thread.join()


@pytest.fixture
def line(served: Server) -> Iterator[http.client.HTTPConnection]:
    """A connection from a device that is not the host and has not joined."""
    connection = http.client.HTTPConnection("127.0.0.1", served.bind_addr[1], timeout=PATIENCE_S)
    yield connection
    connection.close()


def _send_headers(line: http.client.HTTPConnection, path: str, length: int) -> None:
    line.putrequest("POST", path)
    line.putheader("X-Forwarded-For", "192.168.1.20")
    line.putheader("Content-Length", str(length))
    line.endheaders()


def test_a_refused_body_without_end_is_not_waited_for(line: http.client.HTTPConnection) -> None:
    """100 MB are announced and no byte is sent; all of it would have been held in memory."""
    _send_headers(line, "/api/v1/commands", 100 << 20)
    answer = line.getresponse()
    assert (answer.status, answer.getheader("Connection")) == (403, "close")
    assert b"only watching" in answer.read()


def test_more_than_anything_can_be_is_refused_before_all_else(line: http.client.HTTPConnection) -> None:
    _send_headers(line, "/api/v1/commands", 8 << 30)
    assert line.getresponse().status == 413


@pytest.mark.parametrize("length", ["-1", "-0", "+5", "1_0"])
def test_a_body_of_a_length_that_is_no_number_of_bytes_is_not_read(
    length: str, line: http.client.HTTPConnection
) -> None:
    """With -1 all that came was held in memory, hundreds of megabytes from a device that had not joined."""
    line.putrequest("POST", "/api/v1/join")
    line.putheader("Content-Length", length)
    line.endheaders(b"x" * 20)
    answer = line.getresponse()
    assert (answer.status, answer.getheader("Content-Type")) == (400, "text/plain")


@pytest.mark.parametrize(
    ("first_bytes", "status"),
    [(b"GET /join?", 414), (b"GET /join HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: ", 413)],
)
def test_a_line_without_end_is_cut_off(
    first_bytes: bytes, status: int, line: http.client.HTTPConnection
) -> None:
    """All of it was held in memory: hundreds of megabytes from a device that had not even joined."""
    line.connect()
    line.sock.sendall(first_bytes + b"x" * (MOST_HEADER_BYTES + 1024))
    assert line.sock.recv(12) == b"HTTP/1.1 %d" % status


@pytest.mark.parametrize(
    ("sent", "sentence"),
    [
        (
            b"GET /join?" + b"x" * (MOST_HEADER_BYTES + 1024),
            b"This address is too long. Open the table's page by the address that it shows.",
        ),
        (
            b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: " + b"x" * (MOST_HEADER_BYTES + 1024),
            b"Send less, or delete the cookies of this address.",
        ),
        (
            b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: much\r\n\r\n",
            b"be read (Malformed Content-Length Header). Open the table's page again.",
        ),
        (
            b"POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: gzip\r\n\r\n",
            b"A body encoded like this is not accepted. Send it as it is, or in chunks.",
        ),
    ],
    ids=["address", "cookies", "length", "encoding"],
)
def test_what_is_refused_before_it_reaches_the_site_is_told_with_what_to_do(
    sent: bytes, sentence: bytes, line: http.client.HTTPConnection
) -> None:
    """The answer was "The Request-URI sent with the request exceeds the maximum allowed bytes.", or empty."""
    line.connect()
    line.sock.sendall(sent)
    answer = http.client.HTTPResponse(line.sock)
    answer.begin()
    assert answer.read().endswith(sentence)


def test_a_request_with_long_cookies_of_others_is_answered(line: http.client.HTTPConnection) -> None:
    """Other servers on this computer set their cookies for the same host name."""
    line.request(
        "GET", "/api/v1/table", headers={"Cookie": "; ".join(f"c{n}={'x' * 4000}" for n in range(12))}
    )
    assert line.getresponse().status == 200


@pytest.mark.parametrize(
    ("path", "status"), [("/api/v1/commands", 403), ("/api/v1/camera/frame", 415), ("/api/v1/nothing", 403)]
)
def test_a_phone_that_is_refused_hears_why_after_its_whole_picture(
    path: str, status: int, line: http.client.HTTPConnection, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two megabytes are drained in pieces, and the connection stays open."""
    sizes: list[int] = []
    read = KnownLengthRFile.read

    def read_and_record(rfile: Any, size: int | None = None) -> bytes:
        sizes.append(len(data := read(rfile, size)))
        return bytes(data)

    monkeypatch.setattr(KnownLengthRFile, "read", read_and_record)
    for _ in range(2):
        _send_headers(line, path, 2 << 20)
        line.send(b"x" * (2 << 20))
        answer = line.getresponse()
        assert answer.status == status
        answer.read()
    assert sum(sizes) == 4 << 20
    assert max(sizes) <= 64 << 10


def test_a_phone_that_falls_silent_in_its_picture_is_no_error_of_ours(
    line: http.client.HTTPConnection, capfd: pytest.CaptureFixture[str]
) -> None:
    """If the Wi-Fi fails in the middle of a request, the host's terminal showed a traceback each time."""
    _send_headers(line, "/api/v1/join", 100)
    line.send(b'{"code":')
    answer = line.getresponse()
    assert (answer.status, answer.getheader("Connection")) == (400, "close")
    assert capfd.readouterr().err == ""


def test_after_a_refused_body_in_chunks_nothing_of_it_is_taken_for_a_request(
    line: http.client.HTTPConnection,
) -> None:
    """Sent in one piece: a refused request closes the connection, so that nothing after it is read."""
    head = b"POST /api/v1/commands HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Forwarded-For: 192.168.1.20\r\n"
    line.connect()
    line.sock.sendall(head + b"Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n")
    response = b"".join(iter(lambda: line.sock.recv(1 << 16), b""))
    assert response.startswith(b"HTTP/1.1 403")
    assert response.count(b"HTTP/1.1") == 1
    assert b"\r\nConnection: close\r\n" in response


class _EndlessInput:
    """An endless input from a device, which records the largest amount requested at once."""

    def __init__(self, first_line: bytes, byte: bytes) -> None:
        self._first_line, self._byte = first_line, byte
        self.sizes: list[int | None] = []

    def read(self, size: int) -> bytes:
        self.sizes.append(size)
        return self._byte * size

    def readline(self, size: int | None = None) -> bytes:
        self.sizes.append(size)
        first_line, self._first_line = self._first_line, b""
        return first_line or self._byte * (size or 1)


def test_of_a_chunk_no_more_is_kept_than_is_asked_for() -> None:
    """A device that had not joined announced a chunk of 200 MB, and all of it was held in memory at once."""
    source = _EndlessInput(b"c800000\r\n", b"x")
    chunks = Chunks(source, MOST_BODY_BYTES)
    assert chunks.read(1000) == b"x" * 1000
    assert max(size or 1 << 40 for size in source.sizes) <= 64 << 10


def test_chunks_that_are_too_much_together_are_refused() -> None:
    """Each chunk alone is small enough."""
    with pytest.raises(ValueError, match="too much together"):
        Chunks(io.BytesIO(b"a\r\n0123456789\r\n" * 3), 30).read(30)


@pytest.mark.parametrize("first_line", [b"", b"2;"])
def test_the_size_of_a_chunk_is_not_read_without_end(first_line: bytes) -> None:
    """Hundreds of megabytes without a line end were held, and searched from the start for each piece."""
    source = _EndlessInput(first_line, b"1")
    with pytest.raises(ValueError, match="how long it is"):
        Chunks(source, MOST_BODY_BYTES).read(1000)
    assert max(size or 1 << 40 for size in source.sizes) <= 64 << 10


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        (b"c;a=b\r\n" + b'{"code":"x"}\r\n0\r\n\r\n', 403),
        (b"5\r\n" + b'{"cod\r\n' + b"7\r\n" + b'e":"x"}\r\n0\r\n\r\n', 403),
        (b"0\r\n\r\n", 422),
        (b"zz\r\n{}\r\n0\r\n\r\n", 400),
        (b"-2\r\n{}\r\n0\r\n\r\n", 400),
        (b"2\r\n{}xx0\r\n\r\n", 400),
        (b"fffffff\r\n{}", 400),
    ],
)
def test_chunks_are_put_together_or_refused(
    sent: bytes, status: int, line: http.client.HTTPConnection
) -> None:
    line.connect()
    line.sock.sendall(
        b"POST /api/v1/join HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n" + sent
    )
    line.sock.shutdown(socket.SHUT_WR)
    response = b"".join(iter(lambda: line.sock.recv(1 << 16), b""))
    assert response.startswith(b"HTTP/1.1 %d" % status)


@pytest.mark.parametrize(
    "sent", [b"GET //[ HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", b"GET / HTTP/1.1\r\n Host: 127.0.0.1\r\n\r\n"]
)
def test_what_is_no_request_is_refused_and_no_error_of_ours(
    sent: bytes, line: http.client.HTTPConnection, capfd: pytest.CaptureFixture[str]
) -> None:
    """Each of them, from anybody who reached the port, caused a traceback in the host's terminal."""
    line.connect()
    line.sock.sendall(sent)
    response = b"".join(iter(lambda: line.sock.recv(1 << 16), b""))
    assert response.startswith(b"HTTP/1.1 400")
    assert capfd.readouterr().err == ""
