"""The table of ratios; the times themselves are not tested."""

from importlib import import_module
from pathlib import Path

import pytest

from calibration.measuring.split import half
from calibration.synth import Options
from calibration.synth.scene import COLOURS
from calibration.synth.staged import StagedTable
from calibration.traced.folder import write_picture
from tests.bench import bench_calibrated, bench_spoilt
from tests.bench.__main__ import main, names
from tests.bench.rows import Row, compare_times, table


def test_every_benchmark_is_found() -> None:
    """Benchmarks are found by file name."""
    assert "settle" in names()


@pytest.mark.parametrize("name", names())
def test_every_benchmark_can_be_run_and_stands_in_the_docs(name: str) -> None:
    """`make bench` calls `run` of each, and docs/evaluate.md says what it measures."""
    assert callable(import_module(f"tests.bench.bench_{name}").run)
    page = Path(__file__).parents[2] / "docs" / "evaluate.md"
    assert f"\n| `{name}` | " in page.read_text(encoding="utf-8")


def test_ratio_is_to_the_baseline_of_the_same_run() -> None:
    """The baseline itself has no ratio; the other row names the baseline."""
    rows = compare_times("sums", ("short", lambda: sum(range(2_000))), ("long", lambda: sum(range(200_000))))
    assert rows[0].ratio is None
    assert rows[1].ratio is not None
    assert rows[1].ratio > 0
    assert rows[1].baseline == "short"
    assert "long" in table(rows)


def test_row_without_a_ratio_is_printed() -> None:
    """A share has no baseline."""
    assert "97.1 %" in table([Row("reader", "exact", "97.1 %", None)])


def test_unknown_benchmark_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    """The message also lists the known ones."""
    assert main(["nothing"]) == 2
    assert "settle" in capsys.readouterr().err


def test_tables_in_folders_are_read_before_and_after_a_calibration(tmp_path: Path) -> None:
    """Same layout as from `python -m calibration.traced tables`, but rendered here."""
    table = StagedTable(11, Options((640, 480), mat=False, plain=True))
    folder = tmp_path / "11"
    empty, nothing = table.render_thrown({}, 1)
    write_picture(folder, "empty.jpg", empty, nothing)
    for colour in COLOURS:
        write_picture(folder, f"{colour}.jpg", *table.render_apart(colour, 5))
    for number in range(2):
        write_picture(folder, f"t{number}.jpg", *table.render_thrown({"red": 2, "green": 1}, 20 + number))
    rows = bench_calibrated.measure_folder(tmp_path)
    assert len(rows) == 9
    assert {row.figure for row in rows if "silence" in row.what} == {"0"}
    assert all(row.figure.endswith(" of 2") for row in rows if "silence" not in row.what)
    assert bench_calibrated.measure_folder(tmp_path, mat=True) == []
    (tmp_path / "12").mkdir()
    picture, label = table.render_thrown({"red": 1}, 30)
    write_picture(tmp_path / "12", "t0.jpg", picture, label)  # an interrupted run
    assert len(bench_calibrated.measure_folder(tmp_path)) == 9


def test_a_folder_that_is_not_there_gets_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It used to be a traceback."""
    with pytest.raises(SystemExit):
        bench_spoilt.main([str(tmp_path / "nowhere")])
    assert "There is no folder" in capsys.readouterr().err


def test_a_half_without_pictures_is_told_and_no_others_are_measured(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Rendered pictures were measured instead, under the name of that half."""
    write_picture(tmp_path, "a.jpg", *StagedTable(11, Options((320, 240))).render_thrown({"red": 1}, 1))
    other = "tune" if half("a.jpg") == "holdout" else "holdout"
    with pytest.raises(SystemExit):
        bench_spoilt.main([str(tmp_path), "--half", other])
    assert f"names no picture of the half {other}. Name another" in capsys.readouterr().err
    assert {row.figure[-4:] for row in bench_spoilt.run([])} == {"of 0"}
