"""What a designer would notice: nothing is hard to find, torn, or hidden under something else."""

import re
from itertools import pairwise
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, expect

from companion.demo.table import FIRST
from companion.demo.table import OPTIONS as DEMO
from companion.games.protocol import Colour
from companion.games.shogun.game import GAME
from companion.table.messages import SensorSpec
from companion.table.runtime import Runtime, TableSpec
from tests.e2e import stages
from tests.e2e.pages import visit, wait_until_quiet
from tests.e2e.place import LAPTOP, LOW_LAPTOP, PHONE, SMALL_PHONE_WITH_BARS, Hands, expect_in_sight
from tests.e2e.test_everyone import NARROW

pytestmark = pytest.mark.browser


def _box(place: Locator) -> dict[str, float]:
    box = place.bounding_box()
    assert box is not None
    return {"x": box["x"], "y": box["y"], "width": box["width"], "height": box["height"]}


def test_the_menu_is_closed_without_scrolling(chromium: Browser, tmp_path: Path) -> None:
    """On a small phone its last button, which closes it, lay two screens below."""
    runtime = stages.fresh(tmp_path)
    with stages.served(runtime, tmp_path) as (demo, _):
        hands = Hands(chromium, demo, NARROW)
        hands.open()
        hands.tap("menu")
        expect_in_sight(hands.page.locator('#sheet [data-key="close"]'))
        hands.page.click('#sheet [data-key="close"]')
        expect(hands.page.locator("#sheet")).to_be_hidden()


def test_a_page_that_is_left_by_its_menu_is_kept_without_it(chromium: Browser, tmp_path: Path) -> None:
    """On phones the way back led to the open menu, over the page that one wanted."""
    with stages.served(stages.fresh(tmp_path), tmp_path) as (demo, _):
        hands = Hands(chromium, demo, PHONE)
        hands.open()
        hands.tap("menu")
        expect(hands.page.locator("#sheet")).to_be_visible()
        hands.page.evaluate("dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }))")
        expect(hands.page.locator("#sheet")).to_be_hidden()


@pytest.mark.parametrize("letters", ["100%", "200%"])
def test_what_closes_the_menu_lies_over_nothing_that_has_the_focus(
    letters: str, chromium: Browser, tmp_path: Path
) -> None:
    """By keyboard, the field for the device's name got the focus beneath it (WCAG 2.4.11)."""
    with stages.served(stages.fresh(tmp_path), tmp_path) as (demo, _):
        hands = Hands(chromium, demo, NARROW)
        page = hands.page
        hands.open()
        page.evaluate("(size) => { document.documentElement.style.fontSize = size; }", letters)
        hands.tap("menu")
        page.wait_for_selector("dialog[open]")
        reached = []
        for _ in range(60):
            has = page.locator("dialog :focus")
            reached.append(has.evaluate("(it) => it.dataset.key ?? it.id"))
            if reached[-1] == "close":
                break
            box = _box(has)
            assert box["y"] + box["height"] <= _box(page.locator("#sheet .ends"))["y"] + 1, reached
            page.keyboard.press("Tab")
        assert {"name", "close"} <= set(reached)


def test_before_and_after_stand_side_by_side_and_whole(chromium: Browser, tmp_path: Path) -> None:
    """One hung lower than the other, and in a narrow window «Нейтраль-ная» was torn without a hyphen."""
    runtime = stages.battle(tmp_path)
    session = runtime.session
    with stages.served(runtime, tmp_path) as (demo, _):
        hands = Hands(chromium, demo, PHONE, locale="ru-RU")
        session.settle({Colour("red"): 3, Colour("blue"): 3}, "table", session.view()["expected"])
        hands.open()
        hands.phase("idle")
        column_before, column_after = hands.page.locator(".beforeafter > div:not(.arrow)").all()
        expect(column_after).to_contain_text("Нейтральная")
        assert _box(column_before)["y"] == _box(column_after)["y"]
        assert _box(column_before)["height"] == _box(column_after)["height"]
        hands.page.set_viewport_size({"width": NARROW["width"], "height": NARROW["height"]})
        word = hands.page.get_by_text("Нейтральная", exact=True)
        lines = word.evaluate(
            "(it) => { const all = document.createRange(); all.selectNodeContents(it);"
            " return new Set([...all.getClientRects()].map((box) => Math.round(box.top))).size; }"
        )
        assert lines == 1


def test_each_pile_names_its_colour_at_the_same_place(chromium: Browser, tmp_path: Path) -> None:
    """It stood beside the cubes if there was room, else below the number: four piles, three looks."""
    runtime = stages.fresh(tmp_path)
    with stages.served(runtime, tmp_path) as (demo, _):
        hands = Hands(chromium, demo, PHONE, locale="de-DE")
        hands.open()
        hands.phase("waiting")
        piles = hands.page.locator(".pile").all()
        assert len(piles) == 4
        for pile in piles:
            assert _box(pile.locator(".muted"))["y"] < _box(pile.locator(".cubes"))["y"]


def test_the_head_of_a_seat_stands_over_what_it_heads(chromium: Browser, tmp_path: Path) -> None:
    runtime = stages.fresh(tmp_path)
    with stages.served(runtime, tmp_path) as (demo, _):
        hands = Hands(chromium, demo, LAPTOP)
        hands.sit("blue")
        assert abs(_box(hands.page.locator("#now"))["x"] - _box(hands.page.locator(".mine"))["x"]) <= 1


def test_the_head_of_joining_stands_over_its_form(chromium: Browser, tmp_path: Path) -> None:
    with stages.served(stages.fresh(tmp_path), tmp_path) as (demo, _):
        hands = Hands(chromium, demo, LAPTOP)
        hands.open("/join")
        assert abs(_box(hands.page.locator("h1"))["x"] - _box(hands.page.locator("#join"))["x"]) <= 1


def test_what_is_told_of_an_event_begins_where_its_line_does(chromium: Browser, tmp_path: Path) -> None:
    """On a phone a winter's points wrap below their sentence, where they were indented by half a letter."""
    runtime = stages.played(tmp_path, stages.second_year)
    with stages.served(runtime, tmp_path) as (demo, _):
        hands = Hands(chromium, demo, PHONE, locale="de-DE")
        hands.open("/history")
        line = hands.page.locator(".entries .what p", has_text="Die Punkte wurden gezählt")
        facts, words = _box(line.locator(".facts")), _box(line)
        assert facts["y"] > words["y"] + 10  # they have wrapped
        assert abs(facts["x"] - words["x"]) <= 1


def test_no_seal_of_a_chart_hides_another(chromium: Browser, tmp_path: Path) -> None:
    """Before the first point all lines end in one place: the first player's seal lay under the third's."""
    runtime = stages.fresh(tmp_path)
    with stages.served(runtime, tmp_path) as (demo, _):
        hands = Hands(chromium, demo, PHONE)
        hands.open("/end")
        for chart in ("points", "chests"):
            hands.tap(f"chart-{chart}")
            seals = hands.page.locator("svg.chart .seal")
            expect(seals).to_have_count(3)
            tops = sorted(_box(seal)["y"] for seal in seals.all())
            high = _box(seals.first)["height"]
            assert all(below - above >= high for above, below in pairwise(tops))
            assert tops[0] >= _box(hands.page.locator("svg.chart"))["y"] - 1


def test_the_region_that_is_counted_is_written_as_large_as_the_others(
    chromium: Browser, tmp_path: Path
) -> None:
    """Named like a headline, it took a headline's size: its letters were twice as high."""
    runtime = stages.played(tmp_path, stages.second_year)
    with stages.served(runtime, tmp_path) as (demo, _):
        hands = Hands(chromium, demo, LAPTOP)
        hands.open("/winter")
        hands.tap("score-all")
        hands.page.wait_for_selector(".region-score.now")
        sizes = "(all) => [...new Set(all.map((one) => getComputedStyle(one).fontSize))]"
        assert len(hands.page.locator(".region-score").evaluate_all(sizes)) == 1


_TORN = """() => {
  const torn = [];
  const texts = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode(); text; text = texts.nextNode())
    for (const rule of text.data.matchAll(/[A-Z][-\\u2011]\\d+/g)) {
      const range = document.createRange();
      range.setStart(text, rule.index);
      range.setEnd(text, rule.index + rule[0].length);
      if (new Set([...range.getClientRects()].map((box) => Math.round(box.top))).size > 1) torn.push(rule[0]);
    }
  return torn;
}"""


@pytest.mark.parametrize("path", ["/winter", "/history"])
def test_the_number_of_a_rule_stays_on_one_line(path: str, chromium: Browser, tmp_path: Path) -> None:
    """On narrow phones *Winter* said "(V-" and "2)" below it."""
    runtime = stages.played(tmp_path, stages.second_year)
    with stages.served(runtime, tmp_path) as (demo, _):
        hands = Hands(chromium, demo, NARROW)
        page = visit(hands, path)
        if path == "/winter":
            hands.tap("score-all")
            page.wait_for_selector(".region-score.now")
        expect(page.locator("main")).to_contain_text(re.compile("[A-Z][-\u2011]\\d"))
        torn = {}
        for width in range(240, 400, 4):
            page.set_viewport_size({"width": width, "height": 640})
            torn[width] = page.evaluate(_TORN)
        assert not any(torn.values()), torn


def test_a_year_that_has_just_begun_is_written_within_its_chart(chromium: Browser, tmp_path: Path) -> None:
    """*Année 2* lost its number at the right edge of *Look back* on a phone."""
    runtime = stages.played(tmp_path, stages.second_year)
    with stages.served(runtime, tmp_path) as (demo, _):
        hands = Hands(chromium, demo, PHONE, locale="fr-FR")
        page = visit(hands, "/end")
        for letters in ("100%", "200%"):
            page.evaluate("(size) => { document.documentElement.style.fontSize = size; }", letters)
            hands.tap("chart-points")
            hands.tap("chart-chests")  # drawn anew, with letters of that size
            first, second = page.locator("svg.chart .year").all()
            chart = _box(page.locator("svg.chart"))
            assert _box(second)["x"] + _box(second)["width"] <= chart["x"] + chart["width"] + 1
            assert _box(first)["x"] + _box(first)["width"] <= _box(second)["x"]


SIDEWAYS = {"width": 1024, "height": 768}
_CUT_OFF = """() => [...document.querySelectorAll(".scrolls, .standing")]
  .filter((one) => one.scrollWidth > one.clientWidth + 1)
  .map((one) => `${one.getAttribute("aria-label")}: ${one.scrollWidth} in ${one.clientWidth}`)"""


def test_the_last_column_is_seen_without_moving_the_table(chromium: Browser, tmp_path: Path) -> None:
    """Out of sight were: on phones the expected numbers, and beside «Фиолетовые» the rice of *The end*; the
    buildings on *Recovery*; beside the battle, on a tablet that lies on its side, what is in the tray."""
    games = {
        "/statistics": stages.played(tmp_path / "whole", stages.second_year),
        "/": stages.battle(tmp_path / "five"),
        "/end": stages.battle(tmp_path / "end"),
        "/recovery": stages.battle(tmp_path / "paper"),
    }
    for path, runtime in games.items():
        with stages.served(runtime, tmp_path) as (demo, _):
            hands = Hands(chromium, demo, PHONE)
            page = hands.page
            page.goto(f"{demo.url}/join")
            for language in ("ru", "de", "fr", "ro"):
                hands.speak(language)
                page.set_viewport_size({"width": PHONE["width"], "height": PHONE["height"]})
                page.goto(f"{demo.url}{path}?lang={language}")  # read by pages without a menu
                page.wait_for_selector("main h1, main h2")
                wait_until_quiet(page)
                assert page.evaluate("document.documentElement.lang") == language
                page.evaluate(
                    "() => { for (const one of document.querySelectorAll('details')) one.open = true; }"
                )
                for size in (PHONE, NARROW, SIDEWAYS):
                    page.set_viewport_size({"width": size["width"], "height": size["height"]})
                    wait_until_quiet(page)
                    assert page.evaluate(_CUT_OFF) == [], (path, language, size)
            hands.context.close()


def test_large_letters_stay_in_questions_and_in_the_menu(chromium: Browser, tmp_path: Path) -> None:
    """On a small phone the right end of what was asked, and of *Yes*, lay beyond the edge."""
    with stages.served(stages.fresh(tmp_path), tmp_path) as (demo, _):
        hands = Hands(chromium, demo, SMALL_PHONE_WITH_BARS, locale="ru-RU")
        page = visit(hands, "/host")
        page.evaluate("document.documentElement.style.fontSize = '200%'")
        for key in ("all-out", "host-link", "menu"):
            hands.tap(key)
            page.wait_for_selector("dialog[open]")
            wait_until_quiet(page)
            widths = page.locator("#sheet").evaluate("(sheet) => [sheet.scrollWidth, sheet.clientWidth]")
            assert widths[0] <= widths[1], key
            page.keyboard.press("Escape")
            expect(page.locator("#sheet")).to_be_hidden()


def test_large_letters_stay_beside_the_cubes_of_a_battle(chromium: Browser, tmp_path: Path) -> None:
    """Beside the map of *Watch* both armies were narrower than the name of their colour."""
    with stages.served(stages.acted(tmp_path), tmp_path) as (demo, _):
        page = visit(Hands(chromium, demo, LOW_LAPTOP, locale="ru-RU"), "/watch")
        page.evaluate("document.documentElement.style.fontSize = '200%'")
        assert page.evaluate("everyone.cutOff()") == []


def test_long_names_of_a_camera_and_a_port_that_are_gone_stay_on_a_phone(
    chromium: Browser, tmp_path: Path
) -> None:
    """Linux can name a port by its board: the battle page and *Recovery* were wider than the phone."""
    camera = "http://127.0.0.1:9/videofeed/hochaufloesend?profile=high&resolution=1920x1080"
    port = "/dev/serial/by-id/usb-Espressif_USB_JTAG_serial_debug_unit_48:27:E2:61:7C:A4-if00"
    spec = TableSpec("demo", tmp_path, SensorSpec(camera, port), DEMO, FIRST, stages.PATIENT_S)
    runtime = Runtime(spec, GAME)
    with stages.served(runtime, tmp_path) as (demo, _):
        runtime.start()
        hands = Hands(chromium, demo, SMALL_PHONE_WITH_BARS)
        page = visit(hands, "/")
        expect(page.locator("#cell-trouble")).to_contain_text("if00")
        for address in ("/", "/recovery", "/host", "/camera"):
            assert visit(hands, address).evaluate("everyone.cutOff()") == [], address
