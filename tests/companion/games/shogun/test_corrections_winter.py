"""Corrections in winter: revolts follow the provinces (W-3, W-4)."""

from companion.games.shogun import commands as c
from companion.games.shogun.game import GAME
from companion.games.shogun.legal import legal
from companion.games.shogun.state import State
from companion.games.shogun.view import view, waiting_for
from companion.games.shogun.words import BLUE, YELLOW, Fight, Phase
from tests.companion.games.shogun.tables import do, opened, refused


def _winter_with_two_revolts() -> State:
    """Return a winter in which two of yellow's provinces revolt, and neither revolt has been fought."""
    board = {key: {"owner": "yellow", "armies": 3} for key in ("omi", "mino", "kai")}
    rich = {"blue": {"rice": 9}, "red": {"rice": 9}}
    winter = opened(start="board", season="winter", year_events=[7], provinces=board, standing=rich)
    return do(winter, c.LoseRice(), c.DrawRevolts(YELLOW, ("omi", "mino")))


def test_W3_a_revolt_whose_province_was_lost_meanwhile_is_not_offered() -> None:
    """It was offered, and only struck off when the seat tapped it."""
    state = do(_winter_with_two_revolts(), c.Correct(c.Fact.OWNER, "omi", "blue"))
    assert legal(state, YELLOW) == [c.FightRevolt(YELLOW, "mino")]
    assert view(state, None)["winter"]["revolts"] == {YELLOW: ["mino"]}
    assert refused(state, c.FightRevolt(YELLOW, "omi")) == "W-3"
    last = do(state, c.FightRevolt(YELLOW, "mino"), c.Settle({YELLOW: 3}))
    assert (last.phase, legal(last, None)) == (Phase.SCORING, [c.Score()])


def test_W3_the_winter_goes_on_when_the_last_revolts_province_was_lost() -> None:
    state = do(_winter_with_two_revolts(), c.FightRevolt(YELLOW, "mino"), c.Settle({YELLOW: 3}))
    assert waiting_for(state) == [YELLOW]
    assert do(state, c.Correct(c.Fact.OWNER, "omi", None)).phase is Phase.SCORING


def test_W3_a_revolt_comes_back_with_its_province_until_points_are_counted() -> None:
    """A mistaken correction must not skip a revolt."""
    state = do(_winter_with_two_revolts(), c.FightRevolt(YELLOW, "mino"), c.Settle({YELLOW: 3}))
    slip = do(state, c.Correct(c.Fact.OWNER, "omi", None))
    right = do(slip, c.Correct(c.Fact.OWNER, "omi", "yellow"))
    assert (right.phase, legal(right, YELLOW)) == (Phase.HUNGER, [c.FightRevolt(YELLOW, "omi")])
    fought = do(right, c.FightRevolt(YELLOW, "omi"))
    assert fought.throw is not None
    assert (fought.throw.fight, fought.throw.province) == (Fight.WINTER_REVOLT, "omi")
    assert do(fought, c.Settle({YELLOW: 1})).phase is Phase.SCORING
    assert do(slip, c.Correct(c.Fact.OWNER, "omi", "blue")).phase is Phase.SCORING


def test_W3_a_table_on_which_a_lost_province_was_struck_off_is_still_read() -> None:
    """Old logs contain such an event if the seat had tapped the revolt of a lost province."""
    state = do(_winter_with_two_revolts(), c.Correct(c.Fact.OWNER, "omi", "blue"))
    old_event = {"kind": "revolts_drawn", "player": "yellow", "provinces": ["mino"]}
    assert view(GAME.evolve(state, GAME.decode_event(old_event)), BLUE) == view(state, BLUE)
