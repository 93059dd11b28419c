"""`tenshu count`: every file gets counts or a sentence; one bad file stops none."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.cli import main
from tests.companion.stub_reader import stub_reader
from tests.vision.mat_picture import mat_picture
from vision.pictures import Picture
from vision.reading import TrayReading

__all__ = ["stub_reader"]
pytestmark = pytest.mark.usefixtures("stub_reader")


def write_picture(folder: Path, name: str, picture: Picture | None = None) -> Path:
    path = folder / name
    cv2.imwrite(str(path), mat_picture() if picture is None else picture)
    return path


def json_lines(out: str) -> list[dict[str, object]]:
    return [json.loads(line) for line in out.splitlines()]


def test_counts_are_said_for_people(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One line a picture, colours that are not there left out."""
    path = write_picture(tmp_path, "a.png")
    assert main(["count", str(path)]) == 0
    assert capsys.readouterr().out == f"{path}: 2 red, 1 black (certain)\n"


def test_json_is_one_object_a_picture(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A folder is read in name order."""
    write_picture(tmp_path, "b.png")
    write_picture(tmp_path, "a.jpg")
    assert main(["count", "--json", str(tmp_path)]) == 0
    first, second = json_lines(capsys.readouterr().out)
    assert [Path(str(x["file"])).name for x in (first, second)] == ["a.jpg", "b.png"]
    assert first["counts"] == {"red": 2, "black": 1}
    assert first["total"] == 3
    assert first["certain"] is True
    assert (first["width"], first["height"]) == (891, 630)
    assert first["cubes"] == [
        {
            "colour": "red",
            "centre_px": [20.0, 30.0],
            "outline_px": [[16.0, 26.0], [24.0, 26.0], [24.0, 34.0]],
            "centre_mm": [-3.0, 4.0],
            "confidence": 0.98,
        }
    ]


def test_a_path_that_cannot_be_looked_at_stops_no_other(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A name that is too long, as of a closed folder: the others were not read at all."""
    path = write_picture(tmp_path, "a.png")
    assert main(["count", "x" * 300, str(path)]) == 2
    output = capsys.readouterr()
    assert output.out == f"{path}: 2 red, 1 black (certain)\n"
    assert "cannot be opened (File name too long)" in output.err


def test_a_name_that_would_command_the_terminal_is_shown(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """An escape that clears it, a line that looks like another picture's: of a good and of a bad file."""
    good, bad = write_picture(tmp_path, "\x1b[2J\na.png"), tmp_path / "\x1b[2J\nb.png"
    bad.write_bytes(b"oops")
    assert main(["count", str(good), str(bad)]) == 2
    output = capsys.readouterr()
    assert output.out == f"{tmp_path}/\\x1b[2J\\na.png: 2 red, 1 black (certain)\n"
    assert output.err == (
        f"tenshu: {tmp_path}/\\x1b[2J\\nb.png is not a picture. JPEG, PNG, WebP, BMP and TIFF can be read.\n"
    )


def test_one_bad_file_among_many_stops_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The others are counted; the bad one is named on both channels; exit status 2 at the end."""
    write_picture(tmp_path, "a.png")
    jpeg = write_picture(tmp_path, "b.jpg").read_bytes()
    (tmp_path / "b.jpg").write_bytes(jpeg[: len(jpeg) // 2])
    write_picture(tmp_path, "c.png")
    assert main(["count", "--json", str(tmp_path)]) == 2
    output = capsys.readouterr()
    first, bad, last = json_lines(output.out)
    assert first["total"] == last["total"] == 3
    assert "cut short" in str(bad["error"])
    assert "b.jpg is cut short" in output.err


@pytest.mark.parametrize(
    ("name", "data", "words"),
    [
        ("notes.txt", b"three red", "is not a picture"),
        ("empty.jpg", b"", "is empty"),
        ("gone.jpg", None, "There is no picture"),
    ],
)
def test_bad_input_is_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, data: bytes | None, words: str
) -> None:
    """No traceback, exit status 2."""
    if data is not None:
        (tmp_path / name).write_bytes(data)
    assert main(["count", str(tmp_path / name)]) == 2
    output = capsys.readouterr()
    assert output.err.startswith("tenshu: ")
    assert words in output.err
    assert output.err.count("\n") == 1


def test_empty_folder_is_one_sentence_and_others_are_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A typo in one of two names."""
    (tmp_path / "none").mkdir()
    assert main(["count", str(tmp_path / "none"), str(write_picture(tmp_path, "a.png"))]) == 2
    output = capsys.readouterr()
    assert "no picture in the folder" in output.err
    assert "2 red" in output.out


def test_picture_without_a_tray_asks_with_a_remedy(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Not an error of the file: a reading that is not certain."""
    path = write_picture(tmp_path, "dark.png", np.full((240, 320, 3), (12, 18, 40), np.uint8))
    assert main(["count", "--json", str(path)]) == 0
    [reading] = json_lines(capsys.readouterr().out)
    assert reading["certain"] is False
    assert reading["doubts"] == ["no_tray"]
    assert "Point the camera at the tray" in str(reading["asks"])


def test_lens_cap_is_named_before_any_doubt(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """All black: there is no sense in talking of trays."""
    path = write_picture(tmp_path, "black.png", np.zeros((480, 640, 3), np.uint8))
    assert main(["count", str(path)]) == 0
    stdout = capsys.readouterr().out
    assert "all black" in stdout
    assert "no tray" not in stdout


@pytest.mark.parametrize("size", [(3840, 2160), (320, 240)])
def test_large_and_small_pictures_are_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], size: tuple[int, int]
) -> None:
    """4K and 320×240."""
    path = write_picture(tmp_path, "a.png", np.asarray(cv2.resize(mat_picture(), size), np.uint8))
    assert main(["count", "--json", str(path)]) == 0
    [reading] = json_lines(capsys.readouterr().out)
    assert (reading["width"], reading["height"]) == size


@pytest.mark.parametrize(("mirrored", "certain"), [(False, True), (True, False)])
def test_the_overlay_says_certain_only_if_the_command_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mirrored: bool, certain: bool
) -> None:
    """The reader cannot tell that a picture is mirrored."""
    drawn: list[bool] = []

    def note_verdict(picture: Picture, reading: TrayReading) -> Picture:
        drawn.append(reading.certain)
        return picture

    monkeypatch.setattr("companion.overlays.draw_reading", note_verdict)
    picture = mat_picture()[:, ::-1].copy() if mirrored else mat_picture()
    path = write_picture(tmp_path, "a.png", picture)
    assert main(["count", str(path), "--overlay", str(tmp_path / "seen")]) == 0
    assert drawn == [certain]


def test_overlay_is_written_for_each_picture(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Two folders may hold pictures of one name."""
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        write_picture(tmp_path / name, "a.png")
    overlays = tmp_path / "seen" / "deep"
    arguments = ["count", "--json", str(tmp_path / "one"), str(tmp_path / "two"), "--overlay", str(overlays)]
    assert main(arguments) == 0
    assert sorted(p.name for p in overlays.iterdir()) == ["a-2-seen.jpg", "a-seen.jpg"]
    assert [x["overlay"] for x in json_lines(capsys.readouterr().out)] == [
        str(overlays / "a-seen.jpg"),
        str(overlays / "a-2-seen.jpg"),
    ]


def test_overlay_folder_that_cannot_be_made_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A file stands where the folder should be."""
    path = write_picture(tmp_path, "a.png")
    assert main(["count", str(path), "--overlay", str(path)]) == 2
    assert "cannot be made" in capsys.readouterr().err


def test_profile_that_is_not_there_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """And where it was looked for: who had calibrated with --data read of a profile that was there."""
    data, picture = tmp_path / "data", str(write_picture(tmp_path, "a.png"))
    monkeypatch.setenv("TENSHU_DATA", str(data))
    assert main(["count", picture, "--profile", "club"]) == 2
    sentence = f"There is no profile 'club' in {data / 'profiles'} (known: none yet). Name another folder"
    assert sentence in capsys.readouterr().err
