"""How slowly a request may come: who feeds it byte by byte would keep its thread for ever."""

import socket
import time
from collections.abc import Callable
from typing import Any

from cheroot.makefile import StreamReader

GRACE_S = 30.0
"""So long may be waited for a request altogether, however little comes: Wi-Fi that is gone for a while."""
SLOWEST_BYTES_S = 8 << 10
"""With each of these comes a second more: a photo of 16 MB may take half an hour, no page loads slower."""


class PacedReader(StreamReader):
    """What a device sends, for as long as it keeps the pace; after that reading times out."""

    def __init__(self, sock: socket.socket, size: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._paced = _Paced(sock, clock)
        super(StreamReader, self).__init__(self._paced, size)  # its own would read without a pace
        self.bytes_read = 0

    def begin(self) -> None:
        """The next request has a time of its own."""
        self._paced.waited_s, self._paced.came = 0.0, 0


class _Paced(socket.SocketIO):
    """Counts only the time that was waited for the device, not that of our own work in between."""

    def __init__(self, sock: socket.socket, clock: Callable[[], float]) -> None:
        super().__init__(sock, "rb")
        self._line = sock
        self._clock = clock
        self.waited_s = 0.0
        self.came = 0

    def readinto(self, buffer: Any) -> int | None:
        left_s = GRACE_S + self.came / SLOWEST_BYTES_S - self.waited_s
        if left_s <= 0:
            raise TimeoutError("timed out")  # in these words cheroot answers 408
        usual_s = self._line.gettimeout()
        hurries = usual_s is None or left_s < usual_s
        if hurries:
            self._line.settimeout(left_s)
        began = self._clock()
        try:
            got = super().readinto(buffer)
        finally:
            self.waited_s += self._clock() - began
            if hurries:
                self._line.settimeout(usual_s)  # the answer has its own
        self.came += got or 0
        return got
