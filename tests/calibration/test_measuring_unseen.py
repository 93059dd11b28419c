"""Expected unseen cubes, against labels that name cubes of which the picture shows nothing."""

import json
from pathlib import Path
from typing import Any

import pytest

from calibration.measuring.labels import entries_of
from calibration.measuring.unseen import Tray, main, table, trays_of
from calibration.synth import Options
from calibration.synth.folder import write_folder
from calibration.synth.scene import Plastic
from calibration.training.crops import crops_from_labels
from vision.reader import TrayReader

PLASTICS: tuple[Plastic, Plastic] = ("black", "clear")


def _folder(folder: Path, plastic: Plastic, added: str | None) -> Path:
    """Render a plain tray with a few cubes, and add one more to its labels."""
    counts = {"red": 2, "yellow": 2, "black": 2}
    options = Options(plain=True, counts=counts, size_px=(960, 720), mat=True, plastic=plastic)
    assert len(list(write_folder(folder, range(4413, 4414), options))) == 1
    labels = folder / "labels.json"
    body = json.loads(labels.read_text(encoding="utf-8"))
    cubes: list[dict[str, Any]] = body["pictures"][0]["cubes"]
    if added:
        xs, ys = zip(*body["pictures"][0]["floor"], strict=True)
        free = {**cubes[0], "centre": [sum(xs) / 4, sum(ys) / 4], "colour": added, "visible": 1.0}
        cubes.append(free)
    labels.write_text(json.dumps(body), encoding="utf-8")
    return folder


def _uncounted_by_reason(report: str) -> list[int]:
    return [int(line.split()[-1]) for line in report.splitlines()[2:]]


@pytest.mark.parametrize(
    ("plastic", "added", "row"),
    [("black", None, None), ("black", "black", 2), ("black", "red", 0), ("clear", "black", 0)],
)
def test_a_cube_of_which_nothing_shows_is_put_down_to_its_reason(
    plastic: Plastic, added: str | None, row: int | None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([str(_folder(tmp_path / "pictures", plastic, added))]) == 0
    report = capsys.readouterr().out
    assert "In 1 of 1 pictures every place is sure to 97%" in report
    assert f"; {0 if row is None else 1} of these hold a cube that is not counted." in report
    assert _uncounted_by_reason(report) == [int(n == row) for n in range(3)]


def test_as_much_is_expected_as_the_reading_doubts(tmp_path: Path) -> None:
    """More black cubes may lie unseen on a dark floor, not on a light one; cubes hide others on both."""
    dark, light = (
        next(trays_of(crops_from_labels(folder, entries_of(folder, None)), TrayReader())).expected
        for folder in (_folder(tmp_path / plastic, plastic, None) for plastic in PLASTICS)
    )
    assert dark["dark"] > 0
    assert light["dark"] == 0
    assert 0 < light["under"] < 0.1
    assert 0 < dark["under"] < 0.1


def test_the_table_adds_up_what_was_expected() -> None:
    nothing = {"under": 0, "glare": 0, "dark": 0}
    trays = [
        Tray({"under": 0.25, "glare": 0.0, "dark": 1.5}, {**nothing, "under": 2}),
        Tray({"under": 0.5, "glare": 0.0, "dark": 0.1}, nothing),
    ]
    report = table(trays, 3)
    assert "In 2 of 3 pictures" in report
    assert "; 1 of these" in report
    assert [line.split()[-2:] for line in report.splitlines()[2:]] == [
        ["0.8", "2"],
        ["0.0", "0"],
        ["1.6", "0"],
    ]


def test_a_damaged_picture_is_named_and_the_others_are_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = _folder(tmp_path / "pictures", "clear", None)
    body = json.loads((folder / "labels.json").read_text(encoding="utf-8"))
    [whole] = body["pictures"]
    pixels = (folder / whole["file"]).read_bytes()
    (folder / "cut.jpg").write_bytes(pixels[: len(pixels) // 2])
    body["pictures"].append({**whole, "file": "cut.jpg"})
    (folder / "labels.json").write_text(json.dumps(body), encoding="utf-8")
    assert main([str(folder)]) == 0
    report, complaint = capsys.readouterr()
    assert "In 1 of 2 pictures" in report
    assert "cut.jpg" in complaint


def test_a_folder_that_is_not_there_gets_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([str(tmp_path / "nowhere")]) == 2
    assert "There is no folder" in capsys.readouterr().err
