"""Test doubles: a small web server that streams MJPEG and serves snapshots as phones do, and a clock."""

import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Self

import cv2
import numpy as np

from vision.errors import CameraError
from vision.pictures import Picture
from vision.sources import Frame, LockState


def numbered(number: int, width: int = 320, height: int = 240) -> Picture:
    """A picture whose brightness identifies its number."""
    picture = np.full((height, width, 3), (30, 60, 40), np.uint8)
    picture[:, : width // 2] = 10 * (number % 24) + 10
    return picture


class AsleepPhone:
    """Implements `vision.sources.FrameSource`: five frames a second of one picture, frozen while asleep."""

    live, ended = True, False
    trouble: CameraError | None = None
    light: LockState | None = None

    def __init__(self) -> None:
        self.asleep = True
        self._index = 0

    def read(self, timeout_s: float = 1.0) -> Frame:
        self._index += 1
        picture = numbered(1)
        picture[0, 0] = 0 if self.asleep else self._index % 9
        return Frame(picture, 200.0 * self._index, self._index)

    def describe(self) -> str:
        return "a phone"

    def close(self) -> None:
        """Holds nothing to release."""


class Phone:
    """Serves `/video` (MJPEG), `/shot.jpg` and `/text` on 127.0.0.1 until it is unplugged."""

    def __init__(self, port: int = 0, fps: float = 30.0) -> None:
        phone = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                pages = {
                    "/video": phone._send_stream,
                    "/shot.jpg": phone._send_shot,
                    "/text": phone._send_text,
                }
                page = pages.get(self.path)
                if page is None:
                    self.send_error(404)
                else:
                    page(self)

            def log_message(self, *_: object) -> None:
                pass

        self.fps = fps
        self.size_px = (320, 240)
        """Size of the streamed pictures."""
        self.asleep = threading.Event()
        self.sent = 0
        """Number of pictures sent in the newest stream."""
        self._shots = 0
        self._off = threading.Event()
        self._server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
        self._server.daemon_threads = True
        self._server.block_on_close = False
        self.port = self._server.server_address[1]
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()

    def url(self, path: str) -> str:
        return f"http://127.0.0.1:{self.port}{path}"

    def unplug(self) -> None:
        """Stop answering on the port; running streams break off."""
        self._off.set()
        self._server.shutdown()
        self._server.server_close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if not self._off.is_set():
            self.unplug()

    def _send_stream(self, handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.send_header("Content-Type", "multipart/x-mixed-replace; boundary=frame")
        handler.end_headers()
        number = 0
        try:
            while not self._off.is_set():
                if not self.asleep.is_set():
                    data = jpeg(numbered(number, *self.size_px))
                    head = b"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: %d\r\n\r\n" % len(data)
                    handler.wfile.write(head + data + b"\r\n")
                    number += 1
                    self.sent = number
                time.sleep(1 / self.fps)
        except OSError:
            pass
        handler.close_connection = True

    def _send_shot(self, handler: BaseHTTPRequestHandler) -> None:
        self._send(handler, "image/jpeg", jpeg(numbered(self._shots)))
        self._shots += 1

    def _send_text(self, handler: BaseHTTPRequestHandler) -> None:
        self._send(handler, "text/html", b"<p>Hello</p>")

    def _send(self, handler: BaseHTTPRequestHandler, kind: str, data: bytes) -> None:
        handler.send_response(200)
        handler.send_header("Content-Type", kind)
        handler.send_header("Content-Length", str(len(data)))
        handler.end_headers()
        handler.wfile.write(data)


def jpeg(picture: Picture) -> bytes:
    return cv2.imencode(".jpg", picture)[1].tobytes()


class FakeTime:
    """A clock that only advances when something sleeps."""

    def __init__(self) -> None:
        self.now_s = 100.0

    def clock(self) -> float:
        return self.now_s

    def sleep(self, seconds: float) -> None:
        self.now_s += seconds


def brightness(frame: Frame) -> int:
    return round((int(frame.picture[120, 40, 0]) - 10) / 10)
