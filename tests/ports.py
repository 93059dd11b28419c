"""Ports of this computer for what a test starts."""

import itertools
import os
import socket
from contextlib import suppress

_PORTS = range(20_000, 32_000)
"""Below those that a system gives to whoever asks for any: none goes to another before it is used."""
_next = itertools.count(64 * os.getpid())  # tests that run beside each other look at different ones


def free_port() -> int:
    """A port nobody listens on."""
    while True:
        port = _PORTS[next(_next) % len(_PORTS)]
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port
