"""Cameras: streams and devices that vanish, come back, or fall asleep. Nothing ends the program."""

import threading

import numpy as np
import pytest

from tests.patience import until
from tests.vision.cameras import FakeTime, Phone, numbered
from tests.vision.mat_picture import mat_picture
from vision.addresses import url_name
from vision.errors import CameraError
from vision.pictures import Picture
from vision.scene.trouble import Trouble
from vision.sources import Frame, LockState, StreamWatch, open_source
from vision.sources.captures import open_usb
from vision.sources.live import LiveSource
from vision.sources.reconnect import FIRST_WAIT_S, LONGEST_WAIT_S, Reconnecting, Wait


class Cable:
    """A capture whose cable can be pulled."""

    light = LockState.ELSEWHERE

    def __init__(self) -> None:
        self.plugged = True
        self.opened = self.closed = self.reads = 0

    def open(self) -> "Cable":
        if not self.plugged:
            raise CameraError("USB camera 0 is not plugged in.", "Plug it in.")
        self.opened += 1
        return self

    def read(self) -> Picture:
        if not self.plugged:
            raise CameraError("USB camera 0 gives no picture.", "Plug it in again.")
        self.reads += 1
        return numbered(self.reads)

    def close(self) -> None:
        self.closed += 1


def test_lost_camera_is_retried_at_growing_intervals_and_said_in_a_sentence() -> None:
    """Half a second, one, two … eight; it recovers at once when the camera is back."""
    cable = Cable()
    camera = Reconnecting(cable.open)
    assert not isinstance(camera.step(), Wait)
    cable.plugged = False
    waits = [camera.step() for _ in range(7)]
    assert waits == [Wait(s) for s in (0.5, 1.0, 2.0, 4.0, 8.0, 8.0, 8.0)]
    assert camera.trouble is not None
    assert camera.trouble.sentence == "USB camera 0 is not plugged in."
    cable.plugged = True
    assert not isinstance(camera.step(), Wait)
    assert camera.trouble is None
    assert (cable.opened, cable.closed) == (2, 1)


def test_camera_that_opens_but_gives_nothing_is_not_hammered() -> None:
    """Opening alone proves nothing: the wait must grow all the same."""
    cable = Cable()
    camera = Reconnecting(lambda: _open_unplugged(cable))
    cable.plugged = False
    waits = [camera.step() for _ in range(6)]
    assert waits[0] == Wait(FIRST_WAIT_S)
    assert waits[-1] == Wait(LONGEST_WAIT_S)


def _open_unplugged(cable: Cable) -> Cable:
    cable.opened += 1
    return cable


def test_only_the_newest_frame_is_kept() -> None:
    """A slow reader gets the present, not the past; the gap shows in the index."""
    cable = Cable()
    source = LiveSource("USB camera 0", cable.open)
    try:
        first = source.read(5)
        reads = cable.reads
        until(lambda: cable.reads > reads + 20)
        second = source.read(5)
        assert first is not None
        assert second is not None
        assert second.index >= first.index + 20
    finally:
        source.close()
    assert source.ended
    assert cable.closed >= 1


def test_silence_without_an_error_is_trouble_too() -> None:
    """A hanging driver reports nothing, so the source must."""
    now = FakeTime()
    awake = threading.Event()

    class Hanging(Cable):
        def read(self) -> Picture:
            awake.wait(30)
            return numbered(0)

    source = LiveSource("USB camera 0", Hanging().open, now.clock)
    try:
        assert source.trouble is None
        now.sleep(6)
        trouble = source.trouble
        assert trouble is not None
        assert "no picture for more than 4 s" in trouble.sentence
        now.sleep(6)
        assert f"{source.trouble}" == f"{trouble}", "pages would be told each second anew"
        assert source.read(0) is None
        assert not source.is_hung
        now.sleep(40)
        assert source.is_hung
    finally:
        awake.set()
        source.close()


@pytest.mark.parametrize("path", ["/video", "/shot.jpg"])
def test_phone_that_dies_in_mid_game_is_found_again(path: str) -> None:
    """The server goes: trouble is reported; it returns: frames come again. One source throughout."""
    with Phone() as phone:
        source = open_source(phone.url(path))
        port = phone.port
        try:
            frame = source.read(10)
            assert frame is not None
            assert frame.picture.shape == (240, 320, 3)
            phone.unplug()
            until(lambda: source.trouble is not None)
            assert source.trouble is not None
            assert "127.0.0.1" in source.trouble.sentence
            with Phone(port):
                until(lambda: source.read(0.1) is not None)
                until(lambda: source.trouble is None)
        finally:
            source.close()


def test_mjpeg_is_read_at_the_newest_frame_by_a_slow_reader() -> None:
    """Many frames are sent between two reads: indexes jump ahead instead of lagging."""
    with Phone(fps=30) as phone:
        source = open_source(phone.url("/video"))
        try:
            first = source.read(10)
            assert first is not None
            sent = phone.sent
            until(lambda: phone.sent >= sent + 15)
            second = source.read(10)
            assert second is not None
            assert second.index - first.index >= 5
        finally:
            source.close()


@pytest.mark.parametrize("size_px", [(640, 480), (160, 120), (240, 320)], ids=["larger", "smaller", "turned"])
def test_a_stream_that_changes_its_size_is_seen_as_it_is(size_px: tuple[int, int]) -> None:
    """A phone that is rotated, a camera that is reconfigured on its own page. Each picture used to be
    stretched to the size of the first: cubes were distorted, and a picture that had become coarse looked
    fine."""
    with Phone() as phone:
        source = open_source(phone.url("/video"))
        try:
            first = source.read(10)
            assert first is not None
            assert first.picture.shape == (240, 320, 3)
            phone.size_px = size_px

            def has_come() -> bool:
                frame = source.read(0.1)
                return frame is not None and frame.picture.shape[1::-1] == size_px

            until(has_come)
            assert source.trouble is None
        finally:
            source.close()


@pytest.mark.parametrize(
    ("path", "words"), [("/text", "no video that can be read"), ("/gone", "answered with error 404")]
)
def test_url_that_is_no_camera_gets_a_sentence(path: str, words: str) -> None:
    """A web page and a wrong path are told apart."""
    with Phone() as phone:
        source = open_source(phone.url(path))
        try:
            until(lambda: source.trouble is not None)
            assert source.trouble is not None
            assert words in source.trouble.sentence
        finally:
            source.close()


def test_password_of_a_camera_is_not_said() -> None:
    """These names end up in logs and on everybody's screen."""
    assert url_name("rtsp://anna:secret@10.0.0.7/live") == "rtsp://10.0.0.7/live"
    assert url_name("rtsp://anna:sec@ret@10.0.0.7/live") == "rtsp://10.0.0.7/live"
    assert url_name("http://anna:my dog@10.0.0.7/shot.jpg") == "http://10.0.0.7/shot.jpg"
    for password in ("se/cret", "se;cret", "se?cr#et", "s@e/cr@et"):
        assert url_name(f"http://anna:{password}@10.0.0.7/shot.jpg") == "http://10.0.0.7/shot.jpg"
    assert url_name("http://10.0.0.7/snap.cgi?user=anna&pwd=sec://ret@") == "http://10.0.0.7/snap.cgi…"
    assert url_name("rtsp://10.0.0.7/user=anna&password=secret&channel=1") == "rtsp://10.0.0.7/…"
    assert url_name("http://10.0.0.7/a/b.jpg;jsessionid=secret") == "http://10.0.0.7/a/b.jpg…"


def test_usb_camera_that_is_not_there_is_named() -> None:
    """By index and device path; a file that exists but is not a camera is refused too."""
    with pytest.raises(CameraError, match="USB camera 97 is not plugged in"):
        open_usb(97)
    with pytest.raises(CameraError, match="gives no picture"):
        open_usb("/dev/null")
    source = open_source("97")
    try:
        until(lambda: source.trouble is not None)
        assert source.describe() == "USB camera 97"
    finally:
        source.close()


def test_a_name_that_no_disk_takes_is_a_sentence() -> None:
    """It used to end the process of camera and load cell."""
    with pytest.raises(CameraError, match="cannot be opened"):
        open_source("x" * 5000)


@pytest.mark.parametrize(
    ("digits", "words"), [(10, "neither a camera nor a file"), (200, "neither"), (5000, "cannot be opened")]
)
def test_a_number_that_no_camera_has_is_a_sentence(digits: int, words: str) -> None:
    """Of more than 4,300 digits Python makes no number: it used to end in a traceback."""
    with pytest.raises(CameraError, match=words):
        open_source("9" * digits)


def test_an_address_is_one_however_its_scheme_is_written() -> None:
    """It used to be taken for a file, and shown to every page with its password."""
    for scheme in ("Http", "RTSP"):
        source = open_source(f"{scheme}://anna:secret@127.0.0.1:9/shot.jpg")
        source.close()
        assert isinstance(source, LiveSource)
        assert "secret" not in source.describe()


ONE_MARKER = np.minimum(mat_picture(hidden_markers=(0, 1, 3)), 250)  # room for sensor noise


def stream(picture: Picture, seconds: float, noise: int) -> list[Frame]:
    rng = np.random.default_rng(3)
    return [
        Frame(picture + rng.integers(0, noise + 1, picture.shape, dtype=np.uint8), index * 100.0, index)
        for index in range(int(seconds * 10))
    ]


@pytest.mark.parametrize(
    ("picture", "noise", "trouble"),
    [
        (numbered(5), 2, None),
        (numbered(5), 0, Trouble.FROZEN),
        (np.zeros((240, 320, 3), np.uint8), 3, Trouble.LENS_CAP),
        (np.zeros((240, 320, 3), np.uint8), 0, Trouble.LENS_CAP),
        (np.ascontiguousarray(ONE_MARKER[:, ::-1]), 2, Trouble.MIRRORED),
        (np.ascontiguousarray(ONE_MARKER[:, :, ::-1]), 2, Trouble.CHANNELS_SWAPPED),
        (ONE_MARKER, 2, None),
    ],
    ids=["living", "frozen", "lens cap", "lens cap of a silent sensor", "mirror", "red for blue", "marker"],
)
def test_stream_that_cannot_be_read_is_named(picture: Picture, noise: int, trouble: Trouble | None) -> None:
    """Frozen, lens cap, a wrong app with one marker in view; a still tray under a working camera is fine."""
    watch = StreamWatch()
    for frame in stream(picture, 7, noise):
        watch.feed(frame)
    assert watch.trouble is trouble


def test_stream_is_well_again_when_the_cap_comes_off() -> None:
    """Trouble ends with its cause."""
    watch = StreamWatch()
    dark = np.zeros((240, 320, 3), np.uint8)
    assert watch.feed(Frame(dark, 0, 0)) is Trouble.LENS_CAP
    assert watch.feed(Frame(numbered(5), 1500, 1)) is None
