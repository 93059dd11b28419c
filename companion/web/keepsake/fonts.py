"""A font for the sheet: one of this computer's with all letters, or the PDF's own without Cyrillic."""

from functools import cache
from pathlib import Path

from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFError, TTFont

OWN = ("Helvetica", "Helvetica-Bold")
_PLACES = (
    ("/usr/share/fonts/truetype/dejavu", "DejaVuSans.ttf", "DejaVuSans-Bold.ttf"),
    ("/usr/share/fonts/dejavu-sans-fonts", "DejaVuSans.ttf", "DejaVuSans-Bold.ttf"),
    ("/usr/share/fonts/TTF", "DejaVuSans.ttf", "DejaVuSans-Bold.ttf"),
    ("/usr/share/fonts/truetype/noto", "NotoSans-Regular.ttf", "NotoSans-Bold.ttf"),
    ("/usr/share/fonts/truetype/liberation", "LiberationSans-Regular.ttf", "LiberationSans-Bold.ttf"),
    ("/usr/share/fonts/truetype/freefont", "FreeSans.ttf", "FreeSansBold.ttf"),
    ("/System/Library/Fonts/Supplemental", "Arial.ttf", "Arial Bold.ttf"),
    ("C:/Windows/Fonts", "arial.ttf", "arialbd.ttf"),
)
"""Where Debian, Fedora, Arch, macOS and Windows have one."""


@cache
def fonts() -> tuple[str, str]:
    """Names of a plain and a bold font, ready to be used."""
    for folder, plain, bold in _PLACES:
        place = Path(folder)
        if not ((place / plain).exists() and (place / bold).exists()):
            continue
        try:
            pdfmetrics.registerFont(TTFont("Tenshu", str(place / plain)))
            pdfmetrics.registerFont(TTFont("Tenshu-Bold", str(place / bold)))
        except (TTFError, OSError):
            continue
        return "Tenshu", "Tenshu-Bold"
    return OWN


def language_for(wanted: str, names: tuple[str, str]) -> str:
    """English where the font has not the letters of the language."""
    return "en" if names == OWN and wanted in ("ru", "ro") else wanted
