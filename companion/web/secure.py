"""The HTTPS listener beside the plain one: same app, same process, for phones that are the camera."""

import ipaddress
import socket
import ssl
import sys
import threading
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from cheroot.ssl.builtin import BuiltinSSLAdapter
from cheroot.wsgi import Server
from flask import Flask, Response

from companion.web.addresses import Reached, follow, lan_address
from companion.web.certificates import Certificates, certificates
from companion.web.server import make_server

AUTHORITY = "/tenshu-authority.crt"


class LateHandshake(BuiltinSSLAdapter):
    """The handshake waits until a worker reads: the thread that accepts never waits for a device.

    Cheroot's own adapter shakes hands while accepting, so that one silent device held up all others for 10 s.
    """

    def wrap(self, sock: socket.socket) -> tuple[ssl.SSLSocket, dict[str, str]]:
        """Nothing is exchanged yet."""
        made = self.context.wrap_socket(sock, server_side=True, do_handshake_on_connect=False)
        return made, {"wsgi.url_scheme": "https", "HTTPS": "on"}


class QuietServer(Server):
    """Phones that do not trust the certificate yet break off the handshake: that is no error of ours."""

    def error_log(self, msg: str = "", level: int = 20, traceback: bool = False) -> None:
        """Only what is not of the connection."""
        if not isinstance(sys.exc_info()[1], ssl.SSLError):
            super().error_log(msg, level, traceback)


@dataclass(frozen=True, slots=True)
class SecureListener:
    """Bound and ready."""

    server: Server
    reached: Reached
    made: Certificates

    def start(self) -> None:
        """Serve in a thread of its own."""
        threading.Thread(target=self.server.serve, name="web secure", daemon=True).start()

    def stop(self) -> None:
        """End it."""
        self.server.stop()


def make_secure(app: Flask, host: str, port: int, folder: Path) -> SecureListener:
    """Certificate and listener, and where phones find them. Raises `NoCertificate`, `PortTaken`."""
    made = certificates(folder, own_addresses(host))
    server = make_server(app, host, port, kind=QuietServer)
    server.ssl_adapter = LateHandshake(str(made.chain), str(made.key))
    server.ssl_adapter.context.minimum_version = ssl.TLSVersion.TLSv1_2
    reached = Reached(host, server.bind_addr[1], "https")
    follow(app, "SECURE_URL", lambda: reached.phones or reached.here)
    app.config["AUTHORITY_PRINT"] = made.fingerprint
    app.add_url_rule(AUTHORITY, "authority", lambda: _authority(made))
    return SecureListener(server, reached, made)


def own_addresses(host: str) -> list[str]:
    """Where this machine may be reached."""
    found = [lan_address() or "", host]
    with suppress(OSError):  # a name that nothing resolves is no address
        found += [str(info[4][0]) for info in socket.getaddrinfo(socket.gethostname(), None)]
    return list(dict.fromkeys(address for address in found if _is_one(address)))


def _is_one(text: str) -> bool:
    try:
        return not ipaddress.ip_address(text).is_unspecified
    except ValueError:
        return False


def _authority(made: Certificates) -> Response:
    headers = {
        "Content-Disposition": 'attachment; filename="tenshu-authority.crt"',
        "Cache-Control": "no-cache",
    }
    return Response(made.authority_pem, mimetype="application/x-x509-ca-cert", headers=headers)
