"""The texts of the printed sheets: in every language, in the bundled fonts, clear of the tray."""

import json
import re
from collections.abc import Sequence
from pathlib import Path

import pytest
from pypdf import PdfReader
from reportlab.pdfbase import pdfmetrics

import calibration.sheets
from calibration.sheets.drawing import INLAYS, Box, Paper, Rgb, Shape, draw_board, draw_inlay, draw_mat
from calibration.sheets.fonts import fonts
from calibration.sheets.mat_pdf import write_inlays, write_mat
from calibration.sheets.words import break_lines, width_mm, words
from companion.cli import main
from tests.calibration.printed import page_text
from vision.scene.mat import MARKER_CENTRES_MM, MARKER_MM

_WORDS = json.loads((Path(calibration.sheets.__file__).parent / "words.json").read_text(encoding="utf-8"))
LANGUAGES = tuple(_WORDS)
OWN = {
    "en": ("the tower goes here", "Oval tray", "Lens board"),
    "ru": ("здесь стоит башня", "Овальный поддон", "Таблица для объектива"),
    "ro": ("aici stă turnul", "Tavă ovală", "Planșă pentru obiectiv"),
    "fr": ("la tour est ici", "Bac ovale", "Mire pour l’objectif"),
    "de": ("hier steht der Turm", "Ovale Schale", "Linsentafel"),
}
TRAY_MM = 91.0
_CAPITAL = 0.72
"""Height of a capital above the baseline, as a share of the font size."""


class Ruler:
    """A pen that only records the bounding boxes of words: left, top, right, bottom in millimetres."""

    def __init__(self) -> None:
        self.words: list[tuple[float, float, float, float]] = []

    def fill(self, boxes: Sequence[Box], rgb: Rgb) -> None:
        """Ignored: no words."""

    def line(self, start: tuple[float, float], end: tuple[float, float], rgb: Rgb = (0, 0, 0)) -> None:
        """Ignored: no words."""

    def outline(self, shape: Shape, box: Box, rgb: Rgb = (0, 0, 0)) -> None:
        """Ignored: no words."""

    def text(self, x_mm: float, y_mm: float, text: str, points: float = 8, middle: bool = False) -> None:
        wide = width_mm(text, points)
        left = x_mm - wide / 2 if middle else x_mm
        self.words.append((left, y_mm - _CAPITAL * points * 25.4 / 72, left + wide, y_mm))


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_said_is_said_in_this_language(tmp_path: Path, language: str) -> None:
    """In the PDF itself; no placeholder is left unfilled."""
    write_mat(tmp_path / "mat.pdf", [Paper.A4], language)
    write_inlays(tmp_path / "inlay.pdf", [Paper.A4], INLAYS, language)
    mat, board, oval = (
        page_text(tmp_path / "mat.pdf", 0),
        page_text(tmp_path / "mat.pdf", 1),
        page_text(tmp_path / "inlay.pdf", 1),
    )
    for page, sentence in zip((mat, oval, board), OWN[language], strict=True):
        assert sentence in page.replace("\u00a0", " ")
    assert "210 × 150" in oval
    assert words(language).title in mat
    for page in (mat, board, oval):  # including the ruler
        assert set(re.findall(r"\d\s*(mm|мм)", page)) == {"мм" if language == "ru" else "mm"}
    assert not re.search(r"[{}]", mat + board + oval)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_says_all_of_it(language: str) -> None:
    assert set(_WORDS[language]) == set(_WORDS["en"])
    assert len(_WORDS[language]["steps"]) == len(_WORDS["en"]["steps"])
    for shape in ("square", "oval"):
        assert re.findall(r"{(\w+)}", _WORDS[language][shape]) == ["width", "depth"]
    for number in ("100", "25", "A3", "35", "60"):
        assert any(number in step for step in _WORDS[language]["steps"]), number


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_to_do_stands_beside_the_tray_and_clear_of_the_markers(language: str) -> None:
    """A clear tray shows what is printed under it, and a marker needs white around it."""
    pen = Ruler()
    draw_mat(pen, language)
    half = MARKER_MM / 2 + 2
    assert pen.words
    for left, top, right, bottom in pen.words:
        assert right < -TRAY_MM or left > TRAY_MM or bottom < -TRAY_MM or top > TRAY_MM
        for x, y in MARKER_CENTRES_MM:
            assert right < x - half or left > x + half or bottom < y - half or top > y + half


@pytest.mark.parametrize("paper", [Paper.A4, Paper.LETTER])
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_line_lies_on_the_paper(language: str, paper: Paper) -> None:
    """A margin of 5 mm is left for the printer."""
    pen = Ruler()
    draw_mat(pen, language)
    draw_board(pen, language)
    for inlay in INLAYS:
        draw_inlay(pen, inlay, language)
    for left, top, right, bottom in pen.words:
        assert max(-left, right) < paper.size_mm[0] / 2 - 5
        assert max(-top, bottom) < paper.size_mm[1] / 2 - 5


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_letters_of_every_language_are_in_the_font(tmp_path: Path, language: str) -> None:
    has = pdfmetrics.getFont(fonts()[0]).face.charToGlyph
    text = json.dumps(_WORDS[language], ensure_ascii=False)
    assert {letter for letter in text if letter != "\n" and ord(letter) not in has} == set()
    write_mat(tmp_path / "mat.pdf", [Paper.A4], language)
    for page in PdfReader(tmp_path / "mat.pdf").pages:
        assert page._get_fonts()[1] <= {"/Helvetica"}  # reportlab declares it in every PDF without using it


def test_lines_end_between_words_and_lose_none() -> None:
    sentence = "Camera above, 35 to 60\u00a0cm, all four squares in the picture."
    broken = list(break_lines(sentence, 7.5, 30))
    assert " ".join(broken) == sentence
    assert len(broken) > 1
    assert all(width_mm(line, 7.5) <= 30 for line in broken)
    assert next(break_lines("incomprehensibilities of it", 7.5, 5)) == "incomprehensibilities"


def test_the_command_writes_in_the_language_it_is_told(tmp_path: Path) -> None:
    """`tenshu mat --language ru`, for mat and inlay; English by default."""
    assert main(["mat", "-o", str(tmp_path / "mat.pdf"), "--language", "ru"]) == 0
    assert "здесь стоит башня" in page_text(tmp_path / "mat.pdf", 0)
    assert main(["mat", "--inlay", "-o", str(tmp_path / "inlay.pdf"), "--language", "ro"]) == 0
    assert "Tavă ovală" in page_text(tmp_path / "inlay.pdf", 1)
    assert main(["mat", "-o", str(tmp_path / "plain.pdf")]) == 0
    assert "the tower goes here" in page_text(tmp_path / "plain.pdf", 0)
