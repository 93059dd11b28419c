"""Frames of one settled tray vote."""

from collections.abc import Mapping
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.counting.odds import belief, count_odds
from vision.reading import Doubt, TrayReading
from vision.settling.voting import vote


def _frame(red: list[float], blue: list[float], *doubts: Doubt) -> TrayReading:
    """A reading from its candidates' probabilities, as the reader makes it."""
    odds = count_odds({"red": red, "blue": blue})
    believed = belief(odds)
    unsure = believed.probability < 0.97
    named = (*doubts, Doubt.UNCLEAR_COUNT) if unsure else doubts
    return TrayReading(
        counts={"red": sum(p >= 0.5 for p in red), "blue": sum(p >= 0.5 for p in blue)},
        cubes=(),
        confidence=believed.confidence,
        certain=not named,
        doubts=named,
        mat_seen=True,
        tray_outline_px=(),
        cube_mm=8.0,
        size_px=(1280, 960),
        odds=odds,
    )


SURE = [0.999, 0.999]


def test_like_frames_are_no_surer_than_one() -> None:
    frame = _frame([0.999, 0.8], [])
    together = vote([frame] * 5)
    assert together.confidence["red"] == pytest.approx(frame.confidence["red"])
    assert not together.certain


def test_frames_together_are_as_sure_of_colours_as_they_are_in_the_mean() -> None:
    frames = [replace(_frame(SURE, []), named=named) for named in (0.98, 0.5)]
    assert vote(frames).named == pytest.approx(0.7)


def test_grain_in_one_frame_of_five_is_outvoted() -> None:
    together = vote([_frame(SURE, [])] * 4 + [_frame([0.999, 0.45], [])])
    assert together.counts == {"red": 2, "blue": 0}
    assert together.certain


def test_frames_that_count_differently_ask() -> None:
    together = vote([_frame([0.99], []), _frame([], [0.99]), _frame([0.99, 0.99], [])])
    assert not together.certain
    assert together.doubts[0] is Doubt.FRAMES_DIFFER


@pytest.mark.parametrize("doubt", [Doubt.VIVID_FLOOR, Doubt.HAND, Doubt.TRAY_CUT, Doubt.FALSE_COLOURS])
def test_what_every_frame_asks_about_is_asked_though_each_is_sure_of_its_count(doubt: Doubt) -> None:
    """A floor of coloured felt has the same colour in every frame: sure counts of it used to be accepted."""
    together = vote([_frame(SURE, [], doubt)] * 3)
    assert (together.certain, together.doubts) == (False, (doubt,))


def test_what_no_frame_shows_is_a_doubt_of_all_together() -> None:
    """Grain or a heap may hide a cube: the odds of what is seen ignore that, each confidence does not."""
    clear = _frame(SURE, [])
    veiled = replace(
        clear, confidence={**clear.confidence, "blue": 0.9}, certain=False, doubts=(Doubt.STACKED,)
    )
    together = vote([veiled] * 3)
    assert together.confidence["blue"] == pytest.approx(0.9)
    assert together.doubts == (Doubt.STACKED,)


def test_a_dark_picture_stays_a_doubt_however_many_agree() -> None:
    together = vote([_frame(SURE, [], Doubt.TOO_DARK)] * 3)
    assert together.doubts == (Doubt.TOO_DARK,)


def test_no_frames_are_refused() -> None:
    with pytest.raises(ValueError, match="no frame"):
        vote([])


@given(st.lists(st.tuples(st.lists(st.floats(0, 1), max_size=4), st.lists(st.floats(0, 1), max_size=4))))
def test_what_is_certain_has_the_counts_of_a_frame_and_no_doubt(
    frames: list[tuple[list[float], list[float]]],
) -> None:
    readings = [_frame(red, blue) for red, blue in frames] or [_frame([], [])]
    together = vote(readings)
    assert together.certain == (not together.doubts)
    seen: list[Mapping[str, int]] = [reading.counts for reading in readings]
    assert together.counts in seen
