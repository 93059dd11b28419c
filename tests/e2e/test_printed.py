"""Pages on paper: what the table prints is light and whole, without what only a screen needs."""

from io import BytesIO
from pathlib import Path

import pytest
from playwright.sync_api import Browser, PdfMargins, expect
from pypdf import PdfReader

from companion.games.just_the_tower.game import GAME as JUST_THE_TOWER
from companion.games.protocol import Colour
from companion.table.messages import SensorSpec
from companion.table.runtime import Runtime, TableSpec
from tests.companion.table.tables import tell
from tests.e2e import stages
from tests.e2e.pages import visit
from tests.e2e.place import LAPTOP, PHONE, Hands

pytestmark = pytest.mark.browser


def test_the_end_is_printed_dark_on_light_with_all_of_the_map(chromium: Browser, tmp_path: Path) -> None:
    """A dark phone printed pale letters and a black sea, and only as much map as its narrow screen showed."""
    with stages.served(stages.fresh(tmp_path), tmp_path) as (demo, _):
        hands = Hands(chromium, demo, PHONE, dark=True)
        hands.open("/end")
        page = hands.page
        page.wait_for_selector(".province")
        part = page.get_attribute("svg.japan[role=group]", "viewBox")
        page.emulate_media(media="print", color_scheme="dark")
        red, green, blue = page.locator("h1").evaluate(
            "(it) => getComputedStyle(it).color.match(/\\d+/g).slice(0, 3).map(Number)"
        )
        assert red + green + blue < 300
        page.evaluate("dispatchEvent(new Event('beforeprint'))")
        expect(page.locator("svg.japan[role=group]")).to_have_attribute("viewBox", "0 0 2660 1240")
        page.evaluate("dispatchEvent(new Event('afterprint'))")
        expect(page.locator("svg.japan[role=group]")).not_to_have_attribute("viewBox", "0 0 2660 1240")
        page.emulate_media(media="screen")
        expect(page.locator("svg.japan[role=group]")).to_have_attribute("viewBox", part or "")


FIVE = ["blue", "red", "yellow", "black", "purple"]
_MARGIN: PdfMargins = {"top": "0.5in", "right": "0.5in", "bottom": "0.5in", "left": "0.5in"}
"""The widest margins that browsers have by default."""


def test_the_end_is_one_sheet(chromium: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its chart stood alone on a second one: at first always, then with five players, and on Letter."""
    monkeypatch.setattr(stages, "WHOLE", {**stages.WHOLE, "players": FIVE})
    runtime = stages.played(tmp_path, lambda state: bool(state.winners))
    with stages.served(runtime, tmp_path) as (demo, _):
        hands = Hands(chromium, demo, LAPTOP)
        for language in ("en", "ru"):
            page = visit(hands, "/end")
            page.wait_for_selector("#past svg.chart")
            assert page.evaluate("document.documentElement.lang") == language
            for paper in ("A4", "Letter"):
                pages = PdfReader(BytesIO(page.pdf(format=paper, margin=_MARGIN))).pages
                assert len(pages) == 1, (paper, language)
            hands.speak("ru")


def test_the_history_is_printed_without_what_is_to_be_tapped(chromium: Browser, tmp_path: Path) -> None:
    """Its first sheet was empty but for a form, since a season began on a sheet of its own."""
    runtime = stages.played(tmp_path, stages.second_year)
    with stages.served(runtime, tmp_path) as (demo, _):
        hands = Hands(chromium, demo, PHONE)
        hands.open("/history")
        page = hands.page
        page.wait_for_selector(".entries li")
        page.emulate_media(media="print")
        expect(page.locator("#correct")).to_be_hidden()
        expect(page.locator(".entries .btn").first).to_be_hidden()
        season = page.locator(".seasons .card").first
        assert season.evaluate("(it) => getComputedStyle(it).breakInside") == "auto"


def test_each_chart_of_the_statistics_is_on_the_sheet_of_its_heading(
    chromium: Browser, tmp_path: Path
) -> None:
    """The chart of the colours stood on the sheet after its heading, and a card lay over another."""
    box = dict.fromkeys(("red", "blue", "yellow", "black", "purple", "white", "orange", "brown", "wood"), 9)
    sensors = SensorSpec("none", "none")
    runtime = Runtime(TableSpec("box", tmp_path, sensors, {"box": box, "tower": {}}), JUST_THE_TOWER)
    session = runtime.session
    for number in range(3):
        if number:
            tell(session, {"kind": "take_out", "cubes": box})
        tell(session, {"kind": "throw", "cubes": box})
        session.settle({Colour(colour): 9 for colour in box}, "anna", session.view()["expected"])
    with stages.served(runtime, tmp_path) as (demo, _):
        hands = Hands(chromium, demo, LAPTOP)
        page = visit(hands, "/statistics")
        page.wait_for_selector("polyline.odds")
        sheets = [
            sheet.extract_text() for sheet in PdfReader(BytesIO(page.pdf(format="A4", margin=_MARGIN))).pages
        ]
        [colours] = [text for text in sheets if "Per colour" in text]
        assert "Plain wood" in colours
        assert not [text for text in sheets if "Download" in text or "All tables" in text]
        page.emulate_media(media="print")
        expect(page.locator("#figures")).to_have_css("display", "block")  # a grid lets cards overlap
        hands.context.close()


def test_map_and_winter_are_printed_without_what_is_to_be_tapped(chromium: Browser, tmp_path: Path) -> None:
    """Their sheets began with the site's header, buttons stood among the text, and bars were empty."""
    runtime = stages.played(tmp_path, stages.over)
    with stages.served(runtime, tmp_path) as (demo, _):
        hands = Hands(chromium, demo, LAPTOP)
        page = hands.page
        for address in ("/map", "/winter"):
            visit(hands, address)
            page.emulate_media(media="print")
            expect(page.locator(".top")).to_be_hidden()
            pressed = page.locator(".btn:visible").evaluate_all("(all) => all.map((one) => one.ariaPressed)")
            assert pressed == (["true"] if address == "/winter" else [])  # the year that is printed
            page.emulate_media(media="screen")
        bar = page.locator(".course-bar").first
        assert bar.evaluate("(it) => getComputedStyle(it).printColorAdjust") == "economy"
        page.emulate_media(media="print")
        assert bar.evaluate("(it) => getComputedStyle(it).printColorAdjust") == "exact"
