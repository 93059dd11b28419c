"""A page opened before Tenshu was updated: it runs on old modules, and says so."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.e2e import stages
from tests.e2e.place import PHONE, Hands

pytestmark = pytest.mark.browser
MODULES = "script[type=module]"
OLD = re.compile("/0123456789ab/")
OF = re.compile(r"/static/of/[0-9a-f]+/")


def _serve_old_edition(page: Page, address: str) -> None:
    """Have the page served once as the version before would have sent it, under its edition."""

    def older(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, body=OF.sub("/static/of/0123456789ab/", answer.text()))

    page.route(f"**{address}", older, times=1)


def test_an_old_page_says_so_and_is_loaded_anew_by_a_tap(chromium: Browser, tmp_path: Path) -> None:
    with stages.served(stages.battle_of_three(tmp_path), tmp_path) as (demo, _):
        hands = Hands(chromium, demo, PHONE)
        notice = hands.page.locator("#edition")
        for address in ("/map", "/"):
            _serve_old_edition(hands.page, address)
            hands.open(address)
            expect(notice).to_contain_text("Tenshu was updated")
            hands.tap("edition")
            expect(hands.page.locator(MODULES)).not_to_have_attribute("src", OLD)
            expect(notice).to_be_empty()
        hands.context.close()


def test_a_page_to_watch_goes_along_by_itself_and_only_once(chromium: Browser, tmp_path: Path) -> None:
    """Nobody stands beside it to tap."""
    with stages.served(stages.battle_of_three(tmp_path), tmp_path) as (demo, _):
        hands = Hands(chromium, demo, PHONE)
        _serve_old_edition(hands.page, "/watch")
        hands.page.goto(f"{demo.url}/watch")
        expect(hands.page.locator(MODULES)).not_to_have_attribute("src", OLD)
        expect(hands.page.locator("#standing")).not_to_be_empty()
        expect(hands.page.locator("#edition")).to_be_empty()
        _serve_old_edition(hands.page, "/watch")  # as if something in between cached the page
        hands.page.goto(f"{demo.url}/watch")
        expect(hands.page.locator("#edition")).to_contain_text("Tenshu was updated")
        hands.context.close()
