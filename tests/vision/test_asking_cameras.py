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
    """Answers whoever authenticates in one of the ways that it `wants`; `/old` redirects to `leads`."""

    daemon_threads = True

    def __init__(self, wants: tuple[str, ...]) -> None:
        super().__init__(("127.0.0.1", 0), _Answers)
        self.wants = wants
        self.asked: list[str] = []
        self.said: list[str] = []
        self.leads = ""
        self.spoils = [False]
        """Whether each of the next shots is damaged; the first request, which only finds out the type, never
        is."""
        self.first_after_s = 0.0


class _Answers(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        camera = self.server
        assert isinstance(camera, _Camera)
        camera.asked.append(self.path)
        camera.said.append(self.headers.get("Authorization", ""))
        if self.path == "/old":
            self.send_response(302)
            self.send_header("Location", camera.leads)
            self.end_headers()
        elif camera.wants and not _right(camera.said[-1], self.path, camera):
            self.send_response(401)
            for challenge in camera.wants:
                self.send_header("WWW-Authenticate", challenge)
            self.end_headers()
        else:
            {
                "/shot.jpg": self._shot,
                "/list": self._list,
                "/drips": self._drips,
                "/bytes": self._bytes,
                "/stalls": self._stalls,
            }.get(self.path, self._film)()

    def _shot(self) -> None:
        assert isinstance(self.server, _Camera)
        self._begin("image/jpeg")
        spoilt = len(self.server.asked) > 1 and self.server.spoils and self.server.spoils.pop(0)
        self.wfile.write(jpeg(numbered(1))[: 500 if spoilt else None])

    def _bytes(self) -> None:
        shot = jpeg(numbered(1))
        self._begin("application/octet-stream", len(shot))
        self.wfile.write(shot)

    def _stalls(self) -> None:
        self._begin("application/octet-stream", 10_000)
        self.wfile.flush()
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.connection.close()

    def _list(self) -> None:
        assert isinstance(self.server, _Camera)
        self._begin("application/vnd.apple.mpegurl")
        self.wfile.write(f"#EXTM3U\n#EXTINF:9,\n{self.server.leads}\n#EXT-X-ENDLIST\n".encode())

    def _drips(self) -> None:
        self._begin("image/jpeg")
        while True:
            self.wfile.write(b"x" * 100_000)

    def _film(self) -> None:
        assert isinstance(self.server, _Camera)
        self._begin("multipart/x-mixed-replace; boundary=frame")
        threading.Event().wait(self.server.first_after_s)
        while True:
            spoilt = bool(self.server.spoils) and self.server.spoils.pop(0)
            shot = jpeg(numbered(1))[: 1200 if spoilt else None]
            self.wfile.write(b"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: %d\r\n\r\n" % len(shot))
            self.wfile.write(shot + b"\r\n")

    def _begin(self, kind: str, size: int | None = None) -> None:
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


def _right(said: str, path: str, camera: _Camera) -> bool:
    """Check the credentials as a camera does, with a computation of its own."""
    if said.startswith("Basic"):
        return any(one.startswith("Basic") for one in camera.wants) and said == "Basic YW5uYTpzQGZlLw=="
    given = {k: quoted or plain for k, quoted, plain in re.findall(r'(\w+)=(?:"([^"]*)"|([^,]+))', said)}
    again = said in camera.said[:-1] and "nc" in given  # a replayed request
    if not given or given["uri"] != path or again:
        return False
    wanted = next((one for one in camera.wants if f'"{given["nonce"]}"' in one), "")

    def h(*parts: str) -> str:
        return hashlib.new("sha256" if "SHA-256" in wanted else "md5", ":".join(parts).encode()).hexdigest()

    who, what = h(USER, "camera", PASSWORD), h("GET", path)
    if "qop" not in wanted:
        return bool(given["response"] == h(who, given["nonce"], what))
    return bool(given["response"] == h(who, given["nonce"], given["nc"], given["cnonce"], given["qop"], what))


@contextmanager
def _on(*wants: str) -> Iterator[_Camera]:
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


def _shown_once(capture: Capture) -> None:
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
    with _on(*wants) as camera:
        shots = open_url(_url(camera, "/shot.jpg"))
        assert isinstance(shots, SnapshotCapture)
        _shown_once(shots)
        assert len(camera.asked) == 3, "how to ask is remembered"
        assert camera.said[0] == "", "no password before it is asked for"
        sent = {said.partition(" ")[0] for said in camera.said[1:]}
        assert sent == {"Digest" if any("Digest" in one for one in wants) else "Basic"}


@pytest.mark.parametrize("wants", [(BASIC,), (DIGEST,), (NEWER,), (STRANGE,)])
def test_a_wrong_password_is_tried_once_and_told_to_nobody(wants: tuple[str, ...]) -> None:
    """Cameras lock out clients that guess repeatedly."""
    with _on(*wants) as camera:
        for login, tries in (("", 0), ("anna:wrong@", STRANGE not in wants)):
            camera.said.clear()
            with pytest.raises(CameraError) as refused:
                open_url(_url(camera, "/shot.jpg", login))
            assert ("Check user, password" if login else "Write user:password@") in refused.value.remedy
            assert "wrong" not in f"{refused.value!r} {refused.value}"
            assert sum(bool(said) for said in camera.said) == tries
    assert "s@fe" not in repr(Login(USER, PASSWORD))


def test_a_number_that_is_used_up_is_asked_for_anew() -> None:
    """The nonce of a digest expires after a while."""
    with _on(DIGEST) as camera:
        shots = open_url(_url(camera, "/shot.jpg"))
        camera.wants = (NEWER,)
        _shown_once(shots)


@pytest.mark.parametrize("wants", [(), (BASIC,), (DIGEST,)])
def test_a_film_is_asked_for_with_the_password_too(wants: tuple[str, ...]) -> None:
    """FFmpeg sends its own request, so it is given the redirected path of the camera by us."""
    with _on(*wants) as camera:
        _shown_once(open_url(_url(camera, "/video")))
        camera.leads = "/video"
        _shown_once(open_url(_url(camera, "/old")))


def test_a_camera_leads_to_no_other_machine_or_service() -> None:
    with _on(BASIC) as camera, _on() as other:
        camera.leads = _url(other, "/admin/reboot", "")
        with pytest.raises(CameraError) as refused:
            open_url(_url(camera, "/old"))
        assert "leads elsewhere" in refused.value.remedy
        assert other.asked == []
        camera.leads = "/shot.jpg"  # another path of the same camera
        assert isinstance(open_url(_url(camera, "/old")), SnapshotCapture)
        assert camera.asked == ["/old", "/old", "/shot.jpg", "/shot.jpg"]


@pytest.mark.parametrize("wants", [(), (BASIC,), (DIGEST,), (OLD_DIGEST,)])
def test_a_camera_leads_from_one_of_its_paths_to_another(wants: tuple[str, ...]) -> None:
    """The password was not sent to the second path, and users who had written it were told to write it."""
    with _on(*wants) as camera:
        camera.leads = "/shot.jpg"
        capture = open_url(_url(camera, "/old"))
        assert isinstance(capture, SnapshotCapture)
        for _ in range(2):
            _shown_once(capture)


def test_a_picture_that_is_called_a_stream_of_bytes_is_a_picture() -> None:
    """FFmpeg took it for a film of one frame, so most of the time the camera "did not answer"."""
    with _on(BASIC) as camera:
        assert isinstance(open_url(_url(camera, "/bytes")), SnapshotCapture)


def test_a_camera_that_breaks_off_as_it_begins_does_not_answer() -> None:
    """A network error used to reach the caller unconverted."""
    with _on(BASIC) as camera, pytest.raises(CameraError, match="does not answer"):
        open_url(_url(camera, "/stalls"))


def test_a_film_leads_nowhere_else_either(monkeypatch: pytest.MonkeyPatch) -> None:
    """FFmpeg followed redirects of its own requests, and requested whatever a playlist names."""
    with _on() as camera, _on() as other:
        camera.leads = _url(other, "/admin/reboot.ts", "")
        with pytest.raises(CameraError, match="sends no video"):
            open_url(_url(camera, "/list", ""))
        monkeypatch.setattr(
            Asker, "gives_pictures", lambda _: False
        )  # it says one thing to us, another later
        with pytest.raises(CameraError, match="sends no video"):
            open_url(_url(camera, "/old", ""))
        assert camera.asked == ["/list", "/list", "/old"]
        assert other.asked == []


def test_a_shot_that_was_damaged_on_its_way_is_taken_again() -> None:
    """Each was reported as a lost camera and ended the countdown; one that sends nothing else is lost."""
    with _on() as camera:
        camera.spoils = [True, True, False, True, False]
        shots = open_url(_url(camera, "/shot.jpg"))
        shots.read()
        shots.read()
        camera.spoils = [True] * 3
        with pytest.raises(CameraError, match="is cut short"):
            shots.read()


def test_a_picture_of_a_stream_that_was_damaged_on_its_way_is_passed_over() -> None:
    """The missing part was shown grey, like a tray with other cubes."""
    with _on() as camera:
        camera.spoils = [False, True, True, False]
        film = open_url(_url(camera, "/video"))
        shown = [film.read() for _ in range(4)]
        film.close()
    assert not camera.spoils
    assert all(np.array_equal(shown[0], one) for one in shown)


def test_a_camera_that_takes_its_time_for_the_first_picture_of_a_film_is_waited_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A 4K camera, or one that sends a keyframe only every few seconds, was said to send no film at all."""
    monkeypatch.setattr("vision.sources.captures.TIMEOUT_S", 0.3)
    with _on() as camera:
        camera.first_after_s = 1.0
        open_url(_url(camera, "/video")).close()


def test_a_film_of_which_no_picture_comes_is_a_camera_that_does_not_answer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """While a phone's camera app slept, users were told to make it send MJPEG, as it always had."""
    monkeypatch.setattr("vision.sources.captures._OPEN_S", 0.3)
    with _on() as camera:
        camera.first_after_s = PATIENCE_S
        with pytest.raises(CameraError, match="does not answer"):
            open_url(_url(camera, "/video"))


def test_a_picture_that_never_ends_is_given_up() -> None:
    """Each piece came in time, so no timeout fired and no error was raised: the camera was gone for good."""
    now_s = [0.0]

    def clock() -> float:
        now_s[0] += SHOT_S / 4
        return now_s[0]

    with _on() as camera:
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
    with _on(BASIC) as camera:
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
    said = answer(challenge, Login("Mufasa", "Circle of Life"), "/dir/index.html", 1, chance)
    assert f'response="{response}"' in said
    assert f'opaque="{opaque}"' in said
