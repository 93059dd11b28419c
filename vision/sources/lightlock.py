"""Automatic exposure and white balance, locked once they have settled, so that a hand changes no colours.

Drivers differ: on some, switching the automatic off restores a stored value and the picture goes dark. So the
picture is watched after the switch, and if it changed the automatic is turned back on for good.

A lock lasts as long as the light: made behind a shutter, or before the lamps are lit, it would hold an
exposure at which the picture is all white later.
"""

import time
from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Protocol

import cv2
import numpy as np

from vision.advice import Advice
from vision.pictures import Picture
from vision.scene.trouble import exposure_trouble

ADAPT_S = 3.0
"""Webcams settle in one to two seconds."""
WATCH_S = 0.7
_FEWEST = 10
"""Fewest frames in each of these periods, however slow the camera is."""
_MANUAL, _AUTOMATIC, _WHOLLY = 1.0, 3.0, 0.0
"""V4L2's exposure modes: 1 manual, 3 aperture priority, which webcams call automatic; some use 0 for that."""
_SAME = 0.08
"""Relative change in the mean of a channel that still counts as the same light."""
_OTHER_LIGHT = 1.6
"""Ratio in all channels that is another light: a hand or a sheet of paper changes the mean by less."""
_OTHER_FOR_S = 5.0
"""How long it has to last: a head leans over the table for less."""


class Controls(Protocol):
    """The part of `cv2.VideoCapture` that sets a camera."""

    def get(self, prop: int, /) -> float:
        """Return the value of a property; 0 or -1 if there is none."""

    def set(self, prop: int, value: float, /) -> bool:
        """Return whether the driver accepted it."""


class LockState(StrEnum):
    """State of the lock. The value is part of the key of what pages say about it: `camera.light.<value>`."""

    ADAPTING = "settling"
    LOCKED = "locked"
    PARTLY = "partly"
    """Exposure or white balance is locked, but not both."""
    GIVEN_UP = "free"
    ELSEWHERE = "elsewhere"
    """A network camera: only its own app can lock it."""


LIGHT: Mapping[LockState, Advice] = {
    LockState.PARTLY: Advice(
        "The camera can lock only one of exposure and white balance.", "Keep the lamps as they are."
    ),
    LockState.GIVEN_UP: Advice(
        "The camera cannot lock exposure and white balance.", "Keep the lamps as they are."
    ),
    LockState.ELSEWHERE: Advice(
        "This camera's exposure and white balance cannot be locked from here.",
        "Lock them in the camera's app, if it can.",
    ),
}
"""For the states in which a person may want to do something."""


class LightLock:
    """Feed it every picture of a camera that was just opened."""

    def __init__(self, controls: Controls, clock: Callable[[], float] = time.monotonic) -> None:
        """Start with the automatic on: a webcam keeps its settings while it has power, and would otherwise
        show this evening in the last one's light."""
        self.state = LockState.ADAPTING
        self._controls = controls
        self._clock = clock
        self._since_s: float | None = None
        self._frames = 0
        self._means_before: np.ndarray | None = None
        self._took_both = False
        """Whether the driver accepted both settings."""
        self._other_since_s: float | None = None
        """Since when the light has been another than at the lock."""
        self.free()

    def feed(self, picture: Picture) -> LockState:
        """Wait, lock, watch the effect, and undo it if it did harm, or once the light is another."""
        if self.state in {LockState.LOCKED, LockState.PARTLY}:
            self._watch_light(picture)
        if self.state is not LockState.ADAPTING:
            return self.state
        if self._means_before is None and exposure_trouble(picture) is not None:
            self._since_s, self._frames = None, 0  # there is nothing to adapt to
            return self.state
        self._since_s = self._clock() if self._since_s is None else self._since_s
        self._frames += 1
        past_s = self._clock() - self._since_s
        if past_s < (ADAPT_S if self._means_before is None else WATCH_S) or self._frames < _FEWEST:
            return self.state
        if self._means_before is None:
            self._means_before = _channel_means(picture)
            self._since_s, self._frames = self._clock(), 0
            self.state = LockState.ADAPTING if self._lock() else LockState.GIVEN_UP
        else:
            self._check_effect(picture, self._means_before)
        return self.state

    def _watch_light(self, picture: Picture) -> None:
        assert self._means_before is not None
        ratio = np.maximum(_channel_means(picture), 1) / np.maximum(self._means_before, 1)
        if not ((ratio > _OTHER_LIGHT).all() or (ratio < 1 / _OTHER_LIGHT).all()):
            self._other_since_s = None
            return
        now_s = self._clock()
        self._other_since_s = now_s if self._other_since_s is None else self._other_since_s
        if now_s - self._other_since_s >= _OTHER_FOR_S:
            self.free()
            self.state = LockState.ADAPTING
            self._means_before = self._since_s = self._other_since_s = None
            self._frames = 0

    def free(self) -> None:
        """Turn the automatic back on, as the next program expects."""
        for automatic in (_AUTOMATIC, _WHOLLY):
            if self._controls.set(cv2.CAP_PROP_AUTO_EXPOSURE, automatic):
                break
        self._controls.set(cv2.CAP_PROP_AUTO_WB, 1)

    def _lock(self) -> bool:
        exposure = self._controls.get(cv2.CAP_PROP_EXPOSURE)
        temperature = self._controls.get(cv2.CAP_PROP_WB_TEMPERATURE)
        exposure_taken = self._controls.set(cv2.CAP_PROP_AUTO_EXPOSURE, _MANUAL)
        if exposure_taken and exposure > 0:
            self._controls.set(cv2.CAP_PROP_EXPOSURE, exposure)
        white_taken = self._controls.set(cv2.CAP_PROP_AUTO_WB, 0)
        if white_taken and temperature > 0:
            self._controls.set(cv2.CAP_PROP_WB_TEMPERATURE, temperature)
        self._took_both = exposure_taken and white_taken
        return exposure_taken or white_taken

    def _check_effect(self, picture: Picture, before: np.ndarray) -> None:
        change = np.abs(_channel_means(picture) / np.maximum(before, 1) - 1)
        if float(change.max()) <= _SAME:
            self.state = LockState.LOCKED if self._took_both else LockState.PARTLY
            return
        self.free()
        self.state = LockState.GIVEN_UP


def _channel_means(picture: Picture) -> np.ndarray:
    return np.asarray(picture[::16, ::16].reshape(-1, 3).mean(axis=0))
