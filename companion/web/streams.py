"""Server-sent events: each device hears the newest view; what it missed in between it never needs."""

import json
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from companion.table.runtime import Runtime
from companion.web.limits import is_here

HEARTBEAT_S = 8.0
"""A dropped connection is only noticed at the next write, and by a page at what it does not hear."""
HERE = "event: here\ndata: {}\n\n"
"""An event and no comment, since a page cannot hear comments."""
RETRY_MS = 1000
MOST_EACH = 12
"""Of one address: a phone has a page or two open, and nobody else is kept out by one device."""


_FRESH_S = 0.05
"""So old may the milliseconds left of a countdown be."""


@dataclass(frozen=True, slots=True)
class _Kept:
    """The newest view as text."""

    rev: int
    text: str
    counts_down: bool
    built_s: float


class Streams:
    """Counts open streams, so that they never take the threads that commands need."""

    def __init__(self, runtime: Runtime, most: int, view: Callable[[], dict[str, Any]]) -> None:
        """`view` is what each event carries: the same as `GET table` answers."""
        self._runtime = runtime
        self._view = view
        self._most = most
        self._of: Counter[str] = Counter()
        self._lock = threading.Lock()
        self._kept = _Kept(-1, "", False, 0.0)

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

    def after(self, last_id: str) -> int:
        """Number of the view that a device has, by the id of its last event; 0: none of this start."""
        start, _, rev = last_id.rpartition(".")
        known = start == self._runtime.session.start and rev.isascii() and rev.isdigit() and len(rev) < 20
        return int(rev) if known else 0

    def events(self, after: int) -> Iterator[str]:
        """The stream's text; one view at a time, so that a slow device holds nothing back but itself."""
        yield f"retry: {RETRY_MS}\n\n"
        while not self._runtime.stopping:
            newest = self._runtime.session.wait(after, HEARTBEAT_S)
            if newest > after:
                after, text = self._newest(newest)
                yield f"id: {self._runtime.session.start}.{after}\nevent: table\ndata: {text}\n\n"
            else:
                yield HERE

    def _newest(self, rev: int) -> tuple[int, str]:
        """The view with this number or a later one, built once for all devices that wake for it."""
        with self._lock:
            kept = self._kept
            if kept.rev < rev or (kept.counts_down and time.monotonic() - kept.built_s > _FRESH_S):
                view = self._view()
                text = json.dumps(view, separators=(",", ":"))
                kept = self._kept = _Kept(view["rev"], text, view["left_ms"] is not None, time.monotonic())
            return kept.rev, kept.text
