"""Exposure and white balance are held where the driver does it well, and let go where it does not."""

from dataclasses import dataclass, field

import cv2
import numpy as np
import pytest

from vision.pictures import Picture
from vision.sources.lightlock import ADAPT_FRAMES, WATCH_FRAMES, LightLock, LockState


@dataclass
class Webcam:
    """A driver: how it answers, and how bright its picture is after the automatic is switched off."""

    obeys: bool = True
    manual_level: int = 120
    has: dict[int, float] = field(
        default_factory=lambda: {cv2.CAP_PROP_EXPOSURE: 156.0, cv2.CAP_PROP_WB_TEMPERATURE: 4200.0}
    )
    refuses: int | None = None
    calls: list[tuple[int, float]] = field(default_factory=list)
    level: int = 120

    def get(self, prop: int, /) -> float:
        return self.has.get(prop, -1.0)

    def set(self, prop: int, value: float, /) -> bool:
        self.calls.append((prop, value))
        if self.obeys and prop == cv2.CAP_PROP_AUTO_EXPOSURE:
            self.level = self.manual_level if value == 1 else 120
        return self.obeys and prop != self.refuses

    def picture(self) -> Picture:
        return np.full((480, 640, 3), self.level, np.uint8)


def run(webcam: Webcam, frames: int = ADAPT_FRAMES + WATCH_FRAMES) -> LightLock:
    lock = LightLock(webcam)
    for _ in range(frames):
        lock.feed(webcam.picture())
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
    """A picture that went dark is worse than one that breathes."""
    assert run(webcam).state is state
    assert webcam.level == 120


def test_lock_waits_until_the_automatic_has_settled() -> None:
    """And keeps the values that it found."""
    webcam = Webcam()
    assert run(webcam, ADAPT_FRAMES - 1).state is LockState.ADAPTING
    assert webcam.calls == []
    run(webcam, ADAPT_FRAMES)
    assert (cv2.CAP_PROP_EXPOSURE, 156.0) in webcam.calls
    assert (cv2.CAP_PROP_WB_TEMPERATURE, 4200.0) in webcam.calls


def test_camera_without_the_properties_is_only_told_to_stop() -> None:
    """No value is better than a wrong one."""
    webcam = Webcam(has={})
    run(webcam)
    assert {prop for prop, _ in webcam.calls} == {cv2.CAP_PROP_AUTO_EXPOSURE, cv2.CAP_PROP_AUTO_WB}
