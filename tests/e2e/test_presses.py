"""Fingers faster than the table: no choice and no press is lost to a view that arrives meanwhile."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import APIResponse, Browser, Page, Route, expect

from companion.games.shogun.game import GAME
from companion.table.messages import SensorSpec
from companion.table.runtime import Runtime, TableSpec
from tests.companion.table.tables import tell
from tests.e2e import stages
from tests.e2e.pages import ANIMATIONS_DONE, wait_until_quiet
from tests.e2e.place import LAPTOP, Demo, Hands, take_seat
from tests.e2e.test_map import table
from tests.e2e.test_real_cards import BOARD
from tests.patience import until

pytestmark = pytest.mark.browser
__all__ = ["table"]
_MIDDLE = """(key) => {
  const button = document.querySelector(`[data-key="${CSS.escape(key)}"]`);
  button.scrollIntoView({ block: "center" });
  const box = button.getBoundingClientRect();
  return [box.x + box.width / 2, box.y + box.height / 2];
}"""

_MOVE_UNDER = f"""async ([key, x, y]) => {{
  await ({ANIMATIONS_DONE})();
  const button = document.querySelector(`[data-key="${{CSS.escape(key)}}"]`);
  const style = {{ position: "fixed", left: `${{x - 40}}px`, top: `${{y - 20}}px`, zIndex: 9 }};
  Object.assign(button.style, style);
  if (!button.contains(document.elementFromPoint(x, y))) throw new Error(`${{key}} is not under the finger`);
}}"""
"""Moves a button under the finger, as the page may; in a card that is still rising it would miss it."""
_CLOCK = "(ms) => Object.defineProperty(Event.prototype, 'timeStamp', { get: () => ms, configurable: true })"


def _middle_of(page: Page, key: str) -> tuple[float, float]:
    """Where a button is once the page has drawn earlier news, such as that another player sat down."""
    wait_until_quiet(page)
    x, y = page.evaluate(_MIDDLE, key)
    return float(x), float(y)


def _redraw_by_card_of(page: Page, other: Hands, space: str) -> None:
    """Another player puts a card down; returns when `page` shows the table after it."""
    moment = page.get_attribute("#seat", "data-at")
    other.tap("card-chest_0")
    other.tap(f"space-{space}")
    page.wait_for_function("(was) => document.querySelector('#seat').dataset.at !== was", arg=moment)


def test_a_card_chosen_before_the_last_one_was_answered_stays_chosen(
    chromium: Browser, table: tuple[Runtime, Demo]
) -> None:
    """The stream may tell of the card on its space before the answer to the tap arrives."""
    page = take_seat(chromium, table[1], "blue").page
    late: list[tuple[Route, APIResponse]] = []
    page.route("**/seats/blue/commands", lambda route: late.append((route, route.fetch())))
    page.click('[data-key="card-chest_0"]')
    page.click('[data-key="space-auction"]')
    page.wait_for_selector('[data-key="peek-auction"]')
    page.click('[data-key="card-chest_1"]')
    until(lambda: page.evaluate("1") and late)
    route, answer = late.pop()
    with page.expect_response("**/seats/blue/commands"):
        route.fulfill(response=answer)
    expect(page.locator('[data-key="card-chest_1"]')).to_have_attribute("aria-pressed", "true")
    page.click('[data-key="space-castle"]')
    page.wait_for_selector('[data-key="peek-castle"]')


def test_an_answer_that_comes_late_does_not_take_the_table_back(
    chromium: Browser, table: tuple[Runtime, Demo]
) -> None:
    page = take_seat(chromium, table[1], "blue").page
    other = take_seat(chromium, table[1], "red")
    late: list[tuple[Route, APIResponse]] = []
    page.route("**/seats/blue/commands", lambda route: late.append((route, route.fetch())))
    page.click('[data-key="card-chest_0"]')
    page.click('[data-key="space-auction"]')
    page.wait_for_selector('[data-key="peek-auction"]')
    _redraw_by_card_of(page, other, "castle")
    now = page.get_attribute("#seat", "data-at")
    until(lambda: page.evaluate("1") and late)
    route, answer = late.pop()
    with page.expect_response("**/seats/blue/commands"):
        route.fulfill(response=answer)
    page.click('[data-key="card-chest_1"]')  # this draws what the page knows
    assert page.get_attribute("#seat", "data-at") == now


def test_a_press_of_the_mouse_outlives_a_view_that_arrives_meanwhile(
    chromium: Browser, table: tuple[Runtime, Demo]
) -> None:
    page = take_seat(chromium, table[1], "blue", LAPTOP).page
    other = take_seat(chromium, table[1], "red")
    card = page.locator('[data-key="card-chest_1"]')
    page.mouse.move(*_middle_of(page, "card-chest_1"))
    page.mouse.down()
    _redraw_by_card_of(page, other, "castle")
    page.mouse.up()
    expect(card).to_have_attribute("aria-pressed", "true")
    page.mouse.down()
    page.mouse.up()
    expect(card).to_have_attribute("aria-pressed", "false")


def _redraw(page: Page, selector: str) -> None:
    """Have a view come again, and wait until what stood there is redrawn."""
    page.evaluate("(where) => { window.stood = document.querySelector(where); }", selector)
    page.evaluate("() => dispatchEvent(new Event('offline'))")
    page.wait_for_function("() => !window.stood.isConnected")


def test_who_goes_by_keys_stays_where_he_is_when_a_view_arrives(chromium: Browser, tmp_path: Path) -> None:
    """Each view moved the focus of whatever was no button back to the top of the page."""
    runtime = stages.played(tmp_path, stages.second_year)
    places = {
        "/winter": ('#winter a[href^="/throws"]', '#after a[href="/map"]'),
        "/": ("#side .scrolls", '#side a[href="/throws"]'),
    }
    with stages.served(runtime, tmp_path) as (demo, _):
        hands = Hands(chromium, demo, LAPTOP)
        for path, on_it in places.items():
            hands.open(path)
            for selector in on_it:
                focused = hands.page.locator(selector).first
                focused.focus()
                _redraw(hands.page, selector)
                expect(focused).to_be_focused()
        hands.context.close()


@pytest.mark.parametrize(("path", "opens"), [("/history", "back-"), ("/", "tower-knocked")])
def test_the_focus_goes_back_to_what_opened_a_sheet_though_a_view_came_meanwhile(
    chromium: Browser, tmp_path: Path, path: str, opens: str
) -> None:
    """The browser gave it back to a button that had been redrawn: it went to the top of the page."""
    runtime = stages.played(tmp_path, stages.second_year)
    with stages.served(runtime, tmp_path) as (demo, _):
        hands = Hands(chromium, demo, LAPTOP)
        hands.open(path)
        opener = hands.page.locator(f'[data-key^="{opens}"]').nth(0)
        opener.press("Enter")
        hands.page.wait_for_selector("#sheet[open]")
        opener_in_main = f'main [data-key^="{opens}"]'
        hands.page.evaluate("(where) => { window.stood = document.querySelector(where); }", opener_in_main)
        fact = {"kind": "correct", "fact": "points", "where": "red", "value": 7}
        tell(runtime.session, fact)
        hands.page.wait_for_function("() => !window.stood.isConnected")
        hands.page.keyboard.press("Escape")
        expect(hands.page.locator("#sheet")).not_to_be_visible()
        expect(hands.page.locator(f"{opener_in_main}:focus")).to_have_count(1)
        hands.context.close()


def test_a_press_of_the_mouse_on_a_way_elsewhere_outlives_a_view_too(
    chromium: Browser, tmp_path: Path
) -> None:
    runtime = stages.played(tmp_path, stages.second_year)
    link = '#after a[href="/map"]'
    with stages.served(runtime, tmp_path) as (demo, _):
        hands = Hands(chromium, demo, LAPTOP)
        hands.open("/winter")
        hands.page.locator(link).hover()
        hands.page.mouse.down()
        _redraw(hands.page, link)
        hands.page.mouse.up()
        hands.page.wait_for_url("**/map")
        hands.context.close()


def test_a_press_that_leaves_its_button_does_nothing(chromium: Browser, table: tuple[Runtime, Demo]) -> None:
    page = take_seat(chromium, table[1], "blue", LAPTOP).page
    other = take_seat(chromium, table[1], "red")
    page.mouse.move(*_middle_of(page, "leave"))
    page.mouse.down()
    _redraw_by_card_of(page, other, "castle")
    page.mouse.move(*_middle_of(page, "card-chest_1"))
    page.mouse.up()
    page.wait_for_timeout(200)
    assert page.locator(".mine").count() == 1
    expect(page.locator('[data-key="card-chest_1"]')).to_have_attribute("aria-pressed", "false")


def test_a_tap_of_a_finger_outlives_it_too_and_counts_once(
    chromium: Browser, table: tuple[Runtime, Demo]
) -> None:
    page = take_seat(chromium, table[1], "blue").page
    other = take_seat(chromium, table[1], "red")
    x, y = _middle_of(page, "card-chest_1")
    finger = page.context.new_cdp_session(page)
    finger.send("Emulation.setTouchEmulationEnabled", {"enabled": True})
    finger.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
    _redraw_by_card_of(page, other, "castle")
    finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    expect(page.locator('[data-key="card-chest_1"]')).to_have_attribute("aria-pressed", "true")
    page.wait_for_timeout(400)  # a second click would have come by now
    expect(page.locator('[data-key="card-chest_1"]')).to_have_attribute("aria-pressed", "true")


def test_who_taps_twice_is_not_told_that_somebody_was_faster(chromium: Browser, tmp_path: Path) -> None:
    """The second tap was refused as outdated by the first, with a sentence that blamed somebody else."""
    options = {**stages.WHOLE, "start": "draft", "oldest": "blue"}
    runtime = Runtime(TableSpec("draft", tmp_path, SensorSpec("none", "none"), options), GAME)
    with stages.served(runtime, tmp_path) as (demo, _):
        hands = take_seat(chromium, demo, "blue")
        page, late = hands.page, list[Route]()
        page.route("**/seats/blue/commands", lambda route: late.append(route))  # noqa: PLW0108 - a built-in cannot be marked
        for _tap in range(2):
            page.locator("#seat .orders .btn").first.click()
        page.wait_for_timeout(200)  # a second one would have been sent by now
        until(lambda: page.evaluate("1") and late)
        [route] = late
        route.continue_()
        expect(page.locator("#now")).to_have_text("Red takes a province")
        expect(page.locator("#notice")).to_be_empty()
        assert hands.complaints == []


def _draft_table(folder: Path) -> Runtime:
    options = {**stages.WHOLE, "start": "draft", "oldest": "blue"}
    return Runtime(TableSpec("draft", folder, SensorSpec("none", "none"), options), GAME)


def _click_mouse(page: Page, x: float, y: float, number: int) -> None:
    """Click number `at` of a double click."""
    page.mouse.move(x, y)
    page.mouse.down(click_count=number)
    page.mouse.up(click_count=number)


def _tap_finger(page: Page, x: float, y: float, number: int) -> None:
    """Tap number `at` of two that are a fifth of a second apart, however long the machine takes."""
    page.evaluate(_CLOCK, 200 * number)
    hand = page.context.new_cdp_session(page)
    hand.send("Emulation.setTouchEmulationEnabled", {"enabled": True})
    for kind, points in (("touchStart", [{"x": x, "y": y}]), ("touchEnd", [])):
        hand.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})


@pytest.mark.parametrize("tap", [_click_mouse, _tap_finger])
def test_the_second_of_a_double_tap_does_not_take_what_stands_there_by_then(
    tap: Callable[[Page, float, float, int], None], chromium: Browser, tmp_path: Path
) -> None:
    """A province was taken, and the button to leave the seat came up under the finger."""
    with stages.served(_draft_table(tmp_path), tmp_path) as (demo, _):
        hands = take_seat(chromium, demo, "blue")
        page, urls = hands.page, list[str]()
        page.on("request", lambda request: urls.append(request.url) if request.method == "POST" else None)
        key = page.locator("#seat .orders .btn").first.get_attribute("data-key") or ""
        place = _middle_of(page, key)
        tap(page, *place, 1)
        expect(page.locator("#now")).to_have_text("Red takes a province")
        wait_until_quiet(page)  # if redrawn, it would be elsewhere
        page.evaluate(_MOVE_UNDER, ["leave", *place])
        tap(page, *place, 2)
        page.wait_for_timeout(200)
        assert [url.rsplit("/", 1)[1] for url in urls] == ["commands"]
        expect(page.locator(".mine")).to_have_count(1)
        n_alone = 1 if tap is _click_mouse else 6  # a mouse counts its clicks, a finger is late
        tap(page, *_middle_of(page, "leave"), n_alone)  # a separate tap leaves
        page.wait_for_selector('[data-key="take-blue"]')


def test_what_is_asked_twice_in_the_same_words_is_not_answered_by_one_double_click(
    chromium: Browser, tmp_path: Path
) -> None:
    """Action cards and special cards are laid out one after the other, by buttons of the same name."""
    options = {**BOARD, "by_table": True}
    runtime = Runtime(TableSpec("real", tmp_path, SensorSpec("none", "none"), options), GAME)
    with stages.served(runtime, tmp_path) as (demo, _):
        hands = Hands(chromium, demo, LAPTOP)
        hands.open("/map")
        page = hands.page
        moment = page.get_attribute("#orders", "data-at")
        place = _middle_of(page, "shuffle")
        _click_mouse(page, *place, 1)
        page.wait_for_function("(was) => document.querySelector('#orders').dataset.at !== was", arg=moment)
        wait_until_quiet(page)
        page.evaluate(_MOVE_UNDER, ["shuffle", *place])
        _click_mouse(page, *place, 2)
        page.wait_for_timeout(200)
        expect(page.locator('[data-key="shuffle"]')).to_have_count(1)


def test_who_counts_up_may_tap_as_fast_as_he_likes(chromium: Browser, tmp_path: Path) -> None:
    """Each tap asks the table what these counts would decide."""
    runtime = stages.battle_of_three(tmp_path)
    with stages.served(runtime, tmp_path) as (demo, _):
        hands = Hands(chromium, demo, LAPTOP)
        hands.open()
        hands.tap("by-hand")
        place = _middle_of(hands.page, "count-red1")
        for at in (1, 2, 3):
            _click_mouse(hands.page, *place, at)
            hands.answered()
        expect(hands.page.locator('[data-count="count-red"] output')).to_have_text("3")


def test_a_refusal_is_not_spoken_again_with_each_cube_that_is_counted(
    chromium: Browser, tmp_path: Path
) -> None:
    with stages.served(stages.battle_of_three(tmp_path), tmp_path) as (demo, _):
        hands = Hands(chromium, demo, LAPTOP)
        hands.open()
        hands.tap("by-hand")
        hands.tap("count-red1")
        hands.answered()
        refused = {"error": {"key": "failed", "sentence": "Something went wrong.", "params": {}}}
        hands.page.route("**/settle", lambda route: route.fulfill(status=500, json=refused))
        hands.tap("accept")
        note = hands.page.locator("#notice .note")
        expect(note).to_be_visible()
        spoken = note.element_handle()
        hands.tap("count-red1")
        hands.answered()
        expect(hands.page.locator('[data-count="count-red"] output')).to_have_text("2")
        assert spoken.evaluate("(note) => note.isConnected")
        hands.tap("accept")
        hands.page.wait_for_function("(note) => !note.isConnected", arg=spoken)
