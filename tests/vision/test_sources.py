"""Cameras: files, streams and devices; gone, back again, asleep. Nothing ends the program."""

import os
import threading
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.patience import until
from tests.vision.cameras import Phone, numbered
from tests.vision.mat_picture import mat_picture
from vision.addresses import url_name
from vision.errors import CameraError, PictureError
from vision.pictures import Picture
from vision.scene.trouble import Trouble
from vision.sources import Frame, FrameSource, LockState, StreamWatch, open_source
from vision.sources.captures import open_usb
from vision.sources.files import FilmSource, FolderSource
from vision.sources.live import LiveSource
from vision.sources.reconnect import FIRST_WAIT_S, LONGEST_WAIT_S, Reconnecting, Wait


class FakeTime:
    """A clock that only sleeping moves."""

    def __init__(self) -> None:
        self.now_s = 100.0

    def clock(self) -> float:
        return self.now_s

    def sleep(self, seconds: float) -> None:
        self.now_s += seconds


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


def brightness(frame: Frame) -> int:
    return round((int(frame.picture[120, 40, 0]) - 10) / 10)


def test_lost_camera_is_retried_at_growing_intervals_and_said_in_a_sentence() -> None:
    """Half a second, one, two … eight; back at once when it is there again."""
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
    camera = Reconnecting(lambda: _opened_anyway(cable))
    cable.plugged = False
    waits = [camera.step() for _ in range(6)]
    assert waits[0] == Wait(FIRST_WAIT_S)
    assert waits[-1] == Wait(LONGEST_WAIT_S)


def _opened_anyway(cable: Cable) -> Cable:
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
    """A driver that hangs says nothing: the source does."""
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
        assert not source.hangs
        now.sleep(40)
        assert source.hangs
    finally:
        awake.set()
        source.close()


@pytest.mark.parametrize("path", ["/video", "/shot.jpg"])
def test_phone_that_dies_in_mid_game_is_found_again(path: str) -> None:
    """The server goes, a sentence comes; the server returns, frames come again. One source all the time."""
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
    """Many frames are sent between two looks: indexes leap ahead instead of lagging."""
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
    """A phone that is turned, a camera that is set anew on its own page. Each picture was stretched to the
    size of the first: cubes were squeezed, and what had become coarse looked fine."""
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
    ("path", "words"), [("/text", "no film that can be read"), ("/gone", "answered with error 404")]
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
    """Sentences land in logs and on everybody's screen."""
    assert url_name("rtsp://anna:secret@10.0.0.7/live") == "rtsp://10.0.0.7/live"
    assert url_name("rtsp://anna:sec@ret@10.0.0.7/live") == "rtsp://10.0.0.7/live"
    assert url_name("http://10.0.0.7/snap.cgi?user=anna&pwd=sec://ret@") == "http://10.0.0.7/snap.cgi…"
    assert url_name("rtsp://10.0.0.7/user=anna&password=secret&channel=1") == "rtsp://10.0.0.7/…"
    assert url_name("http://10.0.0.7/a/b.jpg;jsessionid=secret") == "http://10.0.0.7/a/b.jpg…"


def test_usb_camera_that_is_not_there_is_named() -> None:
    """Index and device path; what exists but is no camera is refused too."""
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


def picture_folder(folder: Path, count: int) -> Path:
    for number in range(count):
        cv2.imwrite(str(folder / f"{number:02}.png"), numbered(number))
    return folder


def read_all(source: FrameSource, count: int) -> list[int]:
    frames = [source.read(1) for _ in range(count)]
    return [brightness(frame) for frame in frames if frame is not None]


def test_folder_plays_in_order_at_its_pace_and_holds_the_last(tmp_path: Path) -> None:
    """Fifteen a second; after the last the tray just lies there."""
    now = FakeTime()
    source = FolderSource(picture_folder(tmp_path, 3), clock=now.clock, sleep=now.sleep)
    assert read_all(source, 5) == [0, 1, 2, 2, 2]
    assert now.now_s == pytest.approx(100 + 4 / 15)
    assert not source.ended


def test_folder_holds_each_picture_when_asked(tmp_path: Path) -> None:
    """Stills need time to settle: two frames each here."""
    now = FakeTime()
    source = FolderSource(picture_folder(tmp_path, 2), hold_s=2 / 15, clock=now.clock, sleep=now.sleep)
    assert read_all(source, 6) == [0, 0, 1, 1, 1, 1]


def test_folder_shows_what_is_put_there_later(tmp_path: Path) -> None:
    """A phone drops its photo into a shared folder; an empty one says what it waits for."""
    now = FakeTime()
    source = FolderSource(tmp_path, clock=now.clock, sleep=now.sleep)
    assert source.read(1) is None
    assert source.trouble is not None
    assert "no picture" in source.trouble.sentence
    cv2.imwrite(str(tmp_path / "late.png"), numbered(7))
    assert read_all(source, 2) == [7, 7]
    assert source.trouble is None


def test_folder_tries_a_growing_file_again(tmp_path: Path) -> None:
    """It was looked at in the middle of being copied; then it is written anew under the same name."""
    now = FakeTime()
    path = picture_folder(tmp_path, 1) / "00.png"
    whole = path.read_bytes()
    path.write_bytes(whole[:100])
    source = FolderSource(tmp_path, clock=now.clock, sleep=now.sleep)
    assert source.read(1) is None
    path.write_bytes(whole)
    os.utime(path, ns=(1, 1))
    assert read_all(source, 2) == [0, 0]
    cv2.imwrite(str(path), numbered(9))
    os.utime(path, ns=(2, 2))
    assert read_all(source, 2) == [9, 9]


def test_folder_passes_over_a_broken_file(tmp_path: Path) -> None:
    """One bad file among many does not stop the others."""
    picture_folder(tmp_path, 3)
    (tmp_path / "01.png").write_bytes(b"oops")
    now = FakeTime()
    assert read_all(FolderSource(tmp_path, clock=now.clock, sleep=now.sleep), 2) == [0, 2]


def test_a_broken_file_that_is_taken_away_is_told_no_more(tmp_path: Path) -> None:
    """It was, until the next good picture came: nothing else could be done about it."""
    now = FakeTime()
    picture_folder(tmp_path, 1)
    (tmp_path / "z.png").write_bytes((tmp_path / "00.png").read_bytes()[:-40])
    source = FolderSource(tmp_path, clock=now.clock, sleep=now.sleep)
    read_all(source, 2)
    assert source.trouble is not None
    assert str(tmp_path / "z.png") in source.trouble.sentence
    assert source.trouble.file == "z.png"
    (tmp_path / "z.png").unlink()
    assert source.read(1.0) is not None
    assert source.trouble is None


def test_a_picture_that_an_iphone_put_there_is_told(tmp_path: Path) -> None:
    """It was waited for, for ever."""
    (tmp_path / "IMG_1.HEIC").write_bytes(b"\0\0\0\x18ftypheic" + b"\0" * 30)
    source = FolderSource(tmp_path)
    assert source.read(1.0) is None
    assert source.trouble is not None
    assert "HEIC" in source.trouble.sentence
    with pytest.raises(PictureError, match="HEIC"):
        open_source(str(tmp_path / "IMG_1.HEIC"))


def test_folder_passes_over_a_link_to_nothing(tmp_path: Path) -> None:
    """As Emacs leaves them: the folder was said to be gone, and no picture was shown."""
    now = FakeTime()
    picture_folder(tmp_path, 2)
    (tmp_path / ".#a.png").symlink_to("anna@host.1234")
    source = FolderSource(tmp_path, clock=now.clock, sleep=now.sleep)
    assert read_all(source, 2) == [0, 1]
    assert source.trouble is None


def test_a_folder_that_is_there_again_is_well_also_where_it_holds_nothing_new(tmp_path: Path) -> None:
    """A drive that was away for a moment was called gone until the next picture came."""
    now = FakeTime()
    (tmp_path / "camera").mkdir()
    folder = picture_folder(tmp_path / "camera", 2)
    source = FolderSource(folder, clock=now.clock, sleep=now.sleep)
    assert read_all(source, 2) == [0, 1]
    folder.rename(tmp_path / "away")
    assert read_all(source, 1) == [1]
    assert source.trouble is not None
    (tmp_path / "away").rename(folder)
    assert read_all(source, 2) == [1, 1]
    assert source.trouble is None


def test_a_name_that_no_disk_takes_is_a_sentence() -> None:
    """It ended the process of camera and load cell."""
    with pytest.raises(CameraError, match="cannot be opened"):
        open_source("x" * 5000)


def test_an_address_is_one_however_its_scheme_is_written() -> None:
    """It was taken for a file, and told to every page with its password."""
    for scheme in ("Http", "RTSP"):
        source = open_source(f"{scheme}://anna:secret@127.0.0.1:9/shot.jpg")
        source.close()
        assert isinstance(source, LiveSource)
        assert "secret" not in source.describe()


def test_read_gives_up_after_its_timeout(tmp_path: Path) -> None:
    """The next frame is a fifteenth of a second away, the patience shorter."""
    now = FakeTime()
    source = FolderSource(picture_folder(tmp_path, 2), clock=now.clock, sleep=now.sleep)
    assert source.read(0.01) is not None
    assert source.read(0.01) is None
    assert now.now_s == pytest.approx(100.01)


def test_film_plays_at_its_pace_and_ends(tmp_path: Path) -> None:
    """Ten frames at ten a second."""
    path = tmp_path / "throw.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 10, (320, 240))
    for number in range(10):
        writer.write(numbered(number))
    writer.release()
    now = FakeTime()
    film = FilmSource(path, now.clock, now.sleep)
    assert read_all(film, 10) == list(range(10))
    assert now.now_s == pytest.approx(100.9)
    assert film.read() is None
    assert film.ended
    assert film.trouble is not None
    over = now.now_s
    assert film.read(2.0) is None
    assert now.now_s == over + 2, "who asks on has nothing else to wait for, and took a whole core"


def test_spec_finds_the_kind_of_source(tmp_path: Path) -> None:
    """A picture, a folder with a hold, and nonsense."""
    picture_folder(tmp_path, 1)
    assert open_source(str(tmp_path / "00.png")).describe().startswith("the picture")
    assert open_source(f"{tmp_path}?hold=2").describe().startswith("pictures of")
    for nothing in ("camera", "", "?hold=2"):  # an empty name was the folder in which Tenshu was started
        with pytest.raises(CameraError, match="neither a camera nor a file"):
            open_source(nothing)
    with pytest.raises(CameraError, match="no number of seconds"):
        open_source(f"{tmp_path}?hold=long")
    (tmp_path / "notes.txt").write_text("no film")
    with pytest.raises(CameraError, match="no film"):
        open_source(str(tmp_path / "notes.txt"))
    (tmp_path / "cut.jpg").write_bytes(b"\xff\xd8\xff")
    with pytest.raises(PictureError):
        open_source(str(tmp_path / "cut.jpg"))


ONE_MARKER = np.minimum(mat_picture(hidden_markers=(0, 1, 3)), 250)  # room for a sensor's noise


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
    """Frozen, lens cap, a wrong app with one marker in view; a still tray under a living camera is well."""
    watch = StreamWatch()
    for frame in stream(picture, 7, noise):
        watch.feed(frame)
    assert watch.trouble is trouble


def test_stream_is_well_again_when_the_cap_comes_off() -> None:
    """Trouble does not stick."""
    watch = StreamWatch()
    dark = np.zeros((240, 320, 3), np.uint8)
    assert watch.feed(Frame(dark, 0, 0)) is Trouble.LENS_CAP
    assert watch.feed(Frame(numbered(5), 1500, 1)) is None
