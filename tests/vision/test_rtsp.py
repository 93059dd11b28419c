"""A camera at an rtsp:// address that gives no video says why. The server is a stand-in."""

import socket
import socketserver
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import cast

import pytest

from vision.errors import CameraError
from vision.sources.captures import open_url
from vision.sources.rtsp import diagnose


@contextmanager
def _camera(answer: bytes) -> Iterator[tuple[str, list[bytes]]]:
    """Yield its address, and the requests it got."""
    asked: list[bytes] = []

    class Handler(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            while line := self.rfile.readline():
                asked.append(line)
                while self.rfile.readline().strip():
                    pass
                self.wfile.write(answer)

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler) as server:
        server.daemon_threads = True
        server.block_on_close = False
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield f"127.0.0.1:{cast('tuple[str, int]', server.server_address)[1]}", asked
        server.shutdown()


@pytest.mark.parametrize(
    ("answer", "words", "remedy"),
    [
        (
            b"RTSP/1.0 401 Unauthorized\r\nCSeq: 1\r\n\r\n",
            "answered with error 401",
            "user, password and path",
        ),
        (b"RTSP/1.0 404 Not Found\r\nCSeq: 1\r\n\r\n", "answered with error 404", "path"),
        (b"RTSP/1.0 453 Not Enough Bandwidth\r\nCSeq: 1\r\n\r\n", "error 453", "another program"),
    ],
)
def test_a_camera_that_gives_no_film_says_why(answer: bytes, words: str, remedy: str) -> None:
    with (
        _camera(answer) as (where, asked),
        pytest.raises(CameraError, match=words) as refusal,
    ):
        open_url(f"rtsp://anna:secret@{where}/live one")
    assert remedy in refusal.value.remedy
    assert "secret" not in str(refusal.value)
    assert asked[-1] == f"DESCRIBE rtsp://{where}/live%20one RTSP/1.0\r\n".encode()


@pytest.mark.parametrize(
    "answer", [b"220 mail.home ESMTP\r\n", b"RTSP/1.0 200 OK\r\n\r\n", b"RTSP/1.0 what\r\n\r\n"]
)
def test_what_tells_nothing_is_not_taken_for_a_reason(answer: bytes) -> None:
    with _camera(answer) as (where, _):
        assert diagnose(f"rtsp://{where}/live") is None


_SDP = (
    b"v=0\r\nm=audio 0 RTP/AVP 0\r\na=control:sound\r\nm=video 0 RTP/AVP 96\r\nb=AS:500\r\na=control:%b\r\n"
)


@pytest.mark.parametrize(
    ("head", "control", "track"),
    [
        (b"", b"track1", "rtsp://{}/live/track1"),
        (b"Content-Base: rtsp://other/here/\r\n", b"track1", "rtsp://other/here/track1"),
        (b"", b"rtsp://other/film", "rtsp://other/film"),
        (b"", b"*", "rtsp://{}/live"),
    ],
)
def test_the_film_is_asked_for_where_the_camera_says_it_is(head: bytes, control: bytes, track: str) -> None:
    """Not the sound; and if the camera grants the request there is nothing to report."""
    body = _SDP % control
    length = b"Content-Length: %d\r\n\r\n" % len(body)
    with _camera(b"RTSP/1.0 200 OK\r\n" + head + length + body) as (where, asked):
        assert diagnose(f"rtsp://{where}/live") is None
        assert asked[-1].decode() == f"SETUP {track.format(where)} RTSP/1.0\r\n"


@pytest.mark.parametrize("where", ["127.0.0.1:9", "127.0.0.1:99999", "[::1"])
def test_a_camera_that_is_off_does_not_answer(where: str) -> None:
    """People used to be told to make it send something else."""
    with pytest.raises(CameraError, match="does not answer"):
        open_url(f"rtsp://{where}/live")


def test_a_name_that_nobody_knows_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """People used to be told that the camera does not answer, and to wake a phone."""

    def unknown(*_: object, **__: object) -> None:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", unknown)
    with pytest.raises(CameraError, match="name that nothing on this network has") as refusal:
        open_url("http://anna:secret@no-such-camera.invalid/shot.jpg")
    for said in (refusal.value, diagnose("rtsp://anna:secret@no-such-camera.invalid/live")):
        assert said is not None
        assert said.key == "unknown_name"
        assert "secret" not in f"{said}"
