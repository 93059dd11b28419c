"""Columns of terminal text, where Chinese and Japanese characters take two cells and accents none."""

import unicodedata

_WIDE = frozenset({"W", "F"})
_NO_WIDTH = frozenset({"Mn", "Me", "Cf"})


def width(text: str) -> int:
    """Return the number of terminal cells that `text` takes."""
    return sum(map(_cell_width, text))


def pad_right(text: str, cells: int) -> str:
    """Pad `text` on the right to `cells` cells."""
    return text + " " * (cells - width(text))


def keep_end(text: str, cells: int) -> str:
    """Cut `text` at the front to fit `cells` cells, since its end tells more than its beginning."""
    if width(text) <= cells:
        return text
    while width(text) >= cells:
        text = text[1:]
    return f"…{text}"


def _cell_width(character: str) -> int:
    if unicodedata.category(character) in _NO_WIDTH:
        return 0
    return 2 if unicodedata.east_asian_width(character) in _WIDE else 1
