"""A stand-in for a network camera speaking RTSP (RFC 2326): JPEG in RTP (RFC 2435), over TCP or UDP."""

import base64
import hashlib
import re
import socket
import socketserver
import struct
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from types import TracebackType
from typing import Self

import cv2
import numpy as np

from tests.ports import free_port
from vision.pictures import Picture

_FRAGMENT = 1400
_PAYLOAD, _SSRC = 26, 0x7E45
_MARKS = 16
"""Number of fields in a row that show a picture's number in binary."""
_SIDES_BGR = ((200, 40, 30), (30, 160, 40), (40, 30, 200))
_TABLES, _SCAN = 0xDB, 0xDA
_WORDS = {200: "OK", 401: "Unauthorized", 404: "Not Found", 461: "Unsupported Transport"}
_FIELD = re.compile(r'(\w+)="([^"]*)"')
Headers = Mapping[str, str]


def marked(number: int, width: int, height: int) -> Picture:
    """A picture of blue, green and red side by side, with its number above them."""
    picture = np.full((height, width, 3), 128, np.uint8)
    for side, colour in enumerate(_SIDES_BGR):
        picture[height // 4 :, side * width // 3 : (side + 1) * width // 3] = colour
    for place in range(_MARKS):
        bright = 235 * (number >> place & 1) + 10
        picture[: height // 4, place * width // _MARKS : (place + 1) * width // _MARKS] = bright
    return picture


def number_in(picture: Picture) -> int:
    """Read the number from a picture."""
    height, width = picture.shape[:2]
    row = picture[height // 8, :, 1]
    return sum((int(row[(2 * i + 1) * width // (2 * _MARKS)]) > 128) << i for i in range(_MARKS))


def sides_in(picture: Picture) -> list[int]:
    """Return which channel is strongest in each of the three parts."""
    height, width = picture.shape[:2]
    return [int(picture[height * 2 // 3, (2 * i + 1) * width // 6].argmax()) for i in range(3)]


def payloads(jpeg: bytes) -> Iterator[bytes]:
    """Split a baseline 4:2:0 JPEG into RTP payloads, with its tables in the first (RFC 2435, 3.1)."""
    tables, at = b"", 2
    while True:
        kind, size = jpeg[at + 1], int.from_bytes(jpeg[at + 2 : at + 4])
        body = jpeg[at + 4 : at + 2 + size]
        at += 2 + size
        if kind == _TABLES:
            tables += b"".join(body[i + 1 : i + 65] for i in range(0, len(body), 65))
        elif kind == 0xC0:
            height, width = struct.unpack("!HH", body[1:5])
        elif kind == _SCAN:
            break
    scan, offset = jpeg[at:-2], 0
    while offset < len(scan):
        head = struct.pack("!IBBBB", offset, 1, 255, width // 8, height // 8)
        if offset == 0:
            head += struct.pack("!HH", 0, len(tables)) + tables
        piece = scan[offset : offset + _FRAGMENT - len(head)]
        offset += len(piece)
        yield head + piece


class RtspCamera:
    """Serves `/stream` on 127.0.0.1 until it is unplugged."""

    def __init__(
        self, port: int = 0, *, login: str = "", by_tcp: bool = True, by_udp: bool = True, fps: float = 15.0
    ) -> None:
        self.login = login
        """How it asks for the password, "Basic" or "Digest", or not at all; the login is anna, s@fe/."""
        self.by_tcp, self.by_udp = by_tcp, by_udp
        self.lost, self.microphone = False, False
        """Whether what is sent by UDP gets lost; whether it also offers sound, and then sends none."""
        self.fps = fps
        self.size_px = (320, 240)
        self.stalls, self.deaf = threading.Event(), threading.Event()
        """Set to make it send no pictures, or also answer nothing, as if its plug had been pulled."""
        self.sent, self.readers = 0, 0
        self.asked: list[str] = []
        self.off = threading.Event()
        self._connections: set[socket.socket] = set()
        self._server = _Server(("127.0.0.1", port or free_port()), _Answers)
        self._server.camera = self
        self.port = int(self._server.server_address[1])
        for loop in (self._server.serve_forever, self._advance_number):
            threading.Thread(target=loop, args=(0.01,), daemon=True).start()

    def url(self, before: str = "", path: str = "/stream") -> str:
        return f"rtsp://{before}127.0.0.1:{self.port}{path}"

    def cut(self) -> None:
        """Close every connection, as a restarting camera does."""
        for connection in list(self._connections):
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)

    def unplug(self) -> None:
        """Stop answering on the port."""
        self.off.set()
        self._server.shutdown()
        self._server.server_close()
        self.cut()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if not self.off.is_set():
            self.unplug()

    def _advance_number(self, _: float) -> None:
        """Time passes whether anybody watches or not: a picture's number says when it was taken."""
        while not self.off.wait(1 / self.fps):
            self.sent += not self.stalls.is_set()

    def accepts_login(self, method: str, authorization: str) -> bool:
        if not self.login:
            return True
        if self.login == "Basic":
            return authorization == "Basic " + base64.b64encode(b"anna:s@fe/").decode()
        fields = dict(_FIELD.findall(authorization))
        user_hash, request_hash = _md5("anna:cam:s@fe/"), _md5(f"{method}:{fields.get('uri')}")
        return fields.get("response") == _md5(f"{user_hash}:n1:{request_hash}")


class _Server(socketserver.ThreadingTCPServer):
    daemon_threads, block_on_close, allow_reuse_address = True, False, True
    camera: RtspCamera


class _Answers(socketserver.StreamRequestHandler):
    """Handles one connection."""

    def setup(self) -> None:
        super().setup()
        assert isinstance(self.server, _Server)
        self.camera = self.server.camera
        self.camera._connections.add(self.connection)
        self.write_lock = threading.Lock()
        self.gone = threading.Event()
        self.udp: tuple[socket.socket, int] | None = None

    def handle(self) -> None:
        with suppress(OSError, ValueError):
            while line := self.rfile.readline():
                if line[:1] == b"$":  # a reader's reception report between requests
                    line = self._skip_reports(line)
                method, url, _ = line.decode().split()
                headers = self._read_headers()
                self.camera.asked.append(method)
                if not self.camera.deaf.is_set() and not self._answer(method, url, headers):
                    return

    def finish(self) -> None:
        self.gone.set()
        self.camera._connections.discard(self.connection)
        if self.udp is not None:
            self.udp[0].close()
        with suppress(OSError):
            super().finish()

    def _skip_reports(self, line: bytes) -> bytes:
        while line[:1] == b"$":
            while len(line) < 4 or len(line) < (size := 4 + int.from_bytes(line[2:4])):
                line += self.rfile.read(1)
            line = line[size:] or self.rfile.readline()
        return line if line.endswith(b"\n") else line + self.rfile.readline()

    def _read_headers(self) -> Headers:
        lines = iter(lambda: self.rfile.readline().decode().strip(), "")
        return {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}

    def _answer(self, method: str, url: str, headers: Headers) -> bool:
        """Answer a request; return whether the connection stays open."""
        code, extra_headers, body = self._make_response(method, url, headers)
        lines = [f"RTSP/1.0 {code} {_WORDS[code]}", f"CSeq: {headers['cseq']}", *extra_headers]
        if body:
            lines.append(f"Content-Length: {len(body)}")
        with self.write_lock:
            self.wfile.write("\r\n".join([*lines, "", body]).encode())
        if method == "PLAY" and code == 200:
            threading.Thread(target=self._play, daemon=True).start()
        return method != "TEARDOWN"

    def _make_response(self, method: str, url: str, headers: Headers) -> tuple[int, list[str], str]:
        if method == "OPTIONS":
            return 200, ["Public: OPTIONS, DESCRIBE, SETUP, PLAY, GET_PARAMETER, TEARDOWN"], ""
        if not self.camera.accepts_login(method, headers.get("authorization", "")):
            nonce = ', nonce="n1"' if self.camera.login == "Digest" else ""
            return 401, [f'WWW-Authenticate: {self.camera.login} realm="cam"{nonce}'], ""
        if "/stream" not in url:
            return 404, [], ""
        if method == "DESCRIBE":
            lines = ["v=0", "o=- 1 1 IN IP4 127.0.0.1", "s=stream", "c=IN IP4 0.0.0.0", "t=0 0"]
            lines += [f"m=video 0 RTP/AVP {_PAYLOAD}", "a=control:track1"]
            if self.camera.microphone:
                lines += ["m=audio 0 RTP/AVP 0", "a=control:track2"]
            kind = ["Content-Type: application/sdp", f"Content-Base: {url}/"]
            return 200, kind, "\r\n".join([*lines, ""])
        return self._set_up(headers) if method == "SETUP" else (200, ["Session: 7;timeout=60"], "")

    def _set_up(self, headers: Headers) -> tuple[int, list[str], str]:
        transport = headers["transport"]
        port = re.search(r"client_port=(\d+)", transport)
        if not (self.camera.by_udp if port else self.camera.by_tcp):
            return 461, [], ""
        if port:
            udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
            udp.bind(("127.0.0.1", 0))
            self.udp = udp, int(port[1])
            transport += f";server_port={udp.getsockname()[1]}-{udp.getsockname()[1] + 1}"
        return 200, ["Session: 7;timeout=60", f"Transport: {transport}"], ""

    def _play(self) -> None:
        camera, count, last = self.camera, 0, -1
        camera.readers += 1
        with suppress(OSError):
            while not (self.gone.is_set() or camera.off.is_set()):
                if camera.sent != last and not camera.stalls.is_set():
                    last = camera.sent
                    jpeg = cv2.imencode(".jpg", marked(last, *camera.size_px))[1].tobytes()
                    pieces = list(payloads(jpeg))
                    for piece in pieces:
                        marker = 0x80 * (piece is pieces[-1])
                        timestamp = int(last * 90_000 / camera.fps) & 0xFFFFFFFF
                        self._send(
                            struct.pack("!BBHII", 0x80, marker | _PAYLOAD, count, timestamp, _SSRC) + piece
                        )
                        count = (count + 1) & 0xFFFF
                time.sleep(0.2 / camera.fps)
        camera.readers -= 1

    def _send(self, packet: bytes) -> None:
        if self.udp is None:
            with self.write_lock:
                self.wfile.write(struct.pack("!cBH", b"$", 0, len(packet)) + packet)
        elif not self.camera.lost:
            self.udp[0].sendto(packet, ("127.0.0.1", self.udp[1]))


def _md5(text: str) -> str:
    return hashlib.md5(text.encode()).hexdigest()
