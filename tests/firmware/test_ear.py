"""What the sequence of lines says about the wire: lost lines, a reset, another version, garbage, silence."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.link.ear import (
    GARBAGE_LINES,
    HOLD_S,
    SILENCE_S,
    Ear,
    Garbage,
    Lost,
    Notice,
    Restarted,
    Silence,
    Splitter,
    WellAgain,
    WrongVersion,
)
from firmware.link.wire import Kind, Line, Reason, compose


def _beat(sequence: int, ms: int) -> Line:
    return Line(sequence, ms, Kind.BEAT, (0, 21, "still", 80, 0, 0))


def _hello(sequence: int, ms: int, protocol: int = 1, cause: str = "watchdog") -> Line:
    return Line(sequence, ms, Kind.HELLO, ("tenshu", protocol, "1.2.3", cause))


def _notices(ear: Ear, *lines: Line) -> list[Notice]:
    return [notice for line in lines for notice in ear.take_line(line, 0.0)]


def test_an_unbroken_row_says_nothing() -> None:
    lines = [_beat(n % 1000, 1000 * n) for n in range(998, 1003)]
    assert _notices(Ear(0.0), *lines) == []


@pytest.mark.parametrize(("before", "after", "lost"), [(4, 6, 1), (999, 3, 3), (10, 9, 998)])
def test_holes_in_the_row_are_counted(before: int, after: int, lost: int) -> None:
    assert _notices(Ear(0.0), _beat(before, 5), _beat(after, 9)) == [Lost(lost)]


def test_lost_lines_are_over_after_a_while() -> None:
    ear = Ear(0.0)
    _notices(ear, _beat(1, 5), _beat(3, 9))
    assert ear.take_line(_beat(4, 15), HOLD_S - 0.1) == []
    assert ear.take_line(_beat(5, 20), HOLD_S) == [WellAgain("lost")]


@pytest.mark.parametrize(
    ("line", "cause"),
    [(_hello(0, 3), "watchdog"), (_beat(7, 1000), "unknown"), (_hello(2, 9, cause="power"), "power")],
)
def test_a_reset_is_told_with_its_cause(line: Line, cause: str) -> None:
    assert _notices(Ear(0.0), _beat(500, 90_000), line) == [Restarted(cause)]


def test_a_reset_after_a_month_is_told_too() -> None:
    assert _notices(Ear(0.0), _beat(500, 3_000_000_000), _hello(0, 3)) == [Restarted("watchdog")]


def test_the_clock_that_wraps_is_no_reset() -> None:
    assert _notices(Ear(0.0), _beat(500, 2**32 - 10), _beat(501, 20)) == []


def test_the_answer_to_a_greeting_is_no_reset() -> None:
    assert _notices(Ear(0.0), _beat(999, 90_000), _hello(0, 90_010)) == []


def test_another_version_is_told() -> None:
    assert _notices(Ear(0.0), _hello(0, 3, protocol=2)) == [WrongVersion(2, "1.2.3")]


def test_garbage_is_told_once_and_ends() -> None:
    ear = Ear(0.0)
    batches = [ear.take_refused(Reason.CHECKSUM, 0.1 * n) for n in range(GARBAGE_LINES + 3)]
    assert [notice for batch in batches for notice in batch] == [Garbage(Reason.CHECKSUM)]
    assert WellAgain("garbage") in ear.tick(0.1 * (GARBAGE_LINES + 2) + HOLD_S)


def test_a_scratch_now_and_then_is_no_garbage() -> None:
    ear = Ear(0.0)
    assert not any(
        ear.take_refused(Reason.CHECKSUM, 4.0 * n)
        for n in range(20)
        if not ear.take_line(_beat(n, n), 4.0 * n)
    )


def test_silence_is_told_once_until_it_ends() -> None:
    ear = Ear(0.0)
    assert [ear.tick(SILENCE_S - 0.1), ear.tick(SILENCE_S), ear.tick(9.0)] == [[], [Silence()], []]
    ear.take_line(_beat(0, 1), 10.0)
    assert ear.tick(10.0 + SILENCE_S) == [Silence()]


@given(st.lists(st.integers(1, 30), max_size=40), st.data())
def test_lines_come_whole_however_they_are_cut(sizes: list[int], data: st.DataObject) -> None:
    lines = [_beat(n, n) for n in range(4)]
    stream = b"".join(map(compose, lines))
    splitter, heard = Splitter(), []
    while stream:
        size = sizes.pop() if sizes else data.draw(st.integers(1, len(stream)))
        heard += splitter.feed(stream[:size])
        stream = stream[size:]
    assert heard == lines


def test_the_line_that_opening_cut_is_no_garbage_but_the_next_is() -> None:
    good = compose(_beat(1, 5))
    assert Splitter().feed(good[7:] + good + good[7:]) == [_beat(1, 5), Reason.FORM]


def test_a_line_without_end_is_one_refused_line_and_is_not_kept() -> None:
    splitter = Splitter()
    splitter.feed(b"\n$\n")
    assert [splitter.feed(b"x" * 1000) for _ in range(50)] == [[]] * 50
    assert splitter.feed(b"\n" + compose(_beat(1, 5))) == [Reason.LENGTH, _beat(1, 5)]


def test_garbage_that_goes_on_after_a_greeting_is_told_again() -> None:
    """The greeting clears the faults that are shown: it was never told again."""
    ear = Ear(0.0)
    for at in range(GARBAGE_LINES):
        ear.take_refused(Reason.CHECKSUM, 0.1 * at)
    ear.clear_faults()
    assert Garbage(Reason.CHECKSUM) in ear.take_refused(Reason.CHECKSUM, 0.1 * GARBAGE_LINES)
