"""Devices and connections that give pictures: USB cameras, streams and single shots from a URL."""

import base64
import http.client
import os
import re
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import IO
from urllib.parse import unquote, urlsplit, urlunsplit

import cv2

from vision.errors import CameraError, PictureError
from vision.pictures import Picture, as_bgr8, decode_picture
from vision.sources.lightlock import LightLock, LockState
from vision.sources.reconnect import Capture

TIMEOUT_S = 3.0
"""OpenCV alone would wait 30 s for a phone that went to sleep."""
SNAPSHOT_EVERY_S = 0.1
_WIDTH, _HEIGHT = 1280, 960
_MOST_BYTES = 32 * 1024 * 1024
_USER_AND_PASSWORD = re.compile(r"(?<=//)[^/\s]*@")
"""To the last @ before the path: a password may hold one."""


class CvCapture:
    """`cv2.VideoCapture` as a `Capture`."""

    def __init__(self, capture: cv2.VideoCapture, lost: CameraError, lock: LightLock | None = None) -> None:
        self._capture = capture
        self._lost = lost
        self._lock = lock

    @property
    def light(self) -> LockState:
        """As the lock says; a stream's camera is not ours to set."""
        return LockState.ELSEWHERE if self._lock is None else self._lock.state

    def read(self) -> Picture:
        """The next frame."""
        try:
            done, pixels = self._capture.read()
        except cv2.error:  # some back ends raise when the device vanishes
            done, pixels = False, None
        if not done or pixels is None:
            raise self._lost
        try:
            picture = as_bgr8(pixels, "the camera's picture")
        except PictureError as error:
            raise CameraError(error.sentence, error.remedy, error.key) from None
        if self._lock is not None:
            self._lock.feed(picture)
        return picture

    def close(self) -> None:
        """Release the device."""
        self._capture.release()


def open_usb(device: int | str) -> Capture:
    """A USB camera by index or device path. Raises `CameraError`: missing, not permitted, or busy."""
    _hush_opencv()
    _look_at_device(device)
    back_end = cv2.CAP_V4L2 if sys.platform.startswith("linux") else cv2.CAP_ANY
    capture = cv2.VideoCapture(device, back_end)
    busy = CameraError(
        f"{usb_name(device)} gives no picture.",
        "Is another program using it? Close it, or plug the camera in again.",
        "busy",
    )
    if not capture.isOpened():
        capture.release()
        raise busy
    # MJPG: uncompressed 1280×960 does not fit through USB 2 at 15 frames a second.
    capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
    capture.set(cv2.CAP_PROP_FRAME_WIDTH, _WIDTH)
    capture.set(cv2.CAP_PROP_FRAME_HEIGHT, _HEIGHT)
    capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
    return CvCapture(capture, busy, LightLock(capture))


def open_url(url: str) -> Capture:
    """A camera by URL: single shots where the answer is a picture, else a stream. Raises `CameraError`."""
    if url.startswith(("http://", "https://")) and _answers_with_a_picture(url):
        return SnapshotCapture(url)
    _hush_opencv()
    milliseconds = int(TIMEOUT_S * 1000)
    limits = [cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, milliseconds, cv2.CAP_PROP_READ_TIMEOUT_MSEC, milliseconds]
    capture = cv2.VideoCapture(url, cv2.CAP_FFMPEG, limits)
    if not capture.isOpened():
        capture.release()
        raise CameraError(
            f"{url_name(url)} sends no film that can be read.", "MJPEG, RTSP or a JPEG will do.", "no_film"
        )
    return CvCapture(capture, _gone(url))


class SnapshotCapture:
    """A URL that answers with one picture: asked again and again, so that nothing is ever stale."""

    light = LockState.ELSEWHERE

    def __init__(
        self,
        url: str,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._url = url
        self._clock = clock
        self._sleep = sleep
        self._due_s = clock()

    def read(self) -> Picture:
        """The next shot, at most ten a second."""
        self._sleep(max(0.0, self._due_s - self._clock()))
        self._due_s = self._clock() + SNAPSHOT_EVERY_S
        with _answer(self._url) as response:
            try:
                data = response.read(_MOST_BYTES)
            except (OSError, http.client.HTTPException):
                raise _gone(self._url) from None
        try:
            return decode_picture(data, f"the picture from {url_name(self._url)}")
        except PictureError as error:
            raise CameraError(error.sentence, error.remedy, error.key) from None

    def close(self) -> None:
        """Nothing is held open between two shots."""


def usb_name(device: int | str) -> str:
    """For sentences."""
    return f"USB camera {device}"


def url_name(url: str) -> str:
    """The URL without user and password, for sentences and logs."""
    return _USER_AND_PASSWORD.sub("", url)


def _look_at_device(device: int | str) -> None:
    """What the file system knows before a driver is asked. Raises `CameraError`."""
    path = Path(f"/dev/video{device}" if isinstance(device, int) else device)
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
            f"{usb_name(device)} may not be opened by this user.",
            "Run `sudo usermod -aG video $USER` and log in again.",
            "not_permitted",
        )


def _answers_with_a_picture(url: str) -> bool:
    with _answer(url) as response:
        return str(response.headers.get_content_type()).startswith("image/")


def _answer(url: str) -> http.client.HTTPResponse:
    """Open the URL. Raises `CameraError` with what the other side said."""
    try:
        response = urllib.request.build_opener(_StaysThere).open(_asked(url), timeout=TIMEOUT_S)
    except urllib.error.HTTPError as error:
        code = error.code
        error.close()
        remedy = _REMEDIES.get(code, "Check the path of the URL.")
        raise CameraError(f"{url_name(url)} answered with error {code}.", remedy, "address") from None
    except (OSError, http.client.HTTPException, ValueError):
        raise _gone(url) from None
    assert isinstance(response, http.client.HTTPResponse)
    return response


class _StaysThere(urllib.request.HTTPRedirectHandler):
    """Asks no one else: a camera must not send this machine to others of the network, or to itself."""

    def redirect_request(  # noqa: PLR0917 - it is called so
        self,
        req: urllib.request.Request,
        fp: IO[bytes],
        code: int,
        msg: str,
        headers: http.client.HTTPMessage,
        newurl: str,
    ) -> urllib.request.Request | None:
        """Only from one path of the camera to another."""
        if _side(newurl) != _side(req.full_url):
            raise urllib.error.HTTPError(req.full_url, code, msg, headers, fp)
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def _side(url: str) -> tuple[str, str | None, int | None]:
    parts = urlsplit(url)
    return parts.scheme, parts.hostname, parts.port


def _asked(url: str) -> urllib.request.Request:
    """What is asked; user and password go into a header, as they would be taken for the host's name."""
    parts = urlsplit(url)
    asked = urllib.request.Request(urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2])))  # noqa: S310 # the caller let only http(s) in
    if parts.username is not None:
        login = f"{unquote(parts.username)}:{unquote(parts.password or '')}"
        asked.add_header("Authorization", f"Basic {base64.b64encode(login.encode()).decode()}")
    return asked


_LOG_IN = "Write user:password@ into the URL."
_REMEDIES = {
    **dict.fromkeys((401, 403), _LOG_IN),
    **dict.fromkeys((301, 302, 303, 307, 308), "It leads elsewhere: give the camera's own address."),
}


def _gone(url: str) -> CameraError:
    return CameraError(
        f"{url_name(url)} does not answer.",
        "Is the phone awake, its camera app running, and on the same network?",
        "no_answer",
    )


def _hush_opencv() -> None:
    """OpenCV would write of each failed attempt to stderr; we say it once, in `trouble`."""
    os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")
    cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)
