"""A camera at an address: it is asked with its password, and cannot redirect requests to other hosts."""

import hashlib
import re
import socket
import ssl
import struct
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import numpy as np
import pytest

from companion.web.certificates import certificates
from tests.patience import PATIENCE_S
from tests.vision.cameras import jpeg, numbered
from tests.vision.test_pictures import blank_png
from vision.errors import CameraError
from vision.pictures import MOST_SENT_PIXELS
from vision.sources.asking import SHOT_S, Asker
from vision.sources.captures import SnapshotCapture, open_url
from vision.sources.login import Login, answer, choose_challenge
from vision.sources.reconnect import Capture

BASIC = 'Basic realm="camera"'
DIGEST = 'Digest realm="camera", nonce="n1", qop="auth"'
OLD_DIGEST = 'Digest realm="camera", nonce="n2"'
NEWER = 'Digest realm="camera", nonce="n3", qop="auth,auth-int", algorithm=SHA-256, opaque="o"'
STRANGE = 'Digest realm="camera", nonce="n4", algorithm=SHA-1024'
USER, PASSWORD = "anna", "s@fe/"


class _Camera(ThreadingHTTPServer):
    """Answers whoever authenticates in one of the ways that it `wants`; `/old` leads to `redirects_to`."""

    daemon_threads = True

    def __init__(self, wants: tuple[str, ...]) -> None:
        super().__init__(("127.0.0.1", 0), _Answers)
        self.wants = wants
        self.asked: list[str] = []
        self.authorizations: list[str] = []
        self.redirects_to = ""
        self.spoils = [False]
        """Whether each of the next shots is damaged; the first request, which only finds out the type, never
        is."""
        self.first_after_s = 0.0


class _Answers(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        camera = self.server
        assert isinstance(camera, _Camera)
        camera.asked.append(self.path)
        camera.authorizations.append(self.headers.get("Authorization", ""))
        if self.path == "/old":
            self.send_response(302)
            self.send_header("Location", camera.redirects_to)
            self.end_headers()
        elif camera.wants and not _has_valid_login(camera.authorizations[-1], self.path, camera):
            self.send_response(401)
            for challenge in camera.wants:
                self.send_header("WWW-Authenticate", challenge)
            self.end_headers()
        else:
            {
                "/shot.jpg": self._send_shot,
                "/list": self._send_playlist,
                "/drips": self._send_endless_picture,
                "/bytes": self._send_picture_as_bytes,
                "/stalls": self._break_off,
                "/text-video": self._send_text_film,
                "/seldom": self._send_seldom,
            }.get(self.path, self._send_film)()

    def _send_shot(self) -> None:
        assert isinstance(self.server, _Camera)
        self._send_headers("image/jpeg")
        spoilt = len(self.server.asked) > 1 and self.server.spoils and self.server.spoils.pop(0)
        self.wfile.write(jpeg(numbered(1))[: 500 if spoilt else None])

    def _send_picture_as_bytes(self) -> None:
        shot = jpeg(numbered(1))
        self._send_headers("application/octet-stream", len(shot))
        self.wfile.write(shot)

    def _break_off(self) -> None:
        self._send_headers("application/octet-stream", 10_000)
        self.wfile.flush()
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.connection.close()

    def _send_playlist(self) -> None:
        assert isinstance(self.server, _Camera)
        self._send_headers("application/vnd.apple.mpegurl")
        self.wfile.write(f"#EXTM3U\n#EXTINF:9,\n{self.server.redirects_to}\n#EXT-X-ENDLIST\n".encode())

    def _send_endless_picture(self) -> None:
        self._send_headers("image/jpeg")
        while True:
            self.wfile.write(b"x" * 100_000)

    def _send_film(self) -> None:
        assert isinstance(self.server, _Camera)
        self._send_headers("multipart/x-mixed-replace; boundary=frame")
        threading.Event().wait(self.server.first_after_s)
        while True:
            spoilt = bool(self.server.spoils) and self.server.spoils.pop(0)
            shot = jpeg(numbered(1))[: 1200 if spoilt else None]
            self.wfile.write(b"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: %d\r\n\r\n" % len(shot))
            self.wfile.write(shot + b"\r\n")

    def _send_text_film(self) -> None:
        self._send_headers("multipart/x-mixed-replace; boundary=frame")
        while True:
            self.wfile.write(b"--frame\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n\r\ncubes\r\n")

    def _send_seldom(self) -> None:
        self._send_headers("multipart/x-mixed-replace; boundary=frame")
        shot = jpeg(numbered(1))
        while True:
            self.wfile.write(b"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: %d\r\n\r\n" % len(shot))
            self.wfile.write(shot + b"\r\n")
            threading.Event().wait(2.0)

    def _send_headers(self, kind: str, size: int | None = None) -> None:
        self.send_response(200)
        self.send_header("Content-Type", kind)
        if size is not None:
            self.send_header("Content-Length", str(size))
        self.end_headers()

    def handle(self) -> None:
        try:
            super().handle()
        except OSError:
            self.close_connection = True

    def log_message(self, *_: object) -> None:
        """Log nothing."""


def _has_valid_login(authorization: str, path: str, camera: _Camera) -> bool:
    """Check the credentials as a camera does, with a computation of its own."""
    if authorization.startswith("Basic"):
        return (
            any(offered.startswith("Basic") for offered in camera.wants)
            and authorization == "Basic YW5uYTpzQGZlLw=="
        )
    fields = {
        k: quoted or plain for k, quoted, plain in re.findall(r'(\w+)=(?:"([^"]*)"|([^,]+))', authorization)
    }
    is_replayed = authorization in camera.authorizations[:-1] and "nc" in fields
    if not fields or fields["uri"] != path or is_replayed:
        return False
    challenge = next((offered for offered in camera.wants if f'"{fields["nonce"]}"' in offered), "")

    def digest(*parts: str) -> str:
        return hashlib.new(
            "sha256" if "SHA-256" in challenge else "md5", ":".join(parts).encode()
        ).hexdigest()

    user_hash, request_hash = digest(USER, "camera", PASSWORD), digest("GET", path)
    if "qop" not in challenge:
        return bool(fields["response"] == digest(user_hash, fields["nonce"], request_hash))
    return bool(
        fields["response"]
        == digest(user_hash, fields["nonce"], fields["nc"], fields["cnonce"], fields["qop"], request_hash)
    )


@contextmanager
def _serve_camera(*wants: str) -> Iterator[_Camera]:
    with _Camera(wants) as camera:
        thread = threading.Thread(target=camera.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield camera
        finally:
            camera.shutdown()
            thread.join()


def _url(camera: _Camera, path: str, login: str = "anna:s%40fe%2F@") -> str:
    return f"http://{login}127.0.0.1:{camera.server_port}{path}"


def _check_shows_picture(capture: Capture) -> None:
    assert capture.read().shape == (240, 320, 3)
    capture.close()


@pytest.mark.parametrize(
    "wants",
    [
        (BASIC,),
        (DIGEST,),
        (OLD_DIGEST,),
        (NEWER,),
        (BASIC, DIGEST),
        (STRANGE, NEWER),
        (f"{BASIC}, {DIGEST}",),
    ],
    ids=["basic", "digest", "old digest", "sha 256", "both", "one that nobody knows", "both in one"],
)
def test_user_and_password_of_an_address_are_sent_as_the_camera_wants_them(wants: tuple[str, ...]) -> None:
    """Digest used to be answered with Basic, and so got 401 for ever."""
    with _serve_camera(*wants) as camera:
        shots = open_url(_url(camera, "/shot.jpg"))
        assert isinstance(shots, SnapshotCapture)
        _check_shows_picture(shots)
        assert len(camera.asked) == 3, "how to ask is remembered"
        assert camera.authorizations[0] == "", "no password before it is asked for"
        schemes = {authorization.partition(" ")[0] for authorization in camera.authorizations[1:]}
        assert schemes == {"Digest" if any("Digest" in challenge for challenge in wants) else "Basic"}


@pytest.mark.parametrize("wants", [(BASIC,), (DIGEST,), (NEWER,), (STRANGE,)])
def test_a_wrong_password_is_tried_once_and_told_to_nobody(wants: tuple[str, ...]) -> None:
    """Cameras lock out clients that guess repeatedly."""
    with _serve_camera(*wants) as camera:
        for login, tries in (("", 0), ("anna:wrong@", STRANGE not in wants)):
            camera.authorizations.clear()
            with pytest.raises(CameraError) as refused:
                open_url(_url(camera, "/shot.jpg", login))
            assert ("Check user, password" if login else "Write user:password@") in refused.value.remedy
            assert "wrong" not in f"{refused.value!r} {refused.value}"
            assert sum(bool(authorization) for authorization in camera.authorizations) == tries
    assert "s@fe" not in repr(Login(USER, PASSWORD))


def test_a_number_that_is_used_up_is_asked_for_anew() -> None:
    """The nonce of a digest expires after a while."""
    with _serve_camera(DIGEST) as camera:
        shots = open_url(_url(camera, "/shot.jpg"))
        camera.wants = (NEWER,)
        _check_shows_picture(shots)


@pytest.mark.parametrize("wants", [(), (BASIC,), (DIGEST,)])
def test_a_film_is_asked_for_with_the_password_too(wants: tuple[str, ...]) -> None:
    """FFmpeg sends its own request, so it is given the redirected path of the camera by us."""
    with _serve_camera(*wants) as camera:
        _check_shows_picture(open_url(_url(camera, "/video")))
        camera.redirects_to = "/video"
        _check_shows_picture(open_url(_url(camera, "/old")))


def test_a_camera_leads_to_no_other_machine_or_service() -> None:
    with _serve_camera(BASIC) as camera, _serve_camera() as other_camera:
        camera.redirects_to = _url(other_camera, "/admin/reboot", "")
        with pytest.raises(CameraError) as refused:
            open_url(_url(camera, "/old"))
        assert "leads elsewhere" in refused.value.remedy
        assert other_camera.asked == []
        camera.redirects_to = "/shot.jpg"  # another path of the same camera
        assert isinstance(open_url(_url(camera, "/old")), SnapshotCapture)
        assert camera.asked == ["/old", "/old", "/shot.jpg", "/shot.jpg"]


@pytest.mark.parametrize("wants", [(), (BASIC,), (DIGEST,), (OLD_DIGEST,)])
def test_a_camera_leads_from_one_of_its_paths_to_another(wants: tuple[str, ...]) -> None:
    """The password was not sent to the second path, and users who had written it were told to write it."""
    with _serve_camera(*wants) as camera:
        camera.redirects_to = "/shot.jpg"
        capture = open_url(_url(camera, "/old"))
        assert isinstance(capture, SnapshotCapture)
        for _ in range(2):
            _check_shows_picture(capture)


def test_a_camera_that_writes_the_usual_port_out_leads_to_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    """`http://camera/` and `http://camera:80/` are one; another port or another scheme is not."""
    connect = socket.create_connection
    with _serve_camera() as camera:
        here = ("127.0.0.1", camera.server_port)
        monkeypatch.setattr(
            socket, "create_connection", lambda _, *rest, **more: connect(here, *rest, **more)
        )
        for asked, written in (("", ":80"), (":80", "")):
            camera.redirects_to = f"http://127.0.0.1{written}/shot.jpg"
            assert Asker(f"http://127.0.0.1{asked}/old").gives_pictures()
        for elsewhere in ("http://127.0.0.1:443", "https://127.0.0.1:80", "http://127.0.0.1:0"):
            camera.redirects_to = f"{elsewhere}/shot.jpg"
            with pytest.raises(CameraError, match="error 302"):
                Asker("http://127.0.0.1/old").gives_pictures()
        assert camera.asked == ["/old", "/shot.jpg"] * 2 + ["/old"] * 3


def test_a_picture_that_is_called_a_stream_of_bytes_is_a_picture() -> None:
    """FFmpeg took it for a film of one frame, so most of the time the camera "did not answer"."""
    with _serve_camera(BASIC) as camera:
        assert isinstance(open_url(_url(camera, "/bytes")), SnapshotCapture)


def test_a_camera_that_breaks_off_as_it_begins_does_not_answer() -> None:
    """A network error used to reach the caller unconverted."""
    with _serve_camera(BASIC) as camera, pytest.raises(CameraError, match="does not answer"):
        open_url(_url(camera, "/stalls"))


def test_a_film_leads_nowhere_else_either(monkeypatch: pytest.MonkeyPatch) -> None:
    """FFmpeg followed redirects of its own requests, and requested whatever a playlist names."""
    with _serve_camera() as camera, _serve_camera() as other_camera:
        camera.redirects_to = _url(other_camera, "/admin/reboot.ts", "")
        with pytest.raises(CameraError, match="sends no video"):
            open_url(_url(camera, "/list", ""))
        monkeypatch.setattr(
            Asker, "gives_pictures", lambda _: False
        )  # it says one thing to us, another later
        with pytest.raises(CameraError, match="sends no video"):
            open_url(_url(camera, "/old", ""))
        assert camera.asked == ["/list", "/list", "/old"]
        assert other_camera.asked == []


def test_a_shot_that_was_damaged_on_its_way_is_taken_again() -> None:
    """Each was reported as a lost camera and ended the countdown; one that sends nothing else is lost."""
    with _serve_camera() as camera:
        camera.spoils = [True, True, False, True, False]
        shots = open_url(_url(camera, "/shot.jpg"))
        shots.read()
        shots.read()
        camera.spoils = [True] * 3
        with pytest.raises(CameraError, match="is cut short"):
            shots.read()


def test_a_picture_of_a_stream_that_was_damaged_on_its_way_is_passed_over() -> None:
    """The missing part was shown grey, like a tray with other cubes."""
    with _serve_camera() as camera:
        camera.spoils = [False, True, True, False]
        film = open_url(_url(camera, "/video"))
        shown = [film.read() for _ in range(4)]
        film.close()
    assert not camera.spoils
    assert all(np.array_equal(shown[0], picture) for picture in shown)


def test_a_camera_that_takes_its_time_for_the_first_picture_of_a_film_is_waited_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A 4K camera, or one that sends a keyframe only every few seconds, was said to send no film at all."""
    monkeypatch.setattr("vision.sources.captures.TIMEOUT_S", 0.3)
    with _serve_camera() as camera:
        camera.first_after_s = 1.0
        open_url(_url(camera, "/video")).close()


def test_a_film_of_which_no_picture_comes_is_a_camera_that_does_not_answer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """While a phone's camera app slept, users were told to make it send MJPEG, as it always had."""
    monkeypatch.setattr("vision.sources.captures._OPEN_S", 0.3)
    with _serve_camera() as camera:
        camera.first_after_s = PATIENCE_S
        with pytest.raises(CameraError, match="does not answer"):
            open_url(_url(camera, "/video"))


@pytest.mark.parametrize(
    ("path", "words"),
    [("/text-video", "no video that can be read"), ("/seldom", "at least one picture a second")],
)
def test_a_film_that_begins_and_shows_nothing_says_why(
    path: str, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The camera "did not answer", while it had: its pictures were of another kind, or came too seldom."""
    monkeypatch.setattr("vision.sources.captures.TIMEOUT_S", 0.5)
    with _serve_camera() as camera:
        film = open_url(_url(camera, path, ""))
        with pytest.raises(CameraError, match=words):
            film.read()
        film.close()


def test_a_picture_that_never_ends_is_given_up() -> None:
    """Each piece came in time, so no timeout fired and no error was raised: the camera was gone for good."""
    now_s = [0.0]

    def clock() -> float:
        now_s[0] += SHOT_S / 4
        return now_s[0]

    with _serve_camera() as camera:
        shots = SnapshotCapture(Asker(_url(camera, "/drips")), clock, lambda _: None)
        with pytest.raises(CameraError, match="does not answer"):
            shots.read()


def test_a_picture_that_would_fill_the_memory_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """A camera is a device on the network too: half a megabyte once took two gigabytes of memory."""
    asker = Asker("http://192.168.1.20/shot")
    large = blank_png(2048, MOST_SENT_PIXELS // 2048 + 1)
    monkeypatch.setattr(asker, "shot", lambda _: large)
    with pytest.raises(CameraError, match="more pixels than can be read") as refused:
        SnapshotCapture(asker, sleep=lambda _: None).read()
    assert refused.value.key == "picture_large"


def test_a_certificate_that_nobody_vouches_for_is_told_as_what_it_is(tmp_path: Path) -> None:
    """Most cameras have one: users were told that the camera does not answer, and to wake the phone."""
    made = certificates(tmp_path, ["127.0.0.1"])
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(made.chain, made.key)
    with _serve_camera(BASIC) as camera:
        camera.socket = context.wrap_socket(camera.socket, server_side=True)
        address = _url(camera, "/shot.jpg").replace("http:", "https:")
        with pytest.raises(CameraError, match="The certificate of") as refused:
            open_url(address)
    assert (refused.value.key, camera.asked) == ("certificate", [])
    assert "s%40fe" not in f"{refused.value}"


def test_what_is_no_address_at_all_is_told() -> None:
    with pytest.raises(CameraError, match="does not answer"):
        open_url("http://[::1/shot.jpg")


@pytest.mark.parametrize(
    ("algorithm", "response"),
    [
        ("SHA-256", "753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"),
        ("MD5", "8ca523f5e9506fed4657c9700eebdbec"),
    ],
)
def test_a_digest_is_that_of_the_rfc(algorithm: str, response: str) -> None:
    """RFC 7616, 3.9.1."""
    nonce, opaque = (
        "7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v",
        "FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS",
    )
    challenge = choose_challenge(
        [
            f'Digest realm="http-auth@example.org", qop="auth, auth-int", algorithm={algorithm}, '
            f'nonce="{nonce}", opaque="{opaque}"'
        ]
    )
    assert challenge is not None
    chance = "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ"
    header = answer(challenge, Login("Mufasa", "Circle of Life"), "/dir/index.html", 1, chance)
    assert f'response="{response}"' in header
    assert f'opaque="{opaque}"' in header
