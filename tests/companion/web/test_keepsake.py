"""The keepsake of a game: a PDF in each language and a JSON file, with public data only."""

import io
import json
import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from pypdf import PageObject, PdfReader
from reportlab.lib.units import mm
from reportlab.pdfbase import pdfmetrics

import calibration.sheets
from calibration.sheets import fonts
from companion.table.runtime import Runtime
from companion.web.app import create_app
from companion.web.keepsake import signs
from companion.web.keepsake.sheet import Ended, sheet, spread
from companion.web.phrases import LANGUAGES, phrases, plural
from tests.companion.web.catalogue import STATIC, messages
from tests.companion.web.test_languages import PLURALS
from tests.e2e import stages

HOST = {"REMOTE_ADDR": "127.0.0.1"}


@pytest.fixture(scope="module")
def ended(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Runtime]:
    runtime = stages.played(tmp_path_factory.mktemp("ended"), stages.over)
    yield runtime
    runtime.stop()


@pytest.fixture(scope="module")
def at_the_end(ended: Runtime) -> FlaskClient:
    return create_app(ended).test_client()


def page_of(client: FlaskClient, lang: str) -> PageObject:
    answer = client.get(f"/api/v1/keepsake.pdf?lang={lang}", environ_base=HOST)
    assert answer.mimetype == "application/pdf"
    assert answer.headers["Content-Disposition"] == 'attachment; filename="tenshu-game.pdf"'
    [page] = PdfReader(io.BytesIO(answer.data)).pages
    return page


OWN_WORDS = {
    "en": ("Red", "wins the game", "Chests"),
    "ru": ("Красные", "победа", "Сундуки"),
    "ro": ("Roșu", "câștigă", "Lăzi"),
    "fr": ("Rouge", "gagne", "Coffres"),
    "de": ("Rot", "gewinnt", "Truhen"),
}
"""The winner's name and words of the sheet, spelled out, so that English in their place is noticed."""


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_sheet_tells_who_won_and_with_what_in_the_reader_s_language(
    at_the_end: FlaskClient, ended: Runtime, lang: str
) -> None:
    text, game = page_of(at_the_end, lang).extract_text(), ended.session.view()["game"]
    say = phrases(lang)
    assert say("end.wins", n=1, who=say(f"colour.{game['winners'][0]}")) in text
    for word in OWN_WORDS[lang]:
        assert word in text
    for player in game["players"]:
        assert say(f"colour.{player['seat']}") in text
        assert str(player["points"]) in text
    for province in game["provinces"]:
        assert province["name"] in text
    assert not re.search(r"\{\w+\}|keepsake\.", text)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_heading_stays_on_the_sheet_with_five_winners_and_a_long_table_s_name(
    ended: Runtime, lang: str
) -> None:
    """Five equal winners ran over both edges; their seals stand beside the title, three on its left."""
    game = {**ended.session.view()["game"], "winners": ["red", "blue", "black", "yellow", "purple"]}
    told = Ended("m" * 60, game, [], {}, throws=100, cubes=1000, date="2026-12-01")
    [page] = PdfReader(io.BytesIO(sheet(told, phrases(lang), fonts.fonts()))).pages
    starts: list[tuple[str, float]] = []
    page.extract_text(visitor_text=lambda text, _cm, place, *_font: starts.append((text, place[4])))
    title = phrases(lang)(f"colour.{game['winners'][-1]}")
    [title_start] = [start for text, start in starts if title in text and ", " in text]
    assert title_start > (12 + 15 * 5 / 2) * mm
    [name_start] = [start for text, start in starts if "m" * 60 in text]
    assert name_start > 11.9 * mm


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_sheet_counts_all_cubes_as_it_counts_those_of_the_largest_battle(
    at_the_end: FlaskClient, ended: Runtime, lang: str
) -> None:
    """The total counted cubes that came out, the largest battle those that went in, both labelled cubes."""
    text, say = " ".join(page_of(at_the_end, lang).extract_text().split()), phrases(lang)
    fights = [throw for throw in ended.session.throws() if not throw["undone"]]
    thrown = [sum(throw["from_table"].values()) + sum(throw["from_tray"].values()) for throw in fights]
    largest = ended.session.past.chapters()["battles"]["largest"]
    assert largest["cubes"] == thrown[[throw["batch"] for throw in fights].index(largest["batch"])]
    assert say("end.cubes", n=sum(thrown)) in text
    assert f", {say('end.cubes', n=largest['cubes'])}" in text


def test_a_sheet_is_drawn_once_until_the_game_goes_on(
    ended: Runtime, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A device that had not joined requested two dozen at a time, and every phone waited two seconds."""
    made: list[int] = []

    def sheet(told: Ended, say: object, letters: object) -> bytes:
        made.append(told.throws)
        return b"%PDF"

    monkeypatch.setattr("companion.web.keepsake.routes.sheet", sheet)
    client = create_app(ended).test_client()

    def drawings_after(lang: str) -> int:
        assert client.get(f"/api/v1/keepsake.pdf?lang={lang}").data == b"%PDF"
        return len(made)

    assert [drawings_after(lang) for lang in ("de", "de", "fr", "de", "fr")] == [1, 1, 2, 2, 2]
    monkeypatch.setattr(ended.session, "throws", list)
    assert [drawings_after("de"), made[-1]] == [3, 0]


def test_the_sheet_brings_its_letters_along(at_the_end: FlaskClient) -> None:
    """It needs no system font: the glyphs come from the package and are embedded in the PDF."""
    for name in fonts.fonts():
        file = Path(pdfmetrics.getFont(name).face.filename)
        assert file.parent == Path(calibration.sheets.__file__).parent / "letters"
    drawn, unembedded = page_of(at_the_end, "ru")._get_fonts()
    assert {font.split("+")[-1] for font in drawn} - {"/Helvetica"} == set(fonts.fonts())
    assert unembedded == {"/Helvetica"}  # named in every PDF that reportlab makes, but not used


@pytest.mark.parametrize("name", fonts.fonts())
def test_the_letters_of_the_sheet_are_all_that_the_languages_have(name: str) -> None:
    """Except the soft hyphen, which is removed; the minus and the menu sign occur only on pages."""
    glyphs = pdfmetrics.getFont(name).face.charToGlyph
    for lang in LANGUAGES:
        texts = messages(lang)
        forms = [
            form
            for message in texts.values()
            for form in (message.values() if isinstance(message, dict) else [message])
        ]
        assert {letter for form in forms for letter in form if ord(letter) not in glyphs} <= {
            "\u00ad",
            "\u2212",
            "\u2630",
        }


def test_the_file_holds_the_whole_game_and_no_secret(client: FlaskClient, runtime: Runtime) -> None:
    answer = client.get("/api/v1/keepsake.json", environ_base=HOST)
    assert answer.headers["Content-Disposition"] == 'attachment; filename="tenshu-demo.json"'
    keepsake = answer.get_json()
    assert keepsake["game"] == runtime.session.view()["game"]
    assert [entry["batch"] for entry in keepsake["history"]] == [2, 1]
    assert "seed" not in json.dumps(keepsake)


def test_marks_and_colours_are_those_of_the_pages() -> None:
    cubes = (STATIC / "cubes.js").read_text(encoding="utf-8")
    parts = (STATIC / "mapparts.js").read_text(encoding="utf-8")
    tokens = (STATIC / "tokens.css").read_text(encoding="utf-8")
    drawn = (STATIC / "map.css").read_text(encoding="utf-8")
    for colour, value in signs.COLOURS.items():
        assert f"--c-{colour}: {value};" in tokens
        assert colour == "red" or f'{colour}: "{signs.MARKS[colour]}"' in cubes
    for region, value in signs.REGIONS.items():
        assert f"--r-{region}: {value};" in drawn
    for name, path in {**signs.BUILDINGS, "revolt": signs.REVOLT}.items():
        assert f'{name}: "{path}"' in parts
    for name in ("SEA", "SHORE", "BORDER", "ROUTE"):
        assert f"--{name.lower()}: {getattr(signs, name)};" in drawn


@pytest.mark.parametrize("lang", LANGUAGES)
def test_plurals_have_the_forms_that_the_messages_have(lang: str) -> None:
    found = {plural(lang, number) for number in range(200)}
    assert found <= PLURALS[lang]
    assert PLURALS[lang] - found <= {"other"}


@pytest.mark.parametrize(
    ("lang", "forms"),
    [
        ("ru", {1: "one", 2: "few", 5: "many", 11: "many", 12: "many", 21: "one", 22: "few", 111: "many"}),
        ("ro", {0: "few", 1: "one", 2: "few", 19: "few", 20: "other", 101: "few", 119: "few", 120: "other"}),
        ("fr", {0: "one", 1: "one", 2: "other"}),
        ("de", {0: "other", 1: "one", 2: "other"}),
    ],
)
def test_plurals_are_those_of_the_cldr(lang: str, forms: dict[int, str]) -> None:
    assert {number: plural(lang, number) for number in forms} == forms


@pytest.mark.parametrize("ends", [[0.0] * 5, [90.0] * 5, [90.0, 34.0, 30.0, 28.0, 28.0], [50.0, 20.0], []])
def test_no_seal_hides_another_at_the_end_of_its_line(ends: list[float]) -> None:
    """Of three seats without points the first was hidden under the third, and of five one under another."""
    placed = spread(ends, 10.0, 0.0, 95.0)
    assert all(above - below >= 10.0 for above, below in pairwise(placed))
    assert all(0.0 <= place <= 95.0 for place in placed)
    assert len(placed) == len(ends)


def test_seals_that_have_room_stand_at_their_values() -> None:
    assert spread([50.0, 20.0], 10.0, 0.0, 95.0) == [50.0, 20.0]
