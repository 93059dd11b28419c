"""Facts that the table corrects: the ledger follows, and broken invariants give a notice (section X)."""

from dataclasses import replace

import pytest

from companion.games.protocol import Colour, Refused
from companion.games.shogun import commands as c
from companion.games.shogun.check import find_faults
from companion.games.shogun.decide import decide
from companion.games.shogun.events import GameEnded, PhaseBegun, Warned
from companion.games.shogun.state import State, Throw, near, owned, stock
from companion.games.shogun.view import waiting_for
from companion.games.shogun.words import (
    ACTIONS,
    BLUE,
    RED,
    YELLOW,
    Fight,
    Phase,
    Season,
    Space,
)
from tests.companion.games.shogun.tables import (
    acting,
    after,
    any_plan,
    do,
    free,
    opened,
    planned,
    planning,
    refused,
    turn,
)

ATTACK = c.Declare(BLUE, "omi", 4, "mino")


class TestCorrections:
    """The physical table is right."""

    def test_X10_a_fact_is_corrected_with_a_reason_and_cubes_stay_conserved(self) -> None:
        state = do(free(), c.Correct(c.Fact.ARMIES, "omi", 7, "one was hidden"))
        assert state.provinces["omi"].armies == 7
        assert state.ledger.supply[YELLOW] == 62 - 7 - 4
        assert find_faults(state) == ()

    def test_X2_an_owned_province_without_an_army_is_done_with_a_notice(self) -> None:
        events = decide(free(), c.Correct(c.Fact.ARMIES, "omi", 0))
        assert [event.rule for event in events if isinstance(event, Warned)] == ["X-2"]

    def test_X1_more_than_the_box_holds_is_done_with_a_notice(self) -> None:
        events = decide(free(), c.Correct(c.Fact.ARMIES, "omi", 70))
        assert [event.rule for event in events if isinstance(event, Warned)] == ["X-1"]

    @pytest.mark.parametrize(
        ("fact", "where", "value", "rule"),
        [
            (c.Fact.MARKERS, "omi", 4, "X-8"),
            (c.Fact.RICE, "blue", 19, "X-9"),
            (c.Fact.BUILDINGS, "omi", ("castle", "castle"), "X-4"),
            (c.Fact.BUILDINGS, "kai", ("castle",), "X-3"),
            (c.Fact.CHESTS, "blue", 136, "X-6"),
        ],
    )
    def test_what_breaks_an_invariant_is_said(
        self, fact: c.Fact, where: str, value: int | tuple[str, ...], rule: str
    ) -> None:
        events = decide(free(), c.Correct(fact, where, value))
        assert rule in [event.rule for event in events if isinstance(event, Warned)]

    @pytest.mark.parametrize(
        ("fact", "where", "value"),
        [
            (c.Fact.ARMIES, "atlantis", 1),
            (c.Fact.ARMIES, "kai", 1),
            (c.Fact.ARMIES, "omi", -1),
            (c.Fact.ARMIES, "omi", 4_000_000),  # one legal command per army took gigabytes
            (c.Fact.TRAY, "blue", 1000),
            (c.Fact.POINTS, "blue", 1000),
            (c.Fact.OWNER, "omi", "purple"),
            (c.Fact.CHESTS, "purple", 1),
            (c.Fact.TOWER, "pink", 1),
            (c.Fact.EVENT, "", 13),
            (c.Fact.ROW, "", ("castle",)),
            (c.Fact.ORDER, "", ("blue",)),
            (c.Fact.CARD, "blue.taxes", "omi"),
            (c.Fact.HOUSE, "flying", 1),
            (c.Fact.BORDER, "omi.omi", 1),
            (c.Fact.SPECIAL, "blue", "wings"),
            (c.Fact.TILES, "pagoda", 1),
        ],
    )
    def test_what_cannot_be_there_is_refused(self, fact: c.Fact, where: str, value: int | str) -> None:
        assert refused(free(), c.Correct(fact, where, value))

    def test_B17_a_corrected_owner_takes_the_card_from_the_board(self) -> None:
        state = planned(planning())
        key = next(card for card in state.players[BLUE].plan.values() if card in state.provinces)
        state = do(state, c.Correct(c.Fact.OWNER, key, "red"))
        assert key not in state.players[BLUE].plan.values()
        assert state.provinces[key].owner == RED
        assert find_faults(state) == ()

    def test_B18_armies_before_the_tower_are_not_corrected_in_their_province(self) -> None:
        """They were counted twice, and after the throw some were in no province."""
        state = do(free(), ATTACK)
        assert refused(state, c.Correct(c.Fact.ARMIES, "omi", 4)) == "X-1"
        state = do(state, c.CallOff(), c.Correct(c.Fact.ARMIES, "omi", 4), ATTACK, c.Settle({YELLOW: 2}))
        assert (state.provinces["omi"].armies, find_faults(state)) == (2, ())

    def test_A1_who_has_acted_in_this_action_is_not_made_to_act_again(self) -> None:
        """The index in the order was kept: one player acted twice and another was passed over."""
        state = acting()
        first, second, third = state.order
        state = do(state, *turn(state))
        while state.throw is not None:
            state = do(state, *turn(state))
        assert state.turn == 1
        for order in ((second, first, third), (third, second, first)):
            assert refused(state, c.Correct(c.Fact.ORDER, "", order)) == "X-1"
        state = do(state, c.Correct(c.Fact.ORDER, "", (first, third, second)))
        assert waiting_for(state) == [third]

    def test_A1_nor_whose_throw_is_awaited(self) -> None:
        state = acting()
        throw = Throw(Fight.REVOLT, "omi", of_turn=True)
        state = replace(state, throw=throw, turn=1)
        first, second, third = state.order
        assert refused(state, c.Correct(c.Fact.ORDER, "", (first, third, second))) == "X-1"

    def test_T7_an_action_that_is_done_or_under_way_keeps_its_place_in_a_corrected_row(self) -> None:
        """A later action was moved to a place already done: it was never done, and the other one twice."""

        def with_changed_places(state: State, first: int, second: int) -> c.Command:
            row = [action or "" for action in state.row]
            row[first], row[second] = row[second], row[first]
            return c.Correct(c.Fact.ROW, "", tuple(row))

        state = acting()
        while (state.done, state.turn) != (1, 0):
            state = do(state, *turn(state))
        assert refused(state, with_changed_places(state, 0, 1)) == "X-1"
        covered = ("", *(action or "" for action in state.row[1:]))
        assert refused(state, c.Correct(c.Fact.ROW, "", covered)) == "X-1"
        changed = do(state, with_changed_places(state, 1, 9))
        assert (changed.row[1], changed.row[9]) == (state.row[9], state.row[1])
        acted = replace(state, turn=1)
        thrown = replace(state, throw=Throw(Fight.REVOLT, "omi", of_turn=True))
        for begun in (acted, thrown):
            assert refused(begun, with_changed_places(begun, 1, 9)) == "X-1"
            assert do(begun, with_changed_places(begun, 2, 9)).row[9] == begun.row[2]
        out_of_turn = replace(state, throw=Throw(Fight.REVOLT, "omi"))
        do(out_of_turn, with_changed_places(out_of_turn, 1, 9))

    @pytest.mark.parametrize(("phase", "usable"), [(Phase.PLANNING, True), (Phase.ACTIONS, False)])
    def test_B17_a_province_is_usable_from_the_next_planning_on(self, phase: Phase, usable: bool) -> None:
        """A province whose owner was corrected before or during planning could not be used all round."""
        state = replace(acting(), phase=phase)
        state = do(state, c.Correct(c.Fact.OWNER, next(iter(stock(state))), "blue"))
        assert (state.players[BLUE].used == ()) is usable

    def test_P3_P7_a_real_card_that_is_turned_up_counts_before_one_that_was_put_right(self) -> None:
        """An action was performed although its space was empty, and a bid lay on two spaces."""
        state = planning()
        for seat in (RED, YELLOW):
            state = any_plan(state, seat)
        taxed, bid = owned(state, BLUE)[:2]
        state = do(
            state,
            c.Ready(BLUE, by_cards=True),
            c.Correct(c.Fact.CARD, "blue.taxes", taxed),
            c.Correct(c.Fact.CARD, "blue.rice", bid),
            c.Reveal({BLUE: bid}),
        )
        assert state.players[BLUE].plan == {Space.AUCTION: bid, Space.TAXES: taxed}
        state = replace(
            state, phase=Phase.ACTIONS, order=(BLUE, RED, YELLOW), row=(Space.TAXES, *state.row[1:])
        )
        state = do(state, c.TurnUp(BLUE, None))
        assert state.players[BLUE].plan == {Space.AUCTION: bid}
        assert state.turn > 0

    def test_P5_who_was_ready_is_asked_again_when_a_card_comes_or_goes(self) -> None:
        """The round began with an empty space while the card was in hand."""
        state = planning()
        for seat in (BLUE, RED):
            state = any_plan(state, seat)
        key = next(p for p in owned(state, BLUE))
        state = do(state, c.Correct(c.Fact.OWNER, key, "red"))
        assert [state.players[seat].ready for seat in (BLUE, RED)] == [False, False]
        assert refused(state, c.Ready(BLUE)) == "P-5"

    def test_X2_who_is_given_a_province_and_has_no_cube_left_gets_no_fewer_than_none(self) -> None:
        """The province got a negative number of armies, which were thrown in the next battle."""
        state = do(free(), c.Correct(c.Fact.TOWER, "blue", 70), c.Correct(c.Fact.OWNER, "omi", "blue"))
        assert state.ledger.supply[BLUE] < 0
        assert state.provinces["omi"].armies == 0

    def test_L1_a_battle_that_takes_nothing_from_a_supply_below_none_is_fought(self) -> None:
        """It was refused for lack of cubes that it did not need: only -1 were left."""
        state = do(free(), c.Correct(c.Fact.TOWER, "blue", 57))
        assert state.ledger.supply[BLUE] == -1
        assert do(state, ATTACK).throw is not None
        with pytest.raises(Refused) as refusal:
            decide(state, replace(ATTACK, bonus_attack=1))
        assert (refusal.value.key, refusal.value.params["have"]) == ("supply_short", 0)

    def test_L5_L3_a_bank_or_farmers_below_none_take_nothing_from_anybody(self) -> None:
        """A collecting player paid what the bank lacked, and a battle threw a negative number of farmers."""
        state = do(acting(), c.Correct(c.Fact.CHESTS, "blue", 200), c.Correct(c.Fact.TRAY, "green", 30))
        assert state.bank < 0
        while state.done < len(state.row):
            chests = {seat: player.chests for seat, player in state.players.items()}
            [seat] = waiting_for(state)
            if state.row[state.done] is Space.TAXES:
                break
            state = do(state, *(turn(state) if state.throw is None else [c.Settle({})]))
        after_taxes = do(state, *turn(state))
        assert all(after_taxes.players[s].chests >= n for s, n in chests.items()), seat
        neutral = next(iter(stock(state)))
        throw = do(state, c.Declare(BLUE, neutral, 1)).throw
        assert throw is not None
        assert throw.farmers == 0

    def test_X6_chests_that_the_bank_lacks_are_in_no_box(self) -> None:
        """The notice said that 135 were accounted for and 135 are in the box."""
        events = decide(free(), c.Correct(c.Fact.CHESTS, "blue", 200))
        state = do(free(), c.Correct(c.Fact.CHESTS, "blue", 200))
        chests_in_play = sum(player.chests for player in state.players.values())
        [notice] = [event.sentence for event in events if isinstance(event, Warned) and event.rule == "X-6"]
        assert notice.startswith(f"{chests_in_play} chests")

    def test_R21_a_lost_income_that_was_corrected_away_is_not_owed(self) -> None:
        """Chests became negative if the table had corrected them during the revolt."""
        state = acting(house={"lost_revolt_income": False})
        while state.row[state.done] is not Space.TAXES:
            state = do(state, *(turn(state) if state.throw is None else [c.Settle({})]))
        [seat] = map(Colour, waiting_for(state))
        taxed = state.players[seat].plan[Space.TAXES]
        unrest, poor = c.Correct(c.Fact.MARKERS, taxed, 1), c.Correct(c.Fact.CHESTS, seat, 0)
        revolt = do(state, unrest, *turn(state), poor)
        assert revolt.throw is not None
        assert revolt.throw.income > 0
        lost = do(revolt, c.Settle({Colour("green"): 9}))
        assert lost.provinces[taxed].owner is None
        assert lost.players[seat].chests == 0

    @pytest.mark.parametrize(("markers", "warned_rules"), [(2, []), (3, ["X-8"])])
    def test_X8_a_fourth_marker_that_a_corrected_province_gets_is_said(
        self, markers: int, warned_rules: list[str]
    ) -> None:
        """It was added silently, and the notice only came with the next correction of that province."""
        state = acting()
        while state.row[state.done] is not Space.TAXES:
            state = do(state, *(turn(state) if state.throw is None else [c.Settle({})]))
        [seat] = map(Colour, waiting_for(state))
        taxed = state.players[seat].plan[Space.TAXES]
        state = do(state, c.Correct(c.Fact.MARKERS, taxed, markers), *turn(state))
        put_down = decide(state, c.Settle({seat: 2}, insist="they lay there"))
        assert after(state, put_down).provinces[taxed].markers == markers + 1
        assert [event.rule for event in put_down if isinstance(event, Warned)] == warned_rules

    def test_W5_points_are_not_counted_while_a_battle_is_awaited(self) -> None:
        """A forgotten revolt was thrown after the game had ended, and did not count for points."""
        board = {"omi": {"owner": "yellow", "armies": 3, "markers": 1}}
        rich = {"yellow": {"rice": 9}}
        winter = opened(start="board", season="winter", year_events=[7], provinces=board, standing=rich)
        assert refused(do(winter, c.DeclareRevolt("omi")), c.LoseRice()) == "B-1"
        fed = do(winter, c.LoseRice())
        assert fed.phase is Phase.SCORING
        awaited = do(fed, c.DeclareRevolt("omi"))
        assert refused(awaited, c.Score()) == "B-1"
        assert do(awaited, c.Settle({YELLOW: 3}), c.Score()).players[YELLOW].points == 1

    def test_B2_a_knocked_tower_that_was_emptied_is_known_to_be_empty(self) -> None:
        state = do(free(tower={}), c.Knock(), c.EmptyTower("the game is over for us"))
        assert state.ledger.certain

    def test_T5_the_event_that_was_drawn_changes_places_with_the_one_thought_to_be(self) -> None:
        """This round's card could be drawn again, and the open one could not."""
        state = acting()
        drawn, left_card = state.event, state.year_events[0]
        assert drawn is not None
        state = do(state, c.Correct(c.Fact.EVENT, "", left_card))
        assert state.event == left_card
        assert set(state.year_events) & {drawn, left_card} == {drawn}

    def test_O4_two_special_cards_that_were_told_the_wrong_way_round_are_put_right_at_once(self) -> None:
        """Two seats held the same card until the other was corrected, and nobody held the remaining one."""
        state = acting()
        blue, red = state.players[BLUE].special, state.players[RED].special
        swapped = do(state, c.Correct(c.Fact.SPECIAL, "blue", red))
        assert (swapped.players[BLUE].special, swapped.players[RED].special) == (red, blue)
        assert do(swapped, c.Correct(c.Fact.SPECIAL, "red", blue)).players == swapped.players
        taken = do(state, c.Correct(c.Fact.SPECIAL, "blue", None), c.Correct(c.Fact.SPECIAL, "blue", red))
        assert (taken.players[BLUE].special, taken.players[RED].special) == (red, None)

    def test_O4_who_puts_a_special_card_right_is_told_that_the_turn_order_stays(self) -> None:
        """A card's place is the place in the turn order, which silently stayed as it was."""
        state = acting()
        first, second, _ = state.order
        swap = c.Correct(c.Fact.SPECIAL, first, state.players[second].special)
        events = decide(state, swap)
        assert [event.rule for event in events if isinstance(event, Warned)] == ["O-4"]
        swapped = after(state, events)
        assert swapped.order == state.order
        ordered = do(swapped, c.Correct(c.Fact.ORDER, "", (second, first, state.order[2])))
        again = c.Correct(c.Fact.SPECIAL, second, swapped.players[second].special)
        back = replace(swap, value=state.players[first].special)
        for before, command in ((swapped, back), (ordered, again), (state, replace(swap, value=None))):
            assert not any(isinstance(event, Warned) for event in decide(before, command)), command

    @pytest.mark.parametrize("by_table", [False, True])
    def test_T5_a_round_for_which_no_event_is_left_goes_on_without_one(self, by_table: bool) -> None:
        """The last seat's `Ready` was refused, and a table with its own cards was asked for a missing one."""
        state = do(planning(), c.Correct(c.Fact.YEAR_EVENTS, "", ()))
        state = replace(
            state,
            by_table=by_table,
            players={s: replace(p, ready=s != BLUE) for s, p in state.players.items()},
        )
        events = decide(state, c.Ready(BLUE, by_cards=True))
        if by_table:
            assert not any(isinstance(event, Warned) for event in events)
            events = decide(after(state, events), c.Lay())
        assert [event.rule for event in events if isinstance(event, Warned)] == ["T-5"]
        assert isinstance(events[-1], PhaseBegun)
        assert events[-1].phase is Phase.BIDS

    def test_T8_T9_an_event_card_that_is_out_and_told_to_come_still_is_said(self) -> None:
        """This round's card was entered as still open, so it was drawn again or left beside winter's."""
        state = replace(acting(), event=4, year_events=(2, 3, 7), spent_events=(9,))
        for remaining, warned_rules in ((("2", "3"), []), (("2", "4"), ["T-9"]), (("2", "9"), ["T-9"])):
            events = decide(state, c.Correct(c.Fact.YEAR_EVENTS, "", remaining))
            assert [event.rule for event in events if isinstance(event, Warned)] == warned_rules
            assert after(state, events).year_events == tuple(map(int, remaining))

    @pytest.mark.parametrize(
        ("remaining", "winter_event", "warned_rules"),
        [(("3", "8"), 3, ["W-1"]), (("8",), 8, []), ((), None, ["T-5"])],
    )
    def test_W1_winter_says_when_not_one_event_card_is_left_for_it(
        self, remaining: tuple[str, ...], winter_event: int | None, warned_rules: list[str]
    ) -> None:
        """The first of two was taken silently; the table can now correct it before rice is lost."""
        autumn = replace(acting(), season=Season.AUTUMN, done=len(ACTIONS))
        events = decide(autumn, c.Correct(c.Fact.YEAR_EVENTS, "", remaining))
        state = after(autumn, events)
        assert (state.phase, state.event) == (Phase.WINTER, winter_event)
        assert [event.rule for event in events if isinstance(event, Warned)] == warned_rules
        fed = do(state, c.Correct(c.Fact.EVENT, "", 2), c.Correct(c.Fact.RICE, "blue", 9), c.LoseRice())
        assert fed.players[BLUE].rice == 9 - 7

    @pytest.mark.parametrize("by_table", [False, True])
    def test_T5_an_event_that_the_table_has_told_is_not_drawn_over(self, by_table: bool) -> None:
        """The app drew another one, and in autumn there was none left."""
        state = replace(planning(), by_table=by_table)
        told_event, *remaining = state.year_events
        state = do(planned(do(state, c.Correct(c.Fact.EVENT, "", told_event))))
        assert (state.event, state.year_events) == (told_event, tuple(remaining))
        assert state.phase in (Phase.BIDS, Phase.ORDER)

    def test_T2_no_action_lies_twice_in_a_corrected_row(self) -> None:
        assert refused(acting(), c.Correct(c.Fact.ROW, "", ("castle",) * 10)) == "X-1"
        half = ("castle", "temple", *[""] * 8)
        assert do(acting(), c.Correct(c.Fact.ROW, "", half)).row[1] is Space.TEMPLE

    def test_R37_the_table_switches_borders_of_the_moon_side(self) -> None:
        state = opened(start="draft", side="moon")
        assert "izu" in near(state, "shima")
        state = do(state, c.Correct(c.Fact.BORDER, "shima.izu", 0, "no route on our board"))
        assert "izu" not in near(state, "shima")
        assert "shima" not in near(state, "izu")
        state = do(state, c.Correct(c.Fact.BORDER, "kai.mikawa", 1))
        assert "mikawa" in near(state, "kai")

    def test_every_fact_can_be_corrected(self) -> None:
        state = acting()
        values: dict[c.Fact, tuple[str, int | str | tuple[str, ...] | None]] = {
            c.Fact.BANK: ("", 20),
            c.Fact.POINTS: ("blue", 7),
            c.Fact.TOWER: ("blue", 3),
            c.Fact.TRAY: ("blue", 2),
            c.Fact.TILES: ("castle", 4),
            c.Fact.CARD: ("blue.taxes", None),
            c.Fact.SPECIAL: ("blue", None),
            c.Fact.EVENT: ("", 7),
            c.Fact.YEAR_EVENTS: ("", ("1", "2")),
            c.Fact.ROW: ("", tuple(reversed([space.value for space in Space if space != "auction"]))),
            c.Fact.ORDER: ("", ("yellow", "blue", "red")),
            c.Fact.HOUSE: ("must_move", 0),
        }
        for fact, (where, value) in values.items():
            state = do(state, c.Correct(fact, where, value))
        assert state.ledger.tower[BLUE] + state.ledger.tray[BLUE] == 3
        assert state.order[0] == YELLOW
        assert not state.house.must_move
        assert {fault.rule for fault in find_faults(state)} == {"X-6"}  # from the bank set above

    @pytest.mark.parametrize(
        ("fact", "where", "value", "won"),
        [
            (c.Fact.POINTS, "red", 41, [RED]),
            (c.Fact.POINTS, "red", 40, [BLUE, RED, YELLOW]),
            (c.Fact.CHESTS, "blue", 3, [YELLOW]),
            (c.Fact.POINTS, "red", 39, [BLUE, YELLOW]),
            (c.Fact.RICE, "red", 5, [BLUE, YELLOW]),
        ],
    )
    def test_T10_who_won_follows_points_and_chests_that_are_put_right_after_the_end(
        self, fact: c.Fact, where: str, value: int, won: list[Colour]
    ) -> None:
        """Blue and yellow share 40 points and 4 chests, red has 30 points and 4 chests."""
        state = opened()
        points = {BLUE: 40, YELLOW: 40, RED: 30}
        players = {s: replace(p, points=points[s], chests=4) for s, p in state.players.items()}
        state = after(replace(state, phase=Phase.OVER, players=players), [GameEnded((BLUE, YELLOW))])
        assert sorted(do(state, c.Correct(fact, where, value)).winners) == sorted(won)
