"""Of a stream only what is new: pictures that waited while another was unpacked are passed over.

Else a computer that unpacks slower than a camera sends is late by all that the network's buffers hold: two
seconds for large pictures, more for small ones.
"""

import time
from collections.abc import Callable
from typing import Protocol

_AT_HAND_S = 0.005
"""What is there sooner than this after it was asked for had been waiting."""
_LONGEST_S = 0.25
"""A stream of which all is at hand would never be looked at."""


class Grabs(Protocol):
    """`cv2.VideoCapture`, as far as it takes what comes and unpacks nothing."""

    def grab(self) -> bool:
        """Whether there was any."""


def grab_newest(stream: Grabs, clock: Callable[[], float] = time.monotonic) -> bool:
    """Take the first picture that was waited for; False where none comes any more."""
    before_s, until_s = clock(), clock() + _LONGEST_S
    while stream.grab():
        now_s = clock()
        if now_s - before_s >= _AT_HAND_S or now_s >= until_s:
            return True
        before_s = now_s
    return False
