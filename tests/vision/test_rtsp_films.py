"""Video by RTSP, from a camera's sockets through FFmpeg to frames: it plays, stops and comes back."""

import time
from collections.abc import Iterator
from contextlib import contextmanager

import cv2
import pytest

from tests.patience import until
from tests.vision.rtsp_camera import RtspCamera, number_in, sides_in
from vision.errors import CameraError
from vision.pictures import Picture, decode_sent
from vision.sources import FrameSource, captures, open_source
from vision.sources.captures import open_url
from vision.sources.live import LiveSource
from vision.sources.reconnect import REFUSED_WAIT_S, Reconnecting, Wait

KNOWN = "anna:s%40fe%2F@"
FPS = 60.0
"""FFmpeg looks at about twenty pictures before it shows the first."""


@contextmanager
def _play(camera: RtspCamera, before: str = "") -> Iterator[LiveSource]:
    source = open_source(camera.url(before))
    assert isinstance(source, LiveSource)
    try:
        yield source
    finally:
        source.close()


def _next_picture(source: FrameSource) -> Picture:
    found: list[Picture] = []

    def has_come() -> bool:
        frame = source.read(0.1)
        found.extend([] if frame is None else [frame.picture])
        return bool(found)

    until(has_come)
    return found[0]


@pytest.mark.parametrize("login", ["", "Basic", "Digest"])
def test_it_is_played_to_who_knows_the_password(login: str) -> None:
    with RtspCamera(login=login, fps=FPS) as camera:
        camera.size_px = (640, 480)
        with _play(camera, KNOWN if login else "") as source:
            picture = _next_picture(source)
            assert picture.shape == (480, 640, 3)
            assert sides_in(picture) == [0, 1, 2]
        until(lambda: "TEARDOWN" in camera.asked)


@pytest.mark.parametrize("by_tcp", [True, False])
def test_udp_is_tried_where_tcp_is_refused_and_no_sooner(by_tcp: bool) -> None:
    """So only people who need UDP run into a firewall that blocks it."""
    with RtspCamera(by_tcp=by_tcp, fps=FPS) as camera:
        camera.lost = by_tcp
        with _play(camera) as source:
            assert sides_in(_next_picture(source)) == [0, 1, 2]
            assert camera.asked.count("SETUP") == (1 if by_tcp else 2)


def test_one_that_refuses_tcp_and_udp_is_told_as_that() -> None:
    """The remedy used to be to send MJPEG, RTSP or a JPEG: it does send RTSP, but by multicast only."""
    with RtspCamera(by_tcp=False, by_udp=False) as camera:
        with pytest.raises(CameraError, match="neither over TCP nor over UDP") as refusal:
            open_url(camera.url("anna:secret@"))
        assert refusal.value.key == "no_transport"
        assert "secret" not in f"{refusal.value}"
        assert camera.readers == 0


def test_the_microphone_is_not_asked() -> None:
    """If it sent nothing, the first picture used to come after five seconds instead of one and a half."""
    with RtspCamera(fps=FPS) as camera:
        camera.microphone = True
        with _play(camera) as source:
            _next_picture(source)
            assert camera.asked.count("SETUP") == 1


def test_who_unpacks_slower_than_it_sends_is_not_late(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each picture used to be decoded in turn, seconds late: by as much as the network's buffers hold."""

    def decode_slowly(data: bytes, name: str) -> Picture:
        time.sleep(0.1)
        return decode_sent(data, name)

    monkeypatch.setattr(captures, "decode_sent", decode_slowly)
    with RtspCamera(fps=FPS) as camera, _play(camera) as source:
        _next_picture(source)
        begun = camera.sent
        until(lambda: camera.sent > begun + 2 * FPS)
        _next_picture(source)  # it had been waiting for this reader
        lags = [camera.sent - number_in(_next_picture(source)) for _ in range(3)]
        assert min(lags) < FPS / 2, lags


def test_pictures_are_not_held_back_for_each_processor(monkeypatch: pytest.MonkeyPatch) -> None:
    """FFmpeg shows an H.264 picture only once there is one for each of its threads: sixteen are a second."""
    options: dict[int, int] = {}
    open_capture = cv2.VideoCapture

    def record_options(url: str, back_end: int, limits: list[int]) -> cv2.VideoCapture:
        options.update(zip(limits[::2], limits[1::2], strict=True))
        return open_capture(url, back_end, limits)

    monkeypatch.setattr(cv2, "VideoCapture", record_options)
    with RtspCamera(fps=FPS) as camera:
        open_url(camera.url()).close()
    assert options[cv2.CAP_PROP_N_THREADS] == 2


def test_two_look_at_once() -> None:
    with RtspCamera(fps=FPS) as camera, _play(camera) as first, _play(camera) as second:
        assert [sides_in(_next_picture(source)) for source in (first, second)] == [[0, 1, 2]] * 2
        assert camera.readers == 2


@pytest.mark.parametrize("login", ["Basic", "Digest"])
def test_a_wrong_password_is_told_to_nobody_and_not_tried_often(login: str) -> None:
    """It used to be tried five times in a quarter of a minute: cameras lock such clients out for half an
    hour."""
    with RtspCamera(login=login) as camera:
        url = camera.url("anna:secret@")
        source = Reconnecting(lambda: open_url(url))
        assert source.step() == Wait(REFUSED_WAIT_S)
        assert source.trouble is not None
        assert (
            f"{source.trouble}" == f"{camera.url()} answered with error 401. Check user, password and path."
        )


def test_a_wrong_path_is_told() -> None:
    with (
        RtspCamera() as camera,
        pytest.raises(CameraError, match=r"answered with error 404\. Check the path"),
    ):
        open_url(camera.url(path="/other"))


def test_one_that_stalls_is_told_and_found_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Even if it stalls for longer than a connection lasts; and it does not keep the source from closing."""
    monkeypatch.setattr(captures, "TIMEOUT_S", 0.5)
    monkeypatch.setattr(captures, "_OPEN_S", 1.5)
    with RtspCamera(login="Digest", fps=FPS) as camera, _play(camera, KNOWN) as source:
        _next_picture(source)
        camera.stalls.set()
        until(lambda: camera.asked.count("TEARDOWN") == 2)
        until(lambda: source.trouble is not None)
        assert source.trouble is not None
        assert source.trouble.key in {"no_answer", "too_slow"}  # opened anew it answers, and sends nothing
        camera.stalls.clear()
        until(lambda: source.trouble is None)
        assert camera.sent - number_in(_next_picture(source)) < FPS
        camera.stalls.set()
        camera.deaf.set()
        source.close()
        assert not source.is_running


def test_one_that_was_away_for_a_while_is_not_told_to_check_its_password(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """By the time it was asked why, it answered again: that it wants a password, which was right all
    along."""
    monkeypatch.setattr(captures, "_OPEN_S", 1.0)
    with RtspCamera(login="Digest", fps=FPS) as camera:
        camera.deaf.set()
        with _play(camera, KNOWN) as source:
            until(lambda: camera.asked)
            camera.deaf.clear()
            until(lambda: source.trouble is not None and source.trouble.key != "silent")
            assert source.trouble is not None
            assert source.trouble.key == "no_answer"
            until(lambda: source.read(0.1) is not None)


def test_one_that_is_started_anew_is_found_again() -> None:
    with RtspCamera(fps=FPS) as camera, _play(camera) as source:
        _next_picture(source)
        camera.unplug()
        until(lambda: source.trouble is not None)
        with RtspCamera(camera.port, fps=FPS):
            until(lambda: source.read(0.1) is not None)
            until(lambda: source.trouble is None)
