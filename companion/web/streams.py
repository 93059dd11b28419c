"""Server-sent events: each device receives the newest view; views that it missed are never sent again."""

import json
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from companion.table.runtime import Runtime
from companion.web.limits import is_loopback

HEARTBEAT_S = 8.0
"""A dropped connection shows only at the next write here, and at a missing heartbeat on the page."""
HERE = "event: here\ndata: {}\n\n"
"""The heartbeat: an event, since a page does not see comments of a stream."""
RETRY_MS = 1000
MOST_EACH = 12
"""Streams per address: a phone has a page or two open, and one device must not keep others out."""


_FRESH_S = 0.05
"""Maximum age of the remaining countdown time in a cached view."""


@dataclass(frozen=True, slots=True)
class _CachedView:
    """The newest view, serialised."""

    rev: int
    text: str
    counts_down: bool
    built_s: float


class Streams:
    """Limits the open streams, so that they never use up the threads that commands need."""

    def __init__(self, runtime: Runtime, most: int, view: Callable[[], dict[str, Any]]) -> None:
        """`view` builds what each event carries: the same as the answer to `GET table`."""
        self._runtime = runtime
        self._view = view
        self._most = most
        self._count_of: Counter[str] = Counter()
        self._lock = threading.Lock()
        self._cached = _CachedView(-1, "", False, 0.0)

    def enter(self, address: str) -> bool:
        """Reserve a stream; return False if all are taken or this address has its share."""
        with self._lock:
            count = self._count_of[address]
            if self._count_of.total() >= self._most or (count >= MOST_EACH and not is_loopback(address)):
                return False
            self._count_of[address] = count + 1
            return True

    @property
    def open(self) -> int:
        """Number of open streams."""
        return self._count_of.total()

    def leave(self, address: str) -> None:
        """Release a stream of this address."""
        with self._lock:
            self._count_of[address] -= 1
            self._count_of += Counter()  # drops addresses with a count of zero

    def after(self, last_id: str) -> int:
        """The revision a device already has, from its last event id; 0 if the id is not of this start."""
        start, _, rev = last_id.rpartition(".")
        known = start == self._runtime.session.start and rev.isascii() and rev.isdigit() and len(rev) < 20
        return int(rev) if known else 0

    def events(self, after: int) -> Iterator[str]:
        """Yield the stream's text, one view at a time, so that a slow device delays only itself."""
        yield f"retry: {RETRY_MS}\n\n"
        while not self._runtime.stopping:
            newest = self._runtime.session.wait(after, HEARTBEAT_S)
            if newest > after:
                after, text = self._newest(newest)
                yield f"id: {self._runtime.session.start}.{after}\nevent: table\ndata: {text}\n\n"
            else:
                yield HERE

    def _newest(self, rev: int) -> tuple[int, str]:
        """Return the view of this revision or a later one, built once for all devices that wait for it."""
        with self._lock:
            cached = self._cached
            if cached.rev < rev or (cached.counts_down and time.monotonic() - cached.built_s > _FRESH_S):
                view = self._view()
                text = json.dumps(view, separators=(",", ":"))
                cached = self._cached = _CachedView(
                    view["rev"], text, view["left_ms"] is not None, time.monotonic()
                )
            return cached.rev, cached.text
