"""The printable sheets over HTTP: the same files that `tenshu mat` writes, and a preview."""

from pathlib import Path
from typing import get_args
from xml.etree import ElementTree as ET

import pytest
from flask.testing import FlaskClient

from calibration.sheets.drawing import PAPERS, Paper, Shape
from calibration.sheets.words import words
from companion.cli import main
from companion.web.mat import Sheets
from companion.web.phrases import LANGUAGES
from tests.calibration.printed import page_sizes_mm

ELSEWHERE = {"REMOTE_ADDR": "192.168.1.20"}
SVG = "{http://www.w3.org/2000/svg}"
A4, LETTER, A3 = (paper.size_mm for paper in (Paper.A4, Paper.LETTER, Paper.A3))
CHOICES = [
    ("", [], [A4, LETTER, A4]),
    ("paper=a4", ["--paper", "a4"], [A4, A4]),
    ("sheet=mat&paper=letter", ["--paper", "letter"], [LETTER, LETTER]),
    ("paper=a3", ["--paper", "a3"], [A3, A3]),
    ("sheet=inlay", ["--inlay"], [A4, A4, LETTER, LETTER]),
    ("sheet=inlay&shape=square&paper=a4", ["--inner", "170x170", "--paper", "a4"], [A4]),
    ("shape=oval&paper=letter", ["--oval", "--paper", "letter"], [LETTER]),
    ("width_mm=200&depth_mm=140&shape=oval", ["--inner", "200x140", "--oval"], [A4, LETTER]),
    ("sheet=inlay&width_mm=150.5", ["--inner", "150.5x150.5"], [A4, LETTER]),
    ("lang=fr", ["--language", "fr"], [A4, LETTER, A4]),
    ("lang=ru&sheet=inlay&paper=a4", ["--inlay", "--language", "ru", "--paper", "a4"], [A4, A4]),
    (
        "sheet=inlay&width_mm=400&depth_mm=260&paper=a3",
        ["--inner", "400x260", "--paper", "a3"],
        [A3],
    ),
]


@pytest.mark.parametrize(("query", "arguments", "sizes_mm"), CHOICES)
def test_each_choice_is_the_file_that_the_command_writes(
    client: FlaskClient, tmp_path: Path, query: str, arguments: list[str], sizes_mm: list[tuple[float, float]]
) -> None:
    """Byte for byte, and for anybody on the network, since it holds no secret."""
    answer = client.get(f"/api/v1/mat.pdf?{query}", environ_base=ELSEWHERE)
    assert (answer.status_code, answer.mimetype) == (200, "application/pdf")
    name = "inlay" if {"--inlay", "--inner", "--oval"} & set(arguments) else "mat"
    assert answer.headers["Content-Disposition"] == f'attachment; filename="tenshu-{name}.pdf"'
    assert main(["mat", "-o", str(tmp_path / "own.pdf"), *arguments]) == 0
    assert answer.data == (tmp_path / "own.pdf").read_bytes()
    written_sizes_mm = page_sizes_mm(tmp_path / "own.pdf")
    assert written_sizes_mm == [pytest.approx(size, abs=0.01) for size in sizes_mm]


@pytest.mark.parametrize(("query", "size_mm"), [(choice[0], choice[2][0]) for choice in CHOICES])
def test_its_picture_is_as_large_as_the_first_page(
    client: FlaskClient, query: str, size_mm: tuple[float, float]
) -> None:
    drawing = ET.fromstring(client.get(f"/api/v1/mat.svg?{query}").data)
    left, top, *size = (float(number) for number in drawing.attrib["viewBox"].split())
    assert tuple(size) == size_mm
    assert (left, top) == (-size_mm[0] / 2, -size_mm[1] / 2)
    assert {"100 mm", "100 мм"} & {word.text for word in drawing.iter(f"{SVG}text")}


@pytest.mark.parametrize("ending", ["pdf", "svg"])
@pytest.mark.parametrize(
    ("query", "key", "words"),
    [
        ("paper=a5", "not_understood", "paper: Input should be 'both', 'a4', 'letter' or 'a3'"),
        ("sheet=map", "not_understood", "sheet: Input should be 'mat' or 'inlay'"),
        ("shape=round", "not_understood", "shape: Input should be 'square' or 'oval'"),
        ("lang=tlh", "not_understood", "lang: Input should be 'en', 'ru', 'ro', 'fr' or 'de'"),
        ("width_mm=59", "not_understood", "width_mm: Input should be greater than or equal to 60"),
        ("depth_mm=401", "not_understood", "depth_mm: Input should be less than or equal to 400"),
        ("width_mm=wide", "not_understood", "width_mm: Input should be a valid number"),
        ("width_mm=nan", "not_understood", "width_mm"),
        ("width_mm=inf", "not_understood", "width_mm"),
        ("inner=170x170", "not_understood", "inner: Extra inputs are not permitted"),
        ("width_mm=260", "inlay_on_a3", "260 × 260 mm does not fit on A4. Print it on A3."),
        ("width_mm=260&paper=letter", "inlay_on_a3", "does not fit on US Letter. Print it on A3."),
        ("width_mm=400&paper=a3", "inlay_too_large", "The largest is 410 × 261 mm, on A3: lay plain white"),
    ],
)
def test_what_there_is_no_sheet_for_is_refused_with_what_helps(
    client: FlaskClient, ending: str, query: str, key: str, words: str
) -> None:
    answer = client.get(f"/api/v1/mat.{ending}?{query}")
    assert answer.status_code == 422
    error = answer.get_json()["error"]
    assert error["key"] == key
    assert words in error["sentence"]


def test_a_browser_that_says_nothing_else_gets_its_own_language(client: FlaskClient) -> None:
    """A URL typed into the address bar; the page's own links state the language."""
    answer = client.get("/api/v1/mat.svg", headers={"Accept-Language": "de-AT,de;q=0.9,en;q=0.7"})
    assert "hier steht der Turm" in answer.text
    assert answer.headers["Vary"] == "Accept-Language"
    plain = client.get("/api/v1/mat.svg?lang=ro", headers={"Accept-Language": "de-AT"})
    assert "aici stă turnul" in plain.text


def test_papers_and_shapes_have_the_same_words_everywhere(capsys: pytest.CaptureFixture[str]) -> None:
    types = {name: field.annotation for name, field in Sheets.model_fields.items()}
    assert get_args(types["paper"]) == tuple(PAPERS)
    assert get_args(get_args(types["shape"])[0]) == tuple(shape.value for shape in Shape)
    assert get_args(get_args(types["lang"])[0]) == tuple(LANGUAGES)
    with pytest.raises(SystemExit):
        main(["mat", "--help"])
    stdout = capsys.readouterr().out
    assert "{" + ",".join(PAPERS) + "}" in stdout
    assert "{" + ",".join(LANGUAGES) + "}" in stdout
    for code in LANGUAGES:
        assert words(code).steps
