"""A cube that falls after its throw was accepted: every page says so, and two taps correct the throw."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from companion.games.protocol import Colour
from tests.companion.table.tables import JPEG, looked
from tests.e2e import stages
from tests.e2e.place import PHONE, Hands

pytestmark = pytest.mark.browser


def test_two_taps_from_any_page_put_the_throw_right(chromium: Browser, tmp_path: Path) -> None:
    runtime = stages.battle_of_three(tmp_path)
    session = runtime.session
    session.hear(looked(red=4, blue=2))
    session.settle({Colour("red"): 4, Colour("blue"): 2}, "anna", session.view()["expected"])
    with stages.served(runtime, tmp_path) as (demo, _):
        hands = Hands(chromium, demo, PHONE)
        page, late = hands.page, hands.page.locator("#late")
        page.route("**/looks/*.jpg", lambda route: route.fulfill(body=JPEG, content_type="image/jpeg"))
        hands.open("/map")
        expect(late).to_be_empty()
        session.hear(looked(red=4, blue=3))
        expect(late).to_contain_text("7 instead of 6")
        for width in (PHONE["width"], 320):
            page.set_viewport_size({"width": width, "height": PHONE["height"]})
            assert late.evaluate("(one) => one.offsetHeight") < PHONE["height"] / 3
        hands.open("/watch")
        expect(late).to_contain_text("7 instead of 6")
        expect(late.locator("a")).to_have_count(0)
        hands.open("/throws")
        hands.tap("late")
        expect(page.locator("#stage figure.tray")).to_be_visible()
        expect(page.locator('[data-count="correct-blue"] output')).to_have_text("3")
        hands.tap("save")
        expect(late).to_be_empty()
        assert session.throws()[0]["accepted"]["blue"] == 3

        session.hear(looked(red=5, blue=3))  # the same once more, on the page itself
        expect(late).to_contain_text("8 instead of 7")
        hands.tap("late")
        hands.tap("save")
        expect(late).to_be_empty()
        assert session.throws()[0]["accepted"]["red"] == 5
        assert page.url == demo.url + "/"
        hands.context.close()


def test_the_count_of_the_first_fill_is_put_right_too(chromium: Browser, tmp_path: Path) -> None:
    """No battle had been fought, and a late cube's link led to a page without a correction."""
    runtime = stages.fresh(tmp_path)
    session = runtime.session
    session.settle({Colour("red"): 4, Colour("blue"): 2}, "anna", session.view()["expected"])
    with stages.served(runtime, tmp_path) as (demo, _):
        hands = Hands(chromium, demo, PHONE)
        page, late = hands.page, hands.page.locator("#late")
        page.route("**/looks/*.jpg", lambda route: route.fulfill(body=JPEG, content_type="image/jpeg"))
        hands.open("/")
        hands.tap("correct")
        expect(page.locator('[data-count="correct-red"] output')).to_have_text("4")
        hands.tap("cancel")

        session.hear(looked(red=4, blue=3))
        hands.open("/map")
        expect(late).to_contain_text("7 instead of 6")
        hands.tap("late")
        expect(page.locator('[data-count="correct-blue"] output')).to_have_text("3")
        hands.tap("save")
        expect(late).to_be_empty()
        expect(page.locator("#result")).to_contain_text("The tower has its first cubes")
        assert session.throws()[0]["accepted"]["blue"] == 3
        assert session.view()["game"]["cubes"]["tower"]["blue"] == 7 - 3
        hands.context.close()
