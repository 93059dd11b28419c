"""Many devices in one thread: each keeps a stream open and records when it received which state."""

import re
import selectors
import socket
import threading
import time
from collections import defaultdict

_EXPECTED = re.compile(rb'"expected":(\d+)')
_READ = 1 << 18


class Listeners:
    """Streams to a table on this computer; `heard[expected]` holds times in monotonic seconds."""

    def __init__(self, port: int, count: int) -> None:
        self.heard: dict[int, list[float]] = defaultdict(list)
        self.refused = 0
        self.bytes = 0
        self._selector = selectors.DefaultSelector()
        self._stop = threading.Event()
        self._changed = threading.Condition()
        for _ in range(count):
            device = socket.create_connection(("127.0.0.1", port), timeout=20)
            device.sendall(f"GET /api/v1/events HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode())
            device.setblocking(False)
            self._selector.register(device, selectors.EVENT_READ, _Device())
        self._thread = threading.Thread(target=self._listen, daemon=True)
        self._thread.start()

    def wait_for(self, expected: int, count: int, timeout_s: float) -> bool:
        """Wait until `count` devices have received this state; return whether they did in time."""
        with self._changed:
            return self._changed.wait_for(lambda: len(self.heard[expected]) >= count, timeout_s)

    def close(self) -> None:
        """Close all streams."""
        self._stop.set()
        self._thread.join(5)
        for key in list(self._selector.get_map().values()):
            assert isinstance(key.fileobj, socket.socket)
            key.fileobj.close()
        self._selector.close()

    def _listen(self) -> None:
        while not self._stop.is_set():
            for key, _ in self._selector.select(0.2):
                assert isinstance(key.fileobj, socket.socket)
                data = key.fileobj.recv(_READ)
                now = time.monotonic()
                if not data:
                    self._selector.unregister(key.fileobj)
                    key.fileobj.close()
                    self.refused += 1
                    continue
                self.bytes += len(data)
                found = key.data.feed(data)
                if found:
                    with self._changed:
                        for expected in found:
                            self.heard[expected].append(now)
                        self._changed.notify_all()


class _Device:
    """Parser of one device's stream, holding the incomplete last line."""

    def __init__(self) -> None:
        self._line = b""
        self._newest = 0

    def feed(self, data: bytes) -> list[int]:
        """Return states whose complete view has now arrived for the first time."""
        *lines, self._line = (self._line + data).split(b"\n")
        states = []
        for line in lines:
            match = _EXPECTED.search(line[:400]) if line.startswith(b"data: ") else None
            if match and int(match[1]) > self._newest:
                self._newest = int(match[1])
                states.append(self._newest)
        return states
