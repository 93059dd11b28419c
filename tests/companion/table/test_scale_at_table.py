"""The load cell at the live table: evidence beside the picture, the link on the page, the log."""

import json
import re

import pytest

from companion.games.protocol import Colour
from companion.table.log.throwlog import HEAD, rows_of
from companion.table.messages import CameraSays
from firmware.link.events import (
    Beat,
    Drop,
    Fault,
    LinkDown,
    LinkUp,
    Motion,
    Recovered,
    Sample,
    SensorEvent,
    Settled,
)
from firmware.link.troubles import FAULTS, LINK, OF_READING
from tests.companion.table.scales import CUBE_MG, hear_board
from tests.companion.table.tables import Table, looked
from tests.companion.web.catalogue import STATIC
from vision.reading import Doubt


@pytest.fixture
def cell(table: Table) -> Table:
    """A table with a board on an empty tray, and a battle declared."""
    hear_board(table, LinkUp("/dev/ttyACM0", "1.0"), Beat(0, 0, 20, 80, False))
    table.attack()
    return table


def _hear_weight_of(table: Table, cubes: int) -> None:
    hear_board(table, *(Drop(9, CUBE_MG) for _ in range(cubes)), Settled(9, cubes * CUBE_MG, 6))


def test_a_drop_says_that_something_falls(cell: Table) -> None:
    hear_board(cell, Motion(5))
    assert cell.phase == "falling"


def test_a_weight_that_agrees_is_written_down_with_the_throw(cell: Table) -> None:
    hear_board(cell, Motion(5))
    _hear_weight_of(cell, 5)
    cell.falls(red=4, blue=1)
    assert cell.phase == "countdown"
    cell.pass_s(5)
    [throw] = cell.session.throws()
    assert (throw["weight"]["cubes"], throw["weight"]["mass_mg"]) == (5, 5 * CUBE_MG)
    [row] = rows_of(cell.folder).rows
    assert (row["weight_cubes"], row["weight_mg"], row["weight_steps"]) == (5, 1800, 5)
    assert set(row) == set(HEAD)


def test_cubes_taken_out_to_be_counted_change_neither_the_page_nor_the_log(cell: Table) -> None:
    """The log gave the weight of the emptied tray as that of the throw, and was quite sure of it."""
    hear_board(cell, Motion(5))
    _hear_weight_of(cell, 7)
    cell.falls(Doubt.STACKED, red=4, blue=3)
    look_before = cell.session.view()["look"]
    cell.pass_s(10)
    for left in (4, 0):
        hear_board(cell, Motion(20), Drop(21, -CUBE_MG), Settled(25, left * CUBE_MG, 6))
        assert (cell.phase, cell.session.view()["look"]) == ("asking", look_before)
    cell.session.settle({Colour("red"): 4, Colour("blue"): 3}, "anna", cell.expected, cell.look)
    [row] = rows_of(cell.folder).rows
    assert (row["weight_cubes"], row["weight_mg"]) == (7, 7 * CUBE_MG)


@pytest.mark.parametrize("left", [0, 2])
def test_without_a_camera_cubes_taken_out_to_be_counted_were_thrown_too(cell: Table, left: int) -> None:
    """The log was quite sure that the tray had weighed nothing. The next throw is weighed anew."""
    cell.session.hear(CameraSays("none"))
    hear_board(cell, Motion(5))
    _hear_weight_of(cell, 7)
    hear_board(cell, Motion(20), Drop(21, (left - 7) * CUBE_MG), Settled(25, left * CUBE_MG, 6))
    cell.session.settle({Colour("red"): 4, Colour("blue"): 3}, "anna", cell.expected)
    hear_board(cell, Motion(30), Drop(31, -left * CUBE_MG), Settled(35, 0, 6))
    cell.attack(attacker="blue")
    hear_board(cell, Motion(40))
    _hear_weight_of(cell, 3)
    cell.session.settle({Colour("blue"): 3}, "anna", cell.expected)
    weights = [(row["weight_cubes"], row["weight_mg"]) for row in rows_of(cell.folder).rows]
    assert weights == [(7, 7 * CUBE_MG), (3, 3 * CUBE_MG)]


@pytest.mark.parametrize(
    "camera", [CameraSays("none"), CameraSays("0", "USB camera 0 gives no picture.", "Plug it in.", "gone")]
)
def test_where_no_camera_looks_a_person_counts_what_was_felt(cell: Table, camera: CameraSays) -> None:
    """The table said "cubes are falling, hands off" forever, and offered nothing but another look."""
    cell.session.hear(camera)
    hear_board(cell, Motion(5), *(Drop(9, CUBE_MG) for _ in range(5)))
    assert cell.phase == "falling"
    hear_board(cell, Settled(9, 5 * CUBE_MG, 6))
    assert (cell.phase, cell.session.view()["weight"]["cubes"]) == ("unseen", 5), "it said to throw now"
    cell.session.settle({Colour("red"): 4, Colour("blue"): 1}, "anna", cell.expected)
    assert [throw["by"] for throw in cell.session.throws()] == ["hand"]


def test_where_no_camera_looks_what_came_and_went_is_no_throw(cell: Table) -> None:
    cell.session.hear(CameraSays("none"))
    hear_board(cell, Motion(5), Settled(9, 20, 6))
    assert cell.phase == "waiting"
    hear_board(cell, Motion(5), Drop(9, 2000), Settled(9, 2000, 6))
    assert cell.phase == "unseen"
    hear_board(cell, Motion(15), Drop(19, -2000), Settled(19, 0, 6))
    assert cell.phase == "waiting"


def test_a_weight_that_differs_asks_even_when_it_comes_after_the_picture(cell: Table) -> None:
    hear_board(cell, Motion(5))
    cell.falls(red=4, blue=1)
    assert cell.phase == "countdown"
    number = cell.look
    hear_board(cell, *(Drop(9, CUBE_MG) for _ in range(7)))
    cell.falls(red=4, blue=1)
    hear_board(cell, Settled(9, 7 * CUBE_MG, 6))
    assert cell.phase == "asking"
    view = cell.session.view()
    assert view["look"]["doubts"][0]["key"] == Doubt.WEIGHT_DIFFERS
    assert view["weight"]["cubes"] == 7
    assert cell.look > number
    cell.pass_s(60)
    assert cell.phase == "asking"


def test_a_cube_that_falls_late_takes_the_countdown_back(cell: Table) -> None:
    hear_board(cell, Motion(5))
    _hear_weight_of(cell, 5)
    cell.falls(red=4, blue=1)
    assert cell.phase == "countdown"
    hear_board(cell, Drop(99, CUBE_MG))
    cell.pass_s(60)
    assert cell.phase == "falling"


def test_the_link_that_is_lost_and_back_is_on_the_page_and_the_game_goes_on(cell: Table) -> None:
    hear_board(cell, Motion(5))
    hear_board(cell, LinkDown("/dev/ttyACM0", "Unplugged.", "Plug it in.", "gone"))
    sensor = cell.session.view()["health"]["sensor"]
    assert (sensor["up"], sensor["name"], sensor["sentence"]) == (False, "gone", "Unplugged.")
    assert cell.session.view()["weight"] is None
    cell.falls(red=4, blue=1)
    cell.pass_s(5)
    assert cell.province() == ("red", 3)
    assert cell.session.throws()[0]["weight"] is None
    hear_board(cell, LinkUp("/dev/ttyACM0", "1.0"))
    assert cell.session.view()["health"]["sensor"]["up"] is True


def test_a_fault_is_on_the_page_until_it_ends_and_its_weight_counts_nothing(cell: Table) -> None:
    hear_board(cell, Fault("vibration", "It shakes.", "Hold it."))
    assert cell.session.view()["health"]["sensor"]["name"] == "vibration"
    assert cell.session.view()["weight"] is None
    hear_board(cell, Recovered("vibration"))
    assert cell.session.view()["health"]["sensor"]["up"] is True
    assert cell.session.view()["weight"]["cubes"] == 0


def test_the_trace_comes_piece_by_piece_with_its_marks(cell: Table) -> None:
    hear_board(cell, Sample(50, 1), Sample(100, 2), Motion(100), Drop(100, CUBE_MG))
    first_piece = cell.session.trace(0)
    assert first_piece["points"] == [[50, 1], [100, 2]]
    assert [mark["kind"] for mark in first_piece["marks"]] == ["motion", "drop"]
    hear_board(cell, Sample(150, 3))
    assert cell.session.trace(first_piece["newest"])["points"] == [[150, 3]]


def test_a_board_that_came_back_begins_a_new_trace(cell: Table) -> None:
    hear_board(cell, Sample(90_000, 1), LinkUp("/dev/ttyACM0", "1.0"), Sample(50, 2))
    assert cell.session.trace(0)["points"] == [[50, 2]]


def test_samples_alone_wake_no_page(cell: Table) -> None:
    rev_before = cell.session.view()["rev"]
    hear_board(cell, Sample(50, 1), Beat(100, 0, 20, 80, False))
    assert cell.session.view()["rev"] == rev_before


def test_what_the_camera_does_not_see_but_the_cell_feels_is_asked_about(cell: Table) -> None:
    hear_board(cell, Motion(5))
    cell.falls()
    assert cell.phase == "waiting"
    _hear_weight_of(cell, 5)
    assert cell.phase == "falling"
    cell.falls()
    assert cell.phase == "asking"
    assert cell.session.view()["look"]["doubts"][0]["key"] == Doubt.WEIGHT_DIFFERS


def test_the_weight_may_come_after_the_picture_that_shows_nothing(cell: Table) -> None:
    hear_board(cell, Motion(5), *(Drop(9, CUBE_MG) for _ in range(5)))
    cell.falls()
    assert cell.phase == "waiting"
    hear_board(cell, Settled(9, 5 * CUBE_MG, 6))
    assert cell.phase == "asking"


def test_an_old_picture_is_not_held_against_a_new_weight(cell: Table) -> None:
    cell.falls()
    hear_board(cell, Motion(5))
    _hear_weight_of(cell, 5)
    assert cell.phase == "falling"


def test_a_hand_that_passes_asks_nothing(cell: Table) -> None:
    hear_board(cell, Motion(5))
    cell.falls()
    hear_board(cell, Settled(9, 10, 6))
    assert cell.phase == "waiting"


def test_a_tray_emptied_while_a_person_is_asked_is_not_settled_as_empty(cell: Table) -> None:
    hear_board(cell, Motion(5))
    _hear_weight_of(cell, 5)
    cell.falls(Doubt.UNCLEAR_COLOUR, red=4, blue=1)
    assert cell.phase == "asking"
    cell.falls()
    hear_board(cell, Settled(99, 0, 6))
    cell.pass_s(60)
    assert cell.phase == "asking"
    assert cell.session.view()["look"]["counts"]["red"] == 4


def test_a_bump_is_over_when_the_load_cell_is_at_rest(cell: Table) -> None:
    hear_board(cell, Motion(5), Settled(9, 0, 6))
    assert cell.phase == "waiting"
    hear_board(cell, Motion(5), Drop(9, CUBE_MG), Settled(9, CUBE_MG, 6))
    assert cell.phase == "falling"


def test_a_bump_is_over_when_the_load_cell_is_pulled_out(cell: Table) -> None:
    """Every page said "hands off" until the next throw was seen."""
    hear_board(cell, Motion(5), LinkDown("/dev/ttyACM0", "The load cell was unplugged.", "Plug it in again."))
    assert cell.phase == "waiting"
    hear_board(
        cell, LinkUp("/dev/ttyACM0", "1.0"), Motion(5), Drop(9, CUBE_MG), LinkDown("/dev/ttyACM0", "", "")
    )
    assert cell.phase == "falling"


REST = Beat(9000, 0, 20, 80, False)


@pytest.mark.parametrize("name", sorted(OF_READING))
def test_a_bump_is_over_when_the_load_cell_has_no_readings(cell: Table, name: str) -> None:
    """A wire comes loose: the board forgets the motion, and never reports its end."""
    hear_board(cell, Motion(5), Fault(name, "No readings.", "Check the wires."))
    assert cell.phase == "waiting"
    hear_board(cell, Recovered(name), REST, Motion(5), Drop(9, CUBE_MG), Fault(name, "", ""))
    assert cell.phase == "falling", "what was felt falling is looked at"


def test_a_bump_is_over_at_the_next_beat_where_the_line_that_told_it_was_lost(cell: Table) -> None:
    hear_board(cell, Motion(5), Beat(8000, 0, 20, 80, True))
    assert cell.phase == "falling"
    hear_board(cell, REST)
    assert cell.phase == "waiting"


def test_a_person_counts_what_was_felt_where_no_camera_looks_and_the_end_was_lost(cell: Table) -> None:
    """The table said "cubes are falling" until the next throw."""
    cell.session.hear(CameraSays("none"))
    hear_board(cell, Motion(5), *(Drop(9, CUBE_MG) for _ in range(5)), Beat(9000, 5 * CUBE_MG, 20, 80, False))
    assert (cell.phase, cell.session.view()["weight"]["cubes"]) == ("unseen", 5)


def test_a_cell_without_readings_has_no_weight_on_the_page(cell: Table) -> None:
    """A wire came off, but the page still said "1.07 g, at rest, one reading is good to 5 mg"."""
    hear_board(cell, Beat(100, 1070, 21, 80, False))
    assert (cell.session.trace(0)["mass_mg"], cell.session.trace(0)["noise_mg"]) == (1070, 21)
    hear_board(cell, Beat(1100, 0, 5, 0, False, weighs=False))
    assert (cell.session.trace(0)["mass_mg"], cell.session.trace(0)["noise_mg"]) == (None, None)
    hear_board(cell, Beat(2100, 1070, 21, 80, False))
    assert cell.session.trace(0)["mass_mg"] == 1070


def test_a_countdown_waits_for_what_the_load_cell_begins_to_feel(cell: Table) -> None:
    hear_board(cell, Motion(5))
    _hear_weight_of(cell, 5)
    cell.falls(red=4, blue=1)
    cell.pass_s(3.9)
    hear_board(cell, Motion(99))
    cell.pass_s(0.5)
    assert cell.phase == "countdown"
    hear_board(cell, Drop(99, CUBE_MG))
    assert cell.phase == "falling"


def _fight_and_declare_next(cell: Table) -> None:
    """Seven cubes lie there, and the next battle is declared."""
    hear_board(cell, Motion(5))
    _hear_weight_of(cell, 7)
    cell.falls(red=4, blue=2, green=1)
    cell.pass_s(5)
    cell.attack("kai", "blue", 3)


def test_a_throw_that_was_felt_is_not_asked_about_though_no_more_lies_there_than_before(cell: Table) -> None:
    """The third throw of the demo "may have lain there before", although each cube had been felt."""
    _fight_and_declare_next(cell)
    hear_board(cell, Motion(20), Drop(20, -7 * CUBE_MG), Settled(21, 0, 6), Motion(22))
    hear_board(cell, *(Drop(23, CUBE_MG) for _ in range(4)), Settled(29, 4 * CUBE_MG, 6))
    cell.falls(red=3, blue=1)
    assert cell.phase == "countdown"


def test_the_weight_may_come_after_the_picture_of_such_a_throw(cell: Table) -> None:
    _fight_and_declare_next(cell)
    hear_board(cell, Motion(20), Drop(20, -7 * CUBE_MG), Settled(21, 0, 6), Motion(22))
    cell.falls(red=3, blue=1)
    assert cell.phase == "asking"
    hear_board(cell, *(Drop(23, CUBE_MG) for _ in range(4)), Settled(29, 4 * CUBE_MG, 6))
    assert cell.phase == "countdown"


@pytest.mark.parametrize(
    "hand",
    [
        (Drop(20, -3 * CUBE_MG),),
        (Drop(20, 20_000), Drop(22, -20_000 - 3 * CUBE_MG)),
        (Drop(20, -4 * CUBE_MG), Drop(22, CUBE_MG)),
        (Drop(20, 1500), Settled(21, 1500 + 7 * CUBE_MG, 6), Motion(22)),
        (Drop(20, 20_000), Settled(21, 20_000 + 7 * CUBE_MG, 6), Motion(22)),
        (Settled(21, -250_000, 6), Motion(22), Drop(23, 250_000 + 4 * CUBE_MG)),
        (Drop(20, -250_000 - 7 * CUBE_MG), Drop(23, 250_000 + 4 * CUBE_MG)),
        (Settled(21, -250_000, 6), Motion(22), Drop(23, 90_000), Drop(24, 160_000 + 4 * CUBE_MG)),
    ],
    ids=[
        "it takes three",
        "it leans on the tray and takes three",
        "it takes four and puts one back",
        "a finger comes at once and takes three slowly",
        "it comes at once, leans on the tray and takes three slowly",
        "it lifts the tray, takes three and claps it down",
        "it snatches the tray and claps it down three short",
        "it puts the lifted tray down edge by edge",
    ],
)
def test_a_hand_that_clears_the_tray_is_no_throw_for_the_load_cell_either(
    cell: Table, hand: tuple[SensorEvent, ...]
) -> None:
    _fight_and_declare_next(cell)
    hear_board(cell, Motion(20), *hand, Settled(29, 4 * CUBE_MG, 6))
    cell.falls(red=3, blue=1)
    cell.pass_s(60)
    assert cell.phase == "asking"
    assert cell.session.view()["look"]["doubts"][0]["key"] == Doubt.LAY_THERE


@pytest.mark.parametrize("cleared", [False, True])
def test_a_throw_that_the_load_cell_felt_is_one_also_where_all_that_lay_there_is_seen_again(
    cell: Table, cleared: bool
) -> None:
    """A hand had cleared the tray while nobody looked. Of a throw onto what lies there, most is felt too."""
    hear_board(cell, Motion(5))
    _hear_weight_of(cell, 2)
    cell.falls(red=1, blue=1)
    cell.pass_s(5)
    cell.attack("kai", "blue", 3)
    if cleared:
        hear_board(cell, Motion(20), Drop(21, -2 * CUBE_MG), Settled(25, 0, 6))
    n_fallen, n_lying = (5, 5) if cleared else (3, 5)
    hear_board(
        cell, Motion(30), *(Drop(31, CUBE_MG) for _ in range(n_fallen)), Settled(39, n_lying * CUBE_MG, 6)
    )
    cell.falls(red=2, blue=3)
    assert cell.phase == ("countdown" if cleared else "asking")


@pytest.mark.parametrize("red", [4, 3], ids=["as it was counted", "as it was read"])
def test_a_picture_that_comes_late_shows_the_last_throw_while_the_next_is_felt(cell: Table, red: int) -> None:
    """With a stream six seconds late, as many fell as had lain there, and those were accepted once more."""
    hear_board(cell, Motion(5))
    _hear_weight_of(cell, 7)
    cell.falls(Doubt.UNCLEAR_COLOUR, red=red, blue=2, green=1)
    cell.session.settle(
        {Colour("red"): 4, Colour("blue"): 2, Colour("green"): 1}, "anna", cell.expected, cell.look
    )
    cell.attack("kai", "blue", 3)
    hear_board(cell, Motion(20), Drop(20, -7 * CUBE_MG), Settled(21, 0, 6), Motion(22))
    n_fallen = red + 3
    hear_board(cell, *(Drop(23, CUBE_MG) for _ in range(n_fallen)), Settled(29, n_fallen * CUBE_MG, 6))
    cell.session.hear(looked(red=red, blue=2, green=1))
    cell.pass_s(5)
    assert cell.phase == "asking"
    assert [doubt["key"] for doubt in cell.session.view()["look"]["doubts"]] == [Doubt.LAY_THERE]
    cell.falls()
    cell.falls(red=2, blue=n_fallen - 2)
    assert cell.phase == "countdown"


@pytest.mark.parametrize(
    ("language", "by_hand"),
    [("en", "by hand"), ("de", "von Hand"), ("fr", "à la main"), ("ro", "manual"), ("ru", "вручную")],
)
def test_no_trouble_of_the_load_cell_promises_a_camera(language: str, by_hand: str) -> None:
    """Without a camera, "the camera goes on counting" was on every page."""
    words = json.loads((STATIC / "i18n" / f"{language}.json").read_text(encoding="utf-8"))
    sentences = [text for key, text in words.items() if key.startswith("cell.trouble.")]
    if language == "en":
        sentences += [" ".join(texts) for texts in (*FAULTS.values(), *LINK.values())]
    of_cameras = [text for text in sentences if re.search("cam[eé]ra|kamera|камер", text, re.IGNORECASE)]
    assert of_cameras
    assert [text for text in of_cameras if by_hand not in text] == []
