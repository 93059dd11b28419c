"""A live camera: a thread takes every frame and keeps only the newest.

A reader slower than the camera would otherwise fall behind for good: a stream of 15 frames a second read at 4
was 8.5 s late after 12 s, with this thread 49 ms.
"""

import threading
from collections.abc import Callable
from time import monotonic

from vision.errors import CameraError
from vision.sources.frame import Frame
from vision.sources.lightlock import LockState
from vision.sources.reconnect import Capture, Reconnecting, Wait

SILENT_AFTER_S = 4.0
"""Longer than the 3 s after which a read gives up by itself."""
HANGS_AFTER_S = 45.0
"""Longer than the 30 s for which a system waits for unresponsive name servers, or a driver for a picture."""


class LiveSource:
    """A reconnecting capture in its own thread."""

    def __init__(
        self, name: str, open_capture: Callable[[], Capture], clock: Callable[[], float] = monotonic
    ) -> None:
        self.live = True
        self._name = name
        self._clock = clock
        self._camera = Reconnecting(open_capture)
        self._changed = threading.Condition()
        self._newest: Frame | None = None
        self._trouble: CameraError | None = None
        self._light: LockState | None = None
        self._last_sign_s = clock()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._grab, name=f"camera {name}", daemon=True)
        self._thread.start()

    @property
    def trouble(self) -> CameraError | None:
        """What the camera said last, or that it has gone silent."""
        with self._changed:
            silent_s = self._clock() - self._last_sign_s
            if self._trouble is None and silent_s > SILENT_AFTER_S and not self._stop.is_set():
                return CameraError(
                    f"{self._name} has given no picture for more than {SILENT_AFTER_S:.0f} s.",
                    "Check its cable or its app.",
                    "silent",
                )
            return self._trouble

    @property
    def is_running(self) -> bool:
        """Whether the thread is running; after `close`, only one that hangs in a driver still is."""
        return self._thread.is_alive()

    @property
    def is_hung(self) -> bool:
        """Whether it is unlikely to come back: nothing in this process can reopen its device."""
        with self._changed:
            closed = self._stop.is_set() and not self.is_running
            return not closed and self._clock() - self._last_sign_s > HANGS_AFTER_S

    @property
    def light(self) -> LockState | None:
        """Lock state of the camera as of its last step."""
        with self._changed:
            return self._light

    @property
    def ended(self) -> bool:
        """Whether it was closed; nothing else ends a camera."""
        return self._stop.is_set()

    def read(self, timeout_s: float = 1.0) -> Frame | None:
        """Return the newest frame not read yet."""
        with self._changed:
            self._changed.wait_for(lambda: self._newest is not None or self.ended, timeout_s)
            frame, self._newest = self._newest, None
            return frame

    def describe(self) -> str:
        """Return the name it was given."""
        return self._name

    def close(self, patience_s: float | None = None) -> None:
        """Stop the thread; one that hangs in a driver is left behind rather than holding up the program."""
        self._stop.set()
        with self._changed:
            self._changed.notify_all()
        self._thread.join(SILENT_AFTER_S if patience_s is None else patience_s)

    def _grab(self) -> None:
        index = 0
        while not self._stop.is_set():
            result = self._camera.step()
            with self._changed:
                self._last_sign_s = self._clock()
                self._trouble, self._light = self._camera.trouble, self._camera.light
                if not isinstance(result, Wait):
                    self._newest = Frame(result, self._last_sign_s * 1000, index)
                    index += 1
                    self._changed.notify_all()
            if isinstance(result, Wait):
                self._stop.wait(result.seconds)
        self._camera.close()
