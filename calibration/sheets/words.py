"""The texts of the sheets, in the languages of the pages, and how they break into lines."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from reportlab.pdfbase.pdfmetrics import stringWidth

from calibration.sheets.fonts import fonts

_FILE = Path(__file__).with_name("words.json")
_POINT_MM = 25.4 / 72


@dataclass(frozen=True, slots=True)
class Words:
    """The texts in one language."""

    title: str
    steps: tuple[str, ...]
    """What to do with the mat, numbered on the sheet."""
    then: str
    tower: str
    board: str
    square: str
    """Contains `{width}` and `{depth}` in millimetres, as does `oval`."""
    oval: str
    cut: str
    ruler: str
    """Contains `{length}` in millimetres."""


@cache
def words(language: str) -> Words:
    """Load the texts by the code of one of the pages' languages."""
    texts = json.loads(_FILE.read_text(encoding="utf-8"))[language]
    return Words(**{**texts, "steps": tuple(texts["steps"])})


def width_mm(text: str, points: float) -> float:
    """Return the width of one line in the font of the sheets."""
    plain, _ = fonts()
    return float(stringWidth(text, plain, points)) * _POINT_MM


def break_lines(text: str, points: float, most_mm: float) -> Iterator[str]:
    """Break text between words; a word wider than `most_mm` gets a line of its own."""
    line = ""
    for word in text.split(" "):
        longer = f"{line} {word}" if line else word
        if line and width_mm(longer, points) > most_mm:
            yield line
            line = word
        else:
            line = longer
    yield line
