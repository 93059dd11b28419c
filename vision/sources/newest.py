"""Only the newest picture of a stream: pictures that queued while another was being decoded are skipped.

Otherwise a computer that decodes more slowly than the camera sends falls behind by whatever the network's
buffers hold: two seconds for large pictures, more for small ones.
"""

import time
from collections.abc import Callable
from typing import Protocol

_AT_HAND_S = 0.005
"""A picture that arrives sooner than this after being asked for had been waiting."""
_LONGEST_S = 0.25
"""Upper limit: without it, a stream whose pictures are always waiting would never be shown."""


class Grabs(Protocol):
    """The part of `cv2.VideoCapture` that takes the next picture without decoding it."""

    def grab(self) -> bool:
        """Return whether there was a picture."""


def grab_newest(stream: Grabs, clock: Callable[[], float] = time.monotonic) -> bool:
    """Take the first picture that had to be waited for; False if no more come."""
    before_s, until_s = clock(), clock() + _LONGEST_S
    while stream.grab():
        now_s = clock()
        if now_s - before_s >= _AT_HAND_S or now_s >= until_s:
            return True
        before_s = now_s
    return False
