"""Whether a stream is fit to be read: lens cap, night mode, mirror, and a picture that never changes."""

import zlib

from vision.scene.fiducials import markers_in
from vision.scene.trouble import Trouble, picture_trouble
from vision.sources.frame import Frame

FROZEN_AFTER_MS = 3000.0
"""A living camera's noise changes some pixel in each frame; an app that fell asleep repeats the last one. It
is told before the countdown to accepting such a picture is over."""
LOOK_EVERY_MS = 1000.0


class StreamWatch:
    """Feed it every frame; `trouble` stands until the stream is well again.

    Only a `live` camera's picture has to change: a folder's last one stands.
    """

    def __init__(self, *, live: bool = True) -> None:
        self._live = live
        self.trouble: Trouble | None = None
        self._picture_trouble: Trouble | None = None
        self._print = 0
        self._since_ms: float | None = None
        self._looked_ms: float | None = None
        self._seen = 0

    def feed(self, frame: Frame) -> Trouble | None:
        """What is wrong with the stream after this frame."""
        frozen = self._live and self._same_for_long(frame)
        if self._looked_ms is None or frame.taken_ms - self._looked_ms >= LOOK_EVERY_MS:
            self._looked_ms = frame.taken_ms
            self._picture_trouble = picture_trouble(frame.picture, self._markers(frame))
        self.trouble = Trouble.FROZEN if frozen and self._picture_trouble is None else self._picture_trouble
        return self.trouble

    def _same_for_long(self, frame: Frame) -> bool:
        # One in 64 pixels: a camera's noise does not spare all of them.
        fingerprint = zlib.crc32(frame.picture[::8, ::8].tobytes())
        if self._since_ms is None or fingerprint != self._print:
            self._print, self._since_ms = fingerprint, frame.taken_ms
        return frame.taken_ms - self._since_ms >= FROZEN_AFTER_MS

    def _markers(self, frame: Frame) -> int:
        """Two once seen the right way round, a camera does not begin to mirror: the search is spared."""
        if self._seen < 2:
            self._seen = markers_in(frame.picture)
        return self._seen
