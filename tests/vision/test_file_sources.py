"""A folder, a picture or a film as the camera: its frame rate, and files that come, go or are broken."""

import os
from pathlib import Path

import cv2
import pytest

from tests.vision.cameras import FakeTime, brightness, jpeg, numbered
from vision.errors import CameraError, PictureError
from vision.sources import FrameSource, open_source
from vision.sources.files import FilmSource, FolderSource


def picture_folder(folder: Path, count: int) -> Path:
    for number in range(count):
        cv2.imwrite(str(folder / f"{number:02}.png"), numbered(number))
    return folder


def read_all(source: FrameSource, count: int) -> list[int]:
    frames = [source.read(1) for _ in range(count)]
    return [brightness(frame) for frame in frames if frame is not None]


def test_folder_plays_in_order_at_its_pace_and_holds_the_last(tmp_path: Path) -> None:
    """Fifteen pictures a second; the last one is repeated without end."""
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
    """A phone drops its photo into a shared folder; an empty folder reports that it has no picture yet."""
    now = FakeTime()
    source = FolderSource(tmp_path, clock=now.clock, sleep=now.sleep)
    assert source.read(1) is None
    assert source.trouble is not None
    assert "no picture" in source.trouble.sentence
    cv2.imwrite(str(tmp_path / "late.png"), numbered(7))
    assert read_all(source, 2) == [7, 7]
    assert source.trouble is None


def test_folder_tries_a_growing_file_again(tmp_path: Path) -> None:
    """It is read while still being copied, and later rewritten under the same name."""
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
    """One broken file does not stop the others."""
    picture_folder(tmp_path, 3)
    (tmp_path / "01.png").write_bytes(b"oops")
    now = FakeTime()
    assert read_all(FolderSource(tmp_path, clock=now.clock, sleep=now.sleep), 2) == [0, 2]


def test_a_broken_file_that_is_taken_away_is_told_no_more(tmp_path: Path) -> None:
    """It used to be reported until the next good picture came, and nothing else could be done about it."""
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
    """It used to be ignored, and the folder waited for ever."""
    (tmp_path / "IMG_1.HEIC").write_bytes(b"\0\0\0\x18ftypheic" + b"\0" * 30)
    source = FolderSource(tmp_path)
    assert source.read(1.0) is None
    assert source.trouble is not None
    assert "HEIC" in source.trouble.sentence
    with pytest.raises(PictureError, match="HEIC"):
        open_source(str(tmp_path / "IMG_1.HEIC"))


def test_a_hidden_file_is_no_picture(tmp_path: Path) -> None:
    """A photo in Android's trash was shown as the newest, and macOS's companion file called broken."""
    source = FolderSource(picture_folder(tmp_path, 2))
    assert read_all(source, 2) == [0, 1]
    (tmp_path / "00.png").rename(tmp_path / ".trashed-1767225600-00.png")
    (tmp_path / "._01.png").write_bytes(b"\0\5\x16\7Mac OS X")
    assert read_all(source, 2) == [1, 1]
    assert source.trouble is None


def test_a_picture_that_a_browser_on_windows_saved_is_one(tmp_path: Path) -> None:
    """`tray.jfif` was passed over in a folder, and played as a film of one picture."""
    (tmp_path / "tray.jfif").write_bytes(jpeg(numbered(3)))
    for spec in (tmp_path, tmp_path / "tray.jfif"):
        source = open_source(str(spec))
        assert read_all(source, 2) == [3, 3]
        assert not source.ended


def test_a_film_may_be_named_by_the_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without its folder the part before the colon was taken for a protocol."""
    name = "2026-11-30T19:05:12.mp4"
    film = cv2.VideoWriter(str(tmp_path / name), cv2.VideoWriter.fourcc(*"mp4v"), 15, (320, 240))
    film.write(numbered(3))
    film.release()
    monkeypatch.chdir(tmp_path)
    assert FilmSource(Path(name)).read(1) is not None


def test_folder_passes_over_a_link_to_nothing(tmp_path: Path) -> None:
    """Emacs leaves such links: the folder was then said to be gone, and no picture was shown."""
    now = FakeTime()
    picture_folder(tmp_path, 2)
    (tmp_path / ".#a.png").symlink_to("anna@host.1234")
    source = FolderSource(tmp_path, clock=now.clock, sleep=now.sleep)
    assert read_all(source, 2) == [0, 1]
    assert source.trouble is None


def test_a_folder_that_is_there_again_is_well_also_where_it_holds_nothing_new(tmp_path: Path) -> None:
    """A drive that was away for a moment was reported as gone until the next picture came."""
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


def test_read_gives_up_after_its_timeout(tmp_path: Path) -> None:
    """The next frame is due in a fifteenth of a second, later than the timeout."""
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


def test_a_slow_film_plays_at_its_pace(tmp_path: Path) -> None:
    """One picture in five seconds, as a security camera keeps them, was over in no time."""
    path = tmp_path / "slow.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 0.2, (320, 240))
    for number in range(4):
        writer.write(numbered(number))
    writer.release()
    now = FakeTime()
    film = FilmSource(path, now.clock, now.sleep)
    assert read_all(film, 16) == list(range(4))  # asked each second
    assert now.now_s == pytest.approx(115)


def test_spec_finds_the_kind_of_source(tmp_path: Path) -> None:
    """A picture, a folder with a hold, and nonsense."""
    picture_folder(tmp_path, 1)
    assert open_source(str(tmp_path / "00.png")).describe().startswith("the picture")
    assert open_source(f"{tmp_path}?hold=2").describe().startswith("pictures of")
    for nothing in ("camera", "", "?hold=2"):  # an empty name used to mean the working directory
        with pytest.raises(CameraError, match="neither a camera nor a file"):
            open_source(nothing)
    with pytest.raises(CameraError, match="no number of seconds"):
        open_source(f"{tmp_path}?hold=long")
    (tmp_path / "notes.txt").write_text("no film")
    with pytest.raises(CameraError, match="not a video"):
        open_source(str(tmp_path / "notes.txt"))
    (tmp_path / "cut.jpg").write_bytes(b"\xff\xd8\xff")
    with pytest.raises(PictureError):
        open_source(str(tmp_path / "cut.jpg"))
