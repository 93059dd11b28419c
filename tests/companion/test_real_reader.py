"""The commands with the reader that tables get, on rendered trays."""

import json
from pathlib import Path

import cv2
import pytest

from calibration.synth import Options
from calibration.synth.folder import write_folder
from companion.cli import main
from tests.vision.mat_picture import mat_picture

PLAIN = Options(
    size_px=(640, 480), mat=True, tray="square", plastic="clear", light="led", cube_mm=8.0, plain=True
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Three rendered trays with their truth."""
    list(write_folder(tmp_path / "trays", range(1, 4), PLAIN))
    return tmp_path / "trays"


def test_rendered_trays_are_evaluated(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """From pixels to the table of figures."""
    assert main(["evaluate", "--json", str(folder)]) == 0
    body = json.loads(capsys.readouterr().out)
    assert body["pictures"] == 3
    assert body["by_mat"]["with_mat"]["pictures"] == 3
    assert body["ms_median"] > 0


def test_rendered_trays_are_counted_and_drawn(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each picture has an object and an overlay that is at least as large."""
    assert main(["count", "--json", str(folder), "--overlay", str(folder / "seen")]) == 0
    readings = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert len(readings) == 3
    for reading in readings:
        assert reading["total"] == sum(reading["counts"].values()) == len(reading["cubes"])
        assert reading["mat_seen"] is True
        overlay = cv2.imread(reading["overlay"])
        assert overlay is not None
        assert overlay.shape[1] >= 640


def test_empty_tray_is_empty(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A plain grey tray on the mat: nothing is made up."""
    cv2.imwrite(str(tmp_path / "empty.png"), mat_picture())
    assert main(["count", "--json", str(tmp_path)]) == 0
    assert json.loads(capsys.readouterr().out)["total"] == 0


@pytest.mark.parametrize("size", [(3840, 2160), (320, 240)])
def test_any_size_is_read_without_a_traceback(
    folder: Path, capsys: pytest.CaptureFixture[str], size: tuple[int, int]
) -> None:
    """4K and 320×240: a reading, sure or not."""
    path = next(folder.glob("*.jpg"))
    picture = cv2.imread(str(path))
    assert picture is not None
    cv2.imwrite(str(path), cv2.resize(picture, size))
    assert main(["count", "--json", str(path)]) == 0
    assert json.loads(capsys.readouterr().out)["width"] == size[0]
