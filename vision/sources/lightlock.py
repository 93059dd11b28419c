"""Automatic exposure and white balance, stopped once they have settled: a hand then changes no colour.

Drivers differ: on some, switching the automatic off falls back to a stored value and the picture goes dark.
So the picture is watched after the switch, and when it changed the automatic comes back for good.
"""

from enum import Enum
from typing import Protocol

import cv2
import numpy as np

from vision.pictures import Picture

ADAPT_FRAMES = 45
"""Three seconds at 15 frames: webcams settle in one to two."""
WATCH_FRAMES = 10
_MANUAL, _AUTOMATIC = 1.0, 3.0
"""V4L2's exposure modes: 1 manual, 3 aperture priority, which is what webcams call automatic."""
_SAME = 0.08
"""Share by which the mean of a channel may change and still be the same light."""


class Controls(Protocol):
    """The part of `cv2.VideoCapture` that sets a camera."""

    def get(self, prop: int, /) -> float:
        """Value of a property; 0 or -1 where there is none."""

    def set(self, prop: int, value: float, /) -> bool:
        """Whether the driver took it."""


class LockState(Enum):
    """Where the lock stands."""

    ADAPTING = "adapting"
    WATCHING = "watching"
    LOCKED = "locked"
    GIVEN_UP = "given up"


class LightLock:
    """Feed it every picture of a camera just opened."""

    def __init__(self, controls: Controls) -> None:
        self.state = LockState.ADAPTING
        self._controls = controls
        self._frames = 0
        self._before: np.ndarray | None = None

    def feed(self, picture: Picture) -> LockState:
        """Count, lock, watch what that did, and undo it when it did harm."""
        if self.state in (LockState.LOCKED, LockState.GIVEN_UP):
            return self.state
        self._frames += 1
        if self.state is LockState.ADAPTING and self._frames >= ADAPT_FRAMES:
            self._before = _means(picture)
            self.state = LockState.WATCHING if self._lock() else LockState.GIVEN_UP
        elif self.state is LockState.WATCHING and self._frames >= ADAPT_FRAMES + WATCH_FRAMES:
            self._judge(picture)
        return self.state

    def _lock(self) -> bool:
        exposure = self._controls.get(cv2.CAP_PROP_EXPOSURE)
        white = self._controls.get(cv2.CAP_PROP_WB_TEMPERATURE)
        taken = self._controls.set(cv2.CAP_PROP_AUTO_EXPOSURE, _MANUAL)
        if taken and exposure > 0:
            self._controls.set(cv2.CAP_PROP_EXPOSURE, exposure)
        taken_white = self._controls.set(cv2.CAP_PROP_AUTO_WB, 0)
        if taken_white and white > 0:
            self._controls.set(cv2.CAP_PROP_WB_TEMPERATURE, white)
        return taken or taken_white

    def _judge(self, picture: Picture) -> None:
        assert self._before is not None
        change = np.abs(_means(picture) / np.maximum(self._before, 1) - 1)
        if float(change.max()) <= _SAME:
            self.state = LockState.LOCKED
            return
        self._controls.set(cv2.CAP_PROP_AUTO_EXPOSURE, _AUTOMATIC)
        self._controls.set(cv2.CAP_PROP_AUTO_WB, 1)
        self.state = LockState.GIVEN_UP


def _means(picture: Picture) -> np.ndarray:
    return np.asarray(picture[::16, ::16].reshape(-1, 3).mean(axis=0))
