"""What hands do to the tray before a throw counts: they take cubes out, clear it, or stop the countdown."""

import pytest

from companion.games.protocol import Colour
from companion.table.errors import LookedAnew
from tests.companion.table.tables import Table
from vision.reading import Doubt


@pytest.mark.parametrize(
    ("asked", "fewer"),
    [((), ((2, 1), (3, 1))), ((Doubt.STACKED,), ((1, 0), (3, 2)))],
    ids=["during the countdown", "while a person is asked"],
)
def test_cubes_taken_out_are_not_the_throw(
    table: Table, asked: tuple[Doubt, ...], fewer: tuple[tuple[int, int], ...]
) -> None:
    """A hand took three, and four seconds later the rest was accepted as all that had come out."""
    table.attack()
    table.falls(*asked, red=4, blue=2)
    for red, blue in fewer:  # not all are put back at once
        table.falls(red=red, blue=blue)
        table.pass_s(60)
        assert table.phase == "asking"
        assert table.session.view()["look"]["doubts"][0]["key"] == Doubt.TAKEN_OUT
    table.falls(red=4, blue=2)
    assert table.phase == "countdown"


def test_a_tray_that_is_cleared_during_the_countdown_does_not_lose_its_throw(table: Table) -> None:
    """The page said to throw, and no longer showed what had been read."""
    table.attack()
    table.falls(red=4, blue=2)
    number = table.look
    table.falls()
    table.pass_s(60)
    assert (table.phase, table.look) == ("asking", number)
    table.session.settle({Colour("red"): 4, Colour("blue"): 2}, "anna", table.expected, look=number)
    assert table.province() == ("red", 2)


def test_a_late_cube_is_shown_to_who_held_the_countdown(table: Table) -> None:
    """The look on the page stayed, and was confirmed without it. What hands take out changes nothing."""
    table.attack()
    table.falls(red=4, blue=1)
    number = table.look
    table.session.hold(table.expected, number)
    table.falls(red=1)
    table.falls(Doubt.STACKED, red=4, blue=2)
    assert table.look == number
    table.falls(red=4, blue=2)
    table.pass_s(60)
    assert (table.phase, table.look) == ("asking", number + 1)
    assert table.session.view()["look"]["counts"]["blue"] == 2
    with pytest.raises(LookedAnew):
        table.session.settle({Colour("red"): 4, Colour("blue"): 1}, "anna", table.expected, look=number)
