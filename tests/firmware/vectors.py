"""firmware/protocol/vectors.txt, read once for the tests of the host's side."""

import re
from dataclasses import dataclass
from pathlib import Path

PATH = Path(__file__).parents[2] / "firmware" / "protocol" / "vectors.txt"
_ESCAPED = re.compile(rb"\\x([0-9A-F]{2})")


@dataclass(frozen=True, slots=True)
class Vector:
    """One row; the top of the file explains the columns."""

    direction: str
    good: bool
    columns: tuple[str, str, str]
    line: bytes


def vectors(direction: str, *, good: bool) -> list[Vector]:
    """Return all rows for a direction with this verdict."""
    return [row for row in _ROWS if row.direction == direction and row.good is good]


def _row(text: str) -> Vector:
    direction, verdict, first, second, third, line = text.split("\t")
    raw = _ESCAPED.sub(lambda found: bytes([int(found[1], 16)]), line.encode("ascii"))
    return Vector(direction, {"good": True, "bad": False}[verdict], (first, second, third), raw)


_ROWS = [
    _row(text) for text in PATH.read_text(encoding="ascii").splitlines() if text and not text.startswith("#")
]
