"""The lines of firmware/PROTOCOL.md: text to values and back. Pure; must agree with protocol/vectors.txt."""

import binascii
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

PROTOCOL: Final = 1
BOARD: Final = "tenshu"
BAUD: Final = 115200
DEVICE_BYTES: Final = 80
"""Longest line from the board, without its line end."""
SEQUENCES: Final = 1000
CUBE_MG: Final = 360
"""Mass that CALIBRATE,cubes assumes for an 8 mm beech cube."""


class Reason(StrEnum):
    """Why a line from the board is refused, in the order of the checks."""

    LENGTH = "length"
    CHARACTER = "character"
    FORM = "form"
    CHECKSUM = "checksum"
    HEADER = "header"
    KIND = "kind"
    FIELDS = "fields"


class Kind(StrEnum):
    """Kinds of lines the board sends."""

    HELLO = "HELLO"
    SETTINGS = "SETTINGS"
    BEAT = "BEAT"
    MOVE = "MOVE"
    DROP = "DROP"
    SETTLED = "SETTLED"
    SAMPLE = "SAMPLE"
    ACK = "ACK"
    NAK = "NAK"
    FAULT = "FAULT"


class Command(StrEnum):
    """Commands for the board."""

    HELLO = "HELLO"
    TARE = "TARE"
    CALIBRATE = "CALIBRATE"
    RATE = "RATE"
    THRESHOLD = "THRESHOLD"
    STREAM = "STREAM"
    SAVE = "SAVE"
    RESET = "RESET"


class WireError(ValueError):
    """A line that cannot be trusted."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(reason.value)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Line:
    """One line from the board. `fields` holds integers where the kind has numbers, words elsewhere."""

    sequence: int
    ms: int
    kind: Kind
    fields: tuple[int | str, ...]

    def number(self, at: int) -> int:
        """Return field `at`, which must be a number in this kind."""
        value = self.fields[at]
        assert isinstance(value, int), "a column of the kind's own table"
        return value


def crc(body: bytes) -> int:
    """CRC-16/CCITT-FALSE checksum."""
    return binascii.crc_hqx(body, 0xFFFF)


_Field = Callable[[str], int | str | None]
_NUMBER = re.compile(r"0|-?[1-9][0-9]{0,9}")
_PRINTABLE = re.compile(rb"[\x20-\x7e]*")
_FRAMED = re.compile(rb"\$([^$>*]*)\*([0-9A-F]{4})")
_SEQUENCE = re.compile(r"[0-9]{3}")
_VERSION = re.compile(r"[0-9a-z.\-]{1,16}")


def _number_between(low: int, high: int, *, zero: bool = True) -> _Field:
    def field(text: str) -> int | None:
        if not _NUMBER.fullmatch(text):
            return None
        number = int(text)
        return number if low <= number <= high and (zero or number) else None

    return field


def _one_of(*words: str) -> _Field:
    return lambda text: text if text in words else None


def _parse_rate(text: str) -> int | None:
    return int(text) if text in ("10", "80") else None


def _parse_version(text: str) -> str | None:
    return text if _VERSION.fullmatch(text) else None


_I32 = _number_between(-(2**31), 2**31 - 1)
_U32 = _number_between(0, 2**32 - 1)
_U16 = _number_between(0, 2**16 - 1)
_RAW = _number_between(-(2**23), 2**23 - 1)
_FLAG = _number_between(0, 1)
_ID = _number_between(0, 999)
_SCALE = _number_between(-(2**31) + 1, 2**31 - 1, zero=False)
_CAUSE = _one_of("power", "reset", "brownout", "watchdog", "command", "unknown")
_SOURCE = _one_of("defaults", "saved", "previous")
_STATE = _one_of("starting", "still", "moving", "fault")
NAK_REASONS: Final = (
    "length",
    "character",
    "form",
    "checksum",
    "command",
    "argument",
    "busy",
    "moving",
    "light",
    "fault",
    "storage",
)
FAULTS: Final = ("silent", "desync", "saturated", "stuck", "vibration", "settings")

_FIELDS: Mapping[Kind, tuple[_Field, ...]] = {
    Kind.HELLO: (_one_of(BOARD), _number_between(1, 2**16 - 1), _parse_version, _CAUSE),
    Kind.SETTINGS: (_parse_rate, _SCALE, _RAW, _number_between(0, 100_000), _FLAG, _SOURCE),
    Kind.BEAT: (_I32, _U32, _STATE, _U16, _U16, _U16),
    Kind.MOVE: (_U32,),
    Kind.DROP: (_U32, _I32),
    Kind.SETTLED: (_I32, _U32),
    Kind.SAMPLE: (_RAW, _I32),
    Kind.ACK: (_ID, _one_of(*Command), _I32),
    Kind.NAK: (_ID, _one_of(*NAK_REASONS)),
    Kind.FAULT: (_one_of(*FAULTS), _FLAG),
}


def parse(line: bytes) -> Line:
    """Parse a line from the board, without its line end. Raises `WireError` with the first applicable
    reason."""
    if len(line) > DEVICE_BYTES:
        raise WireError(Reason.LENGTH)
    if not _PRINTABLE.fullmatch(line):
        raise WireError(Reason.CHARACTER)
    framed = _FRAMED.fullmatch(line)
    if framed is None:
        raise WireError(Reason.FORM)
    body, digits = framed.groups()
    if int(digits, 16) != crc(body):
        raise WireError(Reason.CHECKSUM)
    return _parse_body(body.decode("ascii").split(","))


def _parse_body(parts: list[str]) -> Line:
    sequence, ms, word, *texts = [*parts, "", "", ""][: max(3, len(parts))]
    device_ms = _U32(ms)
    if not _SEQUENCE.fullmatch(sequence) or not isinstance(device_ms, int):
        raise WireError(Reason.HEADER)
    if word not in Kind.__members__:
        raise WireError(Reason.KIND)
    kind = Kind(word)
    fields = _FIELDS[kind]
    values = [field(text) for field, text in zip(fields, texts, strict=False)]
    parsed = tuple(value for value in values if value is not None)
    if len(texts) != len(fields) or len(parsed) != len(fields):
        raise WireError(Reason.FIELDS)
    return Line(int(sequence), device_ms, kind, parsed)


def compose(line: Line) -> bytes:
    """Return the line as a board sends it, with CR LF."""
    fields = "".join(f",{field}" for field in line.fields)
    return _frame("$", f"{line.sequence:03d},{line.ms},{line.kind.value}{fields}") + b"\r\n"


def compose_command(number: int, command: Command, *arguments: int | str) -> bytes:
    """Return a command for the board, with LF. `number` is its ID, 1 to 999."""
    return _frame(">", ",".join([str(number), command.value, *map(str, arguments)])) + b"\n"


def _frame(mark: str, body: str) -> bytes:
    text = body.encode("ascii")
    return b"%s%s*%04X" % (mark.encode("ascii"), text, crc(text))
