"""A cube that falls when its throw was accepted already: told until the tray or the throw is put right."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.games.protocol import Colour
from companion.table.messages import CALIBRATING, CameraSays, Moving
from companion.table.past.undoing import Wish
from tests.companion.table.tables import JPEG, Table, looked
from vision.reading import Doubt


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    """An attack of five red on Omi, whose four red and two blue were counted."""
    one = Table(tmp_path)
    one.attack()
    one.falls(red=4, blue=2)
    one.pass_s(4.1)
    assert one.phase == "idle"
    yield one
    one.close()


def told(table: Table) -> tuple[int, int, dict[str, int]] | None:
    """How many lie there, how many were counted, and what it would be put right to."""
    late = table.session.view()["late"]
    if late is None:
        return None
    right = {colour: number for colour, number in late["counts"].items() if number}
    return sum(late["look"]["counts"].values()), sum(late["counted"].values()), right


def correct(table: Table, **counts: int) -> None:
    batch = next(one["batch"] for one in table.session.view()["history"] if one["throw"])
    exact = {Colour(colour): number for colour, number in counts.items()}
    table.session.correct(batch, exact, "", "anna", table.expected)


def test_it_is_told_with_its_picture_until_the_throw_is_put_right(table: Table) -> None:
    before = table.session.view()["rev"]
    table.falls(red=4, blue=3)
    assert told(table) == (7, 6, {"red": 4, "blue": 3})
    view = table.session.view()
    assert view["rev"] > before
    assert table.session.picture(view["late"]["look"]["number"]) == JPEG
    correct(table, red=4, blue=3)
    assert told(table) is None
    table.falls(red=4, blue=3)
    assert told(table) is None


def test_it_goes_when_the_tray_is_cleared_and_does_not_come_back(table: Table) -> None:
    table.falls(red=4, blue=3)
    table.falls(Doubt.VEILED)
    assert told(table) is None
    table.falls(red=5, blue=3)  # what hands lay there is no throw
    assert told(table) is None


def test_it_goes_with_the_next_throw_also_where_that_is_called_off(table: Table) -> None:
    table.falls(red=4, blue=3)
    table.attack("omi", "yellow", 3)
    assert told(table) is None
    table.session.command({"kind": "call_off"}, "anna", table.expected)
    table.falls(red=4, blue=3)
    assert told(table) is None


def test_a_look_that_asks_changes_nothing(table: Table) -> None:
    table.falls(Doubt.FRAMES_DIFFER, red=4, blue=3)
    assert told(table) is None
    table.falls(red=4, blue=3)
    table.session.hear(Moving())
    table.falls(Doubt.FRAMES_DIFFER, red=2)
    assert told(table) == (7, 6, {"red": 4, "blue": 3})


def test_what_the_tower_cannot_hold_is_none(table: Table) -> None:
    """Read without the tower's ledger a shadow may be a cube."""
    table.falls(red=4, blue=2, yellow=7)
    assert told(table) is None


def test_a_throw_that_was_taken_back_has_no_late_cube(table: Table) -> None:
    table.falls(red=4, blue=3)
    declared = next(
        one["batch"] for one in table.session.view()["history"] if one["kind"] == "throw_declared"
    )
    table.session.undo(Wish(declared, "anna"), table.expected, ["red", "blue"])
    assert (told(table), table.phase) == (None, "idle")
    table.falls(red=4, blue=3)
    assert told(table) is None


def test_what_is_calibrated_with_is_none(table: Table) -> None:
    table.session.hear(CameraSays("a camera", "It is led.", "", CALIBRATING))
    table.falls(red=4, blue=3)
    assert told(table) is None


@pytest.mark.parametrize(
    ("accepted", "then", "expected"),
    [
        ({"red": 3, "blue": 2}, {"red": 4, "blue": 2}, None),
        ({"red": 4, "blue": 3}, {"red": 4, "blue": 3}, None),
        ({"red": 3, "blue": 3}, {"red": 4, "blue": 2}, None),
        ({"red": 3, "blue": 3}, {"red": 5, "blue": 2}, (7, 6, {"red": 4, "blue": 3})),
        ({"red": 4, "blue": 3}, {"red": 5, "blue": 3}, (8, 7, {"red": 5, "blue": 3})),
    ],
)
def test_a_reading_that_a_person_put_right_raises_nothing(
    table: Table, accepted: dict[str, int], then: dict[str, int], expected: object
) -> None:
    correct(table, **accepted)
    table.falls(certain=True, **then)
    assert told(table) == expected


def test_after_a_restart_it_is_told_still(table: Table) -> None:
    table.session = table.opened()
    table.session.hear(looked(red=4, blue=3))
    assert told(table) == (7, 6, {"red": 4, "blue": 3})
