"""The host's codec against the test vectors that the board's program is tested with as well."""

import re
from pathlib import Path

import pytest

from firmware.link import wire
from firmware.link.wire import Command, Kind, Line, Reason, WireError
from tests.firmware.vectors import Vector, vectors


def _row_id(row: Vector) -> str:
    return f"{row.columns[0]}:{row.line!r}"


@pytest.mark.parametrize("row", vectors("crc", good=True), ids=_row_id)
def test_checksum(row: Vector) -> None:
    assert f"{wire.crc(row.line):04X}" == row.columns[0]


@pytest.mark.parametrize("row", vectors("device", good=True), ids=_row_id)
def test_good_lines_mean_what_the_vectors_say(row: Vector) -> None:
    sequence, ms, rest = row.columns
    line = wire.parse(row.line)
    words = ",".join([line.kind.value, *map(str, line.fields)])
    assert (line.sequence, line.ms, words) == (int(sequence), int(ms), rest)
    assert wire.compose(line) == row.line + b"\r\n"


@pytest.mark.parametrize("row", vectors("device", good=False), ids=_row_id)
def test_bad_lines_are_refused_for_the_reason_given(row: Vector) -> None:
    with pytest.raises(WireError) as refused:
        wire.parse(row.line)
    assert refused.value.reason == row.columns[0]


@pytest.mark.parametrize(
    "row", [row for row in vectors("host", good=True) if row.columns[0] != "0"], ids=_row_id
)
def test_orders_are_written_as_the_board_reads_them(row: Vector) -> None:
    number, command, arguments = row.columns
    words = [] if arguments == "-" else arguments.split(",")
    assert wire.compose_command(int(number), Command(command), *words) == row.line + b"\n"


def test_every_kind_command_reason_and_fault_has_a_vector() -> None:
    good = [wire.parse(row.line) for row in vectors("device", good=True)]
    assert {line.kind for line in good} == set(Kind)
    assert {line.fields[1] for line in good if line.kind is Kind.NAK} == set(wire.NAK_REASONS)
    assert {line.fields[0] for line in good if line.kind is Kind.FAULT} == set(wire.FAULTS)
    assert {line.fields[1] for line in good if line.kind is Kind.ACK} == {*Command}
    assert {row.columns[1] for row in vectors("host", good=True)} == {*Command}
    assert {row.columns[0] for row in vectors("device", good=False)} == set(Reason)


def _words_in_table(heading: str) -> list[str]:
    """Return what the first column of a table in PROTOCOL.md names, in its order."""
    page = Path(wire.__file__).parents[1] / "PROTOCOL.md"
    section = page.read_text(encoding="utf-8").partition(f"# {heading}\n")[2].partition("\n#")[0]
    return list(dict.fromkeys(re.findall(r"^\| `(\w+)`", section, re.MULTILINE)))


def test_the_page_of_the_wire_names_every_word() -> None:
    assert set(Kind) <= set(_words_in_table("What the board says"))
    assert set(_words_in_table("What the board is told")) == set(Command)
    assert set(_words_in_table("Faults")) == set(wire.FAULTS)
    assert set(_words_in_table("Why a line is refused")) == set(wire.NAK_REASONS)


def test_the_page_of_the_wire_tells_why_in_the_order_of_looking() -> None:
    """Without readings the tray is not at rest either, and the board says `fault`: the page had that order
    wrong."""
    board = [
        reason
        for reason in _words_in_table("Why a line is refused")
        if reason in ("busy", "fault", "moving", "light")
    ]
    assert board == ["busy", "fault", "moving", "light"]


def test_an_empty_line_has_no_form() -> None:
    with pytest.raises(WireError, match="form"):
        wire.parse(b"")


def test_numbers_come_as_numbers() -> None:
    line = Line(7, 99, Kind.SETTLED, (-361, 5))
    assert wire.parse(wire.compose(line).strip()).number(0) == -361
