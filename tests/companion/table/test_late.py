"""A cube that falls after its throw was accepted: reported until the tray is cleared or the throw put
right."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.games.protocol import Colour
from companion.table.messages import CALIBRATING, CameraSays, Moving
from companion.table.past.undoing import Wish
from firmware.link.events import Beat, Drop, LinkDown, LinkUp, Motion, Settled
from tests.companion.table.scales import CUBE_MG, hear_board
from tests.companion.table.tables import JPEG, Table, looked
from vision.reading import Doubt


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    """An attack of five red on Omi, with four red and two blue counted."""
    new_table = Table(tmp_path)
    new_table.attack()
    new_table.falls(red=4, blue=2)
    new_table.pass_s(4.1)
    assert new_table.phase == "idle"
    yield new_table
    new_table.close()


def late_cubes(table: Table) -> tuple[int, int, dict[str, int]] | None:
    """How many lie there, how many were counted, and what the counts would be corrected to."""
    late = table.session.view()["late"]
    if late is None:
        return None
    corrected = {colour: number for colour, number in late["counts"].items() if number}
    return sum(late["look"]["counts"].values()), sum(late["counted"].values()), corrected


def correct_newest_throw(table: Table, **counts: int) -> None:
    batch = next(entry["batch"] for entry in table.session.view()["history"] if entry["throw"])
    exact_counts = {Colour(colour): number for colour, number in counts.items()}
    table.session.correct(batch, exact_counts, "", "anna", table.expected)


def test_it_is_told_with_its_picture_until_the_throw_is_put_right(table: Table) -> None:
    rev_before = table.session.view()["rev"]
    table.falls(red=4, blue=3)
    assert late_cubes(table) == (7, 6, {"red": 4, "blue": 3})
    view = table.session.view()
    assert view["rev"] > rev_before
    assert table.session.picture(view["late"]["look"]["number"]) == JPEG
    correct_newest_throw(table, red=4, blue=3)
    assert late_cubes(table) is None
    table.falls(red=4, blue=3)
    assert late_cubes(table) is None


def test_it_goes_when_the_tray_is_cleared_and_does_not_come_back(table: Table) -> None:
    table.falls(red=4, blue=3)
    table.falls(Doubt.VEILED)
    assert late_cubes(table) is None
    table.falls(red=5, blue=3)  # what hands put there is no throw
    assert late_cubes(table) is None


def test_it_goes_with_the_next_throw_also_where_that_is_called_off(table: Table) -> None:
    table.falls(red=4, blue=3)
    table.attack("omi", "yellow", 3)
    assert late_cubes(table) is None
    table.session.command({"kind": "call_off"}, "anna", table.expected)
    table.falls(red=4, blue=3)
    assert late_cubes(table) is None


def test_a_look_that_asks_changes_nothing(table: Table) -> None:
    table.falls(Doubt.FRAMES_DIFFER, red=4, blue=3)
    assert late_cubes(table) is None
    table.falls(red=4, blue=3)
    table.session.hear(Moving())
    table.falls(Doubt.FRAMES_DIFFER, red=2)
    assert late_cubes(table) == (7, 6, {"red": 4, "blue": 3})


def test_what_the_tower_cannot_hold_is_none(table: Table) -> None:
    """When read without the tower's ledger, a shadow may pass for a cube."""
    table.falls(red=4, blue=2, yellow=7)
    assert late_cubes(table) is None


def test_a_throw_that_was_taken_back_has_no_late_cube(table: Table) -> None:
    table.falls(red=4, blue=3)
    declared = next(
        entry["batch"] for entry in table.session.view()["history"] if entry["kind"] == "throw_declared"
    )
    table.session.undo(Wish(declared, "anna"), table.expected, ["red", "blue"])
    assert (late_cubes(table), table.phase) == (None, "idle")
    table.falls(red=4, blue=3)
    assert late_cubes(table) is None


def test_what_is_calibrated_with_is_none(table: Table) -> None:
    table.session.hear(CameraSays("a camera", "It is led.", "", CALIBRATING))
    table.falls(red=4, blue=3)
    assert late_cubes(table) is None


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
    correct_newest_throw(table, **accepted)
    table.falls(certain=True, **then)
    assert late_cubes(table) == expected


def test_after_a_restart_it_is_told_still(table: Table) -> None:
    table.session = table.opened()
    table.session.hear(looked(red=4, blue=3))
    assert late_cubes(table) == (7, 6, {"red": 4, "blue": 3})


def _hear_fall(table: Table, cubes: int, lie: int) -> None:
    hear_board(table, Motion(5), *(Drop(9, CUBE_MG) for _ in range(cubes)), Settled(9, lie * CUBE_MG, 6))


def _hear_taking(table: Table, cubes: int, lie: int) -> None:
    hear_board(table, Motion(20), Drop(21, -cubes * CUBE_MG), Settled(25, lie * CUBE_MG, 6))


@pytest.fixture
def alone(tmp_path: Path) -> Iterator[Table]:
    """The same, counted by hand with a load cell and without a camera."""
    new_table = Table(tmp_path)
    new_table.session.hear(CameraSays("none"))
    hear_board(new_table, LinkUp("/dev/ttyACM0", "1.0"), Beat(0, 0, 20, 80, False))
    new_table.attack()
    _hear_fall(new_table, 6, 6)
    new_table.session.settle({Colour("red"): 4, Colour("blue"): 2}, "anna", new_table.expected)
    yield new_table
    new_table.close()


def late_by_weight(table: Table) -> tuple[int, int] | None:
    """How many lie there, and how many were counted."""
    late = table.session.view()["late"]
    if late is None:
        return None
    assert late["look"] is None
    assert late["counts"] == late["counted"]
    return late["lies"], sum(late["counted"].values())


def test_where_no_camera_looks_the_load_cell_tells_it(alone: Table) -> None:
    """Nothing was said, and the throw stayed wrong."""
    assert late_by_weight(alone) is None
    rev_before = alone.session.view()["rev"]
    _hear_fall(alone, 1, 7)
    assert (late_by_weight(alone), alone.session.view()["rev"] > rev_before) == ((7, 6), True)
    correct_newest_throw(alone, red=4, blue=3)
    assert late_by_weight(alone) is None
    _hear_fall(alone, 1, 8)
    assert late_by_weight(alone) == (8, 7)
    _hear_taking(alone, 8, 0)
    assert late_by_weight(alone) is None
    _hear_fall(alone, 1, 1)
    _hear_fall(alone, 7, 8)  # what hands put there is no throw
    assert late_by_weight(alone) is None


def test_a_hand_that_rests_on_the_tray_is_no_late_cube(alone: Table) -> None:
    hear_board(alone, Motion(20), Drop(21, 9000), Settled(25, 9000 + 6 * CUBE_MG, 6))
    assert late_by_weight(alone) is None
    hear_board(alone, Motion(30), Drop(31, -9000), Settled(35, 6 * CUBE_MG, 6))
    _hear_fall(alone, 4, 10)  # a finger's weight: more cubes than fall late
    assert late_by_weight(alone) is None
    _hear_taking(alone, 4, 6)
    _hear_fall(alone, 1, 7)
    assert late_by_weight(alone) == (7, 6)


def test_cubes_that_were_taken_out_to_be_counted_and_are_put_back_are_not_late(tmp_path: Path) -> None:
    table = Table(tmp_path)
    table.session.hear(CameraSays("none"))
    hear_board(table, LinkUp("/dev/ttyACM0", "1.0"), Beat(0, 0, 20, 80, False))
    table.attack()
    _hear_fall(table, 6, 6)
    _hear_taking(table, 6, 0)
    table.session.settle({Colour("red"): 4, Colour("blue"): 2}, "anna", table.expected)
    _hear_fall(table, 6, 6)
    _hear_fall(table, 1, 7)
    assert late_by_weight(table) is None
    table.close()


def test_a_wrong_weight_tells_of_no_late_cube(alone: Table) -> None:
    hear_board(alone, LinkDown("/dev/ttyACM0", "Unplugged.", "Plug it in.", "gone"))
    hear_board(alone, LinkUp("/dev/ttyACM0", "1.0"), Beat(0, 6 * CUBE_MG, 20, 80, False))
    _hear_fall(alone, 1, 7)
    assert late_by_weight(alone) is None


def test_where_a_camera_looks_its_picture_tells_it(alone: Table) -> None:
    alone.session.hear(CameraSays("0"))
    _hear_fall(alone, 1, 7)
    assert alone.session.view()["late"] is None
    alone.falls(red=4, blue=3)
    assert late_cubes(alone) == (7, 6, {"red": 4, "blue": 3})
