"""The settle watch against one colour conversion of the same frame, the least that any method costs."""

import cv2

from tests.bench.rows import Row, compare_times
from tests.vision.thrown import FRAME_MS, Throw, frames
from vision.pictures import Picture
from vision.settling.settle import SettleWatch


def run() -> list[Row]:
    """Time 1280×960 frames: cubes falling, tray at rest, and only a region around the tray."""
    size = (1280, 960)
    falling = list(frames(Throw(ends=40, size=size), 12))
    resting = list(frames(Throw(ends=0, size=size), 12))
    tray = ((350.0, 250.0), (930.0, 250.0), (930.0, 720.0), (350.0, 720.0))
    return compare_times(
        "settle",
        ("BGR to Lab, 1280×960", lambda: cv2.cvtColor(resting[0], cv2.COLOR_BGR2LAB)),
        ("watch a frame, cubes falling", _Feeding(SettleWatch(), falling)),
        ("watch a frame, tray at rest", _Feeding(SettleWatch(), resting)),
        ("watch a frame, only the tray", _Feeding(SettleWatch(region_px=tray), resting)),
    )


class _Feeding:
    """Feeds the next frame at each call, cyclically."""

    def __init__(self, watch: SettleWatch, pictures: list[Picture]) -> None:
        self.watch = watch
        self.pictures = pictures
        self.fed = 0

    def __call__(self) -> None:
        self.watch.feed(self.pictures[self.fed % len(self.pictures)], self.fed * FRAME_MS)
        self.fed += 1
