"""The eye: what it reports of a throw, of a sleeve beside the tray, and of a lamp that was moved."""

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.profiles.drift import DriftWatch
from companion.table.messages import CameraSays, Looked, Moving, Report
from companion.table.sensing.eye import Eye
from tests.calibration.test_profile import COLOURS, EMPTY, learned, with_cubes
from tests.vision.thrown import FRAME_MS
from vision.counting.odds import AtMost
from vision.errors import CameraError
from vision.pictures import Picture
from vision.reader import TrayReader
from vision.reading import Doubt, TrayReading
from vision.sources import Frame, LockState
from vision.sources.files import FolderSource

TRAY = ((190.0, 60.0), (700.0, 60.0), (700.0, 570.0), (190.0, 570.0))
RED = with_cubes(COLOURS["red"])


class PlayingCamera:
    """Plays pictures, one per frame."""

    live = False
    ended = False
    light: LockState | None = None
    trouble: CameraError | None = None

    def __init__(self, pictures: Iterable[Picture]) -> None:
        self._pictures = iter(pictures)
        self._index = -1

    def read(self, timeout_s: float = 1.0) -> Frame | None:
        self._index += 1
        return Frame(next(self._pictures), self._index * FRAME_MS, self._index)

    def describe(self) -> str:
        return "a camera"

    def close(self) -> None:
        pass


class EmptyReader(TrayReader):
    """Counts nothing, but reports where the tray is."""

    mat_seen = True

    def read(self, picture: Picture, at_most: AtMost | None = None) -> TrayReading:
        size = (picture.shape[1], picture.shape[0])
        return TrayReading({"red": 0}, (), {"red": 1.0}, True, (), self.mat_seen, TRAY, 8.0, size)


def play_pictures(
    pictures: list[Picture], reader: TrayReader | None = None, drift: DriftWatch | None = None
) -> list[Report]:
    eye = Eye(PlayingCamera(pictures), reader or EmptyReader(), drift=drift)
    reports = [report for _ in pictures for report in eye.step(0.1)]
    return [report for report in reports if not (isinstance(report, CameraSays) and not report.sentence)]


def with_sleeve_in(picture: Picture, width: int) -> Picture:
    """Something dark enters from the left, beside the tray."""
    covered = picture.copy()
    covered[300:, :width] = (60, 40, 30)
    return covered


def test_a_throw_is_said_as_motion_and_then_read_once() -> None:
    """At rest, cubes, at rest: Moving, then one look."""
    reports = play_pictures([EMPTY] * 5 + [RED] * 8)
    assert [type(report) for report in reports] == [Moving, Looked]


def test_a_sleeve_beside_the_tray_is_nothing_once_the_tray_is_known() -> None:
    """After the first look only the tray counts; the next cubes are seen all the same."""
    sleeve = [with_sleeve_in(RED, 20 + 15 * index) for index in range(8)]
    green = with_cubes(COLOURS["green"])
    reports = play_pictures([EMPTY] * 5 + [RED] * 8 + sleeve + [with_sleeve_in(green, 125)] * 8)
    assert [type(report) for report in reports] == [Moving, Looked, Moving, Looked]


def with_clock_in(picture: Picture, number: int) -> Picture:
    """A clock in the corner, as network cameras write it."""
    stamped = picture.copy()
    cv2.putText(stamped, f"{number:02}", (5, 590), cv2.FONT_HERSHEY_SIMPLEX, 1.0, (250, 250, 250), 3)
    return stamped


@pytest.mark.parametrize("mat_seen", [True, False])
def test_a_clock_in_the_picture_of_a_slow_camera_is_no_throw_without_end(mat_seen: bool) -> None:
    """With two pictures a second and new seconds in each, nothing was ever read, and the page said to throw.
    Without the mat nobody knows where the tray is, and everything that moves counts except what ticks beside
    it."""
    reader = SquaresReader()
    reader.mat_seen = mat_seen
    tray = [EMPTY] * 4 + [with_red_squares(1)] * 2 + [with_red_squares(2)] * 190
    reports = play_pictures(
        [with_clock_in(picture, number % 60) for number, picture in enumerate(tray)], reader
    )
    looks = [report.reading.counts["red"] for report in reports if isinstance(report, Looked)]
    assert looks[-1:] == [2]
    assert len(looks) < 3


def test_what_ticks_in_the_tray_itself_is_motion() -> None:
    """Somebody plays with a cube in it."""
    reader = EmptyReader()
    reader.mat_seen = False
    pictures = [with_red_squares(number % 2) for number in range(100)]
    assert [type(report) for report in play_pictures(pictures, reader)] == [Moving]


def test_without_a_mat_the_whole_picture_counts() -> None:
    """An outline that was only guessed must not hide cubes from the watch."""
    reader = EmptyReader()
    reader.mat_seen = False
    sleeve = [with_sleeve_in(RED, 20 + 15 * index) for index in range(8)]
    reports = play_pictures([EMPTY] * 5 + [RED] * 8 + sleeve + [sleeve[-1]] * 5, reader)
    assert [type(report) for report in reports] == [Moving, Looked, Moving, Looked]


def test_light_that_has_changed_since_the_calibration_is_said() -> None:
    """And no longer once it is as before."""
    watch = DriftWatch(replace(learned(), lens=None))
    dark = np.asarray(EMPTY * 0.5, np.uint8)
    reports = play_pictures([dark] * 6, drift=watch)
    assert [report.sentence for report in reports if isinstance(report, CameraSays)] == [
        "The light is much brighter or darker than at the calibration."
    ]


def test_of_a_folder_it_is_said_which_picture_cannot_be_read(tmp_path: Path) -> None:
    """Pages said that the picture is damaged, and the folder had forty."""
    (tmp_path / "throw 7.png").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(40))
    eye = Eye(FolderSource(tmp_path), EmptyReader())
    [camera_says] = [report for report in eye.step(1.0) if isinstance(report, CameraSays)]
    assert (camera_says.key, camera_says.file) == ("picture_cut", "throw 7.png")


class SquaresReader(EmptyReader):
    """Counts the red squares at `SQUARES`."""

    def read(self, picture: Picture, at_most: AtMost | None = None) -> TrayReading:
        number = sum(int(picture[y + 12, x + 12, 2]) > 150 for x, y in SQUARES)
        return replace(super().read(picture), counts={"red": number})


SQUARES = ((300, 200), (450, 300))


def with_red_squares(number: int) -> Picture:
    picture = EMPTY.copy()
    for x, y in SQUARES[:number]:
        cv2.rectangle(picture, (x, y), (x + 24, y + 24), (40, 40, 200), -1)
    return picture


@pytest.mark.parametrize("still", range(4, 9))
def test_a_cube_that_falls_while_the_tray_is_read_is_seen(still: int) -> None:
    reports = play_pictures(
        [EMPTY] * 5 + [with_red_squares(1)] * still + [with_red_squares(2)] * 20, SquaresReader()
    )
    looks = [report.reading.counts["red"] for report in reports if isinstance(report, Looked)]
    assert looks[-1] == 2


def test_what_fell_before_the_camera_came_back_is_read_when_a_throw_is_awaited() -> None:
    """Otherwise the throw would be awaited forever."""
    for at_most, looks in ((None, 0), ({"red": 5}, 1)):
        eye = Eye(PlayingCamera([RED] * 8), EmptyReader())
        eye.expect(at_most)
        reports = [report for _ in range(8) for report in eye.step(0.1)]
        assert sum(isinstance(report, Looked) for report in reports) == looks


def test_a_look_at_something_that_moves_only_asks_and_motion_is_said_again() -> None:
    moving = [with_red_squares(n % 3) for n in range(12)]
    eye = Eye(PlayingCamera([EMPTY] * 5 + moving), EmptyReader())
    for _ in range(8):
        eye.step(0.1)
    [looked] = eye.look_now()
    assert isinstance(looked, Looked)
    assert (looked.reading.certain, looked.reading.doubts[0]) == (False, Doubt.FRAMES_DIFFER)
    assert any(isinstance(report, Moving) for report in eye.step(0.1))


def test_a_picture_of_long_ago_is_not_read_as_the_tray_of_now() -> None:
    """The camera was unplugged."""
    now_s = [0.0]
    camera = PlayingCamera([RED] * 8)
    camera.live = True
    eye = Eye(camera, EmptyReader(), clock=lambda: now_s[0])
    for _ in range(8):
        eye.step(0.1)
    now_s[0] += 1.0
    assert eye.look_now()
    now_s[0] += 120.0
    assert eye.look_now() == []


def test_who_asks_for_a_look_between_two_pictures_of_a_slow_camera_gets_it_later() -> None:
    """At one picture every three seconds, "Read the tray now" did nothing at all about half of the time."""
    now_s = [0.0]
    camera = PlayingCamera([RED] * 20)
    camera.live = True
    eye = Eye(camera, EmptyReader(), clock=lambda: now_s[0])
    for _ in range(8):
        eye.step(0.1)
    now_s[0] += 2.0
    assert eye.look_now() == []
    reports = [report for _ in range(12) for report in eye.step(0.1)]
    assert sum(isinstance(report, Looked) for report in reports) == 1


def test_a_calibration_says_that_no_throw_is_read() -> None:
    eye = Eye(PlayingCamera([RED] * 8), EmptyReader())
    assert not any(
        report.sentence for report in eye.step(0.1, reading=False) if isinstance(report, CameraSays)
    )
    eye.expect({"red": 5})
    [camera_says] = eye.step(0.1, reading=False)
    assert isinstance(camera_says, CameraSays)
    assert camera_says.key == "calibrating"


def test_between_two_pictures_of_a_slow_camera_it_is_calibrated_all_the_same() -> None:
    """Each gap withdrew the message and each picture sent it again: a dozen whole views a second."""
    camera = PlayingCamera([RED] * 8)
    eye = Eye(camera, EmptyReader())
    eye.expect({"red": 5})
    assert [r.key for r in eye.step(0.1, reading=False) if isinstance(r, CameraSays)] == ["calibrating"]
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(camera, "read", lambda _: None)
        assert eye.step(0.1, reading=False) == []
        [camera_says] = eye.step(0.1)
    assert isinstance(camera_says, CameraSays)
    assert camera_says.sentence == ""
