"""Limits how many threads and connections one address may hold, so that others are still answered.

The serving computer is never refused: one place is always left for it.
"""

import threading
from collections import Counter
from collections.abc import Hashable
from typing import Any

from cheroot.server import HTTPConnection
from cheroot.wsgi import Server

from companion.web.limits import is_loopback
from companion.web.listening import ListeningSocket

THREADS = 128
STREAMS_AT_MOST = THREADS - 48
"""The remaining threads answer pages and commands; if streams took them all, nothing would be answered."""
THREADS_EACH = 24
"""Per address: its streams and as many again. Five phones with a few tabs each may share one address."""
CONNECTIONS = 400
"""Windows can wait on 512 sockets, and the two ports share the open files there may be (`listening`)."""
CONNECTIONS_EACH = 96
"""Per address: a browser opens six, and twelve devices behind one address may have streams."""
KEPT_OPEN = 128
"""Idle connections kept open between requests; more than `CONNECTIONS_EACH`, so that one address cannot
force a new handshake for every request on the others."""


class Shares:
    """A number of places, and who holds them. Thread-safe."""

    def __init__(self, places: int, each: int) -> None:
        self._places = places
        self._each = each
        self._lock = threading.Lock()
        self._address_of: dict[Hashable, str] = {}
        self._count_of: Counter[str] = Counter()

    def take(self, holder: Hashable, address: str) -> bool:
        """Take a place; return False if the address has its share or would hold more than it leaves free."""
        with self._lock:
            count, free = self._count_of[address] + 1, self._places - len(self._address_of) - 1
            if count > min(self._each, free) and not is_loopback(address):
                return False
            self._address_of[holder] = address
            self._count_of[address] = count
            return True

    def give_back(self, holder: Hashable) -> None:
        """Release the holder's place; does nothing if it holds none."""
        with self._lock:
            address = self._address_of.pop(holder, None)
            if address is not None:
                self._count_of[address] -= 1
                self._count_of += Counter()  # drops addresses with a count of zero


class FairServer(Server):
    """A connection gets a thread once data has arrived and its address's share allows; else it waits."""

    keep_alive_conn_limit = KEPT_OPEN

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self._open = Shares(CONNECTIONS, CONNECTIONS_EACH)
        self._at_work = Shares(THREADS, THREADS_EACH)
        self._lock = threading.Lock()
        self._waiting: list[HTTPConnection] = []

    def prepare(self) -> None:
        """Bind and listen. Raises OSError."""
        super().prepare()
        self.socket = ListeningSocket.of(self.socket)

    def process_conn(self, conn: HTTPConnection) -> None:
        """Called for a connection that was just accepted, and for one on which data has arrived."""
        if conn.last_used is not None:
            with self._lock:
                self._waiting.append(conn)
            self._start_waiting()
        elif self._open.take(conn, conn.remote_addr):
            super().put_conn(conn)  # cheroot waits for the next request there, and closes idle ones
        else:
            conn.close()

    def put_conn(self, conn: HTTPConnection) -> None:
        """Called for a connection that was answered and stays open."""
        self._at_work.give_back(conn)
        super().put_conn(conn)
        self._start_waiting()

    def closed(self, conn: HTTPConnection) -> None:
        """Called for a connection that was closed."""
        self._at_work.give_back(conn)
        self._open.give_back(conn)
        self._start_waiting()

    def stop(self) -> None:
        """Stop the server and close the connections that still wait for a thread."""
        super().stop()
        with self._lock:
            waiting, self._waiting = self._waiting, []
        for conn in waiting:
            conn.close()

    def _start_waiting(self) -> None:
        if not self.ready:
            return
        with self._lock:
            started = [conn for conn in self._waiting if self._at_work.take(conn, conn.remote_addr)]
            self._waiting = [conn for conn in self._waiting if conn not in started]
            for conn in started:
                self.requests.put(conn)
