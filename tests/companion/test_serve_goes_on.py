"""`tenshu serve` without a table goes on with the last one: the real command, one start after the other."""

import os
from pathlib import Path

from tests.companion.conftest import SERVE, Played

DEMO = ["demo", "--no-browser", "--port", "0"]


def test_a_start_without_a_table_goes_on_with_the_one_played_last(played: Played) -> None:
    """It began a new game "table": only a table that was switched to on the host's page was remembered."""
    assert played(*SERVE) == "table"
    assert played(*SERVE, "--table", "friday") == "friday"
    assert played(*SERVE) == "friday"
    assert played(*DEMO) == "demo"
    assert played(*SERVE) == "friday"


def test_where_none_was_remembered_it_is_the_newest_that_is_no_demo(played: Played, tmp_path: Path) -> None:
    """A folder of an earlier edition, or a table that was deleted since."""
    for name in ("friday", "saturday"):
        assert played(*SERVE, "--table", name) == name
    assert played(*DEMO) == "demo"
    tables = tmp_path / "tables"
    (tables / "current.json").unlink()
    for seconds, name in enumerate(("saturday", "friday", "demo")):
        os.utime(tables / f"{name}.sqlite3", (1_000_000 + seconds, 1_000_000 + seconds))
    assert played(*SERVE) == "friday"
