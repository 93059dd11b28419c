"""For everyone: every page of the site, at stages of a game, by keyboard, in light, dark and large."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal

import pytest
from flask import Flask
from playwright.sync_api import Browser, Page

from companion.table.runtime import Runtime
from tests.e2e import stages
from tests.e2e.pages import addresses, quiet, violations, visit
from tests.e2e.place import LAPTOP, PHONE, Hands

pytestmark = pytest.mark.browser
Scheme = Literal["light", "dark"]
Look = tuple[dict[str, int], Scheme]
STAGES: dict[str, tuple[Callable[[Path], Runtime], list[Look]]] = {
    "plans": (lambda folder: stages.played(folder, stages.second_year), [(PHONE, "light"), (LAPTOP, "dark")]),
    "battle": (stages.battle, [(PHONE, "light")]),
    "winter": (lambda folder: stages.played(folder, stages.winter_revolts), [(PHONE, "dark")]),
    "over": (lambda folder: stages.played(folder, stages.over), [(LAPTOP, "light")]),
}
"""A stage of the game and the looks it is checked in: together every page is seen in all four."""
NARROW = {"width": 320, "height": 640}
"""A laptop's window at 400 %, which is how WCAG 1.4.10 measures."""
MOST_STOPS = 250
_OPEN = """() => {
  const shut = [...document.querySelectorAll("details:not([open])")];
  for (const one of shut) one.open = true;
  return shut.length;
}"""


@contextmanager
def _seated(chromium: Browser, runtime: Runtime, folder: Path, locale: str) -> Iterator[tuple[Hands, Flask]]:
    with stages.served(runtime, folder) as (demo, app):
        hands = Hands(chromium, demo, PHONE, locale=locale)
        hands.sit("blue")
        yield hands, app
        hands.context.close()


def _open_all(page: Page) -> None:
    if page.evaluate(_OPEN):
        quiet(page)


@pytest.mark.parametrize("stage", STAGES)
def test_axe_finds_nothing_on_any_page_and_nothing_moves(
    stage: str, chromium: Browser, tmp_path: Path
) -> None:
    """Motion is not wanted here, as a device's settings may say."""
    begin, looks = STAGES[stage]
    runtime = begin(tmp_path)
    with stages.served(runtime, tmp_path) as (demo, app):
        hands = Hands(chromium, demo, PHONE)
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
            visit(hands, address)
            if page.evaluate("document.getAnimations().length"):
                found.append(f"{address}: something moves")
            _open_all(page)
            for size, scheme in looks:
                page.set_viewport_size({"width": size["width"], "height": size["height"]})
                page.emulate_media(color_scheme=scheme)
                found += [f"{address} {size['width']} {scheme}: {one}" for one in violations(page)]
        hands.open("/")
        hands.tap("menu")
        page.wait_for_selector("dialog[open]")
        found += [f"menu: {one}" for one in violations(page)]
        hands.context.close()
    assert not found, "\n".join(found)


def test_every_control_of_every_page_is_reached_and_seen_by_keyboard(
    chromium: Browser, tmp_path: Path
) -> None:
    runtime = stages.played(tmp_path, stages.second_year)
    with _seated(chromium, runtime, tmp_path, "en-GB") as (hands, app):
        found = [f"{address}: {fault}" for address in addresses(app) for fault in _walk(hands, address)]
    assert not found, "\n".join(found)


def _walk(hands: Hands, address: str) -> Iterator[str]:
    page = visit(hands, address)
    _open_all(page)
    if page.locator("header").count():  # a page without a head begins with its content
        yield from _skip(page)
        visit(hands, address)
        _open_all(page)
    for _ in range(MOST_STOPS):
        page.keyboard.press("Tab")
        stop: dict[str, Any] | None = page.evaluate("everyone.stop()")
        if stop is None or stop["again"]:
            break
        if not stop["marked"]:
            yield f"focus on {stop['name']} cannot be seen"
        if not stop["seen"]:
            yield f"{stop['name']} is covered or outside while it has the focus"
    else:
        yield "the walk does not end"
    yield from (f"{one} is not reached" for one in page.evaluate("everyone.left()"))


def _skip(page: Page) -> Iterator[str]:
    page.evaluate("scrollTo(0, 0)")
    page.keyboard.press("Tab")
    if page.evaluate("document.activeElement.className") != "skip":
        yield "the first stop does not skip to the content"
        return
    page.keyboard.press("Enter")
    if page.evaluate("document.activeElement.id") != "main":
        yield "the link that skips does not lead to the content"


@pytest.mark.parametrize("locale", ["de-DE", "ru-RU"])
def test_large_text_and_narrow_windows_lose_nothing(locale: str, chromium: Browser, tmp_path: Path) -> None:
    runtime = stages.played(tmp_path, stages.second_year)
    found: list[str] = []
    with _seated(chromium, runtime, tmp_path, locale) as (hands, app):
        for address in addresses(app):
            for size, text in ((PHONE, "200%"), (NARROW, "100%")):
                hands.page.set_viewport_size({"width": size["width"], "height": size["height"]})
                page = visit(hands, address)
                page.evaluate("(size) => (document.documentElement.style.fontSize = size)", text)
                _open_all(page)
                found += [
                    f"{address} {size['width']} at {text}: {one}" for one in page.evaluate("everyone.cut()")
                ]
    assert not found, "\n".join(found)
