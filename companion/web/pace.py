"""Minimum pace of a request: a client that sends it byte by byte would hold a thread for ever."""

import socket
import time
from collections.abc import Callable
from typing import Any

from cheroot.makefile import StreamReader

GRACE_S = 30.0
"""Total time spent waiting for a request, however little arrives: the Wi-Fi may be gone for a while."""
SLOWEST_BYTES_S = 8 << 10
"""Each of these adds a second: a photo of 16 MB may take half an hour, and no page loads more slowly."""


class PacedReader(StreamReader):
    """Reads what a device sends; times out once the device falls behind the minimum pace."""

    def __init__(self, sock: socket.socket, size: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._paced = _PacedSocket(sock, clock)
        super(StreamReader, self).__init__(self._paced, size)  # StreamReader's own would not be paced
        self.bytes_read = 0

    def begin(self) -> None:
        """Reset the time for the next request."""
        self._paced.waited_s, self._paced.received = 0.0, 0


class _PacedSocket(socket.SocketIO):
    """Counts only the time spent waiting for the device, not our own work in between."""

    def __init__(self, sock: socket.socket, clock: Callable[[], float]) -> None:
        super().__init__(sock, "rb")
        self._socket = sock
        self._clock = clock
        self.waited_s = 0.0
        self.received = 0

    def readinto(self, buffer: Any) -> int | None:
        left_s = GRACE_S + self.received / SLOWEST_BYTES_S - self.waited_s
        if left_s <= 0:
            raise TimeoutError("timed out")  # cheroot answers 408 to exactly these words
        timeout_s = self._socket.gettimeout()
        shortened = timeout_s is None or left_s < timeout_s
        if shortened:
            self._socket.settimeout(left_s)
        began = self._clock()
        try:
            received = super().readinto(buffer)
        finally:
            self.waited_s += self._clock() - began
            if shortened:
                self._socket.settimeout(timeout_s)  # the response has its own timeout
        self.received += received or 0
        return received
