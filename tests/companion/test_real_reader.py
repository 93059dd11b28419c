"""The commands with the reader that tables get, on rendered trays."""

import json
from dataclasses import replace
from pathlib import Path

import cv2
import pytest

from calibration.profiles.drift import Change
from calibration.profiles.learn import learn
from calibration.profiles.profile import save
from calibration.synth import Options
from calibration.synth.folder import write_folder
from calibration.synth.staged import StagedTable
from companion.cli import main
from companion.places import profiles_dir
from tests.calibration.moves import shifted
from tests.vision.mat_picture import mat_picture
from vision.scene.rectify import rectify

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


@pytest.mark.parametrize("mat", [True, False])
def test_a_picture_from_another_place_than_the_profile_s_is_asked_about_unless_the_mat_says_where_the_tray_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], mat: bool
) -> None:
    """The tray is looked for where it was calibrated; cubes beside that place are left out."""
    table = StagedTable(41, replace(PLAIN, mat=mat))
    flat = rectify(empty := table.render_empty())
    assert flat is not None
    save(learn(empty, flat.tray, {}, name="home", made=""), profiles_dir(tmp_path))

    def asks(there: StagedTable) -> bool:
        cv2.imwrite(str(tmp_path / "throw.png"), there.render_thrown({"red": 3, "blue": 2}, 1)[0])
        named = ["--profile", "home", "--data", str(tmp_path)]
        assert main(["count", "--json", str(tmp_path / "throw.png"), *named]) == 0
        body = json.loads(capsys.readouterr().out)
        told = f"{Change.CAMERA_MOVED.sentence} {Change.CAMERA_MOVED.remedy}" in body["asks"]
        assert not (told and body["certain"])
        return told

    moved = table.with_scene_change(lambda scene: replace(scene, camera=shifted(scene.camera, 40, 0)))
    assert (asks(table), asks(moved)) == (False, not mat)
