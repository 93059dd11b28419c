"""The parser under attack, bounded; the long run is `python -m tests.firmware.fuzz 10000000`."""

from hypothesis import given
from hypothesis import strategies as st

from firmware.link.ear import Splitter
from firmware.link.wire import Kind, Line, WireError, compose, parse
from tests.firmware import fuzz


@given(st.binary(max_size=120))
def test_any_bytes_are_a_line_or_refused(data: bytes) -> None:
    try:
        line = parse(data)
    except WireError:
        return
    assert compose(line).rstrip() == data


@given(st.lists(st.binary(max_size=300), max_size=6))
def test_any_stream_is_heard_without_growing(parts: list[bytes]) -> None:
    splitter = Splitter()
    for part in parts:
        assert len(splitter.feed(part)) <= part.count(b"\n")


@given(
    st.integers(0, 999),
    st.integers(0, 2**32 - 1),
    st.integers(-(2**31), 2**31 - 1),
    st.integers(0, 2**32 - 1),
)
def test_what_is_composed_is_understood(sequence: int, ms: int, mass: int, noise: int) -> None:
    line = Line(sequence, ms, Kind.SETTLED, (mass, noise))
    assert parse(compose(line).removesuffix(b"\r\n")) == line


def test_mutated_lines_are_refused_or_are_what_was_sent() -> None:
    tally = fuzz.run(40_000, seed=7)
    assert tally.other == 0
    assert tally.refused > 30_000


def test_good_lines_among_noise_are_all_heard() -> None:
    assert fuzz.through_splitter(1_000, seed=8) == 1_000
