"""The page of past throws: in portions, newest first, and loaded only when something was written."""

import shutil
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from companion.games.just_the_tower.game import GAME
from companion.games.protocol import Colour
from companion.table.messages import Moving, SensorSpec
from companion.table.runtime import Runtime, TableSpec
from tests.companion.table.tables import looked, tell
from tests.e2e import stages
from tests.e2e.place import PHONE, Hands

pytestmark = pytest.mark.browser
PORTION = 20


def counter_table(folder: Path) -> Runtime:
    """A table without rules."""
    options = {"box": {"white": 60, "green": 60}, "tower": {"white": 30}}
    return Runtime(TableSpec("counter", folder, SensorSpec("none", "none"), options), GAME)


def give_order(runtime: Runtime, **command: Any) -> None:
    tell(runtime.session, command)


def expected(runtime: Runtime) -> int:
    return int(runtime.session.view()["expected"])


def throw(runtime: Runtime, out: int) -> None:
    """Throw one white cube, and settle that `out` came out."""
    if runtime.session.view()["game"]["tray"]:
        give_order(runtime, kind="take_out", cubes=runtime.session.view()["game"]["tray"])
    give_order(runtime, kind="throw", cubes={"white": 1})
    runtime.session.settle({Colour("white"): out}, "anna", expected(runtime))


def seen_throw(runtime: Runtime) -> None:
    """Throw one green cube, and settle what the camera saw of it."""
    session = runtime.session
    give_order(runtime, kind="throw", cubes={"green": 1})
    session.hear(Moving())
    session.hear(looked(green=1))
    session.settle({Colour("green"): 1}, "anna", expected(runtime), session.view()["look"]["number"])


def throw_cards(page: Page) -> Any:
    return page.locator("article.throw")


def test_many_throws_come_in_portions_and_what_changes_nothing_reads_nothing(
    chromium: Browser, tmp_path: Path
) -> None:
    """With 2,000 throws the page took half a minute, and was loaded and redrawn at each move in the tray."""
    runtime = counter_table(tmp_path)
    for number in range(PORTION + 5):
        throw(runtime, 1 + number % 2)
    give_order(runtime, kind="take_out", cubes=runtime.session.view()["game"]["tray"])
    with stages.served(runtime, tmp_path) as (demo, _):
        hands = Hands(chromium, demo, PHONE)
        page = hands.page
        hands.open("/throws")
        expect(throw_cards(page)).to_have_count(PORTION)
        page.evaluate("document.querySelector('article.throw').dataset.mine = 'yes'")
        with page.expect_response("**/api/v1/throws?*"):
            give_order(runtime, kind="throw", cubes={"white": 1})
        expect(throw_cards(page)).to_have_count(PORTION)
        urls: list[str] = []
        page.on("request", lambda request: urls.append(request.url) if "/throws" in request.url else None)
        heard = page.evaluate_handle(
            "() => ({ told: new Promise((done) => document.addEventListener('view', done, { once: true })) })"
        )
        runtime.session.wake()
        heard.evaluate("(one) => one.told.then(() => true)")
        assert urls == []

        hands.tap("more")
        expect(throw_cards(page)).to_have_count(PORTION + 5)
        expect(page.locator('[data-key="more"]')).to_have_count(0)
        expect(throw_cards(page).nth(PORTION)).to_be_focused()
        runtime.session.settle({Colour("white"): 3}, "anna", expected(runtime))
        expect(throw_cards(page)).to_have_count(PORTION + 6)
        expect(throw_cards(page).first).to_contain_text("3")
        assert hands.complaints == []
        hands.context.close()


def test_a_throw_of_a_table_without_rules_is_a_throw_and_nobody_saw_what_was_counted_by_hand(
    chromium: Browser, tmp_path: Path
) -> None:
    """Each was headed "The tower has its first cubes"; a corrected one said "What was seen: nothing"."""
    runtime = counter_table(tmp_path)
    throw(runtime, 2)
    session = runtime.session
    session.correct(session.throws()[0]["batch"], {Colour("white"): 3}, "", "anna", expected(runtime))
    with stages.served(runtime, tmp_path) as (demo, _):
        hands = Hands(chromium, demo, PHONE)
        hands.open("/throws")
        page = hands.page
        expect(throw_cards(page)).to_have_count(2)
        expect(throw_cards(page).locator("h2")).to_have_text(["A throw", "A throw"])
        expect(throw_cards(page).first).to_contain_text("corrected by anna")
        expect(throw_cards(page).first).not_to_contain_text("What was seen")
        expect(page).to_have_title("Tenshu · Past throws")
        assert hands.complaints == []
        hands.context.close()


def test_a_picture_that_was_removed_is_told_so_and_not_requested_again(
    chromium: Browser, tmp_path: Path
) -> None:
    """Each open page requested every one of them every three seconds, and said that it was under way."""
    runtime = counter_table(tmp_path)
    seen_throw(runtime)
    shutil.rmtree(tmp_path / "pictures")
    with stages.served(runtime, tmp_path) as (demo, _):
        hands = Hands(chromium, demo, PHONE)
        requests: list[str] = []
        hands.page.clock.install()
        hands.page.on("request", lambda one: requests.append(one.method) if "/evidence/" in one.url else None)
        hands.open("/throws")
        caption = throw_cards(hands.page).locator("figcaption")
        expect(caption).to_have_text("No picture: counted by hand, or removed to make room for newer ones.")
        expect(caption).to_be_visible()
        hands.page.clock.fast_forward("01:00")
        hands.page.evaluate("fetch('/api/v1/table').then((answer) => answer.text())")
        assert requests == ["GET", "HEAD"]
        hands.context.close()


def test_the_history_leads_to_the_picture_of_just_that_throw(chromium: Browser, tmp_path: Path) -> None:
    """It led to the newest of all throws, whichever was asked for."""
    runtime = counter_table(tmp_path)
    seen_throw(runtime)
    first = runtime.session.throws()[0]["batch"]
    for number in range(PORTION + 5):
        throw(runtime, 1 + number % 2)
    with stages.served(runtime, tmp_path) as (demo, _):
        hands = Hands(chromium, demo, PHONE)
        page = hands.page
        hands.open("/history")
        expect(page.locator("#history li")).not_to_have_count(0)
        while not page.locator(f'[data-key="picture-{first}"]').count():
            lines = page.locator("#history li").count()
            hands.tap("more")
            expect(page.locator("#history li")).not_to_have_count(lines)
        hands.tap(f"picture-{first}")
        expect(throw_cards(page)).to_have_count(PORTION + 6)
        expect(page.locator(f"#throw-{first}")).to_be_in_viewport()
        expect(page.locator(f"#throw-{first}")).to_be_focused()
        assert hands.complaints == []
        hands.context.close()
