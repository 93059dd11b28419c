"""Columns of text at a terminal: Chinese and Japanese letters take two places there, accents none."""

import unicodedata

_WIDE = frozenset({"W", "F"})
_NO_WIDTH = frozenset({"Mn", "Me", "Cf"})


def width(text: str) -> int:
    """How many places it takes."""
    return sum(map(_places, text))


def left(text: str, places: int) -> str:
    """At the left of a column."""
    return text + " " * (places - width(text))


def end_of(text: str, places: int) -> str:
    """What a column holds of it; the end tells more than the beginning."""
    if width(text) <= places:
        return text
    while width(text) >= places:
        text = text[1:]
    return f"…{text}"


def _places(sign: str) -> int:
    if unicodedata.category(sign) in _NO_WIDTH:
        return 0
    return 2 if unicodedata.east_asian_width(sign) in _WIDE else 1
