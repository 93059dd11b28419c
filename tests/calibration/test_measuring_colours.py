"""Which step names colours best: counted by hand, and on rendered pictures from folder to table."""

from math import log
from pathlib import Path

import pytest

from calibration.measuring.colours import Named, main, table
from calibration.synth import Options
from calibration.synth.folder import write_folder
from vision.finding.detector import COLOURS

WAYS = ("detector", "closer look", "both looks", "palette", "all")


def test_the_table_counts_what_each_way_gets_wrong() -> None:
    sure = {colour: tuple(float(c == colour) for c in COLOURS) for colour in COLOURS}
    half = tuple(0.5 if c in ("red", "purple") else 0.0 for c in COLOURS)
    right = Named("blue", dict.fromkeys(WAYS, sure["blue"]))
    faded = Named("red", {**dict.fromkeys(WAYS, sure["red"]), "palette": sure["purple"], "all": half})
    report = table([right, faded, faded])
    assert report.splitlines()[0] == "3 cubes found"
    detector, *_, palette, every = [line[14:].split() for line in report.splitlines()[2:]]
    assert detector == ["0", "0.0000"]
    assert palette == ["2", f"{2 / 3 * log(1e5):.4f}", "red", "as", "purple", "2"]
    assert every == ["0", f"{2 / 3 * log(2):.4f}"]


def test_rendered_cubes_are_mostly_named_right(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert len(list(write_folder(tmp_path / "pictures", range(4400, 4404), Options(size_px=(640, 480))))) == 4
    assert main([str(tmp_path / "pictures")]) == 0
    first, _, *ways = capsys.readouterr().out.splitlines()
    wrong = {way[:14].strip(): int(way[14:].split()[0]) for way in ways}
    found = int(first.split()[0])
    assert found >= 20
    assert wrong["both looks"] <= min(0.1 * found, wrong["detector"])


def test_a_folder_that_is_not_there_gets_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([str(tmp_path / "nowhere")]) == 2
    assert "There is no folder" in capsys.readouterr().err
