"""From what a person writes after `--camera` to an open source."""

from pathlib import Path
from urllib.parse import parse_qs

from vision.addresses import lower_scheme, url_name
from vision.errors import CameraError
from vision.pictures import LOOKED_AT
from vision.sources.captures import open_url, open_usb, usb_name
from vision.sources.files import FilmSource, FolderSource, PictureSource
from vision.sources.frame import FrameSource
from vision.sources.live import LiveSource

FORMS = (
    "Give a USB camera's number (0) or device (/dev/video0), a URL (http://phone:8080/video, rtsp://…), "
    "a video, a picture or a folder of pictures."
)
_SCHEMES = ("http://", "https://", "rtsp://", "rtmp://", "udp://")
_MOST_DIGITS = 9
"""Longer numbers are no index of a camera: OpenCV takes 32 bits, and `int` raises beyond 4,300 digits."""


def open_source(spec: str) -> FrameSource:
    """Open the source named by a spec; a folder may end in `?hold=2` (seconds per picture).

    A camera that is not there is retried and reported in `trouble`. Raises `CameraError` for a spec that
    names nothing at all, and `PictureError` for a picture that cannot be read.
    """
    spec = lower_scheme(spec)
    if spec.isascii() and spec.isdigit() and len(spec) <= _MOST_DIGITS:
        index = int(spec)
        return LiveSource(usb_name(index), lambda: open_usb(index))
    if spec.startswith(_SCHEMES):
        return LiveSource(url_name(spec), lambda: open_url(spec))
    if spec.startswith("/dev/"):
        return LiveSource(usb_name(spec), lambda: open_usb(spec))
    return _open_files(spec)


def _open_files(spec: str) -> FrameSource:
    name, _, options = spec.partition("?")
    path = Path(name)
    try:
        is_folder, is_file = bool(name) and path.is_dir(), path.is_file()
    except OSError as error:  # no permission, or a name that is too long
        sentence = f"{url_name(spec)!r} cannot be opened ({error.strerror})."
        raise CameraError(sentence, "Check its name and its permissions.", "no_camera") from None
    if is_folder:
        return FolderSource(path, hold_s=_hold_s(options))
    if not is_file:
        raise CameraError(f"{url_name(spec)!r} is neither a camera nor a file.", FORMS, "no_camera")
    if path.suffix.lower() in LOOKED_AT:
        return PictureSource(path)
    return FilmSource(path)


def _hold_s(options: str) -> float:
    try:
        seconds = float(parse_qs(options).get("hold", ["0"])[-1])
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds <= 3600:
        raise CameraError(f"{options!r} gives no number of seconds.", "Write FOLDER?hold=2.", "no_camera")
    return seconds
