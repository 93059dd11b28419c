"""How much of the tower is told: no view, record or refusal tells more than the table chose."""

import json
from typing import Any

import pytest

from companion.games.protocol import Colour, TowerShown
from companion.games.registry import find
from companion.table.errors import TableRefusal
from companion.table.past.undoing import Wish
from tests.companion.table.tables import Table

RED, YELLOW = Colour("red"), Colour("yellow")


def _game_view(table: Table) -> dict[str, Any]:
    game: dict[str, Any] = table.session.view()["game"]
    return game


def _show_tower(table: Table, tower: TowerShown) -> None:
    table.session.show_tower(tower, "anna", table.expected)


def test_a_new_table_shows_what_the_ledger_believes(table: Table) -> None:
    cubes = _game_view(table)["cubes"]
    assert (cubes["shown"], cubes["tower"]["red"], cubes["inside"]) == ("all", 8, 47)


def test_hidden_means_that_nothing_it_could_be_reckoned_from_is_there(table: Table) -> None:
    _show_tower(table, TowerShown.HIDDEN)
    for view in (table.session.view()["game"], table.session.seat_view("red")["game"]):
        cubes = view["cubes"]
        assert (cubes["shown"], cubes["tower"], cubes["supply"], cubes["inside"]) == (
            "hidden",
            None,
            None,
            None,
        )
        assert [player["supply"] for player in view["players"]] == [None] * 5


def test_totals_tell_the_number_alone(table: Table) -> None:
    _show_tower(table, TowerShown.TOTALS)
    cubes = _game_view(table)["cubes"]
    assert (cubes["inside"], cubes["tower"], cubes["supply"]) == (47, None, None)


def test_the_change_is_in_the_history_and_outlives_a_restart(table: Table) -> None:
    _show_tower(table, TowerShown.HIDDEN)
    newest = table.session.past.history()[0]
    assert (newest["kind"], newest["author"]) == ("tower_showing", "anna")
    assert newest["title"] == "What is in the tower is no longer shown"
    assert table.opened().view()["tower_shown"] == "hidden"


def test_throws_and_past_moments_tell_no_more(table: Table) -> None:
    table.attack()
    table.session.settle({RED: 4}, "anna", table.expected)
    assert table.session.throws()[0]["possible"]["red"] == 13
    _show_tower(table, TowerShown.HIDDEN)
    assert table.session.throws()[0]["possible"] is None
    first_batch = table.session.past.moments()[0]["batch"]
    assert (table.session.past.moment(first_batch) or {})["cubes"]["tower"] is None


def test_a_refusal_does_not_tell_what_is_inside(table: Table) -> None:
    table.attack()
    _show_tower(table, TowerShown.HIDDEN)
    with pytest.raises(TableRefusal) as refused:
        table.session.settle({YELLOW: 50}, "anna", table.expected)
    refusal_text = refused.value.sentence + json.dumps(refused.value.params)
    assert refused.value.key == "not_in_tower"
    assert not any(character.isdigit() and character != "0" for character in refusal_text)
    big = {"kind": "accident", "fell": {"yellow": 50}}
    table.session.command({"kind": "call_off"}, "anna", table.expected)
    with pytest.raises(TableRefusal) as refused:
        table.session.command(big, "anna", table.expected)
    assert "44" not in refused.value.sentence


def test_the_history_does_not_tell_how_much_more_was_inside(table: Table) -> None:
    """The count is known, so the rest was what the ledger believed; an undo told it once more."""

    def told() -> list[Any]:
        return [
            fact["more"]
            for entry in table.session.past.history()
            for told in entry["told"]
            for fact in (told, *told.get("first", ()))
            if fact["kind"] == "more_inside"
        ]

    table.attack()
    table.session.settle({YELLOW: 50}, "anna", table.expected, insist=True)
    table.session.undo(Wish(table.session.throws()[0]["batch"], "anna"), table.expected, agreed=["anna"])
    assert all(told())
    for tower in (TowerShown.HIDDEN, TowerShown.TOTALS):
        _show_tower(table, tower)
        assert told() == [{}, {}]


def test_undo_of_something_else_leaves_it(table: Table) -> None:
    table.attack()
    attack = table.session.view()["undo"]["batch"]
    _show_tower(table, TowerShown.HIDDEN)
    table.session.undo(Wish(attack, "anna"), table.expected)
    assert (table.phase, table.session.view()["tower_shown"]) == ("idle", "hidden")
    _show_tower(table, TowerShown.ALL)
    table.session.undo(Wish(table.session.past.history()[0]["batch"], "anna"), table.expected)
    assert table.session.view()["tower_shown"] == "hidden"


def test_what_undo_offers_to_everybody_is_no_setting_of_the_host(table: Table) -> None:
    table.attack()
    attack = table.session.view()["undo"]["batch"]
    _show_tower(table, TowerShown.HIDDEN)
    assert table.session.view()["undo"]["batch"] == attack


def test_what_is_so_already_is_refused(table: Table) -> None:
    with pytest.raises(TableRefusal) as refused:
        _show_tower(table, TowerShown.ALL)
    assert refused.value.key == "nothing_changes"


@pytest.mark.parametrize("shown", TowerShown)
def test_the_smallest_game_keeps_it_too(shown: TowerShown) -> None:
    game = find("just_the_tower")
    state = None
    for event in game.new({"box": {"red": 10}, "tower": {"red": 4}}):
        state = game.evolve(state, event)
    view = game.view(state, None, shown)
    assert (view["tower"] is not None, view["supply"] is not None) == (shown is TowerShown.ALL,) * 2
    assert view["inside"] == (None if shown is TowerShown.HIDDEN else 4)
