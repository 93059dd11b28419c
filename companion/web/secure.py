"""The HTTPS listener beside the plain one: same app, same process, for phones used as the camera."""

import ipaddress
import socket
import ssl
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from cheroot.server import HTTPRequest
from cheroot.ssl.builtin import BuiltinSSLAdapter
from flask import Flask, Response

from companion.web.addresses import LOOKS_S, ListenAddress, keep_current, lan_address
from companion.web.certificates import Certificates, NoCertificate, certificates
from companion.web.server import MOST_HEADER_BYTES, Connection, make_server
from companion.web.shares import FairServer

AUTHORITY = "/tenshu-authority.crt"


class LateHandshake(BuiltinSSLAdapter):
    """Defers the handshake until a worker reads, so that the accepting thread never waits for a device.

    Cheroot's own adapter shakes hands while accepting, and one silent device held up all others for 10 s.
    """

    def wrap(self, sock: socket.socket) -> tuple[ssl.SSLSocket, dict[str, str]]:
        """Wrap the socket without exchanging anything yet."""
        wrapped = self.context.wrap_socket(sock, server_side=True, do_handshake_on_connect=False)
        return wrapped, {"wsgi.url_scheme": "https", "HTTPS": "on"}


class _RedirectingConnection(Connection):
    """Redirects plain HTTP requests on this port (address typed without https://) to the camera's page."""

    def __init__(self, camera: Callable[[], str], *args: Any) -> None:
        super().__init__(*args)
        self._camera = camera

    def _conditional_error(self, req: HTTPRequest, response: str) -> None:
        """Cheroot's private hook for failed requests; it has no public one."""
        error = sys.exc_info()[1]
        if isinstance(error, ssl.SSLError) and error.reason == "HTTP_REQUEST":
            with suppress(OSError):
                self._redirect()
        else:
            super()._conditional_error(req, response)  # type: ignore[misc] # not in its stubs

    def _redirect(self) -> None:
        """Answer on the bare socket, since TLS never began; input left unread would cut the answer off."""
        plain = socket.socket(fileno=self.socket.fileno())
        try:
            plain.settimeout(0)
            with suppress(BlockingIOError):
                plain.recv(MOST_HEADER_BYTES)
            head = f"HTTP/1.1 302 Found\r\nLocation: {self._camera()}\r\n"
            plain.send(f"{head}Content-Length: 0\r\nConnection: close\r\n\r\n".encode())
        finally:
            plain.detach()


class QuietServer(FairServer):
    """Does not log handshakes broken off and silent phones: those that do not trust the certificate yet."""

    def error_log(self, msg: str = "", level: int = 20, traceback: bool = False) -> None:
        """Log everything but errors of the connection itself."""
        if not isinstance(sys.exc_info()[1], ssl.SSLError | TimeoutError):
            super().error_log(msg, level, traceback)


@dataclass(slots=True)
class SecureListener:
    """A bound HTTPS server; while it serves, its certificate follows the computer's addresses and clock."""

    server: FairServer
    reached: ListenAddress
    folder: Path
    certificates: Certificates
    named_addresses: frozenset[str]
    """Addresses requested for the current certificate."""
    say: Callable[[str], None]
    _stopping: threading.Event = field(default_factory=threading.Event)
    _said: str = ""

    def start(self) -> None:
        """Serve in one thread and watch the network in another, since resolving names may take seconds."""
        threading.Thread(target=self.server.serve, name="web secure", daemon=True).start()
        threading.Thread(target=self._watch_network, name="web certificate", daemon=True).start()

    def stop(self) -> None:
        """Stop both threads."""
        self._stopping.set()
        self.server.stop()

    def renew(self) -> None:
        """Use a certificate with the present addresses for new connections; a repeated error is said once."""
        addresses = frozenset(own_addresses(self.reached.host))
        try:
            made = certificates(self.folder, sorted(addresses))
        except NoCertificate as error:
            if str(error) != self._said:
                self._said = str(error)
                self.say(f"No new certificate: {error}")
            return
        self.named_addresses = addresses
        if made.leaf != self.certificates.leaf:
            self.certificates = made
            self.server.ssl_adapter = _adapter(made)
            self.say(self.renewal_message)

    @property
    def renewal_message(self) -> str:
        """The message about a certificate that replaces an older one."""
        url = self.reached.phone_url or self.reached.local_url
        return f"HTTPS has a new certificate, for {url}: go on once more where a phone warns of it."

    def _watch_network(self) -> None:
        while not self._stopping.wait(LOOKS_S):
            with suppress(OSError):  # a network that is just going down
                changed = not frozenset(own_addresses(self.reached.host)) <= self.named_addresses
                if changed or not self.certificates.is_current():
                    self.renew()


def make_secure(
    app: Flask, host: str, port: int, folder: Path, say: Callable[[str], None] = lambda _: None
) -> SecureListener:
    """Make the certificate and the listener, and tell the app its addresses; `say` reports renewals.

    Raises `NoCertificate`, `PortTaken`.
    """
    addresses = own_addresses(host)
    made = certificates(folder, addresses)
    server = make_server(app, host, port, kind=QuietServer)
    server.ssl_adapter = _adapter(made)
    reached = ListenAddress(host, server.bind_addr[1], "https")
    server.ConnectionClass = partial(
        _RedirectingConnection, lambda: f"{reached.phone_url or reached.local_url}camera"
    )
    listener = SecureListener(server, reached, folder, made, frozenset(addresses), say)
    keep_current(app, "SECURE_URL", lambda: reached.phone_url or reached.local_url)
    keep_current(app, "AUTHORITY_PRINT", lambda: listener.certificates.fingerprint)
    app.add_url_rule(AUTHORITY, "authority", lambda: _authority_file(listener.certificates))
    if made.renewed:
        say(listener.renewal_message)
    return listener


def _adapter(made: Certificates) -> LateHandshake:
    adapter = LateHandshake(str(made.chain), str(made.key))
    adapter.context.minimum_version = ssl.TLSVersion.TLSv1_2
    return adapter


def own_addresses(host: str) -> list[str]:
    """Return the addresses at which this machine may be reached."""
    candidates = [lan_address() or "", host]
    with suppress(OSError, UnicodeError):  # the host name may not resolve, or be too long to
        candidates += [str(info[4][0]) for info in socket.getaddrinfo(socket.gethostname(), None)]
    return list(dict.fromkeys(address for address in candidates if _is_usable_address(address)))


def _is_usable_address(text: str) -> bool:
    try:
        return not ipaddress.ip_address(text).is_unspecified
    except ValueError:
        return False


def _authority_file(made: Certificates) -> Response:
    headers = {
        "Content-Disposition": 'attachment; filename="tenshu-authority.crt"',
        "Cache-Control": "no-cache",
    }
    return Response(made.authority_pem, mimetype="application/x-x509-ca-cert", headers=headers)
