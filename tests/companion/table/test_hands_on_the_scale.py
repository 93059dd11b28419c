"""Hands that lean on the tray, take cubes out or lift it off: what they do is no throw."""

import pytest

from companion.table.throw.weigher import Weigher
from firmware.link.events import Answered, Drop, Motion, SensorEvent, Settled
from firmware.link.wire import Command
from tests.companion.table.scales import CUBE, UP, beat, fall_events, weighed_by, weigher_that_heard


@pytest.mark.parametrize("off_mg", [0, 120, -120], ids=["as it came", "a little left", "a little more"])
@pytest.mark.parametrize("press", [(9000,), (5000, 4000)], ids=["at once", "in two steps"])
def test_a_hand_that_leans_on_the_tray_and_goes_was_no_cubes(press: tuple[int, ...], off_mg: int) -> None:
    """Four cubes lie there before and after, and that is as sure as without the hand."""
    cubes_alone = weighed_by(weigher_that_heard(*fall_events(3, 1)))
    leans: list[SensorEvent] = [Motion(0), *(Drop(0, mg) for mg in press), Settled(0, 3 + 1440 + 9000, 6)]
    goes: list[SensorEvent] = [Motion(0), Drop(0, -9000 + off_mg), Settled(0, 3 + 1440, 6)]
    weighed = weighed_by(weigher_that_heard(*fall_events(3, 1), *leans, *goes))
    assert (weighed.cubes, weighed.steps, weighed.whole) == (4, 2, True)
    assert weighed.sure == pytest.approx(cubes_alone.sure)


@pytest.mark.parametrize("taken", [0, 2])
@pytest.mark.parametrize("press_mg", [1000, 3000, 20_000])
def test_a_hand_that_leans_slowly_and_goes_at_once_was_no_cubes(press_mg: int, taken: int) -> None:
    """Seven lie there: the weight said 8 and was quite sure, or 56 until the tray was emptied."""
    weigher = weigher_that_heard(*fall_events(7))
    weigher.confirm(7)
    left_mg = 3 + (7 - taken) * 360
    leans: list[SensorEvent] = [Motion(0), Settled(0, 3 + 7 * 360 + press_mg, 6)]
    for event in (*leans, Motion(0), Drop(0, -press_mg - taken * 360), Settled(0, left_mg, 6)):
        weigher.hear(event)
    weighed = weighed_by(weigher)
    assert (weighed.cubes, weighed.whole, weighed.sure > 0.99) == (7 - taken, True, True)
    for event in fall_events(3, begin=left_mg):
        weigher.hear(event)
    weigher.confirm(10 - taken)
    assert (weighed_by(weigher).cubes, weighed_by(weigher).sure > 0.99) == (10 - taken, True)


def test_a_slow_hand_is_forgotten_once_the_tray_is_empty() -> None:
    """The hand came and went without a step. If the next motion's message is lost, five cubes come and one
    leaves: that one was taken off the hand, and five were reported."""
    slow: list[SensorEvent] = [Motion(0), Settled(0, 403, 6), Motion(0), Settled(0, 3, 6)]
    weighed = weighed_by(weigher_that_heard(*slow, Drop(0, 1800), Drop(0, -360), Settled(0, 3 + 4 * 360, 6)))
    assert (weighed.cubes, weighed.whole) == (4, True)


def test_cubes_that_fall_while_a_hand_leans_on_the_tray_are_counted() -> None:
    """Three of them; together they are weighed as one step."""
    weigher = weigher_that_heard(
        Motion(0), *(Drop(0, mg) for mg in (9000, 360, 720, -9000)), Settled(0, 1083, 6)
    )
    assert weighed_by(weigher).cubes == 3
    assert weighed_by(weigher).sure > 0.99


def test_a_hand_that_takes_a_cube_along_leaves_one_less() -> None:
    weigher = weigher_that_heard(
        *fall_events(3, 1), Motion(0), Drop(0, 9000), Drop(0, -9360), Settled(0, 1083, 6)
    )
    assert weighed_by(weigher).cubes == 3
    assert weighed_by(weigher).sure > 0.99


def test_the_tray_lifted_off_and_put_back_is_empty() -> None:
    weigher = weigher_that_heard(*fall_events(3))
    for event in (Motion(0), Drop(0, -180_000), Settled(0, -179_000, 6)):
        weigher.hear(event)
    for event in (Motion(0), Drop(0, 179_020), Settled(0, 20, 6)):
        weigher.hear(event)
    assert weighed_by(weigher).cubes == 0


TRAY_MG = 250_000


def test_a_hand_that_leans_on_a_badly_calibrated_tray_holds_nothing_up() -> None:
    """The board was told of ten times too many cubes: a hand of a kilogram was 28,000, each look took
    seconds."""
    weighed = weighed_by(
        weigher_that_heard(Motion(0), Drop(0, 6_000_000), Drop(0, 4_000_000), Settled(0, 10_000_003, 6))
    )
    assert weighed.cubes > 1000
    assert weighed.sure < 0.1
    assert len(weighed.odds) < 10_000, "the time grows with its square"


HELD: list[SensorEvent] = [Settled(0, -TRAY_MG, 6), Motion(0)]
SNATCHED = Drop(0, -TRAY_MG - 10 * 360)


@pytest.mark.parametrize("clap", [True, False], ids=["clapped down", "laid down"])
@pytest.mark.parametrize(
    "lifted", [HELD, [SNATCHED, *HELD], [SNATCHED]], ids=["slowly", "snatched", "snatched and back at once"]
)
@pytest.mark.parametrize("lie", [10, 6], ids=["as before", "four fewer"])
def test_a_tray_that_was_lifted_with_cubes_in_it_holds_what_it_holds(
    lifted: list[SensorEvent], clap: bool, lie: int
) -> None:
    """Ten lay there: after that the weight said 694 until the tray was emptied."""
    weigher = weigher_that_heard(*fall_events(10))
    weigher.confirm(10)
    back = [Drop(0, TRAY_MG + lie * 360)] if clap else []
    for event in (Motion(0), *lifted, *back, Settled(0, 3 + lie * 360, 6)):
        weigher.hear(event)
    assert (weighed_by(weigher).cubes, weighed_by(weigher).sure > 0.99) == (lie, True)
    for event in fall_events(3, begin=3 + lie * 360):
        weigher.hear(event)
    assert (weighed_by(weigher).cubes, weighed_by(weigher).sure > 0.99) == (lie + 3, True)
    assert weighed_by(weigher).whole == (lie == 10), "a tray that stands a little elsewhere weighs else"


@pytest.mark.parametrize(
    "back",
    [(TRAY_MG - 7200, 10_800), (TRAY_MG + 20_000, -20_000, 3600), (TRAY_MG // 2, TRAY_MG // 2, 3600)],
    ids=["edge by edge", "with force", "the far edge first"],
)
def test_a_lifted_tray_that_comes_back_in_steps_is_no_throw(back: tuple[int, ...]) -> None:
    """Ten lie there while a throw is awaited: the last part of the tray's own weight was taken for cubes."""
    weigher = weigher_that_heard(*fall_events(10))
    weigher.confirm(10)
    weigher.await_throw()
    for event in (Motion(0), SNATCHED, *HELD, *(Drop(0, mg) for mg in back), Settled(0, 3 + 3600, 6)):
        weigher.hear(event)
    assert (weigher.has_fallen(10), weighed_by(weigher).cubes) == (False, 10)
    for event in fall_events(12, begin=3603):
        weigher.hear(event)
    assert (weigher.has_fallen(22), weighed_by(weigher).cubes) == (True, 22), "what falls after that is one"


def test_cubes_that_a_slow_hand_lays_in_with_a_lifted_tray_are_counted() -> None:
    """No motion was reported; only heartbeats show it."""
    weigher = weigher_that_heard(*fall_events(10))
    for event in (beat(-TRAY_MG), beat(3 + 12 * 360)):
        weigher.hear(event)
    assert (weighed_by(weigher).cubes, weighed_by(weigher).whole) == (12, False)


@pytest.mark.parametrize("lifted", [False, True], ids=["by hand", "with the tray"])
@pytest.mark.parametrize("off_mg", [-1000, -300, 300, 1000])
def test_cubes_taken_out_to_be_counted_lie_there_no_more(off_mg: int, lifted: bool) -> None:
    """While zero was off, what was counted counted as still there: each later throw weighed seven more."""
    weigher = Weigher(CUBE)
    weigher.hear(UP)
    weigher.hear(beat(off_mg))
    right = []
    for cubes in (7, 5, 9, 6):
        for event in fall_events(3, cubes - 3, begin=off_mg):
            weigher.hear(event)
        weighed = weigher.weighed()
        right.append(weighed is not None and (weighed.cubes, weighed.sure > 0.9) == (cubes, True))
        if lifted:
            weigher.hear(Settled(0, off_mg - 150_000, 6))
        weigher.hear(Settled(0, off_mg + 8, 6))
        weigher.confirm(cubes)
        assert weigher.wrong == 0
    assert right == [False, True, True, True]


def test_a_zero_set_while_cubes_lay_there_heals_where_they_are_taken_out_to_be_counted() -> None:
    weigher = weigher_that_heard(*fall_events(5))
    weigher.hear(Answered(Command.TARE, (), 0, None))
    for event in (beat(0), Settled(0, -1800, 6), *fall_events(7, begin=-1800), Settled(0, -1800, 6)):
        weigher.hear(event)
    weigher.confirm(7)
    for event in fall_events(4, begin=-1800):
        weigher.hear(event)
    assert weighed_by(weigher).cubes == 4


def test_a_count_that_fits_nothing_is_not_of_an_emptied_tray() -> None:
    """Nobody knows what lies there: zero is off, and a hand leaned on the tray before."""
    weigher = Weigher(CUBE)
    for event in (UP, beat(1000), Settled(0, 9000, 6), *fall_events(7, begin=1000), Settled(0, 1000, 6)):
        weigher.hear(event)
    weigher.confirm(7)
    assert weigher.weighed() is None
    for event in fall_events(4, begin=1000):
        weigher.hear(event)
    weigher.confirm(4)
    assert weighed_by(weigher).cubes == 4


def test_cubes_that_lay_there_when_the_board_restarted_are_taken_out_to_be_counted() -> None:
    """Zero was off, so the seven were believed to lie in the emptied tray."""
    weigher = Weigher(CUBE)
    for event in (UP, beat(1000 + 7 * 360), Settled(0, 1000, 6)):
        weigher.hear(event)
    weigher.confirm(7)
    assert weighed_by(weigher).cubes == 0
