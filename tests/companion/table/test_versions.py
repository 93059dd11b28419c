"""Which table tells a throw that several hold: the one that corrected it last."""

from pathlib import Path

from companion.games.protocol import Colour
from companion.table.files.backups import keep_under_free_name
from companion.table.files.tables import Tables
from companion.table.log.throwlog import rows_of
from tests.companion.table.tables import Table


def test_a_correction_counts_though_the_clock_was_set_back(tmp_path: Path) -> None:
    """The copy that was not corrected seemed newer, and its throw was told."""
    table = Table(tmp_path, "just_the_tower", {"box": {"red": 30}}, "box")
    table.clock.now_s = 1e9
    table.session.command({"kind": "throw", "cubes": {"red": 9}}, "anna", table.expected)
    table.session.settle({Colour("red"): 2}, "anna", table.expected)
    keep_under_free_name(Tables(tmp_path), "box", table.session.events())
    table.clock.now_s -= 3600
    thrown = table.session.throws()[0]["batch"]
    table.session.correct(thrown, {Colour("red"): 7}, "seven", "anna", table.expected)
    table.store.close()
    assert [row["out_red"] for row in rows_of(tmp_path).rows if not row["undone"]] == [7]
