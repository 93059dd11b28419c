"""Free ports of this computer for servers started by tests."""

import itertools
import os
import socket
from contextlib import suppress

_PORTS = range(20_000, 32_000)
"""Below the ephemeral range, so that the system gives none to another process before it is used."""
_next = itertools.count(64 * os.getpid())  # parallel test processes try different ports


def free_port() -> int:
    """Return a port on which nobody listens."""
    while True:
        port = _PORTS[next(_next) % len(_PORTS)]
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port
