"""Phones on the network: whoever is not let in only watches; the code, scanned or typed, lets them in."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from companion.table.runtime import Runtime
from tests.e2e import stages
from tests.e2e.place import PHONE, Demo, Hands

pytestmark = pytest.mark.browser
Place = tuple[Runtime, Demo]
KEEPS_NOTHING = {
    "inside an app": "for (const kept of ['localStorage', 'sessionStorage']) "
    "Object.defineProperty(window, kept, { value: null });",
    "told to block it": "for (const kept of ['localStorage', 'sessionStorage']) "
    "Object.defineProperty(window, kept, { get() { throw new DOMException('', 'SecurityError'); } });",
    "full": "Storage.prototype.setItem = () => { throw new DOMException('', 'QuotaExceededError'); };",
}
"""Browsers that store nothing: apps that open a QR code in their own window are often the first kind."""


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    """A table that treats every device as coming from elsewhere, even from its own computer."""
    runtime = stages.fresh(tmp_path)
    with stages.served(runtime, tmp_path) as (demo, app):
        app.config["JOIN_URL"] = f"{demo.url}/"
        app.config["LOOPBACK_IS_HOST"] = False
        yield runtime, demo


def _scan_code(hands: Hands, runtime: Runtime) -> None:
    """Open the address with the code; afterwards a seat can be taken."""
    hands.page.goto(f"{hands.url}/join#{runtime.access.code()}")
    hands.page.wait_for_selector('[data-key="take-red"]')


def test_a_typed_code_lets_in_and_a_wrong_one_is_told(chromium: Browser, place: Place) -> None:
    runtime, demo = place
    hands = Hands(chromium, demo, PHONE)
    hands.open("/seat")
    hands.tap("join")
    hands.page.fill("#code", "zzzzzz")
    hands.page.click("#join button")
    expect(hands.page.locator("#notice")).to_contain_text("That is not the code")
    hands.page.fill("#code", runtime.access.code().lower())
    hands.page.click("#join button")
    hands.tap("take-blue")
    hands.page.wait_for_selector(".mine")


def test_a_scanned_code_lets_in_and_does_not_stay_in_the_address(chromium: Browser, place: Place) -> None:
    runtime, demo = place
    hands = Hands(chromium, demo, PHONE)
    _scan_code(hands, runtime)
    assert runtime.access.code() not in hands.page.url
    assert (hands.complaints, hands.strangers) == ([], [])


def test_a_page_that_one_goes_back_to_knows_that_the_phone_has_joined_and_its_language(
    chromium: Browser, place: Place
) -> None:
    """Browsers keep the page as it was left: it said *This device only watches*, with all buttons dead."""
    runtime, demo = place
    hands = Hands(chromium, demo, PHONE)
    page = hands.page
    hands.open()
    expect(page.locator("#watching")).to_be_visible()
    page.evaluate("dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }))")
    page_after = hands.context.new_page()
    page_after.goto(f"{demo.url}/join#{runtime.access.code()}")
    page_after.wait_for_selector('[data-key="take-red"]')
    page_after.evaluate("localStorage.setItem('tenshu.language', 'de')")
    page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))")
    expect(page.locator("#watching")).to_have_count(0)
    expect(page.locator("html")).to_have_attribute("lang", "de")
    assert hands.complaints == []


def test_a_code_scanned_after_a_wrong_one_lets_in(chromium: Browser, place: Place) -> None:
    """The browser opens it in the page that is open, where only the # changes: nothing happened."""
    runtime, demo = place
    hands = Hands(chromium, demo, PHONE)
    hands.open("/join")
    hands.page.fill("#code", "zzzzzz")
    hands.page.click("#join button")
    expect(hands.page.locator("#notice")).to_contain_text("in the menu")
    hands.page.evaluate("code => { location.hash = code; }", runtime.access.code())
    hands.page.wait_for_selector('[data-key="take-red"]')
    assert runtime.access.code() not in hands.page.url


def test_the_code_stands_where_the_page_to_join_says(chromium: Browser, place: Place) -> None:
    """In the menu of a device that has joined."""
    runtime, demo = place
    hands = Hands(chromium, demo, PHONE)
    _scan_code(hands, runtime)
    hands.open("/")
    hands.tap("menu")
    expect(hands.page.locator("#sheet .code")).to_have_text(runtime.access.code())


def test_the_hosts_link_makes_a_phone_the_host(chromium: Browser, place: Place) -> None:
    runtime, demo = place
    hands = Hands(chromium, demo, PHONE)
    hands.open("/host")
    hands.page.fill("#hostkey", f"{demo.url}/host#{runtime.access.host_key}")
    hands.tap("host-enter")
    hands.page.wait_for_selector('[data-key="begin"]')
    hands.page.reload()
    hands.page.wait_for_selector('[data-key="begin"]')


def test_joining_works_without_scripts(chromium: Browser, place: Place) -> None:
    runtime, demo = place
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{demo.url}/join")
    page.fill("#code", runtime.access.code())
    page.click("#join button")
    assert page.url == f"{demo.url}/seat"
    assert any(cookie["name"] == "tenshu_join" for cookie in context.cookies())
    context.close()


@pytest.mark.parametrize("kind", KEEPS_NOTHING)
def test_a_phone_whose_browser_keeps_nothing_sits_for_as_long_as_its_window(
    chromium: Browser, place: Place, kind: str
) -> None:
    """It is told so before it sits down."""
    runtime, demo = place
    hands = Hands(chromium, demo, PHONE)
    hands.context.add_init_script(KEEPS_NOTHING[kind])
    _scan_code(hands, runtime)
    expect(hands.page.locator("#notice")).to_contain_text("saves nothing")
    hands.tap("take-red")
    hands.page.wait_for_selector(".mine")
    hands.open("/map")
    hands.page.wait_for_selector(".province")
    hands.open("/seat")
    hands.page.wait_for_selector(".mine")
    assert (hands.complaints, hands.strangers) == ([], [])


def test_a_page_that_opens_this_one_under_a_name_puts_nobody_on_a_seat(
    chromium: Browser, place: Place
) -> None:
    """If the browser can store values, the window's name is ignored."""
    runtime, demo = place
    hands = Hands(chromium, demo, PHONE)
    _scan_code(hands, runtime)
    name = json.dumps({"tenshu.name": json.dumps("Mallory"), "tenshu.language": "de"})
    hands.page.evaluate("name => { window.name = 'tenshu:' + name; }", name)
    hands.open("/")
    hands.tap("menu")
    expect(hands.page.locator("#name")).to_have_value("")
    expect(hands.page.locator("html")).to_have_attribute("lang", "en")


def test_a_browser_that_is_too_old_is_told_so_in_its_language(chromium: Browser, place: Place) -> None:
    _, demo = place
    hands = Hands(chromium, demo, PHONE, locale="de-DE")
    hands.context.add_init_script("delete Array.prototype.findLast;")
    hands.page.goto(f"{demo.url}/")
    expect(hands.page.locator("#main > .note").first).to_contain_text("zu alt")


def test_in_a_contrast_theme_the_code_can_be_scanned(chromium: Browser, place: Place) -> None:
    """It paints all backgrounds black, on which black squares cannot be seen."""
    runtime, demo = place
    hands = Hands(chromium, demo, PHONE)
    hands.page.emulate_media(forced_colors="active", color_scheme="dark")
    _scan_code(hands, runtime)
    hands.tap("menu")
    expect(hands.page.locator("#sheet .qr")).to_have_css("background-color", "rgb(255, 255, 255)")
