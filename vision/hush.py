"""What libpng, libjpeg and their kin print while they decode: of a picture we say one sentence ourselves."""

import os
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress

import cv2

_STDERR = 2
_ONE_AT_A_TIME = threading.Lock()
"""Two that part and join the same stream crosswise would part it for good."""


@contextmanager
def hushed() -> Iterator[None]:
    """What is written on stderr meanwhile goes nowhere: keep it short, other threads are not heard either."""
    with _ONE_AT_A_TIME, ExitStack() as ending:
        with suppress(OSError):  # it is closed: nobody hears anything as it is
            kept = os.dup(_STDERR)
            ending.callback(os.close, kept)
            nowhere = os.open(os.devnull, os.O_WRONLY)
            ending.callback(os.close, nowhere)
            os.dup2(nowhere, _STDERR)
            ending.callback(os.dup2, kept, _STDERR)
        yield


def hush_opencv() -> None:
    """OpenCV and FFmpeg would write of each failed attempt and frame; we say it once, in `trouble`."""
    os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")
    cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)
