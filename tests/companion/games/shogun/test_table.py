"""The table as people use it: free battles, real cards, overruling, starting in mid-game."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.games.protocol import Refused, Seat
from companion.games.shogun import commands as c
from companion.games.shogun import facts
from companion.games.shogun.battle import resolve
from companion.games.shogun.check import find_faults
from companion.games.shogun.decide import decide
from companion.games.shogun.events import CardTurned, Overruled, Skipped, ThrowSettled, Warned, YearLaid
from companion.games.shogun.game import GAME
from companion.games.shogun.legal import legal
from companion.games.shogun.state import House, Province, Throw
from companion.games.shogun.view import view, waiting_for
from companion.games.shogun.words import (
    BLUE,
    FARMERS,
    RED,
    YELLOW,
    Building,
    Fight,
    Outcome,
    Phase,
    Season,
    Space,
)
from companion.tower.piles import minus, plus
from tests.companion.games.shogun.tables import (
    acting,
    after,
    any_plan,
    choice,
    do,
    free,
    opened,
    planned,
    planning,
    refused,
    turn,
)

ATTACK = c.Declare(BLUE, "omi", 4, "mino")


class TestFreeTable:
    """Any battle at any time, as the table fights it."""

    def test_B7_B8_winner_loses_as_many_as_the_loser(self) -> None:
        state = do(free(), ATTACK, c.Settle({BLUE: 3, YELLOW: 1, FARMERS: 1}))
        assert state.provinces["omi"] == Province(BLUE, 1)
        assert state.provinces["mino"].armies == 2
        assert state.ledger.tray == {}
        assert find_faults(state) == ()

    def test_B1_what_is_thrown_is_said(self) -> None:
        state = do(free(), c.Accident({YELLOW: 1}), ATTACK)
        plan = GAME.throw_plan(state)
        assert plan is not None
        assert (plan.from_table, plan.from_tray) == ({BLUE: 4, YELLOW: 3}, {YELLOW: 1})
        assert plan.possible == {BLUE: 8, YELLOW: 7, FARMERS: 6}

    def test_a_battle_that_was_not_thrown_leaves_the_table_as_it_was(self) -> None:
        before = free()
        assert do(before, ATTACK, c.CallOff()) == before

    def test_the_table_may_defend_with_more_than_the_ledger_thought(self) -> None:
        state = do(free(), c.Declare(BLUE, "omi", 4, "mino", defenders=5))
        assert state.ledger.staged == {BLUE: 4, YELLOW: 5}
        assert find_faults(state) == ()

    def test_X1_more_than_can_be_inside_is_asked_about_then_believed(self) -> None:
        state = do(free(), ATTACK)
        tray = {BLUE: 9, YELLOW: 1}
        assert refused(state, c.Settle(tray)) == "X-1"
        settled = do(state, c.Settle(tray, insist="counted twice"))
        assert find_faults(settled) == ()
        assert settled.last is not None
        assert settled.last.tray == tray

    def test_a_knocked_tower_is_believed_without_asking(self) -> None:
        state = do(free(), c.Knock(), ATTACK, c.Settle({BLUE: 9, YELLOW: 1}))
        assert find_faults(state) == ()
        assert do(state, c.CountTower({BLUE: 2})).ledger.tower == {BLUE: 2}

    @pytest.mark.parametrize(
        ("command", "rule"),
        [
            (c.Declare(BLUE, "mino", 1), "A-11"),
            (c.Declare(BLUE, "atlantis", 1), "C-3"),
            (c.Declare(RED, "omi", 1), "C-1"),
            (c.Declare(BLUE, "omi", 0), "A-17"),
            (c.Declare(BLUE, "omi", 6, "mino"), "A-12"),
            (c.Declare(BLUE, "omi", 60), "L-1"),
            (c.Declare(BLUE, "omi", 3, bonus_attack=-2), "B-4"),  # three were declared, one was to be thrown
            (c.Declare(BLUE, "omi", 3, bonus_defence=-1), "B-4"),
            (c.Declare(BLUE, "aki", 2, "mino"), "A-13"),
            (c.Settle({}), "B-1"),
            (c.CallOff(), "B-1"),
            (c.Accident({YELLOW: 90}), "X-1"),
            (c.EmptyTower(), "B-2"),
        ],
    )
    def test_what_cannot_be_is_refused_by_its_rule(self, command: c.Command, rule: str) -> None:
        assert refused(free(), command) == rule

    def test_two_battles_cannot_be_awaited_at_once(self) -> None:
        assert refused(do(free(), ATTACK), ATTACK) == "B-1"

    def test_B12_a_revolt_at_any_time(self) -> None:
        state = do(free(), c.DeclareRevolt("omi", 2), c.Settle({YELLOW: 3, FARMERS: 1}))
        assert state.provinces["omi"] == Province(YELLOW, 2)

    def test_B12_a_revolt_meets_the_armies_that_stand_there_not_those_the_ledger_thought(self) -> None:
        state = do(free(), c.DeclareRevolt("omi", 2, defenders=5))
        assert state.ledger.staged == {YELLOW: 5, FARMERS: 2}
        assert find_faults(state) == ()
        assert refused(free(), c.DeclareRevolt("omi", 2, defenders=0)) == "X-2"


class TestPlanning:
    """Secret plans on the phone, with real cards, or mixed."""

    def test_C6_nobody_sees_another_seats_cards(self) -> None:
        state = planned(planning())
        view_of_blue = view(state, BLUE)
        red = next(player for player in view_of_blue["players"] if player["seat"] == RED)
        assert set(red["board"].values()) - {"a card"} == {state.players[RED].plan[Space.AUCTION]}
        assert red["hand"] is None
        assert len(red["board"]) == 11

    def test_C6_while_planning_not_even_that_a_card_lies_there(self) -> None:
        state = do(planning(), c.Place(RED, Space.TAXES, "chest_1"))
        boards = {p["seat"]: p["board"] for p in view(state, BLUE)["players"]}
        assert boards[RED] == {}
        assert {p["seat"]: p["board"] for p in view(state, RED)["players"]}[RED] == {"taxes": "chest_1"}

    def test_P8_plans_are_free_until_all_are_ready(self) -> None:
        state = planning()
        state = do(state, c.Ready(BLUE, by_cards=True))
        assert waiting_for(state) == [RED, YELLOW]
        state = do(state, c.Place(BLUE, Space.RICE, "chest_2"))
        assert not state.players[BLUE].ready

    def test_P5_ready_with_spaces_left_is_refused_and_can_be_insisted_on(self) -> None:
        state = planning()
        assert refused(state, c.Ready(BLUE)) == "P-5"
        events = decide(state, c.Ready(BLUE, insist="we play it so"))
        assert any(isinstance(event, Overruled) and event.rule == "P-5" for event in events)

    def test_P6_a_bid_above_ones_chests_is_not_offered(self) -> None:
        state = do(planning(), c.Correct(c.Fact.CHESTS, BLUE, 2))
        bids = {
            command.card
            for command in legal(state, BLUE)
            if isinstance(command, c.Place) and command.space is Space.AUCTION
        }
        assert "chest_2" in bids
        assert "chest_3" not in bids
        assert refused(state, c.Place(BLUE, Space.AUCTION, "chest_3")) == "P-6"

    def test_P7_real_cards_are_told_when_they_are_turned(self) -> None:
        """One seat uses real cards among phones: its bid is asked for, then the card of each turn."""
        state = planning()
        for seat in (RED, YELLOW):
            state = any_plan(state, seat)
        state = do(state, c.Ready(BLUE, by_cards=True))
        assert state.phase is Phase.BIDS
        assert refused(state, c.Reveal()) == "O-1"
        assert refused(state, c.Reveal({BLUE: "kai"})) == "P-4"
        state = do(state, c.Reveal({BLUE: "chest_4"}))
        assert state.choosing[0] == BLUE
        while state.phase is Phase.ORDER:
            state = do(state, choice(state))
        while waiting_for(state) != [BLUE]:
            state = do(state, *turn(state))
        space = state.row[state.done]
        assert space is not None
        assert refused(state, c.Act(BLUE)) == "P-7"
        assert refused(state, c.TurnUp(BLUE, "kai")) == "P-2"
        assert refused(state, c.TurnUp(BLUE, "chest_4")) == "P-3"
        events = decide(state, c.TurnUp(BLUE, "chest_0"))
        assert [type(event) for event in events[:2]] == [CardTurned, Skipped]

    def test_T7_with_real_action_cards_the_table_tells_what_opens(self) -> None:
        state = opened(by_table=True)
        state = do(state, c.Settle({}), c.Lay(("1", "2", "3", "4")))
        state = do(state, c.Lay(("taxes", "rice", "castle", "temple", "theatre")))
        assert state.row[5:] == (None,) * 5
        assert state.phase is Phase.SPECIALS
        assert refused(state, c.OpenAction(6, Space.BATTLE_A)) == "T-7"
        assert refused(state, c.Lay(("taxes",))) == "T-2"

    def test_P8_a_seat_that_planned_on_the_phone_turns_up_no_other_card(self) -> None:
        """With a spare card it could dodge an action that must be performed (A-2)."""
        state = acting()
        [seat] = waiting_for(state)
        assert refused(state, c.TurnUp(next(s for s in state.seats if s == seat), None)) == "P-8"

    @pytest.mark.parametrize("by_table", [True, False])
    def test_T9_event_cards_of_the_first_year_do_not_come_back(self, by_table: bool) -> None:
        state = opened(
            start="board", by_table=by_table, season="winter", year_events=[4], spent_events=[1, 2, 3]
        )
        state = do(replace(state, order=state.seats), c.LoseRice(), c.Score())
        if not by_table:
            assert {*state.year_events, *(state.event_pile or ())} == set(range(5, 13))
            return
        assert (state.phase, set(state.spent_events)) == (Phase.YEAR, {1, 2, 3, 4})
        laid = decide(state, c.Lay(("4", "5", "6", "7")))
        assert [event.rule for event in laid if isinstance(event, Warned)] == ["T-9"]
        assert set(do(state, c.Lay()).year_events) <= set(range(5, 13))
        assert do(state, c.Lay(("5", "6", "7", "8"))).year_events == (5, 6, 7, 8)

    def test_T9_an_event_that_was_corrected_to_one_of_the_pile_holds_no_year_up(self) -> None:
        """The table turned up a card that the app believes is in its pile, so it must leave the pile."""
        state = opened(
            season="winter", start="board", by_table=False, year_events=[4], spent_events=[1, 2, 3]
        )
        state = replace(state, order=state.seats, event_pile=(5, 6, 7, 8, 9, 10, 11, 12))
        state = do(state, c.Correct(c.Fact.EVENT, "", 7, "another card lay there"), c.LoseRice(), c.Score())
        assert state.phase is not Phase.YEAR
        assert 7 in state.spent_events
        assert {*state.year_events, *(state.event_pile or ())} <= {5, 6, 8, 9, 10, 11, 12}

    @pytest.mark.parametrize("by_table", [True, False])
    def test_T9_a_year_begins_even_where_too_many_event_cards_are_told_to_have_left(
        self, by_table: bool
    ) -> None:
        """The first winter's scoring was refused for ever: only two cards were left for the second year."""
        spent = list(range(1, 10))
        state = opened(
            start="board", by_table=by_table, season="winter", year_events=[10], spent_events=spent
        )
        events = decide(do(state, c.LoseRice()), c.Score())
        if by_table:
            events = decide(do(state, c.LoseRice(), c.Score()), c.Lay())
        assert [event.rule for event in events if isinstance(event, Warned)] == ["T-9"]
        [laid] = [event.events for event in events if isinstance(event, YearLaid)]
        assert {11, 12} < set(laid)

    def test_T8_the_event_of_each_round_has_left_the_game(self) -> None:
        state = acting()
        drawn, year = state.event, state.year
        while (state.year, state.season) == (year, Season.SPRING):
            state = do(state, *turn(state))
        assert state.spent_events == (drawn,)


class TestTakingUp:
    """A game is entered as it stands and continues."""

    def test_a_board_in_summer(self) -> None:
        state = opened(
            start="board",
            season="summer",
            provinces={"omi": {"owner": "blue", "armies": 3, "markers": 1, "buildings": ["castle"]}},
            standing={"blue": {"chests": 9, "rice": 4, "points": 2}},
            tower={"blue": 5, "green": 4},
            year_events=[3, 7, 9],
        )
        assert (state.phase, state.season) == (Phase.PLANNING, Season.SUMMER)
        assert state.players[BLUE].chests == 9
        assert state.tiles[Building.CASTLE] == 27
        assert find_faults(state) == ()

    def test_a_board_in_winter(self) -> None:
        state = opened(
            start="board", season="winter", year=2, year_events=[2], order=["red", "blue", "yellow"]
        )
        state = do(state, c.LoseRice(), c.Score())
        assert state.phase is Phase.OVER
        assert state.winners == (BLUE, RED, YELLOW)

    @pytest.mark.parametrize(
        "options",
        [
            {"players": ["blue", "red"]},
            {"players": ["blue", "red", "red"]},
            {"players": ["blue", "red", "green"]},
            {"players": ["blue", "red", "pink"]},
            {"side": "moon", "start": "predetermined"},
            {"start": "board", "provinces": {"echigo": {"owner": "blue", "armies": 1}}},
            {"start": "board", "provinces": {"omi": {"owner": "black", "armies": 1}}},
            {"start": "board", "provinces": {"omi": {"owner": "blue", "armies": 0}}},
            {"start": "board", "provinces": {"omi": {"owner": "blue", "armies": 99}}},
            {"start": "board", "tower": {"blue": -1}},
            {"start": "draft", "by_table": True},
            {"start": "draft", "by_table": True, "open": ["kai", "kai"]},
            {"start": "draft", "by_table": True, "open": ["kai", "echigo"]},
            {"start": "middle"},
            {"start": "board", "year_events": [3, 7, 9]},
            {"start": "board", "season": "summer"},
            {"start": "board", "season": "summer", "year_events": [3, 3, 3]},
            {"start": "board", "season": "autumn", "year_events": [3]},
            {"start": "board", "season": "winter", "year_events": []},
            {"start": "board", "season": "winter", "year_events": [9, 12]},
            {"start": "board", "season": "autumn", "year_events": [3, 4], "spent_events": [4]},
            {"start": "board", "season": "winter", "year_events": [4], "order": ["red", "red"]},
            {"start": "board", "standing": {"blue": {"points": -5}}},
            {"columns": {"blue": "A", "red": "A", "yellow": "B"}},
            {"house": {"six_armies_under_deploy_event": -5}},
        ],
    )
    def test_a_table_that_cannot_be_is_refused(self, options: dict[str, object]) -> None:
        with pytest.raises(Refused):
            opened(**options)

    @pytest.mark.parametrize("start", ["draft", "predetermined"])
    @pytest.mark.parametrize(
        "played",
        [
            {"season": "winter"},  # the first round's end crashed: no season follows winter
            {"year": 2},
            {"provinces": {"omi": {"owner": "blue", "armies": 3}}},  # the draft gave Omi away again
            {"standing": {"blue": {"chests": 9}}},
            {"tower": {"blue": 5}},
            {"tray": {"blue": 5}},
            {"year_events": [3]},
            {"spent_events": [3]},
            {"order": ["red", "blue"]},
        ],
    )
    def test_T1_a_game_from_its_beginning_takes_nothing_that_was_played_before(
        self, start: str, played: dict[str, object]
    ) -> None:
        """It was taken without a word, and was then ignored or led to what cannot be."""
        [name] = played
        with pytest.raises(Refused) as refusal:
            opened(start=start, **played)
        assert (refusal.value.rule, refusal.value.key) == ("T-1", "begins_unplayed")
        assert f"leave out {name}, or" in refusal.value.sentence
        opened(start="free", **played)

    @pytest.mark.parametrize("start", ["draft", "predetermined"])
    def test_T1_the_same_options_are_taken_if_they_say_that_nothing_was_played(self, start: str) -> None:
        nothing: dict[str, object] = {
            "season": "spring",
            "year": 1,
            "provinces": {},
            "tower": {},
            "order": [],
        }
        assert opened(start=start, **nothing) == opened(start=start)


class TestActions:
    """Turns in order, and the commands on offer."""

    def test_A1_only_who_is_in_turn_acts(self) -> None:
        state = acting()
        seat_out_of_turn = next(seat for seat in state.seats if [seat] != waiting_for(state))
        assert refused(state, c.Act(seat_out_of_turn)) == "A-1"

    def test_P7_who_acts_and_nobody_else_is_told_where_before_the_card_is_turned(self) -> None:
        state = acting()
        [seat] = waiting_for(state)
        space = state.row[state.done]
        assert space is not None
        card = next(player for name, player in state.players.items() if name == seat).plan[space]
        turns = {looker: view(state, looker)["turn"] for looker in (*state.seats, None)}
        assert turns.pop(next(looker for looker in state.seats if looker == seat))["province"] == card
        assert set(turns.values()) == {None}

    def test_legal_commands_are_accepted(self) -> None:
        state = acting()
        for _ in range(12):
            offered = [command for seat in state.seats for command in legal(state, seat)]
            for command in offered:
                decide(state, command)
            state = do(state, *turn(state))

    def test_views_are_equal_for_the_seat_given_as_protocol_seat(self) -> None:
        state = acting()
        assert GAME.view(state, Seat("blue")) == view(state, BLUE)


NINE = st.integers(0, 9)


@given(st.tuples(NINE, NINE, NINE), st.integers(0, 3), st.booleans(), st.booleans())
def test_B7_B9_B18_every_cube_of_the_tray_goes_somewhere(
    counts: tuple[int, int, int], markers: int, neutral: bool, farmers_first: bool
) -> None:
    """Cubes returned, kept in the province and left in the tray add up to exactly what lay in the tray."""
    tray = plus({**dict(zip((BLUE, RED, FARMERS), counts, strict=True)), YELLOW: 2})
    throw = Throw(Fight.ATTACK, "omi", BLUE, None if neutral else RED)
    result = resolve(throw, Province(RED, 0, markers), tray, House(farmers_pay_first=farmers_first))
    kept = {result.owner: result.armies} if result.owner else {}
    assert plus(result.returned, result.stays, kept) == tray
    assert all(number > 0 for number in minus(tray, result.returned).values())
    assert result.stays[YELLOW] >= 2 or neutral
    assert (result.armies > 0) == (result.owner is not None)


@given(st.integers(0, 9), st.integers(0, 9))
def test_B13_B14_a_revolt_is_put_down_only_by_more(defenders: int, farmers: int) -> None:
    throw = Throw(Fight.REVOLT, "omi", defender=RED)
    result = resolve(throw, Province(RED, 0, 1), plus({RED: defenders, FARMERS: farmers}), House())
    assert (result.outcome is Outcome.DEFENDER) == (defenders > farmers)
    assert result.armies == max(0, defenders - farmers)


def test_R7_house_rule_own_cubes_first() -> None:
    """2 attackers, 2 defenders and 1 farmer: own cubes pay, none is left, nobody holds the province."""
    throw = Throw(Fight.ATTACK, "omi", BLUE, RED)
    tray = {BLUE: 2, RED: 2, FARMERS: 1}
    assert resolve(throw, Province(RED, 0), tray, House()).armies == 1
    lost = resolve(throw, Province(RED, 0), tray, House(farmers_pay_first=False))
    assert lost.outcome is Outcome.UNDECIDED
    assert resolve(throw, Province(RED, 0), {**tray, RED: 3}, House(farmers_pay_first=False)).armies == 1


def test_A13_the_data_say_who_touches_whom_both_ways() -> None:
    touching = facts.neighbours(facts.BORDERS)
    assert all(a in touching[b] for a, near_a in touching.items() for b in near_a)
    assert "mikawa" not in touching["kai"]
    assert len(facts.BORDERS) == 97
    assert len(facts.SEA_ROUTES) == 6


def test_a_settled_throw_is_one_event_that_says_everything() -> None:
    events = decide(do(free(), ATTACK), c.Settle({BLUE: 1, YELLOW: 3}))
    settled = next(event for event in events if isinstance(event, ThrowSettled))
    assert settled.thrown == {BLUE: 4, YELLOW: 3}
    assert settled.result.outcome is Outcome.DEFENDER
    assert after(do(free(), ATTACK), events).last is not None
