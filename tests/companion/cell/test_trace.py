"""The strip chart in the terminal."""

from calibration.scale import CubeMass
from companion.cell.trace import Strip
from firmware.link.events import (
    Beat,
    Drop,
    Fault,
    LinkDown,
    LinkUp,
    Motion,
    Recovered,
    Sample,
    SensorEvent,
    Settled,
)

CUBE = CubeMass(360.0, 1.5, 18.0, 62)


def _strip_lines(*events: SensorEvent) -> list[str]:
    strip = Strip(CUBE, 56)
    return [line for event in events for line in strip.lines(event)]


def test_a_drop_is_marked_with_its_cubes() -> None:
    [drop, out] = _strip_lines(Drop(12_340, 721), Drop(13_000, -360))
    assert drop == "    12.34 s  ◆ drop    +0.721 g   2 cubes (100%)"
    assert "1 cube out" in out


def test_bars_are_as_long_as_the_weight() -> None:
    lines = _strip_lines(Sample(0, 500), Sample(2000, 1000), Sample(4000, -250))
    assert [line.count("█") for line in lines] == [15, 30, 0]
    assert lines[2].count("░") == 8


def test_the_scale_grows_and_says_so() -> None:
    lines = _strip_lines(Sample(0, 900), Sample(1500, 7200))
    assert "now 10 g" in lines[1]
    assert lines[2].count("█") == 22


def test_while_nothing_moves_one_line_a_second_is_enough() -> None:
    still = _strip_lines(*(Sample(50 * number, 0) for number in range(60)))
    moving = _strip_lines(Motion(0), *(Sample(50 * number, 0) for number in range(60)))
    assert (len(still), len(moving)) == (3, 61)


def test_without_a_trace_the_heartbeat_draws() -> None:
    assert len(_strip_lines(Beat(0, 100, 20, 80, False), Beat(1000, 100, 20, 80, False))) == 2
    assert len(_strip_lines(Sample(0, 100), Beat(1000, 100, 20, 80, False))) == 1


def test_a_board_without_readings_draws_no_weight_of_nothing() -> None:
    assert _strip_lines(Beat(0, 0, 5, 0, False, weighs=False), Beat(1000, 0, 5, 0, False, weighs=False)) == []


def test_everything_else_has_its_line() -> None:
    lines = _strip_lines(
        LinkUp("/dev/ttyACM0", "1.0"),
        Settled(9000, 7200, 6),
        Fault("vibration", "It shakes.", "Hold it."),
        Recovered("vibration"),
        LinkDown("/dev/ttyACM0", "Gone.", "Plug it in."),
    )
    assert "program 1.0" in lines[0]
    assert lines[1] == "     9.00 s  ■ at rest     7.200 g ± 0.006"
    assert lines[2:] == ["! vibration: It shakes. Hold it.", "! vibration: over", "▼ Gone. Plug it in."]


def test_no_line_is_wider_than_the_terminal() -> None:
    assert all(len(line) <= 56 for line in _strip_lines(Sample(0, 10**6), Sample(2000, -(10**6))))
