"""Errors place by place: counted by hand, and with deliberately false labels."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from calibration.measuring.places import Place, main, table
from calibration.synth import Options
from calibration.synth.folder import write_folder

Cubes = list[dict[str, Any]]


def _parse_rows(report: str) -> dict[str, tuple[int, int, float]]:
    """Parse doubtful, wrong and log loss of each kind."""
    lines = report.splitlines()[1:10]
    return {line[:16].strip(): (int(line[16:24]), int(line[24:31]), float(line[31:41])) for line in lines}


def test_the_table_adds_up_what_is_in_doubt() -> None:
    places = [
        Place("a.jpg", "missed", "red", 0.4, 0.3),
        Place("a.jpg", "missed", "blue", 0.2, 1.5),
        Place("a.jpg", "colour", "red", 0.4, 0.01),
        Place("b.jpg", "nothing", "green", None, 0.9),
    ]
    report = table(places, worst=2)
    rows = _parse_rows(report)
    assert rows["missed"] == (2, 1, 1.8)
    assert rows["nothing"] == (1, 1, 0.9)
    assert rows["colour"] == (0, 0, 0.0)
    assert rows["all"] == (3, 2, 2.7)
    assert report.splitlines()[10:] == [
        "a.jpg: missed, blue, 20% of it shows, 1.50",
        "b.jpg: nothing, green, 0.90",
    ]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A plain tray with a few cubes."""
    folder = tmp_path_factory.mktemp("places") / "pictures"
    wanted = {"red": 2, "yellow": 2, "green": 1}
    options = Options(plain=True, counts=wanted, size_px=(960, 720), mat=True)
    assert len(list(write_folder(folder, range(4410, 4411), options))) == 1
    return folder


def _repaint_first(cubes: Cubes) -> None:
    cubes[0]["colour"] = "blue"


def _remove_first(cubes: Cubes) -> None:
    del cubes[0]


def _add_far_cube(cubes: Cubes) -> None:
    far = {**cubes[0], "centre": [20.0, 20.0], "polygon": [[10, 10], [30, 10], [30, 30], [10, 30]]}
    cubes.append(far)


def _leave_as_is(cubes: Cubes) -> None:
    assert len(cubes) == 5


@pytest.mark.parametrize(
    ("lie", "kind"),
    [(_leave_as_is, None), (_repaint_first, "colour"), (_remove_first, "nothing"), (_add_far_cube, "unseen")],
)
def test_each_lie_of_the_labels_is_one_kind_of_error(
    lie: Callable[[Cubes], None],
    kind: str | None,
    folder: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    body = json.loads((folder / "labels.json").read_text(encoding="utf-8"))
    lie(body["pictures"][0]["cubes"])
    (tmp_path / "labels.json").write_text(json.dumps(body), encoding="utf-8")
    name = body["pictures"][0]["file"]
    (tmp_path / name).write_bytes((folder / name).read_bytes())
    assert main([str(tmp_path), "--worst", "3"]) == 0
    rows = _parse_rows(capsys.readouterr().out)
    assert {row for row, (_, wrong, _) in rows.items() if wrong and row != "all"} == (
        {kind} if kind else set()
    )
    assert rows["all"][1] == (1 if kind else 0)


def test_a_picture_without_a_tray_is_told_of(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    entry = {"file": "grey.png", "cubes": []}
    (tmp_path / "labels.json").write_text(json.dumps({"pictures": [entry]}), encoding="utf-8")
    cv2.imwrite(str(tmp_path / "grey.png"), np.full((480, 640, 3), 128, np.uint8))
    assert main([str(tmp_path)]) == 0
    assert "In 1 of 1 pictures no tray is found" in capsys.readouterr().out


def test_a_folder_that_is_not_there_gets_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([str(tmp_path / "nowhere")]) == 2
    assert "There is no folder" in capsys.readouterr().err


def test_a_damaged_picture_is_named_and_the_others_are_read(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    body = json.loads((folder / "labels.json").read_text(encoding="utf-8"))
    whole = body["pictures"][0]
    body["pictures"] = [{**whole, "file": "cut.jpg"}, whole]
    (tmp_path / "labels.json").write_text(json.dumps(body), encoding="utf-8")
    pixels = (folder / whole["file"]).read_bytes()
    (tmp_path / whole["file"]).write_bytes(pixels)
    (tmp_path / "cut.jpg").write_bytes(pixels[: len(pixels) // 2])
    assert main([str(tmp_path)]) == 0
    output = capsys.readouterr()
    assert "cut.jpg" in output.err
    assert _parse_rows(output.out)["all"][1] == 0


def test_labels_without_places_get_a_sentence(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Such labels are the minimum that docs/evaluate.md asks for."""
    body = json.loads((folder / "labels.json").read_text(encoding="utf-8"))
    del body["pictures"][0]["cubes"]
    name = body["pictures"][0]["file"]
    (tmp_path / "labels.json").write_text(json.dumps(body), encoding="utf-8")
    (tmp_path / name).write_bytes((folder / name).read_bytes())
    assert main([str(tmp_path)]) == 2
    assert "do not say where its cubes lie" in capsys.readouterr().err
