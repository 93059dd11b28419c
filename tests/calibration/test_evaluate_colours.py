"""Who names colours best: counted by hand, and on rendered pictures from the folder to the table."""

from pathlib import Path

import pytest

from calibration.evaluate_colours import Named, main, table
from calibration.synth import Options
from calibration.synth.folder import write_folder


def test_the_table_counts_what_each_way_gets_wrong() -> None:
    right = Named("blue", {"network": "blue", "palette": "blue", "both": "blue"})
    faded = Named("red", {"network": "red", "palette": "purple", "both": "purple"})
    said = table([right, faded, faded])
    assert said.splitlines()[0] == "3 cubes found"
    assert [line.split() for line in said.splitlines()[2:]] == [
        ["network", "0"],
        ["palette", "2", "red", "as", "purple", "2"],
        ["both", "2", "red", "as", "purple", "2"],
    ]


def test_rendered_cubes_are_mostly_named_right(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert len(list(write_folder(tmp_path / "pictures", range(4400, 4404), Options(size_px=(640, 480))))) == 4
    assert main([str(tmp_path / "pictures")]) == 0
    first, _, network, *_ = capsys.readouterr().out.splitlines()
    found, wrong = int(first.split()[0]), int(network.split()[1])
    assert found >= 20
    assert wrong <= 0.1 * found
