"""The map page, with a whole game of Shogun behind it."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from companion.games.shogun.game import GAME
from companion.table.messages import SensorSpec
from companion.table.runtime import Runtime, TableSpec
from tests.companion.table.tables import tell
from tests.e2e import stages
from tests.e2e.place import (
    LAPTOP,
    PHONE,
    PHONE_WITH_BARS,
    SMALL_PHONE_WITH_BARS,
    TABLET,
    Demo,
    Hands,
    expect_in_sight,
)

pytestmark = pytest.mark.browser
OPTIONS = {
    "players": ["blue", "red", "yellow"],
    "side": "sun",
    "start": "board",
    "season": "summer",
    "year": 1,
    "provinces": {
        "omi": {"owner": "yellow", "armies": 3},
        "mino": {"owner": "blue", "armies": 12},
        "kii": {"owner": "red", "armies": 1},
    },
    "standing": {},
    "tower": {},
    "year_events": [3, 7, 9],
    "seed": 5,
}


COVERED = """(name) => {
  const at = (where) => document.querySelector(where).getBoundingClientRect();
  const [cell, bar] = [at(`[data-id="${name}"]`), at("#detail")];
  return cell.left < bar.right ? Math.floor(cell.bottom - bar.top) : 0;
}"""
"""By how many pixels the details of a province cover it."""


@pytest.fixture
def table(tmp_path: Path) -> Iterator[tuple[Runtime, Demo]]:
    spec = TableSpec("map", tmp_path, SensorSpec("none", "none"), OPTIONS)
    runtime = Runtime(spec, GAME)
    with stages.served(runtime, tmp_path) as (demo, _):
        yield runtime, demo


def _open_map(chromium: Browser, demo: Demo, size: dict[str, int]) -> Hands:
    hands = Hands(chromium, demo, size)
    hands.open("/map")
    hands.page.wait_for_selector(".province")
    return hands


def _label_of(page: Page, province: str) -> str:
    return page.get_attribute(f'[data-id="{province}"]', "aria-label") or ""


def _view_width(page: Page) -> float:
    return float((page.get_attribute("svg[role=group]", "viewBox") or "").split()[2])


def test_the_map_says_what_the_table_knows(chromium: Browser, table: tuple[Runtime, Demo]) -> None:
    runtime, demo = table
    hands = _open_map(chromium, demo, LAPTOP)
    assert hands.page.locator(".province").count() == 45
    assert _label_of(hands.page, "mino") == "Mino, Red region. Blue, 12 armies"
    assert _label_of(hands.page, "aki") == "Aki, Green region. Neutral"
    assert _label_of(hands.page, "mutsu") == "Mutsu, Out of play. Out of play with three players"
    expect(hands.page.locator("#now")).to_have_text("Secret plans and bids: waiting for Blue, Red, Yellow")
    marked = {"kind": "correct", "fact": "markers", "where": "kii", "value": 2, "reason": "seen"}
    tell(runtime.session, marked, "test")
    hands.page.wait_for_selector('[data-id="kii"][aria-label$="2 revolt markers"]')
    assert hands.complaints == []
    assert hands.strangers == []


def test_the_map_goes_by_keyboard(chromium: Browser, table: tuple[Runtime, Demo]) -> None:
    page = _open_map(chromium, table[1], LAPTOP).page
    assert page.locator('.province[tabindex="0"]').count() == 1  # one stop of the Tab key, not 45
    page.focus('[data-id="omi"]')
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.dataset.id") == "mino"
    page.keyboard.press("Enter")
    page.wait_for_selector('[data-id="mino"][aria-pressed="true"]')
    assert page.evaluate("document.activeElement.dataset.id") == "mino"
    expect(page.locator("#detail")).to_contain_text("Borders on: Echizen, Hida, Ise")
    full_width = _view_width(page)
    page.keyboard.press("+")
    assert _view_width(page) < full_width
    page.keyboard.press("0")
    assert _view_width(page) == full_width


def test_a_phone_sees_the_map_in_a_size_that_can_be_read(
    chromium: Browser, table: tuple[Runtime, Demo]
) -> None:
    page = _open_map(chromium, table[1], PHONE).page
    number = page.locator(".number").first.bounding_box()
    assert number is not None
    assert number["height"] >= 14
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    page.click('[data-id="omi"]')
    expect(page.locator("#detail h2")).to_have_text("Omi")


def test_what_is_tapped_on_the_map_is_told_in_the_window(
    chromium: Browser, table: tuple[Runtime, Demo]
) -> None:
    """It stood below the round, two windows down on a phone, one on a laptop: a tap seemed to do nothing."""
    for size in (PHONE_WITH_BARS, SMALL_PHONE_WITH_BARS, LAPTOP):
        page = _open_map(chromium, table[1], size).page
        detail = page.locator("#detail")
        expect(detail).not_to_be_in_viewport()
        for name in ("omi", "kii"):  # Kii lies where the details appear
            page.evaluate("scrollTo(0, 0)")
            page.click(f'[data-id="{name}"]')
            expect(detail).to_contain_text("Borders on")
            expect_in_sight(detail)
            assert page.evaluate(COVERED, name) <= 0
            page.locator('[data-key="detail-close"]').press("Enter")
            expect(detail.locator("h2")).to_have_count(0)
            expect(page.locator(f'[data-id="{name}"]')).to_be_focused()


def test_no_name_lies_over_what_stands_in_the_next_province(
    chromium: Browser, table: tuple[Runtime, Demo]
) -> None:
    """In Mino a revolt marker pushed the theatre aside, beneath the name of Owari."""
    runtime, demo = table
    marks = (("buildings", "mino", ["theatre"]), ("markers", "mino", 1))
    for fact, where, value in (*marks, ("owner", "owari", "blue"), ("buildings", "owari", ["castle"])):
        marked = {"kind": "correct", "fact": fact, "where": where, "value": value, "reason": "seen"}
        tell(runtime.session, marked, "test")
    for size in (PHONE, TABLET, LAPTOP):
        page = _open_map(chromium, demo, size).page
        name = page.locator(".japan .name", has_text="Owari").bounding_box()
        mino = page.locator(".japan .sized", has=page.locator(".name", has_text="Mino"))
        signs = [sign.bounding_box() for sign in mino.locator(".plate").all()]
        assert name is not None
        assert len(signs) == 2
        for sign in signs:
            assert sign is not None
            aside = (
                sign["x"] + sign["width"] <= name["x"] - 3 or name["x"] + name["width"] + 3 <= sign["x"]
            )  # its halo
            above = (
                sign["y"] + sign["height"] <= name["y"] + 0.2 * name["height"]
            )  # no part of a letter is there
            assert aside or above, (sign, name)


def test_what_the_signs_mean_is_said_in_whole_words(chromium: Browser, table: tuple[Runtime, Demo]) -> None:
    """With letters twice as large «Жёлтые» was torn into «Жёлты» and «е»."""
    hands = Hands(chromium, table[1], PHONE, locale="ru-RU")
    hands.open("/map")
    page = hands.page
    page.wait_for_selector(".province")
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    page.click(".map-legend summary")
    for word in ("Коричневый регион", "Фиолетовый регион", "Жёлтые"):
        shown = page.locator(".map-legend li span", has_text=word)
        lines = shown.evaluate(
            "(it) => { const all = document.createRange(); all.selectNodeContents(it);"
            " return new Set([...all.getClientRects()].map((box) => Math.round(box.top))).size; }"
        )
        assert lines <= len(word.split()), word


def test_each_course_has_its_own_dashes_and_letters_of_the_chart_can_be_read(
    chromium: Browser, table: tuple[Runtime, Demo]
) -> None:
    """Told apart by colour alone, one beneath another was not seen; on a phone letters were 5 pixels high."""
    hands = _open_map(chromium, table[1], {"width": 320, "height": 640})
    hands.page.click("#past summary")
    courses = hands.page.locator("#past .course")
    expect(courses).to_have_count(3)
    dashes = [course.evaluate("(it) => getComputedStyle(it).strokeDasharray") for course in courses.all()]
    assert len(set(dashes)) == 3, dashes
    scale = hands.page.locator("#past .scale")
    expect(scale.last).to_have_text("Year 1")
    for text in scale.all():
        box = text.bounding_box()
        assert box is not None
        assert box["height"] >= 12
        assert box["x"] >= 0


def test_looking_back_shows_the_map_as_it_was(chromium: Browser, table: tuple[Runtime, Demo]) -> None:
    runtime, demo = table
    hands = _open_map(chromium, demo, LAPTOP)
    marked = {"kind": "correct", "fact": "armies", "where": "mino", "value": 4, "reason": "seen"}
    tell(runtime.session, marked, "test")
    hands.page.wait_for_selector('[data-id="mino"][aria-label$="4 armies"]')
    hands.page.click("#past summary")
    held_routes: list[Route] = []
    hands.page.route("**/api/v1/moments/*", lambda route: held_routes.append(route))  # noqa: PLW0108 - Playwright marks it
    hands.page.focus("#moment")
    with hands.page.expect_request("**/api/v1/moments/*"):
        hands.page.keyboard.press("ArrowLeft")
    back = hands.page.locator('[data-key="now"]')
    expect(back).to_have_count(0)  # the moment has not arrived yet: nothing says that it is shown
    held_routes[0].continue_()
    hands.page.unroute("**/api/v1/moments/*")
    hands.page.wait_for_selector('[data-id="mino"][aria-label$="12 armies"]')
    expect(hands.page.locator("#now")).to_have_text(re.compile("^As it was"))
    expect(back).to_be_visible()
    assert "Blue 1" in (hands.page.get_attribute(".chart", "aria-label") or "")
    hands.tap("now")
    hands.page.wait_for_selector('[data-id="mino"][aria-label$="4 armies"]')
    expect(hands.page.locator("#moment")).to_be_focused()
    assert hands.complaints == []


def test_two_fingers_zoom_and_one_moves_the_map(chromium: Browser, table: tuple[Runtime, Demo]) -> None:
    page = _open_map(chromium, table[1], PHONE).page
    frame = page.locator(".map-frame").bounding_box()
    assert frame is not None
    middle = (frame["x"] + frame["width"] / 2, frame["y"] + frame["height"] / 2)
    fingers = page.context.new_cdp_session(page)

    def touch(kind: str, *offsets: float) -> None:
        points = [{"x": middle[0] + aside, "y": middle[1], "id": at} for at, aside in enumerate(offsets)]
        fingers.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    width_before = _view_width(page)
    touch("touchStart", -30, 30)
    touch("touchMove", -60, 60)
    touch("touchEnd")
    assert _view_width(page) < 0.6 * width_before
    left = float((page.get_attribute("svg[role=group]", "viewBox") or "").split()[0])
    touch("touchStart", 0)
    touch("touchMove", -80)
    touch("touchEnd")
    assert float((page.get_attribute("svg[role=group]", "viewBox") or "").split()[0]) > left
    assert page.locator(".province[aria-pressed]").count() == 0  # a finger that moves the map chooses nothing


def test_C6_all_see_which_provinces_lie_open_in_the_draft(chromium: Browser, tmp_path: Path) -> None:
    """Where the app deals the cards, only the phone of the player whose turn it was named them."""
    options = {"players": ["blue", "red", "yellow"], "start": "draft", "oldest": "blue", "seed": 4}
    runtime = Runtime(TableSpec("draft", tmp_path, SensorSpec("none", "none"), options), GAME)
    with stages.served(runtime, tmp_path) as (demo, _):
        hands = _open_map(chromium, demo, LAPTOP)
        first, second = runtime.session.view()["game"]["draft"]["open"]
        expect(hands.page.locator(".province .aim")).to_have_count(2)
        assert "Can be chosen" in _label_of(hands.page, first)
        take = {"kind": "take", "seat": "blue", "take": first, "group": 5, "drawn": None}
        tell(runtime.session, take, "blue")
        expect(hands.page.locator(f'[data-id="{first}"]')).not_to_have_attribute(
            "aria-label", re.compile("Can be chosen")
        )
        assert "Can be chosen" in _label_of(hands.page, second)
        expect(hands.page.locator(".province .aim")).to_have_count(2)


_SHORTCUTS = """(cell) => {
  cell.focus();
  const press = (key, held) => {
    const event = new KeyboardEvent("keydown", { key, [held]: true, bubbles: true, cancelable: true });
    cell.dispatchEvent(event);
    return event.defaultPrevented;
  };
  return [press("+", "ctrlKey"), press("-", "metaKey"), press("ArrowLeft", "altKey")];
}"""


def test_the_map_leaves_the_browser_its_shortcuts_and_ends_a_drag_that_was_let_go_outside(
    chromium: Browser, table: tuple[Runtime, Demo]
) -> None:
    """Ctrl and + zoomed the map, not the page; and the map stuck to a mouse with no button down."""
    page = _open_map(chromium, table[1], LAPTOP).page
    assert page.locator('.province[tabindex="0"]').evaluate(_SHORTCUTS) == [False, False, False]
    page.get_by_role("button", name="Zoom in").click()
    svg = page.locator("svg[role=group]")
    move = """(svg, buttons) => [10, 40, 70].map((clientX) => svg.dispatchEvent(
      new PointerEvent("pointermove", { pointerId: 1, clientX, clientY: 300, buttons })))"""
    svg.dispatch_event("pointerdown", {"pointerId": 1, "clientX": 5, "clientY": 300, "buttons": 1})
    before = svg.get_attribute("viewBox")
    svg.evaluate(move, 0)
    assert svg.get_attribute("viewBox") == before


def test_details_of_a_province_are_not_spoken_again_with_each_view(
    chromium: Browser, table: tuple[Runtime, Demo]
) -> None:
    runtime, demo = table
    page = _open_map(chromium, demo, LAPTOP).page
    page.locator('[data-id="mino"]').click()
    detail = page.locator("#detail")
    heading = detail.locator("h2").element_handle()
    tell(runtime.session, {"kind": "correct", "fact": "points", "where": "red", "value": 7})
    expect(page.locator("#standing")).to_contain_text("7")
    assert heading.evaluate("(heading) => heading.isConnected")
    tell(runtime.session, {"kind": "correct", "fact": "armies", "where": "mino", "value": 9})
    expect(detail).to_contain_text("9 armies")


def test_a_map_that_was_put_off_is_drawn(chromium: Browser, table: tuple[Runtime, Demo]) -> None:
    """Many phones behind one address ask too often; the refusal was kept as the map."""
    hands = Hands(chromium, table[1], LAPTOP)
    refused = {"error": {"key": "http_429", "sentence": "", "params": {}}}
    hands.page.route("**/japan.json", lambda route: route.fulfill(status=429, json=refused), times=1)
    hands.page.route("**/i18n/en.json", lambda route: route.fulfill(status=429, json=refused), times=1)
    hands.open("/map")
    hands.page.wait_for_selector(".province")
    assert hands.page.title() == "Tenshu · Map"
