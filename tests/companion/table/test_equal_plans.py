"""Two throws may have equal plans: a look belongs to the throw that it was taken of."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.games.protocol import Colour, TowerShown
from companion.table.past.undoing import Wish
from tests.companion.table.tables import Table, tell

RED = Colour("red")
THROW_TRAY = {"kind": "throw", "cubes": {}}


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    """Two red cubes lie in the tray, from the last throw."""
    options = {"box": {"red": 10, "blue": 3}, "tower": {"blue": 3}}
    new_table = Table(tmp_path, "just_the_tower", options)
    tell(new_table.session, {"kind": "throw", "cubes": {"red": 2}})
    new_table.session.settle({RED: 2}, "anna", new_table.expected)
    yield new_table
    new_table.close()


def count_down(table: Table) -> None:
    """Throw what lies in the tray: a blue cube comes out with it, and the countdown begins."""
    tell(table.session, THROW_TRAY)
    table.falls(red=2, blue=1)
    assert table.phase == "countdown"


def test_an_undo_that_brings_an_earlier_throw_back_takes_the_look_of_the_later_along(table: Table) -> None:
    """The countdown went on, and the earlier throw was settled with the later one's picture."""
    tell(table.session, THROW_TRAY)
    earlier_plan = table.session._book.plan()
    table.session.settle({RED: 2}, "anna", table.expected)
    earlier = table.session.throws()[0]["batch"]
    count_down(table)
    assert table.session._book.plan() == earlier_plan
    table.session.undo(Wish(earlier, "anna"), table.expected, ["anna"])
    assert (table.phase, table.session.view()["look"]) == ("waiting", None)
    table.pass_s(60)
    assert (table.phase, [throw["undone"] for throw in table.session.throws()]) == ("waiting", [True, False])


def test_an_undo_of_what_was_entered_during_a_throw_leaves_its_look(tmp_path: Path) -> None:
    shogun = Table(tmp_path)
    shogun.attack()
    shogun.falls(red=4, blue=1)
    number = shogun.look
    tell(
        shogun.session, {"kind": "correct", "fact": "armies", "where": "owari", "value": 4, "reason": "seen"}
    )
    for _ in range(2):  # the correction, and then its undo
        newest = shogun.session.view()["history"][0]["batch"]
        shogun.session.undo(Wish(newest, "anna"), shogun.expected, ["anna"])
        assert (shogun.phase, shogun.look) == ("countdown", number)
    shogun.close()


def test_an_undo_of_a_setting_from_before_the_throw_leaves_its_look(table: Table) -> None:
    table.session.show_tower(TowerShown.HIDDEN, "host", table.expected)
    setting = table.session.view()["history"][0]["batch"]
    count_down(table)
    number = table.look
    table.session.undo(Wish(setting, "host"), table.expected, ["host"])
    assert (table.phase, table.look) == ("countdown", number)
