"""Whether a stream is fit to be read: lens cap, night mode, mirrored or frozen picture."""

import zlib

from vision.scene.fiducials import count_markers
from vision.scene.trouble import Trouble, picture_trouble
from vision.sources.frame import Frame

FROZEN_AFTER_MS = 3000.0
"""A working camera's noise changes some pixel in every frame; an app that has gone to sleep repeats the last
one. This is short enough to be reported before the countdown to accepting such a picture ends."""
LOOK_EVERY_MS = 1000.0


class StreamWatch:
    """Feed it every frame; `trouble` stands until the stream is well again.

    Only a `live` camera's picture has to change: a folder's last picture stays.
    """

    def __init__(self, *, live: bool = True) -> None:
        self._live = live
        self.trouble: Trouble | None = None
        self._picture_trouble: Trouble | None = None
        self._fingerprint = 0
        self._since_ms: float | None = None
        self._looked_ms: float | None = None
        self._marker_count = 0

    def feed(self, frame: Frame) -> Trouble | None:
        """Return what is wrong with the stream after this frame."""
        frozen = self._live and self._is_frozen(frame)
        if self._looked_ms is None or frame.taken_ms - self._looked_ms >= LOOK_EVERY_MS:
            self._looked_ms = frame.taken_ms
            self._picture_trouble = picture_trouble(frame.picture, self._count_markers(frame))
        self.trouble = Trouble.FROZEN if frozen and self._picture_trouble is None else self._picture_trouble
        return self.trouble

    def _is_frozen(self, frame: Frame) -> bool:
        # One in 64 pixels is enough: a camera's noise does not spare all of them.
        fingerprint = zlib.crc32(frame.picture[::8, ::8].tobytes())
        if self._since_ms is None or fingerprint != self._fingerprint:
            self._fingerprint, self._since_ms = fingerprint, frame.taken_ms
        return frame.taken_ms - self._since_ms >= FROZEN_AFTER_MS

    def _count_markers(self, frame: Frame) -> int:
        """Number of markers seen; once it is two, the search is skipped: a camera does not start to mirror
        midway."""
        if self._marker_count < 2:
            self._marker_count = count_markers(frame.picture)
        return self._marker_count
