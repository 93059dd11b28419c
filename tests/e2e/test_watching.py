"""Watching, results read aloud, and the page that needs no script."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from companion.table.messages import Moving
from tests.companion.table.tables import looked
from tests.e2e import stages
from tests.e2e.place import LAPTOP, PHONE, Demo, Hands, expect_in_sight
from vision.reading import Doubt

pytestmark = pytest.mark.browser
LISTEN = """
window.heard = [];
const voice = { speak: (one) => heard.push([one.lang, one.text]), cancel() {} };
Object.defineProperty(window, "speechSynthesis", { value: voice });
"""


def test_who_watches_sees_the_battle_and_sends_nothing(chromium: Browser, acted: Demo) -> None:
    watcher, table = Hands(chromium, acted, LAPTOP), Hands(chromium, acted, LAPTOP)
    sent: list[str] = []
    watcher.page.on("request", lambda r: sent.append(r.url) if r.method != "GET" else None)
    watcher.open("/watch")
    expect(watcher.page.locator("#fight")).to_contain_text("Throw the cubes now")
    table.open("/")
    table.tap("fall")
    watcher.page.wait_for_selector("#fight figure.tray image")
    if table.phase("countdown", "asking") == "countdown":
        table.tap("hold")
    table.phase("asking")
    table.tap("accept")
    watcher.page.wait_for_selector("#fight #result .verdict")
    expect(watcher.page.locator("#map button").first).to_be_visible()
    expect(watcher.page.locator("main button:not(#map button)")).to_have_count(0)
    assert (sent, watcher.complaints, watcher.strangers) == ([], [], [])


def test_a_television_shows_tray_and_counts_whole_and_large(chromium: Browser, tmp_path: Path) -> None:
    """It is read from across the room; the counts stood there in letters fit for a lap."""
    runtime = stages.battle_of_three(tmp_path)
    with stages.served(runtime, tmp_path) as (demo, _):
        watcher = Hands(chromium, demo, {"width": 1920, "height": 1080})
        runtime.session.hear(Moving())
        runtime.session.hear(looked(Doubt.STACKED, red=4, blue=1))
        watcher.open("/watch")
        for part in ("#now", ".versus", ".seen figure.tray", ".seen .row"):
            expect_in_sight(watcher.page.locator(part))
        letters = watcher.page.locator(".seen .row").evaluate(
            "(one) => parseFloat(getComputedStyle(one).fontSize)"
        )
        assert letters >= 1080 / 25  # letters of 4 % of the height are read from five heights away


def test_nobody_is_told_to_throw_while_cubes_fall_or_the_tray_is_asked_about(
    chromium: Browser, tmp_path: Path
) -> None:
    """Map and Watch said "Throw the cubes into the tower" until the battle was settled."""
    runtime = stages.battle_of_three(tmp_path)
    with stages.served(runtime, tmp_path) as (demo, _):
        board, watcher = Hands(chromium, demo, PHONE), Hands(chromium, demo, LAPTOP)
        board.open("/map")
        watcher.open("/watch")
        to_throw = board.page.locator('#orders [data-key="to-throw"]')

        def expect_said(sentence: str, words: str, kind: str) -> None:
            for hands in (board, watcher):
                expect(hands.page.locator("#now")).to_have_text(sentence)
            expect(to_throw).to_have_text(words)
            expect(to_throw).to_have_class(kind)

        expect_said("Throw the cubes into the tower", "To the throw", "btn main big")
        runtime.session.hear(Moving())
        expect_said("Cubes are falling", "To the tray", "btn big")
        runtime.session.hear(looked(red=4, blue=1))
        expect_said("The tray was read; the count is accepted in a moment", "To the tray", "btn big")
        runtime.session.hear(Moving())
        runtime.session.hear(looked(Doubt.STACKED, red=4, blue=1))
        expect_said("The tray was read: please check it", "To the question", "btn main big")
        to_throw.click()
        board.phase("asking")


def test_results_are_read_aloud_where_that_is_switched_on(chromium: Browser, tmp_path: Path) -> None:
    runtime = stages.battle(tmp_path)
    with stages.served(runtime, tmp_path) as (demo, _):
        loud, wait_until_quiet = (Hands(chromium, demo, LAPTOP, locale="de-DE") for _ in range(2))
        for hands in (loud, wait_until_quiet):
            hands.page.add_init_script(LISTEN)
            hands.open("/")
        loud.tap("menu")
        loud.page.check("#speak")
        loud.tap("close")
        loud.tap("by-hand")
        loud.count({"red": 2})
        loud.tap("accept")
        loud.page.wait_for_function("() => heard.length >= 2")
        heard = loud.page.evaluate("heard")
        assert heard[0] == ["de", "Ergebnisse werden vorgelesen."]
        assert heard[1][1] == loud.verdict()
        wait_until_quiet.page.wait_for_selector("#result")
        assert wait_until_quiet.page.evaluate("heard") == []


def test_the_recovery_page_works_without_scripts(chromium: Browser, tmp_path: Path) -> None:
    runtime = stages.fresh(tmp_path)
    with stages.served(runtime, tmp_path) as (demo, _):
        context = chromium.new_context(java_script_enabled=False, locale="fr-FR")
        page = context.new_page()
        page.goto(f"{demo.url}/recovery")
        assert "Secours" in page.inner_text("h1")
        assert "Yamato" in page.inner_text(".paper")
        page.click('form[action^="/recovery/seat"] >> nth=0 >> button')
        assert "join#" in page.inner_text(".link")
        runtime.camera.use_address("http://127.0.0.1:9/shot.jpg")
        assert runtime.session.view()["health"]["camera"]["name"] != "none"
        page.goto(f"{demo.url}/recovery?lang=en")
        with page.expect_navigation():
            page.click('button[name="off"]')
        assert runtime.session.view()["health"]["camera"]["name"] == "none"
        context.close()
