"""Columns of terminal text, where Chinese and Japanese characters take two cells and accents none."""

import unicodedata

_WIDE = frozenset({"W", "F"})
_NO_WIDTH = frozenset({"Mn", "Me", "Cf"})


def width(text: str) -> int:
    """Return the number of terminal cells that `text` takes."""
    return sum(map(_places, text))


def left(text: str, places: int) -> str:
    """Pad `text` on the right to `places` cells."""
    return text + " " * (places - width(text))


def end_of(text: str, places: int) -> str:
    """Cut `text` at the front to fit `places` cells, since its end tells more than its beginning."""
    if width(text) <= places:
        return text
    while width(text) >= places:
        text = text[1:]
    return f"…{text}"


def _places(sign: str) -> int:
    if unicodedata.category(sign) in _NO_WIDTH:
        return 0
    return 2 if unicodedata.east_asian_width(sign) in _WIDE else 1
