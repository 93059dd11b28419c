"""Reopen a capture that breaks, at growing intervals: a camera's normal life, as a state machine.

It has no thread or clock of its own, so that a test can unplug a cable a thousand times in no time.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from vision.errors import CameraError
from vision.pictures import Picture
from vision.sources.lightlock import LockState

FIRST_WAIT_S = 0.5
LONGEST_WAIT_S = 8.0
"""About as long as a person who plugs the camera in again is willing to wait."""
REFUSED_WAIT_S = 30.0
"""After a wrong password: many cameras lock a client out for half an hour after five wrong tries, which used
to take a quarter of a minute. Shorter than the time after which a driver is taken to hang."""


class Capture(Protocol):
    """An open device or connection."""

    @property
    def light(self) -> LockState:
        """Whether exposure and white balance are locked."""

    def read(self) -> Picture:
        """Return the next picture, after a bounded wait. Raises `CameraError` when the camera is lost."""

    def close(self) -> None:
        """Release the device or connection."""


@dataclass(frozen=True, slots=True)
class Wait:
    """Nothing to do until this many seconds have passed."""

    seconds: float


class Reconnecting:
    """One `step` at a time: open, read, or wait for the next attempt. `open_capture` raises `CameraError`."""

    def __init__(self, open_capture: Callable[[], Capture]) -> None:
        self._open_capture = open_capture
        self._capture: Capture | None = None
        self._next_wait_s = FIRST_WAIT_S
        self.trouble: CameraError | None = None

    @property
    def light(self) -> LockState | None:
        """Lock state of the open camera; None if it is not open."""
        return None if self._capture is None else self._capture.light

    def step(self) -> Picture | Wait:
        """Return a picture, or how long to wait before the next step; `trouble` says why."""
        try:
            if self._capture is None:
                self._capture = self._open_capture()
            picture = self._capture.read()
        except CameraError as error:
            return self._give_up(error)
        self.trouble = None
        self._next_wait_s = FIRST_WAIT_S  # only a picture, not an open device, proves the camera is back
        return picture

    def close(self) -> None:
        """Release the capture; another step would open it again."""
        if self._capture is not None:
            self._capture.close()
            self._capture = None

    def _give_up(self, error: CameraError) -> Wait:
        self.close()
        self.trouble = error
        wait = Wait(REFUSED_WAIT_S if error.retry_slowly else self._next_wait_s)
        self._next_wait_s = min(2 * self._next_wait_s, LONGEST_WAIT_S)
        return wait
