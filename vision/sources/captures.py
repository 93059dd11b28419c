"""Devices and connections that give pictures: USB cameras, streams, and single shots from a URL."""

import os
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import cv2
from cv2.typing import MatLike

from vision.addresses import url_name
from vision.errors import CameraError, PictureError
from vision.hush import silence_opencv, silenced_stderr
from vision.pictures import Picture, as_bgr8, decode_sent
from vision.sources import rtsp
from vision.sources.asking import TIMEOUT_S, Asker, misplaced_login_error, no_answer_error
from vision.sources.devices import is_boards_own
from vision.sources.lightlock import LightLock, LockState
from vision.sources.newest import grab_newest
from vision.sources.reconnect import Capture

SNAPSHOT_EVERY_S = 0.1
_TRIES = 3
"""A shot damaged in transit does not yet mean a lost camera, whose report would end a countdown."""
_OPEN_S = 10.0
"""FFmpeg opens a stream with its first key frame, which some cameras send only every few seconds."""
_WIDTH, _HEIGHT = 1280, 960
_MJPG = cv2.VideoWriter.fourcc(*"MJPG")
_PACKED = -1
"""Value of OpenCV's "format" property: pictures undecoded."""
_FFMPEG_OPTIONS = {
    "max_redirects": "0",
    "http_proxy": "none",  # anything but the computer's own, which leads away from the home network
    "format_whitelist": "mpjpeg,mjpeg,jpeg_pipe,mpeg,mpegts,mov,matroska,avi,flv,rtsp,rtp,sdp",
    "rtsp_flags": "prefer_tcp",  # OpenCV's default if no options are given
    "allowed_media_types": "video",  # a silent microphone delayed the first picture by five seconds
}
"""FFmpeg options. RTSP follows redirects whatever they say (docs/threat-model.md)."""
_THREADS = 2
"""FFmpeg decodes as many H.264 pictures at once as there are processors, and lags by as many: by a second
with sixteen. With a single thread, large pictures take too long."""


class CvCapture:
    """`cv2.VideoCapture` as a `Capture`."""

    def __init__(self, capture: cv2.VideoCapture, lost: CameraError, lock: LightLock | None = None) -> None:
        self._capture = capture
        self._lost = lost
        self._lock = lock

    @property
    def light(self) -> LockState:
        """The lock's state; the camera behind a stream is not ours to set."""
        return LockState.ELSEWHERE if self._lock is None else self._lock.state

    def read(self) -> Picture:
        """Return the next frame."""
        try:
            is_read, pixels = self._next_pixels()
        except cv2.error:  # some back ends raise when the device vanishes
            is_read, pixels = False, None
        if not is_read or pixels is None:
            raise self._lost
        try:
            picture = as_bgr8(pixels, "the camera's picture")
        except PictureError as error:
            raise CameraError(error.sentence, error.remedy, error.key) from None
        if self._lock is not None:
            self._lock.feed(picture)
        return picture

    def _next_pixels(self) -> tuple[bool, MatLike | None]:
        """Decode silently, since many webcams' frames make libjpeg complain; only waiting for a frame takes
        long."""
        if not self._capture.grab():
            return False, None
        with silenced_stderr():
            return self._capture.retrieve()

    def close(self) -> None:
        """Release the device."""
        if self._lock is not None:
            self._lock.free()
        self._capture.release()


def open_usb(device: int | str) -> Capture:
    """Open a USB camera by index or device path. Raises `CameraError`: missing, not permitted, or busy."""
    silence_opencv()
    _check_device(device)
    back_end = cv2.CAP_V4L2 if sys.platform.startswith("linux") else cv2.CAP_ANY
    capture = cv2.VideoCapture(device, back_end)
    silent_error = _silent_error(device)
    if not capture.isOpened():
        capture.release()
        raise silent_error
    # MJPG: uncompressed 1280×960 does not fit through USB 2 at 15 frames a second.
    capture.set(cv2.CAP_PROP_FOURCC, _MJPG)
    capture.set(cv2.CAP_PROP_FRAME_WIDTH, _WIDTH)
    capture.set(cv2.CAP_PROP_FRAME_HEIGHT, _HEIGHT)
    capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
    return CvCapture(capture, silent_error, LightLock(capture))


def open_url(url: str) -> Capture:
    """Open a camera by URL: single shots if it answers with a picture, else a stream. Raises
    `CameraError`."""
    try:
        return _open_url(url)
    except CameraError as error:
        raise misplaced_login_error(url, error) or error from None


def _open_url(url: str) -> Capture:
    if url.startswith(("http://", "https://")):
        asker = Asker(url)
        if asker.gives_pictures():
            return SnapshotCapture(asker)
        url = asker.stream_url
    silence_opencv()
    _restrict_ffmpeg()
    opening, reading = (int(1000 * seconds) for seconds in (_OPEN_S, TIMEOUT_S))
    limits = [cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, opening, cv2.CAP_PROP_READ_TIMEOUT_MSEC, reading]
    limits += [cv2.CAP_PROP_N_THREADS, _THREADS]
    began_s = time.monotonic()
    capture = cv2.VideoCapture(url, cv2.CAP_FFMPEG, limits)
    if not capture.isOpened():
        capture.release()
        error = None
        if time.monotonic() - began_s >= _OPEN_S:  # nothing has arrived that could fail to be a video
            error = no_answer_error(url)
        elif url.startswith(rtsp.SCHEME):  # failed at once: find out why before anyone blames the password
            error = rtsp.diagnose(url)
        raise error or _no_film_error(url)
    lost = no_answer_error(url)
    if int(capture.get(cv2.CAP_PROP_FOURCC)) == _MJPG and capture.set(cv2.CAP_PROP_FORMAT, _PACKED):
        return OpenedStream(JpegsCapture(capture, url_name(url), lost), url, lost)
    return OpenedStream(CvCapture(capture, lost), url, lost)


class OpenedStream:
    """A stream that was opened: something answers there, so if no picture ever comes it says why not."""

    def __init__(self, stream: Capture, url: str, lost: CameraError) -> None:
        """`lost`: the error that `stream` raises when it ends."""
        self._stream = stream
        self._url = url
        self._lost = lost
        self._has_shown = False

    @property
    def light(self) -> LockState:
        """The stream's."""
        return self._stream.light

    def read(self) -> Picture:
        """Return the next picture."""
        began_s = time.monotonic()
        try:
            picture = self._stream.read()
        except CameraError as error:
            if error is not self._lost or self._has_shown:
                raise
            is_late = time.monotonic() - began_s >= TIMEOUT_S
            raise (_too_slow_error(self._url) if is_late else _no_film_error(self._url)) from None
        self._has_shown = True
        return picture

    def close(self) -> None:
        """Close the stream."""
        self._stream.close()


def _no_film_error(url: str) -> CameraError:
    return CameraError(
        f"{url_name(url)} sends no video that can be read.", "MJPEG, RTSP or JPEG will do.", "no_film"
    )


def _too_slow_error(url: str) -> CameraError:
    return CameraError(
        f"{url_name(url)} answers, but sends no picture within {TIMEOUT_S:g} s.",
        "Is its app in front? Set it to at least one picture a second.",
        "too_slow",
    )


class JpegsCapture:
    """A stream of JPEGs, decoded here: OpenCV stretches each picture to the size of the stream's first one,
    so that a camera that was turned or reconfigured would show distorted cubes."""

    light = LockState.ELSEWHERE

    def __init__(self, capture: cv2.VideoCapture, name: str, lost: CameraError) -> None:
        self._capture = capture
        self._name = name
        self._lost = lost

    def read(self) -> Picture:
        """Return the next readable picture; up to three tries."""
        return _first_undamaged(self._take_shot)

    def _take_shot(self) -> Picture:
        is_read, data = self._capture.retrieve() if grab_newest(self._capture) else (False, None)
        if not is_read or data is None:
            raise self._lost
        return decode_sent(data.tobytes(), f"the picture from {self._name}")

    def close(self) -> None:
        """Close the stream."""
        self._capture.release()


class SnapshotCapture:
    """A URL that answers with one picture: asked repeatedly, so that nothing is ever stale."""

    light = LockState.ELSEWHERE

    def __init__(
        self,
        asker: Asker,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._asker = asker
        self._clock = clock
        self._sleep = sleep
        self._due_s = clock()

    def read(self) -> Picture:
        """Return the next readable shot; up to three tries, at most ten a second."""
        return _first_undamaged(self._take_shot)

    def _take_shot(self) -> Picture:
        self._sleep(max(0.0, self._due_s - self._clock()))
        self._due_s = self._clock() + SNAPSHOT_EVERY_S
        return decode_sent(self._asker.shot(self._clock), f"the picture from {self._asker.name}")

    def close(self) -> None:
        """Do nothing: no connection stays open between shots."""


def _first_undamaged(shot: Callable[[], Picture]) -> Picture:
    """Return the first undamaged shot. Raises `CameraError` if all three are damaged."""
    for _ in range(_TRIES - 1):
        with suppress(PictureError):
            return shot()
    try:
        return shot()
    except PictureError as error:
        raise CameraError(error.sentence, error.remedy, error.key) from None


def usb_name(device: int | str) -> str:
    """Name for messages."""
    return f"USB camera {device}"


def _silent_error(device: int | str) -> CameraError:
    """The error for a device that exists but gives no picture."""
    if is_boards_own(_device_path(device)):
        return CameraError(
            f"{usb_name(device)} is the board's own camera module, not a USB camera.",
            "Stream it over RTSP (docs/camera.md says how), or use a USB webcam.",
            "module",
        )
    return CameraError(
        f"{usb_name(device)} gives no picture.",
        "Is another program using it? Close that, or plug the camera in again.",
        "busy",
    )


def _device_path(device: int | str) -> Path:
    return Path(f"/dev/video{device}" if isinstance(device, int) else device)


def _check_device(device: int | str) -> None:
    """Check what the file system knows before asking a driver. Raises `CameraError`."""
    path = _device_path(device)
    if not sys.platform.startswith("linux") and isinstance(device, int):
        return
    if not path.exists():
        raise CameraError(
            f"{usb_name(device)} is not plugged in.",
            "Plug it in, or name another (see `tenshu doctor`).",
            "unplugged",
        )
    if not os.access(path, os.R_OK | os.W_OK):
        raise CameraError(
            f"You are not allowed to open {usb_name(device)}.",
            "Run `sudo usermod -aG video $USER` and log in again.",
            "not_permitted",
        )


def _restrict_ffmpeg() -> None:
    """Keep FFmpeg from following anything: no redirect, no playlist. A user's own options take precedence."""
    os.environ.setdefault(
        "OPENCV_FFMPEG_CAPTURE_OPTIONS", "|".join(f"{k};{v}" for k, v in _FFMPEG_OPTIONS.items())
    )
