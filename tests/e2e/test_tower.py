"""What happens to the tower outside a throw: confirmed, undone, and read in the history."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from companion.demo.table import OPTIONS
from companion.games.shogun.game import GAME
from companion.table.messages import Moving, SensorSpec
from companion.table.runtime import Runtime, TableSpec
from tests.companion.table.tables import looked
from tests.e2e import stages
from tests.e2e.place import PHONE, Hands
from vision.reading import Doubt

pytestmark = pytest.mark.browser


def test_the_tower_is_knocked_by_touch_opened_by_keyboard_and_all_of_it_is_history(
    chromium: Browser, tmp_path: Path
) -> None:
    runtime = Runtime(TableSpec("knocked", tmp_path, SensorSpec("none", "none"), OPTIONS), GAME)
    session = runtime.session

    def cubes() -> dict[str, object]:
        cubes_json: dict[str, object] = session.view()["game"]["cubes"]
        return cubes_json

    with stages.served(runtime, tmp_path) as (demo, _):
        hands = Hands(chromium, demo, PHONE)
        page = hands.page
        hands.open()
        hands.tap("tower-knocked")
        hands.tap("tower-no")
        assert cubes()["certain"]
        hands.tap("tower-knocked")
        hands.tap("tower-yes")
        page.wait_for_selector("#tower-unknown")
        assert not cubes()["certain"]
        hands.tap("tower-undo")
        page.wait_for_selector("#tower-unknown", state="detached")
        assert cubes()["certain"]
        expect(page.locator("#side .past li").first).to_contain_text("Undone: The tower was knocked")

        hands.open("/host")
        page.wait_for_selector('[data-key="tower-opened"]')
        page.focus('[data-key="tower-opened"]')
        page.keyboard.press("Enter")
        page.focus('dialog [data-key="inside-red-1"]')
        page.keyboard.press("Space")
        page.focus('dialog [data-key="tower-yes"]')
        page.keyboard.press("Enter")
        page.wait_for_selector('[data-key="tower-undo"]')
        assert cubes()["tower"] == {**OPTIONS["tower"], "red": 7}

        hands.open("/history")
        expect(page.locator(".entries li").first).to_contain_text("The tower was opened")
        told = page.locator(".entries li").all_inner_texts()
        assert "The tower was opened and counted" in told[0]
        assert "7" in told[0]
        assert "Undone: The tower was knocked" in told[1]
        assert "The tower was knocked" in told[2]
        assert "undone" in told[2]
        assert hands.complaints == []
        hands.context.close()


@pytest.mark.parametrize("page_of", ["/", "/host"])
def test_X1_more_fell_out_than_can_be_inside_and_it_lies_there(
    chromium: Browser, tmp_path: Path, page_of: str
) -> None:
    """It was refused with the advice to insist, and no page had a button for that."""
    options = {**OPTIONS, "tower": {**OPTIONS["tower"], "red": 0}}
    runtime = Runtime(TableSpec("more", tmp_path, SensorSpec("none", "none"), options), GAME)
    with stages.served(runtime, tmp_path) as (demo, _):
        hands = Hands(chromium, demo, PHONE)
        page = hands.page
        hands.open(page_of)
        hands.tap("tower-fell")
        hands.tap("inside-red1")
        hands.tap("tower-yes")
        way = page.locator("#notice button")
        expect(way).to_have_text("It is there: correct the ledger")
        expect(way).to_be_in_viewport()
        assert not runtime.session.view()["game"]["cubes"]["tray"].get("red")
        way.click()
        expect(page.locator("#notice")).to_be_empty()
        assert runtime.session.view()["game"]["cubes"]["tray"]["red"] == 1


def test_while_a_throw_is_awaited_the_tower_waits_too(chromium: Browser, tmp_path: Path) -> None:
    """B-1: what is inside can only be told between throws; the page says so instead of being refused."""
    runtime = stages.battle(tmp_path)
    with stages.served(runtime, tmp_path) as (demo, _):
        hands = Hands(chromium, demo, PHONE)
        hands.open()
        hands.page.wait_for_selector("#tower-card")
        assert hands.page.is_disabled('[data-key="tower-knocked"]')
        expect(hands.page.locator("#tower-card")).to_contain_text("A throw is awaited")
        hands.context.close()


def test_a_colour_that_is_not_in_this_game_is_named_until_it_is_taken_away(
    chromium: Browser, tmp_path: Path
) -> None:
    """B-1: purple does not play here; the page says so while the counts hold one, and then no more."""
    runtime = stages.battle_of_three(tmp_path)
    with stages.served(runtime, tmp_path) as (demo, _):
        hands = Hands(chromium, demo, PHONE)
        hands.open()
        hands.phase("waiting")
        runtime.session.hear(Moving())
        runtime.session.hear(looked(Doubt.UNCLEAR_COLOUR, red=4, purple=1))
        hands.page.wait_for_selector("#impossible")
        assert "Purple" in hands.page.inner_text("#impossible")
        assert hands.page.locator("#preview, [data-key=insist]").count() == 0
        assert hands.page.locator(".looking .note").count() == 2  # nothing is said twice
        assert hands.page.is_disabled('[data-key="accept"]')
        hands.tap("count-purple-1")
        hands.page.wait_for_selector("#impossible", state="detached")
        hands.page.wait_for_selector("#preview")
        assert hands.page.is_enabled('[data-key="accept"]')
        hands.open("/sensor")  # nor is there a load cell: no empty chart, no figures, no buttons for it
        hands.page.wait_for_selector("#trouble .note")
        assert [hands.page.is_visible(part) for part in ("#strip", ".cell-under")] == [False, False]
        hands.context.close()
