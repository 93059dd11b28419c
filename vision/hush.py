"""Silence what libpng, libjpeg and the like print while decoding: we report a bad picture in one sentence."""

import os
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress

import cv2

_STDERR = 2
_ONE_AT_A_TIME = threading.Lock()
"""Two threads redirecting and restoring the same stream out of order would leave it redirected for good."""


@contextmanager
def silenced_stderr() -> Iterator[None]:
    """Discard what is written to stderr meanwhile; keep it short, since it silences other threads too."""
    with _ONE_AT_A_TIME, ExitStack() as cleanup:
        with suppress(OSError):  # it is closed: nobody hears anything anyway
            saved_stderr = os.dup(_STDERR)
            cleanup.callback(os.close, saved_stderr)
            devnull = os.open(os.devnull, os.O_WRONLY)
            cleanup.callback(os.close, devnull)
            os.dup2(devnull, _STDERR)
            cleanup.callback(os.dup2, saved_stderr, _STDERR)
        yield


def silence_opencv() -> None:
    """Silence what OpenCV and FFmpeg write about each failed attempt and frame; we say it once, in
    `trouble`."""
    os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")
    cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)
