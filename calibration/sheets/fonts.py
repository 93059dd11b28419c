"""The letters of what is printed, which Tenshu brings along: Cyrillic and Romanian anywhere."""

from functools import cache
from pathlib import Path

from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont

LETTERS = Path(__file__).parent / "letters"


@cache
def fonts() -> tuple[str, str]:
    """Names of a plain and a bold font, ready to be used in a PDF."""
    names = ("NotoSans-Regular", "NotoSans-Bold")
    for name in names:
        pdfmetrics.registerFont(TTFont(name, str(LETTERS / f"{name}.ttf")))
    return names
