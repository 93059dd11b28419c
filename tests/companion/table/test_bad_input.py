"""What a camera, a phone or a broken download may deliver: one sentence with a remedy each, or read right."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.synth import Options
from calibration.synth.staged import StagedTable
from companion.table.messages import CameraSays, Looked, Report
from companion.table.sensing.eye import Eye
from tests.vision.test_pictures import encoded, with_exif_turn
from tests.vision.thrown import FRAME_MS
from vision.advice import ADVICE
from vision.errors import CameraError
from vision.pictures import Picture
from vision.reader import TrayReader
from vision.reading import Doubt
from vision.sources import Frame, LockState
from vision.sources.files import FolderSource

LIES = {"red": 2, "blue": 1, "yellow": 2}
STAGED = StagedTable(
    12, Options(size_px=(1280, 960), mat=True, plastic="clear", tray="square", light="daylight", plain=True)
)
THROWN_TRAY: Picture = STAGED.render_thrown(LIES, 4)[0]


class Clock:
    def __init__(self) -> None:
        self.now_s = 100.0

    def __call__(self) -> float:
        return self.now_s

    def sleep(self, seconds: float) -> None:
        self.now_s += seconds


def play_folder(folder: Path, files: dict[str, bytes]) -> list[Report]:
    """What is reported when a folder is played; a frame of noise comes first, so that something moves."""
    noise = encoded(np.random.default_rng(1).integers(90, 160, (480, 640, 3), np.uint8), ".png")
    for name, data in {"0.png": noise, **files}.items():
        (folder / name).write_bytes(data)
    clock = Clock()
    eye = Eye(FolderSource(folder, clock=clock, sleep=clock.sleep), TrayReader(), clock)
    reports: list[Report] = []
    for _ in range(30):
        reports += eye.step(1.0)
    return reports


def only_look(reports: list[Report]) -> Looked:
    (look,) = [report for report in reports if isinstance(report, Looked)]
    return look


def troubles(reports: list[Report]) -> list[CameraSays]:
    return [report for report in reports if isinstance(report, CameraSays) and report.sentence]


def counts_read(reports: list[Report]) -> dict[str, int]:
    return {colour: number for colour, number in only_look(reports).reading.counts.items() if number}


def turned_by_phone(picture: Picture) -> bytes:
    """A picture stored on its side, with the rotation in the EXIF."""
    return with_exif_turn(encoded(cv2.rotate(picture, cv2.ROTATE_90_COUNTERCLOCKWISE)), 6)


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.png", encoded(THROWN_TRAY.astype(np.uint16) * 257, ".png")),
        ("a.jpg", turned_by_phone(THROWN_TRAY)),
        ("a.jpg", encoded(cv2.resize(THROWN_TRAY, (3840, 2880), interpolation=cv2.INTER_CUBIC))),
        ("a.png", encoded(np.dstack([THROWN_TRAY, np.full(THROWN_TRAY.shape[:2], 255, np.uint8)]), ".png")),
    ],
    ids=["16 bit", "EXIF", "4K", "alpha"],
)
def test_what_can_be_put_right_is_read(tmp_path: Path, name: str, data: bytes) -> None:
    reports = play_folder(tmp_path, {name: data})
    assert counts_read(reports) == LIES
    assert troubles(reports) == []


def test_a_stamp_of_a_picture_is_read_or_asked_about(tmp_path: Path) -> None:
    small = cv2.resize(THROWN_TRAY, (320, 240), interpolation=cv2.INTER_AREA)
    reports = play_folder(tmp_path, {"a.png": encoded(small, ".png")})
    assert not only_look(reports).reading.certain or counts_read(reports) == LIES


@pytest.mark.parametrize(
    ("picture", "key", "doubt"),
    [
        (np.zeros_like(THROWN_TRAY), "lens_cap", Doubt.TOO_DARK),
        (np.full_like(THROWN_TRAY, 255), "burnt_out", Doubt.TOO_BRIGHT),
        (THROWN_TRAY[:, :, ::-1], "channels_swapped", Doubt.FALSE_COLOURS),
        (np.repeat(THROWN_TRAY[:, :, 1:2], 3, axis=2), "no_colour", Doubt.FALSE_COLOURS),
        (THROWN_TRAY[:, ::-1], "mirrored", None),
    ],
    ids=["lens cap", "burnt out", "red for blue", "night mode", "mirror"],
)
def test_what_ails_the_picture_is_told_and_never_accepted_in_silence(
    tmp_path: Path, picture: Picture, key: str, doubt: Doubt | None
) -> None:
    reports = play_folder(tmp_path, {"a.png": encoded(np.ascontiguousarray(picture), ".png")})
    (trouble,) = {(report.key, report.sentence, report.remedy) for report in troubles(reports)}
    assert trouble[0] == key
    assert all(part.endswith(".") for part in trouble[1:])
    reading = only_look(reports).reading
    assert doubt is None or (doubt in reading.doubts and not reading.certain)
    assert doubt is not None or not reading.certain or counts_read(reports) == LIES


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (encoded(THROWN_TRAY)[:40_000], "is cut short"),
        (b"GIF89a", "is not a picture"),
        (encoded(THROWN_TRAY[:, :, 1]), "is a grey picture"),
        (b"", "is empty"),
    ],
    ids=["truncated", "no picture", "grey file", "empty"],
)
def test_a_bad_file_is_named_and_the_stream_goes_on(tmp_path: Path, data: bytes, words: str) -> None:
    reports = play_folder(tmp_path, {"a.jpg": data})
    (trouble,) = troubles(reports)
    assert words in trouble.sentence
    assert trouble.remedy.endswith(".")
    (tmp_path / "b").mkdir()
    reports_after = play_folder(tmp_path / "b", {"a.jpg": data, "b.jpg": encoded(THROWN_TRAY)})
    assert counts_read(reports_after) == LIES


def test_a_picture_without_a_tray_asks(tmp_path: Path) -> None:
    table = np.random.default_rng(2).integers(70, 110, (960, 1280, 3), np.uint8)
    reading = only_look(play_folder(tmp_path, {"a.jpg": encoded(cv2.GaussianBlur(table, (0, 0), 9))})).reading
    assert not reading.certain
    assert reading.doubts[0] is Doubt.NO_TRAY
    assert ADVICE[Doubt.NO_TRAY].remedy


class FrozenCamera:
    """A camera that always shows the same bytes."""

    live = True
    ended = False
    light: LockState | None = None
    trouble: CameraError | None = None

    def __init__(self, picture: Picture) -> None:
        self._picture = picture
        self._index = -1

    def read(self, timeout_s: float = 1.0) -> Frame | None:
        self._index += 1
        return Frame(self._picture, self._index * FRAME_MS, self._index)

    def describe(self) -> str:
        return "a phone"

    def close(self) -> None:
        pass


def test_a_frozen_stream_is_told() -> None:
    eye = Eye(FrozenCamera(THROWN_TRAY), TrayReader())
    reports = [report for _ in range(90) for report in eye.step(1.0)]
    assert [report.key for report in troubles(reports)] == ["frozen"]


def test_a_frozen_picture_is_never_accepted_by_itself() -> None:
    """Read again after the notice, on request or because a cube was felt, it was certain: a picture from the
    middle of the fall settled the throw."""
    eye = Eye(FrozenCamera(THROWN_TRAY), TrayReader())
    eye.expect(LIES)
    awake = only_look([report for _ in range(90) for report in eye.step(1.0)])
    assert awake.reading.certain
    requested = only_look(eye.look_now())
    eye.note_felt_drop()
    felt = only_look([report for _ in range(10) for report in eye.step(1.0)])
    for looked in (requested, felt):
        assert not looked.reading.certain
        assert looked.reading.total == sum(LIES.values())
    photo = eye.check(THROWN_TRAY)
    assert photo is not None
    assert photo.reading.certain
