"""Rate limits per address: one token bucket for commands, one for reading.

The serving computer itself is not limited: whoever runs programs there needs no network to do harm.
"""

import ipaddress
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

from flask import Flask, request
from werkzeug.exceptions import TooManyRequests

MOST_ADDRESSES = 1024
"""Addresses remembered at a time; beyond this the least recently seen one is forgotten."""


@dataclass(frozen=True, slots=True)
class Rate:
    """Sustained requests per second, and the largest burst."""

    per_s: float
    burst: float


COMMANDS = Rate(30, 120)
"""A phone used as the camera sends 15 pictures a second; a person taps about five times a second."""
READING = Rate(60, 600)
"""A page is about forty files, and many phones behind one address may open it at the same time."""


class Buckets:
    """Token buckets, one per address. Thread-safe."""

    def __init__(self, rate: Rate, clock: Callable[[], float] = time.monotonic) -> None:
        self._rate = rate
        self._clock = clock
        self._lock = threading.Lock()
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, address: str) -> bool:
        """Take one token; return False if none is left."""
        now = self._clock()
        with self._lock:
            left, since = self._left.pop(address, (self._rate.burst, now))
            left = min(self._rate.burst, left + (now - since) * self._rate.per_s)
            self._left[address] = (left - 1 if left >= 1 else left, now)
            while len(self._left) > MOST_ADDRESSES:
                self._left.popitem(last=False)
            return left >= 1


def limit(app: Flask, clock: Callable[[], float] = time.monotonic) -> None:
    """Answer 429 to addresses that exceed their rate."""
    commands, reading = Buckets(COMMANDS, clock), Buckets(READING, clock)

    def check() -> None:
        address = request.remote_addr or ""
        if is_loopback(address):
            return
        buckets = reading if request.method in ("GET", "HEAD", "OPTIONS") else commands
        if not buckets.take(address):
            raise TooManyRequests(retry_after=1)

    app.before_request(check)


def is_loopback(address: str) -> bool:
    """Whether the address is this computer itself (loopback), also as IPv6 sockets name one of IPv4."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return False
    return (getattr(parsed, "ipv4_mapped", None) or parsed).is_loopback
