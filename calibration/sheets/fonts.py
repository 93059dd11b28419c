"""The fonts of the printed sheets, bundled so that Cyrillic and Romanian work everywhere."""

from functools import cache
from pathlib import Path

from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont

LETTERS = Path(__file__).parent / "letters"


@cache
def fonts() -> tuple[str, str]:
    """Register a plain and a bold font for PDFs and return their names."""
    names = ("NotoSans-Regular", "NotoSans-Bold")
    for name in names:
        pdfmetrics.registerFont(TTFont(name, str(LETTERS / f"{name}.ttf")))
    return names
