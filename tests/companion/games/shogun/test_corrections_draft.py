"""Corrections during the draft: cards, groups and cubes follow (S-4, S-9)."""

import pytest

from companion.games.shogun import commands as c
from companion.games.shogun import facts
from companion.games.shogun.check import find_faults
from companion.games.shogun.decide import decide
from companion.games.shogun.events import Warned
from companion.games.shogun.game import GAME
from companion.games.shogun.legal import legal
from companion.games.shogun.state import owned, stock
from companion.games.shogun.view import view, waiting_for
from companion.games.shogun.words import BLUE, FARMERS, RED, YELLOW, Fight, Phase
from tests.companion.games.shogun.tables import after, choice, do, opened, refused


class TestDraft:
    """Provinces and armies that differ from what the app thought."""

    def test_S4_a_province_that_is_put_right_amid_the_draft_is_not_taken_again(self) -> None:
        """Red had taken the other card, but it stayed open, and whoever took it lost red's armies."""
        state = opened(start="draft")
        assert state.draft is not None
        taken, assumed = state.draft.open
        state = do(state, c.Take(BLUE, "pile", 5), c.Take(RED, assumed, 4))
        state = do(
            state,
            c.Correct(c.Fact.OWNER, assumed, None),
            c.Correct(c.Fact.OWNER, taken, "red"),
            c.Correct(c.Fact.ARMIES, taken, 4),
        )
        assert state.draft is not None
        assert refused(state, c.Take(YELLOW, taken, 5)) == "S-4"
        assert len(set(state.draft.open)) == 2
        assert state.draft.pile is not None
        cards = [*state.draft.open, *state.draft.pile]
        assert sorted([*cards, *owned(state, BLUE), *owned(state, RED)]) == sorted(state.provinces)

    def test_S4_a_card_that_takes_the_place_of_one_put_right_counts_as_seen(self) -> None:
        """One person alone gave an open card to a seat, looked at the next one, and took it back."""
        state = opened(start="draft")
        assert state.draft is not None
        covered = next(card for card in stock(state) if card not in state.draft.open)
        seen = [decide(state, c.Correct(c.Fact.OWNER, key, RED))[0] for key in (state.draft.open[0], covered)]
        assert [GAME.told(event)["shown"] for event in seen] == [True, False]

    @pytest.mark.parametrize("by_table", [False, True])
    def test_S4_the_draft_is_over_when_no_card_is_left_to_take(self, by_table: bool) -> None:
        """A table that drafted on its own and corrected the app was asked for more cards than there were."""
        state = opened(start="draft", by_table=by_table, open=["omi", "mino"])
        assert state.draft is not None
        *others, last = stock(state)
        for key in (key for key in others if key not in state.draft.open):
            state = do(state, c.Correct(c.Fact.OWNER, key, "red"))
        state = do(state, c.Correct(c.Fact.OWNER, last, "yellow"))
        while state.draft is not None:
            offered = legal(state, state.draft.seat)
            assert offered
            for command in offered:
                state_after = do(state, command)
            state = state_after
        assert (state.phase, stock(state)) == (Phase.FILL, ())
        assert not find_faults(do(state, c.Settle({})))

    @pytest.mark.parametrize("by_table", [False, True])
    def test_S4_a_table_that_drafts_by_itself_is_asked_for_no_more_than_it_has_left(
        self, by_table: bool
    ) -> None:
        """Every group was asked for again, until no card was left."""
        state = opened(start="draft", by_table=by_table, open=["omi", "mino"])
        assert state.draft is not None
        cards = iter([key for key in state.provinces if key not in state.draft.open])
        for seat in state.seats:
            for armies in facts.START_GROUPS[3][: 9 if seat == BLUE else 8]:
                key = next(cards)
                state = do(state, c.Correct(c.Fact.OWNER, key, seat), c.Correct(c.Fact.ARMIES, key, armies))
        assert state.draft is not None
        assert state.draft.groups == {BLUE: (), RED: (2,), YELLOW: (2,)}
        while state.draft is not None:
            seat, shown = state.draft.seat, state.draft.open
            drawn = next(key for key in stock(state) if key not in shown)
            state = do(state, c.Take(seat, shown[0], 2, drawn))
        assert [len(owned(state, seat)) for seat in state.seats] == [9, 9, 9]
        assert [state.ledger.board[seat] for seat in state.seats] == [27, 27, 27]
        assert not find_faults(do(state, c.Settle({})))

    def test_S4_a_card_that_comes_back_when_the_pile_is_used_up_lies_open(self) -> None:
        """It went under the empty pile, so that only one card was open until somebody took that one."""
        state = opened(start="draft")
        assert state.draft is not None
        for key in (*state.draft.open, *(state.draft.pile or ()))[:-1]:
            state = do(state, c.Correct(c.Fact.OWNER, key, "blue"))
        assert state.draft is not None
        [last] = state.draft.open
        state = do(state, c.Correct(c.Fact.OWNER, "omi", None))
        assert state.draft is not None
        assert (state.draft.open, state.draft.pile) == ((last, "omi"), ())

    def test_S4_an_open_real_card_that_is_put_right_is_replaced_by_what_the_table_turned_up(self) -> None:
        """Only one card was open, and nobody was asked which one the table had turned up beside it."""
        state = opened(start="draft", by_table=True, open=["omi", "mino"])
        state = do(state, c.Correct(c.Fact.OWNER, "omi", "yellow"))
        assert state.draft is not None
        assert (legal(state, None), legal(state, BLUE)) == ([c.Lay()], [])
        assert waiting_for(state) == ["table"]
        for turned_up in (None, (), ("mino",), ("omi",), ("kai", "kii")):
            assert refused(state, c.Lay(turned_up)) == "S-4"
        assert refused(state, c.Take(BLUE, "mino", 5, "kai")) == "S-4"
        state = do(state, c.Lay(("kai",)))
        assert state.draft is not None
        assert state.draft.open == ("mino", "kai")
        assert (legal(state, None), waiting_for(state)) == ([], [BLUE])
        assert refused(state, c.Lay(("kii",))) == "T-1"
        do(state, c.Take(BLUE, "kai", 5, "kii"))

    def test_S4_the_last_province_that_is_put_right_ends_the_draft(self) -> None:
        """A group of two that was already placed was asked for; armies can be corrected later as well."""
        state = opened(start="draft", by_table=True, open=["omi", "mino"])
        cards = iter(state.provinces)
        for seat in state.seats:
            for _ in facts.START_GROUPS[3]:
                assert state.phase is Phase.DRAFT
                state = do(state, c.Correct(c.Fact.OWNER, next(cards), seat))
        assert state.phase is Phase.FILL
        last = owned(state, YELLOW)[-1]
        state = do(state, c.Correct(c.Fact.ARMIES, last, 5), c.Settle({}))
        assert (state.provinces[last].armies, find_faults(state)) == (5, ())

    def test_S4_a_province_that_is_given_back_amid_the_draft_gives_back_its_group(self) -> None:
        state = opened(start="draft")
        assert state.draft is not None
        wrong = state.draft.open[0]
        state = do(state, c.Take(BLUE, wrong, 5), c.Correct(c.Fact.OWNER, wrong, None))
        assert state.draft is not None
        assert state.draft.groups[BLUE] == facts.START_GROUPS[3]

    def test_S9_the_tower_is_filled_when_a_battle_amid_the_draft_is_over(self) -> None:
        """The last province filled the tower at once, and the battle's cubes were lost."""
        state = opened(start="draft")
        while state.draft is not None and sum(map(len, state.draft.groups.values())) > 1:
            state = do(state, choice(state))
        last = state.draft
        assert last is not None
        origin = next(p for p in owned(state, BLUE) if state.provinces[p].armies > 1)
        state = do(state, c.Declare(BLUE, next(p for p in owned(state, RED)), 1, origin, insist="by sea"))
        state = do(state, c.Correct(c.Fact.OWNER, last.open[0], last.seat))
        assert state.throw is not None
        assert state.throw.fight is Fight.ATTACK
        state = do(state, c.Settle({}))
        assert (state.phase, find_faults(state)) == (Phase.FILL, ())

    def test_S9_L3_the_tower_is_filled_with_the_cubes_that_are_there(self) -> None:
        """With cubes of the last game in the tower, more were thrown than the supply had."""
        state = opened(start="draft")
        state = do(state, c.Correct(c.Fact.TOWER, "green", 13), c.Correct(c.Fact.TRAY, "blue", 32))
        while state.draft is not None:
            events = decide(state, choice(state))
            state = after(state, events)
        assert [event.rule for event in events if isinstance(event, Warned)] == ["L-3"]
        farmers = facts.FARMER_CUBES - 13
        blue = facts.CUBES - 32 - state.ledger.board[BLUE]
        plan = GAME.throw_plan(state)
        assert plan is not None
        assert plan.from_table == {BLUE: blue, RED: 7, YELLOW: 7, FARMERS: farmers}
        assert view(state, None)["throw"]["from_table"] == plan.from_table
        assert find_faults(do(state, c.Settle({}))) == ()
