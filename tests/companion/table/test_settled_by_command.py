"""A throw settled by a game's own command is kept like any other: record, picture, watch for late cubes."""

import pytest

from companion.games.protocol import Colour
from companion.table.errors import TableRefusal
from companion.table.log.towerstats import told_rows
from tests.companion.table.tables import Table, tell

RED = Colour("red")
SETTLE = {"kind": "settle", "tray": {"red": 4, "blue": 1}}


@pytest.fixture
def attacked(table: Table) -> Table:
    """A table whose camera has read the throw of an attack."""
    table.attack()
    table.falls(red=4, blue=2)
    return table


def test_it_reaches_the_log_with_the_look_and_what_was_corrected(attacked: Table) -> None:
    """It was settled without a record: history and statistics had no throw, and it could not be corrected."""
    tell(attacked.session, SETTLE, "ben")
    [throw] = attacked.session.throws()
    assert (throw["accepted"], throw["seen"]["blue"]) == ({"red": 4, "blue": 1}, 2)
    assert (throw["by"], throw["corrected"], throw["author"]) == ("person", True, "ben")
    assert attacked.evidence.read(throw["evidence"]) is not None
    assert len(told_rows(attacked.session.events())) == 1
    attacked.session.correct(throw["batch"], {RED: 3}, "miscounted", "anna", attacked.expected)
    assert attacked.session.throws()[0]["accepted"] == {"red": 3}


def test_a_cube_that_falls_after_it_is_told(attacked: Table) -> None:
    tell(attacked.session, {"kind": "settle", "tray": {"red": 4, "blue": 2}})
    attacked.falls(red=4, blue=3)
    assert attacked.session.view()["late"]["counts"]["blue"] == 3


def test_a_seats_own_device_may_settle_too(attacked: Table) -> None:
    attacked.session.seat_command("red", SETTLE, "phone", attacked.expected)
    assert [throw["accepted"] for throw in attacked.session.throws()] == [{"red": 4, "blue": 1}]


def test_its_reason_to_insist_is_its_own(attacked: Table) -> None:
    more = {"kind": "settle", "tray": {"yellow": 7}}  # the ledger has six inside, the game more
    with pytest.raises(TableRefusal) as refused:
        tell(attacked.session, more)
    assert (refused.value.key, attacked.session.throws()) == ("not_in_tower", [])
    tell(attacked.session, {**more, "insist": "counted twice"})
    reasons = [event.body["reason"] for event in attacked.session.events() if event.kind == "overruled"]
    assert (reasons, len(attacked.session.throws())) == (["counted twice"], 1)


def test_a_colour_that_the_game_does_not_have_is_not_recorded(attacked: Table) -> None:
    """The game ignores a zero, whatever name a device gives it."""
    tell(attacked.session, {"kind": "settle", "tray": {"red": 4, "pinkish": 0}})
    assert attacked.session.throws()[0]["accepted"] == {"red": 4}


@pytest.mark.parametrize("tray", [None, [], {"red": "many"}, {"red": True}])
def test_a_tray_that_is_none_is_refused_in_a_sentence(attacked: Table, tray: object) -> None:
    before = attacked.expected
    with pytest.raises(TableRefusal) as refused:
        tell(attacked.session, {"kind": "settle", "tray": tray})
    assert (refused.value.key, attacked.expected) == ("bad_request", before)
