"""The table of ratios; what it measures is not tested by time."""

import pytest

from tests.bench.__main__ import main, names
from tests.bench.rows import Row, table, timed


def test_every_benchmark_is_found() -> None:
    """By its file name."""
    assert "settle" in names()


def test_ratio_is_to_the_baseline_of_the_same_run() -> None:
    """The baseline itself has none; the other names it."""
    rows = timed("sums", ("short", lambda: sum(range(2_000))), ("long", lambda: sum(range(200_000))))
    assert rows[0].ratio is None
    assert rows[1].ratio is not None
    assert rows[1].ratio > 0
    assert rows[1].baseline == "short"
    assert "long" in table(rows)


def test_row_without_a_ratio_is_printed() -> None:
    """A share has no baseline."""
    assert "97.1 %" in table([Row("reader", "exact", "97.1 %", None)])


def test_unknown_benchmark_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    """And those that are there."""
    assert main(["nothing"]) == 2
    assert "settle" in capsys.readouterr().err
