"""Cubes do not vanish, whatever happens at the tower."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from companion.tower import ledger as cubes
from companion.tower.ledger import Ledger, Place
from companion.tower.piles import Colour, in_words, minus, plus

RED, BLUE, GREEN = Colour("red"), Colour("blue"), Colour("green")
BOX = {RED: 62, BLUE: 62, GREEN: 20}


def table(tower: dict[Colour, int]) -> Ledger:
    return cubes.move(cubes.new_ledger(BOX), tower, Place.SUPPLY, Place.TOWER)


def test_B1_a_throw_takes_the_tray_with_it() -> None:
    """The tray goes in together with the staged cubes; what comes out is the new tray."""
    ledger = cubes.move(table({RED: 3}), {BLUE: 4}, Place.SUPPLY, Place.STAGED)
    ledger = cubes.move_fallen(ledger, {RED: 1})
    assert cubes.pile_to_throw(ledger) == {BLUE: 4, RED: 1}
    after = cubes.throw(ledger, {BLUE: 2, RED: 2})
    assert after.tray == {BLUE: 2, RED: 2}
    assert after.tower == {BLUE: 2, RED: 1}
    assert not cubes.faults(after)


def test_X1_everything_wrong_is_named_not_the_first_thing() -> None:
    broken = replace(table({}), supply={RED: -1, Colour("pink"): 2}, tray={BLUE: 1})
    fault_lines = " ".join(cubes.faults(broken))
    for word in ("-1 red", "pink", "blue", "green"):
        assert word in fault_lines


def test_a_knocked_tower_believes_anything_that_cannot_be_seen() -> None:
    ledger = cubes.mark_uncertain(table({RED: 3}))
    assert ledger.most_inside()[RED] == 62
    counted = cubes.set_counted(ledger, {RED: 5})
    assert counted.certain
    assert counted.most_inside() == {RED: 5}
    assert not cubes.faults(counted)


def test_more_out_than_in_is_missing() -> None:
    ledger = table({RED: 1})
    assert cubes.missing_for(ledger, {RED: 3, BLUE: 1}) == {RED: 2, BLUE: 1}
    assert not cubes.faults(cubes.add_inside(ledger, {RED: 2}))


def test_piles_in_words() -> None:
    assert in_words({RED: 3, BLUE: 0}) == "3 red"
    assert in_words({}) == "nothing"


KINDS = ("stage", "throw", "fall", "clear", "count", "knock")
STEPS = st.lists(
    st.tuples(st.sampled_from(KINDS), st.integers(0, 9)),
    max_size=40,
)


@given(STEPS)
def test_X1_cubes_are_conserved_over_any_sequence_of_throws(steps: list[tuple[str, int]]) -> None:
    ledger = table({RED: 7, GREEN: 10})
    for kind, number in steps:
        ledger = _apply_step(ledger, kind, number)
        assert cubes.faults(ledger) == []


def _apply_step(ledger: Ledger, kind: str, number: int) -> Ledger:
    match kind:
        case "stage":
            pile = {colour: min(number, n) for colour, n in ledger.supply.items()}
            return cubes.move(ledger, pile, Place.SUPPLY, Place.STAGED)
        case "throw":
            inside_and_thrown = plus(ledger.tower, cubes.pile_to_throw(ledger))
            return cubes.throw(ledger, {colour: n * number // 9 for colour, n in inside_and_thrown.items()})
        case "fall":
            return cubes.move_fallen(ledger, {colour: min(number, n) for colour, n in ledger.tower.items()})
        case "clear":
            return cubes.move(ledger, ledger.tray, Place.TRAY, Place.SUPPLY)
        case "knock":
            return cubes.mark_uncertain(ledger)
        case _:
            inside = {c: min(number, ledger.tower.get(c, 0) + ledger.supply.get(c, 0)) for c in BOX}
            return cubes.set_counted(ledger, inside)


def test_minus_shows_what_is_missing() -> None:
    assert minus({RED: 1}, {RED: 1, BLUE: 2}) == {BLUE: -2}
