"""Accessibility: every page of the site, at stages of a game, by keyboard, in light, dark and large text."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal

import pytest
from flask import Flask
from playwright.sync_api import Browser, Page, expect

from companion.games.protocol import Colour
from companion.table.runtime import Runtime
from tests.e2e import stages
from tests.e2e.pages import addresses, violations, visit, wait_until_quiet
from tests.e2e.place import LAPTOP, LOW_LAPTOP, PHONE, SMALL_PHONE_WITH_BARS, Hands

pytestmark = pytest.mark.browser
Scheme = Literal["light", "dark"]
Look = tuple[dict[str, int], Scheme]
STAGES: dict[str, tuple[Callable[[Path], Runtime], Look]] = {
    "plans": (lambda folder: stages.played(folder, stages.second_year), (PHONE, "light")),
    "battle": (stages.battle, (LAPTOP, "dark")),
    "winter": (lambda folder: stages.played(folder, stages.winter_revolts), (PHONE, "dark")),
    "over": (lambda folder: stages.played(folder, stages.over), (LAPTOP, "light")),
}
"""Stages of the game, each with the look it is checked in: together they show every page in all four."""
NOT_OF_THE_GAME = {"/calibrate", "/camera", "/sensor", "/join", "/host", "/recovery", "/throws"}
"""Pages that look alike at every stage."""
BOTH_LOOKS = {"plans", "battle"}
"""Stages in which those are checked: on a phone in light, on a laptop in dark."""
WALKED = "plans"
NARROW = {"width": 320, "height": 640}
"""A laptop's window at 400 %, which is how WCAG 1.4.10 measures."""
MOST_STOPS = 250
_UNFOLD = """() => {
  const shut = [...document.querySelectorAll("details:not([open])")];
  for (const section of shut) section.open = true;
  return shut.length;
}"""

_COUNT_FRAMES = """() => new Promise((done) => {
  const real = window.requestAnimationFrame;
  let frames = 0;
  window.requestAnimationFrame = (draw) => { frames += 1; return real.call(window, draw); };
  setTimeout(() => { window.requestAnimationFrame = real; done(frames); }, 80);
})"""
"""How many animation frames a page asks for within a few of them."""
_MEASURE_SHIFT = """() => {
  const seen = new PerformanceObserver(() => {});
  seen.observe({ type: "layout-shift", buffered: true });
  return seen.takeRecords().reduce((sum, one) => sum + one.value, 0);
}"""
"""Cumulative layout shift: how far visible content moved as the rest arrived, as a share of the window."""
MOST_SHIFTED = 0.1
_DRAWN = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"


@contextmanager
def _seat_at_table(
    chromium: Browser, runtime: Runtime, folder: Path, locale: str
) -> Iterator[tuple[Hands, Flask]]:
    with stages.served(runtime, folder) as (demo, app):
        hands = Hands(chromium, demo, PHONE, locale=locale)
        hands.sit("blue")
        yield hands, app
        hands.context.close()


def _unfold_all(page: Page) -> None:
    if page.evaluate(_UNFOLD):
        wait_until_quiet(page)


@pytest.mark.parametrize("stage", STAGES)
def test_axe_finds_nothing_nothing_moves_and_the_keyboard_reaches_all(
    stage: str, chromium: Browser, tmp_path: Path
) -> None:
    """With reduced motion, as a device's settings may ask; one of the stages is walked by keyboard."""
    begin, (size, scheme) = STAGES[stage]
    runtime = begin(tmp_path)
    with stages.served(runtime, tmp_path) as (demo, app):
        hands = Hands(chromium, demo, size, dark=scheme == "dark")
        page = hands.page
        page.emulate_media(reduced_motion="reduce")
        if stage == "battle":
            runtime.start()
            hands.open()
            hands.tap("fall")
            hands.phase("countdown", "asking")
        else:
            hands.sit("blue")
        found: list[str] = []
        for address in addresses(app):
            if address in NOT_OF_THE_GAME and stage not in BOTH_LOOKS:
                continue
            visit(hands, address)
            if page.evaluate("document.getAnimations().length"):
                found.append(f"{address}: something moves")
            shifted = page.evaluate(_MEASURE_SHIFT)
            if shifted > MOST_SHIFTED:
                found.append(f"{address}: what was there moves by {shifted:.2f} as the rest comes")
            if stage != "battle" and page.evaluate(_COUNT_FRAMES):  # there a countdown may run
                found.append(f"{address}: asks for frames though nothing moves")
            _unfold_all(page)
            found += [f"{address} {size['width']} {scheme}: {violation}" for violation in violations(page)]
            if stage == WALKED:
                found += [f"{address}: {fault}" for fault in _keyboard_faults(hands)]
        hands.open("/")
        hands.tap("menu")
        page.wait_for_selector("dialog[open]")
        found += [f"menu: {violation}" for violation in violations(page)]
        hands.context.close()
    assert not found, "\n".join(found)


def _keyboard_faults(hands: Hands) -> Iterator[str]:
    """What is wrong with the controls of an open page for somebody without a pointer."""
    page = hands.page
    page.evaluate("document.activeElement?.blur()")
    first_stop: str | None = None
    for _ in range(MOST_STOPS):
        page.keyboard.press("Tab")
        stop: dict[str, Any] | None = page.evaluate("everyone.focusStop()")
        if stop is None or stop["again"]:
            break
        first_stop = first_stop or stop["name"]
        if not stop["marked"]:
            yield f"focus on {stop['name']} cannot be seen"
        if not stop["seen"]:
            yield f"{stop['name']} is covered or outside while it has the focus"
    else:
        yield "the walk does not end"
    yield from (f"{name} is not reached" for name in page.evaluate("everyone.unreached()"))
    if page.locator("header").count():  # a page without a header begins with its content
        yield from _skip_link_faults(page, first_stop)


def _skip_link_faults(page: Page, first_stop: str | None) -> Iterator[str]:
    if first_stop is None or not first_stop.startswith("A.skip "):
        yield "the first stop does not skip to the content"
        return
    page.focus(".skip")
    page.keyboard.press("Enter")
    if page.evaluate("document.activeElement.id") != "main":
        yield "the link that skips does not lead to the content"


@pytest.mark.parametrize("locale", ["de-DE", "ru-RU"])
def test_large_text_and_narrow_windows_lose_nothing(locale: str, chromium: Browser, tmp_path: Path) -> None:
    """Five play: «Фиолетовые» is the longest colour; its points lay over those of the next region."""
    runtime = stages.played(tmp_path, stages.second_year, options=stages.FIVE)
    found: list[str] = []
    with _seat_at_table(chromium, runtime, tmp_path, locale) as (hands, app):
        page = hands.page
        for address in addresses(app):
            page.set_viewport_size({"width": NARROW["width"], "height": NARROW["height"]})
            visit(hands, address)
            _unfold_all(page)
            found += [f"{address} in a narrow window: {name}" for name in page.evaluate("everyone.cutOff()")]
            found += [
                f"{address}: too small for a finger: {name}" for name in page.evaluate("everyone.tooSmall()")
            ]
            found += [
                f"{address}: moved sideways to be read: {name}"
                for name in page.evaluate("everyone.movedSideways()")
            ]
            page.evaluate("document.documentElement.style.fontSize = '200%'")
            for size in (PHONE, SMALL_PHONE_WITH_BARS, LOW_LAPTOP):
                page.set_viewport_size({"width": size["width"], "height": size["height"]})
                page.evaluate(_DRAWN)
                found += [
                    f"{address} in large text, {size['width']} wide: {name}"
                    for name in page.evaluate("everyone.cutOff()")
                ]
    assert not found, "\n".join(found)


def test_a_screen_reader_hears_what_a_dialog_asks_and_where_it_is(chromium: Browser, tmp_path: Path) -> None:
    """Dialogs had no name: "Yes, do it" was heard alone. Beside the battle lay the English "Table"."""
    runtime = stages.battle_of_three(tmp_path)
    runtime.session.settle({Colour("red"): 3}, "anna", runtime.session.view()["expected"])
    with stages.served(runtime, tmp_path) as (demo, _):
        hands = Hands(chromium, demo, LAPTOP, locale="de-DE")
        page = hands.page
        for address, key, name in (
            ("/", "menu", "Seiten, Gerät, Mitspielen"),
            ("/", "undo", "Zurücknehmen?"),
            ("/", "tower-knocked", "angestoßen"),
            ("/host", "all-out", "Alle abmelden?"),
            ("/host", "host-link", "Wer diesen Code scannt"),
        ):
            visit(hands, address)
            page.locator(f'[data-key="{key}"]').first.click()
            expect(page.get_by_role("dialog", name=name)).to_be_visible()
        visit(hands, "/")
        expect(page.get_by_role("complementary", name="Tisch")).to_be_visible()
