"""Section B of the rules, by rule id, on a small table of red, blue and a neutral province."""

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.battles.game import Battles
from companion.games.battles.moves import Attack, CallOff, Command, Event, Fell, SettleThrow
from companion.games.battles.state import COLOURS, Outcome, State, box, held
from companion.games.protocol import Colour, Counts, Refused

GAME = Battles()
RED, BLUE, GREEN = Colour("red"), Colour("blue"), Colour("green")


def _table(markers: int = 0, **tower: int) -> State:
    inside = tower or {"red": 7, "blue": 7, "black": 7, "green": 10}
    options = {
        "players": ["red", "blue"],
        "provinces": [
            {"id": "omi", "name": "Omi", "owner": "blue", "armies": 3, "markers": markers},
            {"id": "mino", "name": "Mino", "owner": "red", "armies": 5},
            {"id": "kaga", "name": "Kaga", "owner": None, "armies": 0},
        ],
        "tower": inside,
    }
    return _after(None, GAME.new(options))


def _after(state: State | None, events: Sequence[Event]) -> State:
    for event in events:
        state = GAME.evolve(state, GAME.decode_event(GAME.encode_event(event)))
    assert state is not None
    for colour in COLOURS:
        assert held(state, colour) == box(colour)
    return state


def _do(state: State, command: Command) -> State:
    return _after(state, GAME.decide(state, command))


def _battle(state: State, tray: dict[str, int], province: str = "omi", attackers: int = 4) -> State:
    state = _do(state, Attack(RED, province, attackers))
    counts: Counts = {Colour(colour): number for colour, number in tray.items()}
    return _do(state, SettleThrow(counts))


@pytest.mark.parametrize(
    ("markers", "tray", "outcome", "owner", "armies", "stays"),
    [
        (0, {"red": 3, "blue": 1, "green": 1}, "attacker", "red", 1, {}),  # B-7, B-8
        (0, {"red": 2, "blue": 2, "green": 1}, "defender", "blue", 1, {}),  # B-9, farmers pay first
        (0, {"red": 3, "blue": 4, "green": 1}, "defender", "blue", 2, {}),
        (0, {"red": 1, "blue": 2, "green": 3}, "defender", "blue", 2, {}),
        (0, {"red": 1, "green": 2}, "undecided", None, 0, {}),  # B-10
        (0, {"red": 2, "blue": 2}, "undecided", None, 0, {}),  # B-11
        (0, {}, "undecided", None, 0, {}),
        (1, {"red": 2, "blue": 1, "green": 3}, "attacker", "red", 1, {"green": 3}),  # B-6, B-15
        (2, {"red": 2, "blue": 2, "green": 1}, "undecided", None, 0, {"green": 1}),
        (0, {"red": 2, "blue": 1, "black": 2}, "attacker", "red", 1, {"black": 2}),  # B-21
    ],
)
def test_B_the_whole_of_it_in_numbers(  # noqa: PLR0917 - rule ids as the rules write them
    markers: int, tray: dict[str, int], outcome: str, owner: str | None, armies: int, stays: dict[str, int]
) -> None:
    state = _battle(_table(markers), tray)
    assert state.last is not None
    assert state.last.outcome == Outcome(outcome)
    assert (state.provinces["omi"].owner, state.provinces["omi"].armies) == (owner, armies)
    assert {colour: number for colour, number in state.tray.items() if number} == stays


@pytest.mark.parametrize(("tray", "owner"), [({"red": 2, "green": 1}, "red"), ({"red": 1, "green": 1}, None)])
def test_B16_a_neutral_province_wants_more_cubes_than_farmers(
    tray: dict[str, int], owner: str | None
) -> None:
    assert _battle(_table(), tray, "kaga").provinces["kaga"].owner == owner


def test_B1_what_lay_in_the_tray_goes_into_the_next_throw() -> None:
    state = _battle(_table(), {"red": 2, "blue": 1, "black": 2})
    plan = GAME.throw_plan(_do(state, Attack(BLUE, "omi", 2)))
    assert plan is not None
    assert plan.from_tray == {"black": 2}
    assert plan.from_table == {"blue": 2, "red": 1}


def test_what_cannot_be_inside_is_refused_and_accepted_when_the_table_insists() -> None:
    state = _do(_table(red=0, blue=0), Attack(RED, "omi", 2))
    tray: Counts = {RED: 4}
    with pytest.raises(Refused) as refused:
        GAME.decide(state, SettleThrow(tray))
    assert (refused.value.key, refused.value.params) == ("not_in_tower", {"colour": "red", "more": 2})
    assert _do(state, SettleThrow(tray, insist=True)).provinces["omi"].armies == 4


@pytest.mark.parametrize(
    ("command", "key"),
    [
        (Attack(RED, "mino", 2), "own_province"),
        (Attack(RED, "omi", 0), "no_attackers"),
        (Attack(RED, "omi", 60), "supply_short"),
        (Attack(RED, "atlantis", 2), "no_such_province"),
        (Attack(Colour("yellow"), "omi", 2), "no_such_player"),
        (Attack(RED, "omi", 2, defenders=0), "no_defenders"),
        (CallOff(), "no_throw"),
        (SettleThrow({}), "no_throw"),
    ],
)
def test_what_cannot_be_is_refused_by_name(command: Command, key: str) -> None:
    with pytest.raises(Refused) as refused:
        GAME.decide(_table(), command)
    assert refused.value.key == key


def test_calling_off_leaves_all_as_it_was() -> None:
    before = _table()
    after = _do(_do(before, Attack(RED, "omi", 4)), CallOff())
    assert (after.provinces, after.supply, after.ready) == (before.provinces, before.supply, {})


@pytest.mark.parametrize("raw", [{"pink": 1}, {"red": -1}, {"red": 1.5}, {"red": True}, [], None])
def test_counts_that_are_none_are_one_sentence(raw: object) -> None:
    with pytest.raises(ValueError, match=r"\.$"):
        GAME.decode_command({"kind": "settle", "tray": raw})


_PILE = st.dictionaries(st.sampled_from(COLOURS), st.integers(0, 8))
_COMMANDS = st.one_of(
    st.builds(
        Attack,
        st.sampled_from(COLOURS),
        st.sampled_from(["omi", "mino", "kaga"]),
        st.integers(0, 9),
        st.none() | st.integers(0, 9),
    ),
    st.just(CallOff()),
    st.builds(SettleThrow, _PILE, st.booleans()),
    st.builds(Fell, _PILE),
)


@settings(deadline=None)
@given(st.lists(_COMMANDS, max_size=25))
def test_X1_no_cube_vanishes_whatever_happens(commands: list[Command]) -> None:
    state = _table()
    for command in commands:
        try:
            state = _do(state, command)
        except Refused:
            continue
        assert min(min(place.values()) for place in (state.supply, state.tower, state.tray)) >= 0
