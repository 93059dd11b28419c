"""How many threads and connections one address may hold, so that the others are answered.

The computer that serves is never refused: a last place is always left for it.
"""

import threading
from collections import Counter
from collections.abc import Hashable
from typing import Any

from cheroot.server import HTTPConnection
from cheroot.wsgi import Server

from companion.web.limits import is_here

THREADS = 128
STREAMS_AT_MOST = THREADS - 48
"""The rest answers pages and commands; with fewer threads than streams nothing is answered any more."""
THREADS_EACH = 24
"""Of one address: its streams, and as many again. Behind one address may be five phones with some tabs."""
CONNECTIONS = 400
"""Windows can wait for 512 at once, and most systems open 1024 files for the two ports."""
CONNECTIONS_EACH = 96
"""A browser opens six; behind one address twelve devices may listen."""
KEPT_OPEN = 128
"""Between two requests; more than one address has, so that it costs nobody else a handshake for each."""


class Shares:
    """Places, and who holds them. Safe to call from any thread."""

    def __init__(self, places: int, each: int) -> None:
        self._places = places
        self._each = each
        self._lock = threading.Lock()
        self._held: dict[Hashable, str] = {}
        self._of: Counter[str] = Counter()

    def take(self, holder: Hashable, address: str) -> bool:
        """False when this address has its share, or would have more than it leaves free."""
        with self._lock:
            mine, free = self._of[address] + 1, self._places - len(self._held) - 1
            if mine > min(self._each, free) and not is_here(address):
                return False
            self._held[holder] = address
            self._of[address] = mine
            return True

    def give_back(self, holder: Hashable) -> None:
        """Nothing happens when it holds none."""
        with self._lock:
            address = self._held.pop(holder, None)
            if address is not None:
                self._of[address] -= 1
                self._of += Counter()  # forgets addresses that have none


class FairServer(Server):
    """A connection takes a thread once something came, and only of its address's share; else it waits."""

    keep_alive_conn_limit = KEPT_OPEN

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self._open = Shares(CONNECTIONS, CONNECTIONS_EACH)
        self._at_work = Shares(THREADS, THREADS_EACH)
        self._lock = threading.Lock()
        self._waiting: list[HTTPConnection] = []

    def process_conn(self, conn: HTTPConnection) -> None:
        """Called of one that was just accepted, and of one where something came."""
        if conn.last_used is not None:
            with self._lock:
                self._waiting.append(conn)
            self._begin()
        elif self._open.take(conn, conn.remote_addr):
            super().put_conn(conn)  # where cheroot waits for the next request, and ends who sends none
        else:
            conn.close()

    def put_conn(self, conn: HTTPConnection) -> None:
        """Called of one that was answered and stays open."""
        self._at_work.give_back(conn)
        super().put_conn(conn)
        self._begin()

    def closed(self, conn: HTTPConnection) -> None:
        """Called of one that ended."""
        self._at_work.give_back(conn)
        self._open.give_back(conn)
        self._begin()

    def stop(self) -> None:
        """Those that still wait are closed."""
        super().stop()
        with self._lock:
            left, self._waiting = self._waiting, []
        for conn in left:
            conn.close()

    def _begin(self) -> None:
        if not self.ready:
            return
        with self._lock:
            begun = [conn for conn in self._waiting if self._at_work.take(conn, conn.remote_addr)]
            self._waiting = [conn for conn in self._waiting if conn not in begun]
            for conn in begun:
                self.requests.put(conn)
