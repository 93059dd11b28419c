"""From a board's events to the number of cubes, and what picture and weight make of each other."""

from dataclasses import replace

import pytest

from calibration.scale import CountOdds, CubeMass
from companion.table.throw.joining import with_weight
from companion.table.throw.weigher import Weighed, Weigher
from companion.table.throw.weighing import Weighing
from firmware.link import troubles
from firmware.link.events import Answered, Beat, Drop, LinkDown, Motion, Recovered, SensorEvent, Settled
from firmware.link.wire import Command
from tests.companion.table.scales import CUBE, UP, beat, fall_events, weighed_by, weigher_that_heard
from tests.companion.table.tables import looked
from vision.counting.odds import count_odds
from vision.reading import NOTHING, Doubt, OpenPlace, TrayReading

ALL = dict.fromkeys(("red", "blue", "black", "yellow", "purple", "green"), 62)


def test_steps_are_counted() -> None:
    weighed = weighed_by(weigher_that_heard(*fall_events(3, 1, 5)))
    assert (weighed.cubes, weighed.steps, weighed.whole) == (9, 3, True)
    assert weighed.sure > 0.99
    assert weighed.spread < 0.2


def test_what_lies_there_is_reckoned_once_however_many_pages_ask(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each view asked for it anew, and each look three times: a millisecond per step on a good computer."""
    reckoned: list[int] = []

    def count_calculation(cube: CubeMass, begin: int) -> CountOdds:
        reckoned.append(begin)
        return CountOdds(cube, begin)

    monkeypatch.setattr("companion.table.throw.weigher.CountOdds", count_calculation)
    weigher = weigher_that_heard(*fall_events(3, 1, 5))
    assert [weighed_by(weigher).cubes for _ in range(20)] == [9] * 20
    assert len(reckoned) == 1
    for event in fall_events(2, begin=3 + 9 * 360):
        weigher.hear(event)
    assert (weighed_by(weigher).cubes, len(reckoned)) == (11, 2)


def test_a_cell_that_feels_cubes_without_end_is_not_counted_with() -> None:
    """A thousand steps took two seconds per view, with the table's lock held, and nothing ended them."""
    weigher = weigher_that_heard(*[event for _ in range(1000) for event in fall_events(1)])
    assert weigher.weighed() is None
    weigher.confirm(4)
    assert weighed_by(weigher).cubes == 4


def test_an_empty_tray_weighs_nothing() -> None:
    assert weighed_by(weigher_that_heard()).cubes == 0


@pytest.mark.parametrize("command", [Command.TARE, Command.CALIBRATE])
def test_another_zero_or_scale_begins_anew(command: Command) -> None:
    """Five cubes lie there; what was weighed before refers to another zero."""
    weigher = weigher_that_heard(*fall_events(5))
    weigher.hear(Answered(command, (), 0, "moving"))
    assert weighed_by(weigher).cubes == 5, "refused: nothing has changed"
    weigher.hear(Answered(command, (), 0, None))
    assert weigher.weighed() is None
    weigher.hear(beat(-4))
    assert weighed_by(weigher).cubes == 0


def test_a_missed_step_is_noticed_and_the_total_counts() -> None:
    weighed = weighed_by(weigher_that_heard(*fall_events(3, 1, missed=2)))
    assert (weighed.cubes, weighed.whole) == (6, False)
    assert weighed.sure < weighed_by(weigher_that_heard(*fall_events(3, 1))).sure


def test_small_errors_of_many_steps_are_no_missed_cube() -> None:
    steps = [Drop(0, 370) for _ in range(18)]
    weighed = weighed_by(weigher_that_heard(Motion(0), *steps, Settled(0, 3 + 18 * 360, 6)))
    assert (weighed.cubes, weighed.whole) == (18, False)


def test_drift_between_throws_does_not_add_up() -> None:
    weigher = weigher_that_heard()
    zero = 3
    for number in range(30):
        zero += 40
        weigher.hear(beat(zero))
        for event in fall_events(4, 3, begin=zero):
            weigher.hear(event)
        assert weighed_by(weigher).cubes == 7, number
        weigher.confirm(7)
        for event in (Motion(0), Drop(0, -7 * 360), Settled(0, zero, 6)):
            weigher.hear(event)
    assert weigher.mass_mg == 1203


@pytest.mark.parametrize("cleared", [True, False], ids=["cleared before", "some lie there still"])
@pytest.mark.parametrize("mg_a_second", [0.7, -0.7])
def test_drift_while_cubes_lie_there_is_no_cube(mg_a_second: float, cleared: bool) -> None:
    """Ten minutes from battle to battle with a cheap cell: zero moves by more than a cube."""
    weigher = weigher_that_heard(*fall_events(4, 3))
    weigher.confirm(7)
    drift_mg = 0.0
    for _ in range(600):
        drift_mg += mg_a_second
        weigher.hear(beat(round(3 + 7 * 360 + drift_mg)))
    assert (weighed_by(weigher).cubes, weighed_by(weigher).whole) == (7, True)
    lie = 0 if cleared else 7
    if cleared:
        weigher.hear(Settled(0, round(3 + drift_mg), 6))
        assert (weighed_by(weigher).cubes, weighed_by(weigher).mass_mg) == (0, 0)
    for event in fall_events(2, 3, begin=round(3 + drift_mg) + lie * 360):
        weigher.hear(event)
    assert (weighed_by(weigher).cubes, weighed_by(weigher).whole) == (lie + 5, True)
    assert weighed_by(weigher).sure > 0.99


def test_what_the_board_says_while_it_has_no_readings_is_no_empty_tray() -> None:
    """A loose wire with twelve cubes in the tray: its heartbeats say 0 mg, which became zero."""
    weigher = weigher_that_heard(beat(150), *fall_events(12, begin=150))
    for event in (Beat(0, 0, 5, 0, False, weighs=False), Beat(0, 0, 5, 80, False, weighs=False)):
        weigher.hear(event)
    weigher.hear(beat(150 + 12 * 360))
    weighed = weighed_by(weigher)
    assert (weighed.cubes, weighed.whole, weighed.mass_mg) == (12, True, 12 * 360)
    assert weighed.sure > 0.99


def test_a_motion_whose_end_went_unsaid_is_over_when_the_tray_rests() -> None:
    """The message was lost, or readings failed meanwhile: nothing was weighed until the next throw."""
    weigher = weigher_that_heard(Motion(0), Drop(0, 720), beat(723))
    assert (weighed_by(weigher).cubes, weigher.moving) == (2, False)


def test_cubes_that_are_a_little_heavy_do_not_shift_zero() -> None:
    weigher = weigher_that_heard(Motion(0), Drop(0, 27 * 368), Settled(0, 3 + 27 * 368, 6))
    weigher.confirm(27)
    for event in (Motion(0), Settled(0, 3, 6), *fall_events(19)):
        weigher.hear(event)
    assert (weighed_by(weigher).cubes, weighed_by(weigher).whole) == (19, True)


def test_a_cube_taken_by_a_slow_hand_is_gone() -> None:
    weigher = weigher_that_heard(*fall_events(1))
    weigher.confirm(1)
    for event in (beat(8), *fall_events(4, begin=8)):
        weigher.hear(event)
    assert (weighed_by(weigher).cubes, weighed_by(weigher).whole) == (4, True)


def test_motion_says_nothing_until_it_has_ended() -> None:
    assert weigher_that_heard(Motion(0), Drop(0, 360)).weighed() is None


def test_a_board_that_is_gone_says_nothing() -> None:
    assert weigher_that_heard(*fall_events(3), LinkDown("x", "a", "b")).weighed() is None


def test_a_board_that_comes_back_to_a_full_tray_has_to_be_told() -> None:
    weigher = weigher_that_heard(*fall_events(5), LinkDown("x", "a", "b"), UP, beat(1803))
    assert weigher.weighed() is None
    weigher.confirm(5)
    for event in fall_events(2, begin=1803):
        weigher.hear(event)
    assert weighed_by(weigher).cubes == 7


def test_a_tray_that_was_emptied_before_the_count_was_told_stays_empty() -> None:
    weigher = weigher_that_heard(*fall_events(20), Motion(0), Settled(0, 5, 6))
    weigher.confirm(20)
    for event in fall_events(4, begin=5):
        weigher.hear(event)
    assert weighed_by(weigher).cubes == 4


def test_a_count_that_is_one_off_is_believed() -> None:
    weigher = weigher_that_heard(*fall_events(7))
    weigher.confirm(8)
    assert weighed_by(weigher).cubes == 8


def test_what_stays_in_the_tray_is_counted_on() -> None:
    weigher = weigher_that_heard(*fall_events(20))
    weigher.confirm(20)
    removed: list[SensorEvent] = [Motion(0), Settled(0, 3 + 8 * 360, 6)]
    for event in [*removed, *fall_events(10, begin=3 + 8 * 360)]:
        weigher.hear(event)
    assert weighed_by(weigher).cubes == 18


def test_confirmed_throws_teach_what_a_cube_weighs() -> None:
    weigher = weigher_that_heard(cube=CubeMass())
    for event in (Motion(0), Drop(0, 20 * 340), Settled(0, 3 + 20 * 340, 6)):
        weigher.hear(event)
    assert weighed_by(weigher).sure < 0.9
    weigher.confirm(20)
    assert weigher.cube.unit_mg == pytest.approx(340, abs=4)


def _reading(*doubts: Doubt, shaky: float = 1.0, **counts: int) -> TrayReading:
    """A reading that sees the last red cube only with probability `shaky`."""
    reading = looked(*doubts, certain=None, **counts).reading
    chances = {colour: [0.9999] * number for colour, number in reading.counts.items()}
    if shaky < 1:
        chances["red"][-1:] = [shaky]
    return replace(reading, odds=count_odds(chances))


def _weigh_cubes(cubes: float, cube: CubeMass = CUBE, *, missed: int = 0) -> Weighed:
    """All in one step, by a scale that was right before."""
    return _drop_at_once(_proven_weigher(cube), round(cubes * 360), missed)


def _proven_weigher(cube: CubeMass = CUBE) -> Weigher:
    weigher = weigher_that_heard(*fall_events(5), cube=cube)
    weigher.confirm(5)
    weigher.hear(Settled(0, 3, 6))
    return weigher


def _drop_at_once(weigher: Weigher, mass_mg: int, missed: int = 0) -> Weighed:
    for event in (Motion(0), Drop(0, mass_mg), Settled(0, 3 + mass_mg + missed * 360, 6)):
        weigher.hear(event)
    return weighed_by(weigher)


def test_without_weight_a_reading_stays_what_it_is() -> None:
    reading = _reading(red=4)
    assert with_weight(reading, ALL, None) is reading


def test_a_weight_that_agrees_leaves_a_certain_reading_certain() -> None:
    reading = _reading(red=4, blue=3)
    assert with_weight(reading, ALL, _weigh_cubes(7)).certain


def test_a_weight_that_differs_makes_a_certain_reading_ask() -> None:
    joined = with_weight(_reading(red=4, blue=3), ALL, _weigh_cubes(8))
    assert not joined.certain
    assert joined.doubts[0] is Doubt.WEIGHT_DIFFERS


def test_a_weight_that_differs_proposes_what_fits_both() -> None:
    joined = with_weight(_reading(Doubt.UNCLEAR_COUNT, red=4, blue=3, shaky=0.6), ALL, _weigh_cubes(6))
    assert (joined.counts["red"], joined.certain) == (3, False)


@pytest.mark.parametrize("cubes", [6, 8])
def test_where_nothing_tells_the_colour_the_pictures_own_counts_stay(cubes: int) -> None:
    """A cube under another, or one too many of any colour: one of the palette's first was proposed."""
    reading = _reading(red=4, blue=3)
    joined = with_weight(reading, ALL, _weigh_cubes(cubes))
    assert (joined.counts, joined.doubts[0]) == (reading.counts, Doubt.WEIGHT_DIFFERS)


def test_what_fits_neither_is_not_called_sure() -> None:
    """Picture and weight together would have four, the weight alone five: the three that are visible stay."""
    reading = _reading(Doubt.UNCLEAR_COUNT, red=4, shaky=0.4)
    reading = replace(
        reading, counts={**reading.counts, "red": 3}, confidence={**reading.confidence, "red": 0.6}
    )
    joined = with_weight(reading, ALL, Weighed((0.0, 0.0, 0.0, 0.001, 0.399, 0.6), 1700, 5, whole=True))
    assert (joined.counts["red"], joined.confidence["red"]) == (3, 0.6)


def test_beside_other_counts_than_the_pictures_no_place_is_asked_about() -> None:
    """Its answers would take away or add a cube that the weight already did."""
    place = OpenPlace((1.0, 1.0), 8.0, under=False, counted="red", answers=(("red", 0.6), (NOTHING, 0.4)))
    reading = replace(_reading(Doubt.UNCLEAR_COUNT, red=4, blue=3, shaky=0.6), open_places=(place,))
    assert with_weight(reading, ALL, _weigh_cubes(6)).open_places == ()
    assert with_weight(reading, ALL, _weigh_cubes(7.4)).open_places == (place,)


def test_a_weight_that_agrees_clears_a_doubtful_number() -> None:
    reading = _reading(Doubt.UNCLEAR_COUNT, red=4, blue=3, shaky=0.8)
    joined = with_weight(reading, ALL, _weigh_cubes(7))
    assert (joined.certain, joined.doubts) == (True, ())


@pytest.mark.parametrize("doubt", [Doubt.UNCLEAR_COLOUR, Doubt.HAND, Doubt.TOO_DARK, Doubt.NO_TRAY])
def test_a_weight_clears_no_doubt_that_is_not_of_the_number(doubt: Doubt) -> None:
    reading = _reading(Doubt.UNCLEAR_COUNT, doubt, red=4, blue=3, shaky=0.8)
    assert not with_weight(reading, ALL, _weigh_cubes(7)).certain


def test_a_weight_does_not_tell_of_which_colour_a_cube_is() -> None:
    """Its number may be in doubt too: then no reason names the colour."""
    reading = replace(_reading(Doubt.UNCLEAR_COUNT, red=4, blue=3, shaky=0.8), named=0.9)
    joined = with_weight(reading, ALL, _weigh_cubes(7))
    assert (joined.certain, joined.doubts) == (False, (Doubt.UNCLEAR_COUNT,))


def test_a_weight_that_is_not_sure_itself_clears_nothing() -> None:
    reading = _reading(Doubt.UNCLEAR_COUNT, red=10, blue=10, shaky=0.8)
    assert not with_weight(reading, ALL, _weigh_cubes(20, CubeMass())).certain


def test_a_weight_that_was_never_right_yet_clears_nothing() -> None:
    """Its calibration was wrong: three cubes weigh as much as four should, and a stain looks like one."""
    reading = _reading(Doubt.UNCLEAR_COUNT, red=4, shaky=0.7)
    wrong_by_a_quarter = _drop_at_once(weigher_that_heard(), 3 * 450)
    assert (wrong_by_a_quarter.cubes, wrong_by_a_quarter.sure > 0.9) == (4, True)
    assert not with_weight(reading, ALL, wrong_by_a_quarter).certain


@pytest.mark.parametrize("lay", [6, 12])
def test_a_weight_that_was_wrong_last_clears_nothing_until_it_is_right_again(lay: int) -> None:
    """From then on it is a quarter off: up to where that can be mistaken for one cube more, and beyond."""
    reading = _reading(Doubt.UNCLEAR_COUNT, red=4, blue=3, shaky=0.8)
    weigher = _proven_weigher()
    _drop_at_once(weigher, round(lay * 450))
    weigher.confirm(lay)
    weigher.hear(Settled(0, 3, 6))
    assert not with_weight(reading, ALL, _drop_at_once(weigher, 7 * 360)).certain
    weigher.confirm(7)
    weigher.hear(Settled(0, 3, 6))
    assert with_weight(reading, ALL, _drop_at_once(weigher, 7 * 360)).certain


def test_a_scale_that_is_wrong_again_and_again_is_put_aside_until_it_is_right() -> None:
    """A quarter off, it raised doubt about more than every second throw that the picture was sure of."""
    scale = Weighing(CUBE)
    _hear_all(scale, UP, beat(3))
    outcomes: list[tuple[bool, str]] = []
    for mass_mg in (450, 450, 450, 450, 360, 360):
        _hear_all(scale, Motion(0), Drop(0, 6 * mass_mg), Settled(0, 3 + 6 * mass_mg, 6))
        speaks = scale.weighed() is not None
        scale.confirm(6)
        _hear_all(scale, Settled(0, 3, 6))
        outcomes.append((speaks, scale.trouble.name if scale.trouble else ""))
    wrong, put_aside = (True, ""), (False, "disagrees")
    assert outcomes == [wrong, wrong, (True, "disagrees"), put_aside, (False, ""), (True, "")]


def test_a_new_board_with_a_loose_wire_is_told_of_the_wire() -> None:
    """It said "never calibrated: weigh known cubes", and a board without readings can weigh none."""
    scale = Weighing(CUBE)
    _hear_all(scale, UP, troubles.fault("uncalibrated"), troubles.fault("silent"))
    assert scale.health_json()["name"] == "silent"
    _hear_all(scale, Recovered("silent"))
    assert scale.health_json()["name"] == "uncalibrated"


def _hear_all(scale: Weighing, *events: SensorEvent) -> None:
    for event in events:
        scale.hear(event)


def test_a_zero_that_was_set_while_cubes_lay_there_heals() -> None:
    """Five lay there. From then on every throw was five short, and none was ever weighed correctly again."""
    weigher = weigher_that_heard(*fall_events(5))
    weigher.hear(Answered(Command.TARE, (), 0, None))
    weigher.hear(beat(0))
    weigher.hear(Settled(0, -1800, 6))
    right = []
    for cubes in (4, 9, 6, 7):
        for event in fall_events(cubes, begin=-1800):
            weigher.hear(event)
        right.append(weighed_by(weigher).cubes == cubes)
        weigher.confirm(cubes)
        weigher.hear(Settled(0, -1800, 6))
    assert right == [False, True, True, True]


@pytest.mark.parametrize("off_mg", [-250, -360, -720])
def test_a_tray_that_was_lighter_before_is_not_empty(off_mg: int) -> None:
    """A cube lay there when zero was set last week, or zero has drifted: as the first cubes came to rest the
    tray was taken for empty, and all evening the weight was surely one short."""
    weigher = Weigher(CUBE)
    weigher.hear(UP)
    weigher.hear(beat(off_mg))
    first = round(-off_mg / 360)
    weighed: list[tuple[int, bool] | None] = []
    for _ in range(3):
        rest = fall_events(20 - first, begin=off_mg + first * 360)
        for event in (*fall_events(first, begin=off_mg), *rest):
            weigher.hear(event)
        known = weigher.weighed()
        weighed.append((known.cubes, known.may_clear) if known else None)
        weigher.confirm(20)
        for event in (Motion(0), Drop(0, -20 * 360), Settled(0, off_mg, 6)):
            weigher.hear(event)
    assert weighed == [None, (20, True), (20, True)]


def test_a_light_tray_that_is_put_back_is_empty() -> None:
    """Of 12 g, as heavy as 33 cubes."""
    off: list[SensorEvent] = [Motion(0), Drop(0, -12_000), Settled(0, -12_000, 6)]
    back: list[SensorEvent] = [Motion(0), Drop(0, 12_000), Settled(0, 3, 6)]
    assert weighed_by(weigher_that_heard(*off, beat(-12_000), *back)).cubes == 0


def test_one_cube_does_not_prove_a_scale() -> None:
    weigher = weigher_that_heard()
    _drop_at_once(weigher, 400)
    weigher.confirm(1)
    assert not weighed_by(weigher).may_clear
    weigher.hear(Settled(0, 3, 6))
    _drop_at_once(weigher, 5 * 360)
    weigher.confirm(5)
    assert weighed_by(weigher).may_clear
    weigher.hear(UP)
    weigher.hear(beat(3))
    assert not weighed_by(weigher).may_clear, "it may be another board"


def test_a_weight_whose_steps_do_not_add_up_clears_nothing() -> None:
    """Three fell while somebody began to lean on the table with the weight of a fourth."""
    reading = _reading(Doubt.UNCLEAR_COUNT, red=4, shaky=0.7)
    leans = _weigh_cubes(3, missed=1)
    assert (leans.cubes, leans.sure > 0.9, leans.whole) == (4, True, False)
    assert not with_weight(reading, ALL, leans).certain


def test_a_weight_made_from_the_picture_clears_nothing() -> None:
    reading = _reading(Doubt.UNCLEAR_COUNT, red=4, blue=3, shaky=0.8)
    assert not with_weight(reading, ALL, replace(_weigh_cubes(7), may_clear=False)).certain


@pytest.mark.parametrize("between", ["a new zero", "a slow hand"])
def test_cubes_taken_out_to_be_counted_were_thrown_whatever_lay_there_before(between: str) -> None:
    """Compared with the weight of before the throw brought nothing, and what a hand had left counted."""
    scale = Weighing(CUBE)
    if between == "a new zero":
        _hear_all(scale, UP, beat(180_000), Motion(0), Settled(0, 180_000, 6))
        _hear_all(scale, Answered(Command.TARE, (), 180_000, None), beat(0))
    else:
        _hear_all(scale, UP, beat(0), *fall_events(10, begin=0))
        scale.confirm(10)
        _hear_all(scale, beat(2500), beat(900), beat(0))
    scale.await_throw()
    _hear_all(scale, *fall_events(8, begin=0), Motion(0), Drop(0, -3 * 360), Settled(0, 5 * 360, 6))
    felt = scale.felt_json()
    assert felt is not None
    assert felt["cubes"] == 8


@pytest.mark.parametrize("saved", [True, False])
def test_a_scale_that_the_board_lost_before_it_was_saved_is_not_reckoned_with(saved: bool) -> None:
    scale = Weighing(CUBE)
    _hear_all(scale, UP, beat(0), Answered(Command.CALIBRATE, ("cubes", 20), 1, None))
    _hear_all(scale, Answered(Command.SAVE, (), 0, None if saved else "restarted"), UP, beat(0))
    assert scale.trace_json(0)["cube"]["cubes"] == (20 if saved else CUBE.cubes)
