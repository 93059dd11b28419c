"""Server-sent events: each device hears the newest view; what it missed in between it never needs."""

import json
import threading
from collections import Counter
from collections.abc import Iterator

from companion.table.runtime import Runtime
from companion.web.limits import is_here

HEARTBEAT_S = 8.0
"""A dropped connection is only noticed at the next write."""
RETRY_MS = 1000
MOST_EACH = 12
"""Of one address: a phone has a page or two open, and nobody else is kept out by one device."""


class Streams:
    """Counts open streams, so that they never take the threads that commands need."""

    def __init__(self, runtime: Runtime, most: int) -> None:
        self._runtime = runtime
        self._most = most
        self._of: Counter[str] = Counter()
        self._lock = threading.Lock()
        self._cached: tuple[int, str] = (-1, "")

    def enter(self, address: str) -> bool:
        """Take a place; False when all are taken, or this address has its share."""
        with self._lock:
            mine = self._of[address]
            if self._of.total() >= self._most or (mine >= MOST_EACH and not is_here(address)):
                return False
            self._of[address] = mine + 1
            return True

    @property
    def open(self) -> int:
        """How many devices listen."""
        return self._of.total()

    def leave(self, address: str) -> None:
        """Give the place back."""
        with self._lock:
            self._of[address] -= 1
            self._of += Counter()  # forgets addresses that have none

    def events(self, after: int) -> Iterator[str]:
        """The stream's text; one view at a time, so that a slow device holds nothing back but itself."""
        yield f"retry: {RETRY_MS}\n\n"
        while not self._runtime.stopping:
            newest = self._runtime.session.wait(after, HEARTBEAT_S)
            if newest > after:
                after, text = self._newest()
                yield f"id: {after}\nevent: table\ndata: {text}\n\n"
            else:
                yield ": still here\n\n"

    def _newest(self) -> tuple[int, str]:
        """Built once for all devices; a countdown's milliseconds left are those of the moment."""
        with self._lock:
            view = self._runtime.session.view()
            if view["rev"] != self._cached[0] or view["left_ms"] is not None:
                self._cached = (view["rev"], json.dumps(view, separators=(",", ":")))
            return self._cached
