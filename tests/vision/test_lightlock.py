"""Exposure and white balance are locked if the driver handles it well, and released if it does not."""

from collections.abc import Callable
from dataclasses import dataclass, field

import cv2
import numpy as np
import pytest

from vision.errors import CameraError
from vision.pictures import Picture
from vision.sources.captures import CvCapture
from vision.sources.lightlock import ADAPT_S, WATCH_S, LightLock, LockState


@dataclass
class Webcam:
    """A fake driver: how it answers, and how bright its picture is once automatic exposure is off."""

    obeys: bool = True
    manual_level: int = 120
    has: dict[int, float] = field(
        default_factory=lambda: {cv2.CAP_PROP_EXPOSURE: 156.0, cv2.CAP_PROP_WB_TEMPERATURE: 4200.0}
    )
    refuses: int | None = None
    calls: list[tuple[int, float]] = field(default_factory=list)
    level: int = 120
    light: float = 1.0
    """How bright the table is; the automatic makes the same picture of any light but darkness."""
    locked_in: float | None = None
    """The light in which the exposure was locked."""

    def get(self, prop: int, /) -> float:
        return self.has.get(prop, -1.0)

    def set(self, prop: int, value: float, /) -> bool:
        self.calls.append((prop, value))
        if self.obeys and prop == cv2.CAP_PROP_AUTO_EXPOSURE:
            self.level = self.manual_level if value == 1 else 120
            self.locked_in = self.light if value == 1 else None
        return self.obeys and prop != self.refuses

    def picture(self) -> Picture:
        gain = self.light / self.locked_in if self.locked_in else min(1.0, 100 * self.light)
        return np.full((480, 640, 3), min(255, round(self.level * gain)), np.uint8)


def run(
    webcam: Webcam,
    seconds: float = ADAPT_S + WATCH_S + 1,
    fps: int = 15,
    lights: Callable[[float], float] = lambda _: 1.0,
) -> LightLock:
    now = [0.0]
    lock = LightLock(webcam, lambda: now[0])
    while now[0] < seconds:
        webcam.light = lights(now[0])
        lock.feed(webcam.picture())
        now[0] += 1 / fps
    return lock


@pytest.mark.parametrize(
    ("webcam", "state"),
    [
        (Webcam(), LockState.LOCKED),
        (Webcam(manual_level=40), LockState.GIVEN_UP),
        (Webcam(obeys=False), LockState.GIVEN_UP),
        (Webcam(refuses=cv2.CAP_PROP_AUTO_WB), LockState.PARTLY),
    ],
    ids=["well behaved", "goes dark", "takes no orders", "knows no white balance"],
)
def test_lock_holds_or_is_undone(webcam: Webcam, state: LockState) -> None:
    """A picture that went dark is worse than one whose brightness varies."""
    assert run(webcam).state is state
    assert webcam.level == 120


@pytest.mark.parametrize(
    "lights",
    [
        lambda at_s: 0.001 if at_s < 8 else 1.0,
        lambda at_s: 0.3 if at_s < 8 else 1.0,
        lambda at_s: 1 / (1 + at_s / 30),
    ],
    ids=["shutter opened later", "lamp lit later", "nightfall"],
)
def test_a_lock_lasts_as_long_as_the_light(lights: Callable[[float], float]) -> None:
    """The picture was all white, or almost black, until Tenshu was started again."""
    webcam = Webcam()
    assert run(webcam, 60, lights=lights).state is LockState.LOCKED
    assert 120 / 1.7 < webcam.picture().mean() < 120 * 1.7


def test_a_head_over_the_table_and_a_hand_do_not_end_the_lock() -> None:
    webcam = Webcam()
    assert (
        run(webcam, 30, lights=lambda at_s: 0.4 if 10 < at_s < 14 else 0.8 if at_s > 14 else 1.0).state
        is LockState.LOCKED
    )
    assert [value for prop, value in webcam.calls if prop == cv2.CAP_PROP_AUTO_EXPOSURE] == [3, 1]


@pytest.mark.parametrize("fps", [5, 15, 60])
def test_lock_waits_until_the_automatic_has_settled(fps: int) -> None:
    """It also keeps the values that it found. A camera of 60 frames/s was locked before it had settled."""
    webcam = Webcam()
    assert run(webcam, ADAPT_S - 0.1, fps).state is LockState.ADAPTING
    assert (cv2.CAP_PROP_AUTO_EXPOSURE, 1) not in webcam.calls
    run(webcam, ADAPT_S + 0.3, fps)
    assert (cv2.CAP_PROP_EXPOSURE, 156.0) in webcam.calls
    assert (cv2.CAP_PROP_WB_TEMPERATURE, 4200.0) in webcam.calls


def test_camera_without_the_properties_is_only_told_to_stop() -> None:
    """Setting no value is better than setting a wrong one."""
    webcam = Webcam(has={})
    run(webcam)
    assert {prop for prop, _ in webcam.calls} == {cv2.CAP_PROP_AUTO_EXPOSURE, cv2.CAP_PROP_AUTO_WB}


def test_a_camera_is_left_as_it_was_and_each_evening_begins_with_the_automatic() -> None:
    """A webcam keeps its exposure while it has power: after daylight, a lamp's picture was black."""
    webcam = Webcam()
    automatic = [(cv2.CAP_PROP_AUTO_EXPOSURE, 3), (cv2.CAP_PROP_AUTO_WB, 1)]
    LightLock(webcam)
    assert webcam.calls == automatic
    lock = run(webcam)
    assert lock.state is LockState.LOCKED
    webcam.calls.clear()
    # Not a subclass: OpenCV frees objects of types derived from its own at a wrong address.
    capture = CvCapture(cv2.VideoCapture(), CameraError("Gone.", "Plug it in.", "gone"), lock)
    capture.close()
    assert webcam.calls == automatic
