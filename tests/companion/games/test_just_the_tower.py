"""The counter: a wrongly entered box can be corrected without starting a new table."""

import pytest

from companion.games.just_the_tower import commands as tower
from companion.games.just_the_tower.game import GAME, State
from companion.games.protocol import Colour, Overrulable, Refused, ThrowPlan
from companion.tower.ledger import faults

RED, BLUE, WHITE = Colour("red"), Colour("blue"), Colour("white")


def _state_after(state: State | None, *commands: tower.Command) -> State:
    if state is None:
        for event in GAME.new({"box": {"red": 12, "blue": 12}}):
            state = GAME.evolve(state, event)
    assert state is not None
    for command in commands:
        for event in GAME.decide(state, GAME.decode_command(GAME.encode_command(command))):
            state = GAME.evolve(state, GAME.decode_event(GAME.encode_event(event)))
    return state


@pytest.fixture
def thrown() -> State:
    """Return a table after ten red and two blue went in; four red and one blue lie in the tray."""
    return _state_after(None, tower.Throw({RED: 10, BLUE: 2}), tower.Settle({RED: 4, BLUE: 1}))


def test_a_box_that_was_told_wrongly_is_put_right_and_tower_and_tray_stay(thrown: State) -> None:
    with pytest.raises(Refused):
        GAME.decide(thrown, tower.Throw({RED: 8}))  # twenty are on the table, twelve were entered
    state = _state_after(
        thrown, tower.CorrectBox({RED: 20, WHITE: 5, BLUE: 2}), tower.Throw({RED: 8, WHITE: 5})
    )
    ledger = state.ledger
    assert (ledger.tower, ledger.tray) == (thrown.ledger.tower, thrown.ledger.tray)
    assert (ledger.supply, ledger.staged) == ({RED: 2}, {RED: 8, WHITE: 5})
    assert faults(ledger) == []
    assert GAME.view(state, None)["box"] == {"red": 20, "white": 5, "blue": 2}


@pytest.mark.parametrize(
    ("box", "key"),
    [
        ({RED: 9, BLUE: 2}, "box_in_use"),
        ({RED: 20}, "box_in_use"),
        ({RED: 20, BLUE: -1}, "bad_box"),
        ({}, "bad_box"),
        ({RED: 0, BLUE: 0}, "bad_box"),
        ({RED: 20, BLUE: 12, Colour("mauve"): 3}, "bad_box"),
        ({RED: 900, BLUE: 100}, "bad_box"),
    ],
)
def test_a_box_that_cannot_be_is_refused(thrown: State, box: dict[Colour, int], key: str) -> None:
    with pytest.raises(Refused) as refused:
        GAME.decide(thrown, tower.CorrectBox(box))
    assert refused.value.key == key


def test_what_lies_in_the_tray_is_thrown_again_alone(thrown: State) -> None:
    """To try out a tower people throw the same handful repeatedly; a new cube had to go in each time."""
    state = _state_after(thrown, tower.Throw({}))
    assert GAME.throw_plan(state) == ThrowPlan({}, {RED: 4, BLUE: 1}, {RED: 10, BLUE: 2})
    state = _state_after(state, tower.Settle({RED: 3}))
    assert (state.ledger.tray, state.ledger.tower) == ({RED: 3}, {RED: 7, BLUE: 2})
    cleared = _state_after(state, tower.TakeOut({RED: 3}))
    assert tower.Throw({}) in GAME.legal(state, None)
    assert tower.Throw({}) not in GAME.legal(cleared, None)
    with pytest.raises(Refused):
        GAME.decide(cleared, tower.Throw({}))


def test_more_that_fell_out_than_was_thought_to_be_inside_lies_there_when_somebody_insists(
    thrown: State,
) -> None:
    """Whoever saw three blue cubes fall out was told that only one was inside, and could not go on."""
    with pytest.raises(Overrulable) as doubted:
        GAME.decide(thrown, tower.Accident({BLUE: 3}))
    assert (doubted.value.key, doubted.value.params["more"]) == ("not_in_tower", {BLUE: 2})
    ledger = _state_after(thrown, tower.Accident({BLUE: 3}, insist="seen")).ledger
    assert (ledger.tray, ledger.tower, ledger.supply) == ({RED: 4, BLUE: 4}, {RED: 6}, {RED: 2, BLUE: 8})
    assert faults(ledger) == []
    for fell in ({BLUE: 2000}, {WHITE: 1}, {BLUE: -1}, {BLUE: 0}, {}):
        with pytest.raises(Refused) as refused:
            GAME.decide(thrown, tower.Accident(fell, insist="seen"))
        assert not isinstance(refused.value, Overrulable)


def test_more_than_the_box_was_said_to_hold_widens_it_when_somebody_insists(thrown: State) -> None:
    """With cubes of another set thrown in, the throw could not be settled, nor the box corrected first."""
    staged = _state_after(thrown, tower.Throw({BLUE: 1}))
    box, inside = staged.ledger.box, staged.ledger.tower
    tray = {RED: 0, BLUE: box[BLUE] + 2}
    with pytest.raises(Overrulable):
        GAME.decide(staged, tower.Settle(tray))
    ledger = _state_after(staged, tower.Settle(tray, insist="seen")).ledger
    assert ledger.box == {**box, BLUE: box[BLUE] + 2}
    assert (ledger.tray, ledger.supply.get(BLUE, 0)) == ({BLUE: box[BLUE] + 2}, 0)
    assert ledger.tower[RED] == inside[RED] + staged.ledger.tray.get(RED, 0)
    assert faults(ledger) == []


def test_a_box_without_a_cube_is_no_box() -> None:
    with pytest.raises(Refused):
        GAME.new({"box": {"red": 0}})
