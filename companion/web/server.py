"""The production server in our own process: cheroot, with a clean shutdown."""

import signal
import socket
import threading
from collections.abc import Callable
from contextlib import suppress
from types import FrameType
from typing import Any

from cheroot.server import HTTPConnection, HTTPRequest
from cheroot.wsgi import Server
from flask import Flask

from companion.errors import TenshuError
from companion.web.chunks import Chunks
from companion.web.listening import make_room
from companion.web.pace import PacedReader
from companion.web.shares import THREADS, FairServer

MOST_BODY_BYTES = 256 << 20
"""Larger than anything that is accepted, even a backup."""
MOST_DRAINED_BYTES = 32 << 20
"""How much of a refused body is still read: a browser reads the answer only after sending all of the body."""
MOST_HEADER_BYTES = 64 << 10
"""Per request; without a limit an endless line would be held in memory."""
_PIECE_BYTES = 64 << 10
MOST_ARRIVING = 128
"""Listen backlog; with cheroot's default of five, further connections wait a second for a retry."""
GONE_MS = 30_000
"""How long sent data may stay unacknowledged; otherwise a dead phone would keep its stream for 15 minutes."""


_REFUSED = {
    "400": "This request cannot be read ({why}). Open the table's page again.",
    "408": "This request did not arrive in time. Try again closer to the Wi-Fi.",
    "413": "This request is too large ({why}). Send less, or delete the cookies of this address.",
    "414": "This address is too long. Open the table's page by the address that it shows.",
    "500": "This could not be answered. Try again.",
    "501": "A body encoded like this is not accepted. Send it as it is, or in chunks.",
}
"""Messages by status for refusals before the app; ASCII, since cheroot counts characters as bytes."""


class PortTaken(TenshuError):
    """The address cannot be bound, usually because another program listens there."""

    def __init__(self, host: str, port: int, why: str) -> None:
        super().__init__(
            f"Nothing can be served on {host}:{port} ({why}).",
            "Choose another with --port, or close the program that uses it.",
        )


class _DrainingRequest(HTTPRequest):
    """Answers clients refused before their body was read, too, and does not store that body.

    Cheroot would read the rest into memory at once, however much was announced.
    """

    def __init__(self, server: Server, conn: HTTPConnection) -> None:
        super().__init__(server, conn)
        conn.rfile.begin()

    def read_request_line(self) -> bool:
        """Answer 400 to a malformed IPv6 address in it; cheroot would fail with an error of its own."""
        try:
            return bool(super().read_request_line())  # type: ignore[no-untyped-call] # no types yet
        except ValueError:
            return self._answer_400("Malformed Request-URI")

    def read_request_headers(self) -> bool:
        """Answer 400 if the first header is a continuation line, on which cheroot would fail as well, or if
        the body's length is negative: cheroot would read on until the device ends, all into memory."""
        try:
            are_read = bool(super().read_request_headers())  # type: ignore[no-untyped-call] # no types yet
        except UnboundLocalError:
            return self._answer_400("Illegal header line.")
        if are_read and not self.inheaders.get(b"Content-Length", b"0").strip().isdigit():
            return self._answer_400("Malformed Content-Length Header.")
        return are_read

    def simple_response(self, status: str, msg: str = "") -> None:
        """Answer one sentence with a remedy, where cheroot would give a terse reason or an empty page."""
        template = _REFUSED.get(status[:3])
        sentence = msg if template is None else template.format(why=msg.rstrip("."))
        super().simple_response(status, sentence)

    def _answer_400(self, why: str) -> bool:
        self.simple_response("400 Bad Request", why)
        return False

    def respond(self) -> None:
        """Do as cheroot does, but without buffering a chunked body."""
        if not self.chunked_read:
            super().respond()
            return
        self.rfile = Chunks(self.conn.rfile, self.server.max_request_body_size)
        self.server.gateway(self).respond()
        self.ensure_headers_sent()
        if self.chunked_write:
            self.conn.wfile.write(b"0\r\n\r\n")

    def send_headers(self) -> None:
        """Drain the rest of the body piece by piece; close the connection if too much is left.

        It is also closed if a phone falls silent while draining, and after chunks, whose rest would be taken
        for the next request.
        """
        if 0 < self._unread_bytes() <= MOST_DRAINED_BYTES:
            with suppress(OSError):
                while self.rfile.read(_PIECE_BYTES):
                    pass
        if self._unread_bytes() or self.chunked_read:
            self.close_connection = True
        super().send_headers()

    def _unread_bytes(self) -> int:
        return int(getattr(self.rfile, "remaining", 0))


class Connection(HTTPConnection):
    """Enforces a minimum pace for reading, and is dropped once the device has gone."""

    RequestHandlerClass = _DrainingRequest

    def __init__(self, server: FairServer, sock: socket.socket, makefile: Callable[..., Any]) -> None:
        def made(sock: socket.socket, mode: str, size: int) -> Any:
            return PacedReader(sock, size) if "r" in mode else makefile(sock, mode, size)

        super().__init__(server, sock, made)
        if hasattr(socket, "TCP_USER_TIMEOUT"):  # Linux; elsewhere the system's timeout holds
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, GONE_MS)

    def close(self) -> None:
        """Drop output that a vanished device did not take; Python 3.13 would print an error about it.

        https://github.com/cherrypy/cheroot/issues/734
        """
        try:
            super().close()
            with suppress(OSError, ValueError):
                self.wfile.close()
        finally:
            self.server.closed(self)


def make_server(app: Flask, host: str, port: int, kind: type[FairServer] = FairServer) -> FairServer:
    """Return a bound server; `bind_addr` holds the chosen port if `port` is 0. Raises `PortTaken`."""
    check_port(host, port)
    make_room()
    server = kind((host, port), app, numthreads=THREADS, server_name="tenshu", shutdown_timeout=2)
    server.request_queue_size = MOST_ARRIVING
    server.ConnectionClass = Connection
    server.max_request_body_size = MOST_BODY_BYTES
    server.max_request_header_size = MOST_HEADER_BYTES
    try:
        server.prepare()
    except OSError as error:
        raise PortTaken(host, port, error.strerror or str(error)) from None
    return server


def check_port(host: str, port: int) -> None:
    """Check that the port can be bound, since cheroot leaks a socket if it cannot. Raises `PortTaken`."""
    try:
        family, kind, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
    except (OSError, OverflowError, UnicodeError) as error:  # a name that no host can have
        raise PortTaken(host, port, getattr(error, "strerror", None) or str(error)) from None


_SIGNAL_POLL_S = 0.2
"""Longest delay between a signal and the shutdown."""


def serve_until_told(server: Server) -> None:
    """Serve until SIGTERM, Ctrl-C, or the terminal's window is closed."""
    received: list[int] = []  # not an Event: a second signal during its `set` would deadlock

    def stop(number: int, frame: FrameType | None) -> None:
        del frame
        received.append(number)

    signals = [signal.SIGTERM, signal.SIGINT]
    if hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:
        signals.append(signal.SIGHUP)  # `nohup` ignores it
    for number in signals:
        signal.signal(number, stop)
    thread = threading.Thread(target=server.serve, name="web", daemon=True)
    thread.start()
    while thread.is_alive() and not received:
        thread.join(_SIGNAL_POLL_S)
