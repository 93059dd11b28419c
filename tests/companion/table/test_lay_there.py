"""What may have lain in the tray before a throw is no throw; what cannot have lain there is one."""

import pytest

from companion.games.registry import find
from companion.store.events import StoredEvent
from companion.table.messages import CALIBRATING, CameraSays, Moving
from companion.table.past.history import Json, throws
from tests.companion.table.tables import Table, looked
from vision.reading import Doubt


def _fight_first_battle(table: Table) -> None:
    """The first battle; it leaves seven cubes in the tray."""
    table.attack()
    table.falls(red=4, blue=1, green=2)
    table.pass_s(5)


def test_what_lay_there_before_is_no_throw(table: Table) -> None:
    table.attack()
    table.falls(red=4, blue=1, black=2)
    table.pass_s(5)
    table.attack("ise", attackers=2)
    table.falls(black=2)
    assert table.phase == "waiting"


def test_what_nobody_saw_fall_is_never_accepted_by_itself(table: Table) -> None:
    """A look at the old tray that arrives after the next throw was declared."""
    table.attack()
    table.session.hear(looked(red=4, blue=1))
    table.pass_s(60)
    assert table.phase == "asking"
    assert table.session.view()["look"]["doubts"][0]["key"] == Doubt.LAY_THERE


@pytest.mark.parametrize("cleared", [False, True])
def test_cubes_that_lay_there_before_the_throw_are_asked_about(table: Table, cleared: bool) -> None:
    """Cubes from a calibration's test, or that somebody counted out there, were taken as thrown."""
    table.falls(red=3, blue=2)
    if cleared:
        table.falls()
    table.attack()
    table.falls(red=4, blue=3, green=1)
    assert table.phase == ("countdown" if cleared else "asking")


def test_a_look_asks_for_the_newest_throw_alone(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """For this, each look listed all throws of the table with the lock held: after years, 40 ms and more."""
    table.attack()
    table.falls(red=4, blue=1)
    table.pass_s(60)
    event_counts: list[int] = []

    def count_events(events: list[StoredEvent]) -> list[Json]:
        event_counts.append(len(events))
        return throws(events)

    monkeypatch.setattr("companion.table.past.book.throws", count_events)
    table.attack("ise")
    table.session.hear(looked(red=4, blue=1))
    assert table.session.view()["look"]["doubts"][0]["key"] == Doubt.LAY_THERE
    assert event_counts == []


@pytest.mark.parametrize("cleared", [False, True])
def test_cubes_that_were_shown_to_a_calibration_are_no_throw(table: Table, cleared: bool) -> None:
    """Ending the calibration with five red cubes in the tray settled a battle four seconds later."""
    table.attack()
    table.session.hear(Moving())
    for says in (CameraSays("0", "It is calibrated.", "End it.", CALIBRATING), CameraSays("0")):
        table.session.hear(says)
    if cleared:
        table.falls()
    table.falls(red=5)
    assert table.phase == ("countdown" if cleared else "asking")


@pytest.mark.parametrize("cleared", [False, True])
def test_a_throw_onto_a_tray_that_was_not_cleared_is_asked_about(table: Table, cleared: bool) -> None:
    """Four seconds later all that lay there was counted again; likewise after a late cube."""
    _fight_first_battle(table)
    table.attack("kai", "blue", 3)
    if cleared:
        table.falls()
    table.falls(red=4, blue=3, green=2)
    assert table.phase == ("countdown" if cleared else "asking")
    if not cleared:
        assert table.session.view()["look"]["doubts"][0]["key"] == Doubt.LAY_THERE


def test_a_tray_that_is_just_being_cleared_is_no_throw(table: Table) -> None:
    """After a battle a hand takes some of what lies there and pauses; a throw brings something else."""
    _fight_first_battle(table)
    table.attack("kai", "blue", 3)
    table.falls(red=2, blue=1)
    table.pass_s(60)
    assert table.phase == "asking"
    assert table.session.view()["look"]["doubts"][0]["key"] == Doubt.LAY_THERE
    table.falls(red=2, blue=3)
    assert table.phase == "countdown"


@pytest.mark.parametrize("doubts", [(), (Doubt.FALSE_COLOURS,)])
@pytest.mark.parametrize("declared_first", [True, False])
def test_no_more_than_the_last_throw_brought_is_a_throw_where_the_tray_was_seen_empty(
    table: Table, declared_first: bool, doubts: tuple[Doubt, ...]
) -> None:
    """Of two small battles in a row, the second brought what the first had, and that was asked about.

    On a grey table an empty tray shows no colour, and is empty all the same.
    """
    _fight_first_battle(table)
    for attack in (declared_first, not declared_first):
        if attack:
            table.attack("kai", "blue", 3)
        else:
            table.falls(*doubts)
    table.falls(red=2, blue=1)
    assert table.phase == "countdown"


@pytest.mark.parametrize(
    ("doubts", "red", "green"),
    [((Doubt.HAND,), 0, 0), ((), 2, 0), ((), 2, 2)],
    ids=["hidden", "some", "most"],
)
def test_what_may_still_lie_there_is_no_throw(
    table: Table, doubts: tuple[Doubt, ...], red: int, green: int
) -> None:
    """A hand hid them, or took only some."""
    _fight_first_battle(table)
    table.falls(*doubts, red=red, blue=min(red, 1), green=green)
    table.attack("kai", "blue", 3)
    table.falls(red=2, blue=1)
    table.pass_s(60)
    assert table.phase == "asking"
    assert table.session.view()["look"]["doubts"][0]["key"] == Doubt.LAY_THERE


def test_what_somebody_laid_into_the_empty_tray_is_no_throw(table: Table) -> None:
    """And then took some of it out again."""
    _fight_first_battle(table)
    table.falls()
    table.falls(red=3, blue=1)
    table.attack("kai", "blue", 3)
    table.falls(red=2, blue=1)
    table.pass_s(60)
    assert table.phase == "asking"


def test_what_was_seen_at_another_table_says_nothing_of_this_one(table: Table) -> None:
    _fight_first_battle(table)
    table.falls()
    table.session.turn_to(find("shogun"), table.store, "demo")  # a table whose tray was left full
    table.attack("kai", "blue", 3)
    table.falls(red=2, blue=1)
    table.pass_s(60)
    assert table.phase == "asking"


def test_what_was_seen_before_a_throw_says_nothing_of_the_next(table: Table) -> None:
    """The tray was empty then; what the throw brought lies there now."""
    table.attack()
    table.falls()
    table.falls(red=4, blue=1, green=2)
    table.pass_s(5)
    table.attack("kai", "blue", 3)
    table.falls(red=2, blue=1)
    table.pass_s(60)
    assert table.phase == "asking"


def test_who_clears_the_tray_and_throws_as_was_asked_has_thrown(table: Table) -> None:
    """If fewer fell than had lain there, pictures of "the same tray" were said to differ."""
    table.attack()
    table.session.hear(looked(red=4, blue=1))
    assert table.session.view()["look"]["doubts"][0]["key"] == Doubt.LAY_THERE
    table.falls()
    assert table.phase == "asking"
    table.falls(red=3, blue=1)
    assert table.phase == "countdown"


def test_who_takes_cubes_out_is_told_so(table: Table) -> None:
    table.attack()
    table.falls(Doubt.STACKED, red=4, blue=2)
    table.falls(red=4, blue=1)
    assert [doubt["key"] for doubt in table.session.view()["look"]["doubts"]] == [Doubt.TAKEN_OUT]
