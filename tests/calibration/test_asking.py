"""Which errors answers at the places in doubt can correct, and which they cannot."""

from dataclasses import replace
from typing import cast

from calibration.measuring.asking import asking_figures
from calibration.measuring.evaluate import Outcome
from calibration.measuring.report import as_json, as_table
from calibration.synth import Options, render
from tests.calibration.test_evaluate import TRUTH, outcome
from vision.reader import TrayReader
from vision.reading import NOTHING, OpenPlace

HEAP = {"red": 4, "blue": 3, "green": 3}


def _open_place(counted: str, *answers: str) -> OpenPlace:
    return OpenPlace(
        (10.0, 10.0), 8.0, under=False, counted=counted, answers=tuple((a, 0.4) for a in answers)
    )


def _outcome_asking(red: int, *places: OpenPlace) -> Outcome:
    asks = outcome(red, certain=False)
    return replace(asks, reading=replace(asks.reading, open_places=places))


def test_a_lost_cube_is_found_where_one_may_be() -> None:
    """The truth is 2 red; 1 was counted."""
    here, not_here = _open_place(NOTHING, NOTHING, "red"), _open_place(NOTHING, NOTHING, "black")
    assert asking_figures([_outcome_asking(1, here)]).exact_when_answered == 1
    assert asking_figures([_outcome_asking(1, not_here)]).exact_when_answered == 0
    assert asking_figures([_outcome_asking(1)]).exact_when_answered == 0


def test_several_places_count_together() -> None:
    """1 red and 1 black too many were counted: the black becomes red, and both doubtful reds are nothing."""
    truth = replace(TRUTH, counts={"red": 1, "black": 0})
    asks = _outcome_asking(
        2,
        _open_place("red", "red", NOTHING),
        _open_place("black", "black", "red"),
        _open_place("red", "red", NOTHING),
    )
    wrong = replace(asks, truth=truth, reading=replace(asks.reading, counts={"red": 2, "black": 1}))
    found = asking_figures([wrong])
    assert (found.exact, found.exact_when_answered, found.places) == (0, 1, 3.0)


def test_of_what_nobody_is_asked_nothing_is_said() -> None:
    found = asking_figures([outcome(2), outcome(3)])
    assert (found.pictures, found.with_places, found.places) == (0, 0, None)
    assert "asked about" not in as_table([outcome(2)])


def test_right_ones_stay_right_and_the_report_says_both() -> None:
    two = [_outcome_asking(2, _open_place("red", "red", NOTHING)), outcome(3, certain=False)]
    assert as_json(two)["asking"] == {
        "pictures": 2,
        "with_places": 1,
        "places": 1.0,
        "exact": 1,
        "exact_when_answered": 1,
    }
    assert "asked about 2, 1 of them right; 1 show where to look, at 1.0 places on average" in as_table(two)


def test_answers_make_heaps_right_that_were_not() -> None:
    """Synthetic heaps with cubes on others: some are missed, and offered where they lie."""
    reader, read = TrayReader(), []
    for seed in range(41_012, 41_022):
        picture, entry = render(
            seed, Options(size_px=(960, 720), mat=True, plain=True, stacked=0.4, counts=HEAP)
        )
        visible = cast("dict[str, int]", entry["visible_counts"])
        read.append(Outcome(str(seed), replace(TRUTH, counts=visible), reader.read(picture), 1.0))
    found = asking_figures(read)
    assert found.exact < found.pictures
    assert found.exact_when_answered > found.exact
