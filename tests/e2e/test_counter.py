"""A table without rules, begun on the host page: throw, count, carry on; no page breaks for lack of a map."""

from functools import partial
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from companion.games.protocol import Colour
from companion.games.registry import find, games
from companion.table.messages import SensorSpec
from companion.table.runtime import Runtime, TableSpec
from tests.companion.table.tables import tell
from tests.e2e import stages
from tests.e2e.pages import visit
from tests.e2e.place import LAPTOP, PHONE, Hands, expect_in_sight
from tests.patience import until

pytestmark = pytest.mark.browser
OF_THE_GAME = ("/map", "/seat", "/watch", "/winter", "/end", "/throws", "/statistics")
"""Pages that draw what a game says about itself."""


def test_the_host_offers_every_game_and_the_counter_is_played(chromium: Browser, tmp_path: Path) -> None:
    runtime: Runtime = stages.fresh(tmp_path)
    session = runtime.session

    def game() -> dict[str, Any]:
        game_view: dict[str, Any] = session.view()["game"]
        return game_view

    with stages.served(runtime, tmp_path) as (demo, _):
        hands = Hands(chromium, demo, PHONE)
        page = hands.page
        hands.open("/host")
        page.wait_for_selector('input[name="game"]', state="attached")
        offered = page.locator('input[name="game"]').evaluate_all("(all) => all.map((one) => one.value)")
        assert set(offered) == set(games())
        page.check('input[name="game"][value="just_the_tower"]')
        hands.tap("box-green1")
        name = page.locator("#table-name").input_value()
        page.fill("#table-name", "")
        hands.tap("begin")
        page.wait_for_selector("#notice:has-text('lower-case letters')")
        page.fill("#table-name", name)
        hands.tap("begin")
        page.wait_for_selector("#notice:has-text('has begun')")
        assert game()["game"] == "just_the_tower"
        assert game()["supply"] == {"red": 12, "blue": 12, "green": 1}

        hands.open("/")
        for key in ("throw-red1", "throw-red1", "throw-green1"):
            hands.tap(key)
        expect(page.locator("#stage")).to_contain_text("Green")
        hands.tap("counter-throw")
        hands.phase("waiting")
        _count_one_red(hands)
        assert (game()["tray"], game()["tower"]) == ({"red": 1}, {"red": 1, "green": 1})
        expect(page.locator('[data-key="counter-throw"]')).to_have_text("Throw the tray again")
        hands.tap("counter-throw")
        hands.phase("waiting")
        _count_one_red(hands)
        assert (game()["tray"], game()["tower"]) == ({"red": 1}, {"red": 1, "green": 1})
        hands.tap("tower-opened")
        hands.tap("tower-yes")
        page.wait_for_selector('[data-key="tower-undo"]')
        hands.tap("counter-clear")
        page.wait_for_selector('[data-key="counter-clear"]', state="detached")
        assert game()["supply"]["red"] == 11

        for address in OF_THE_GAME:
            visit(hands, address)
        hands.open("/history")
        expect(page.locator("#history")).to_contain_text("Thrown, and in the tray")
        expect(page.locator("#history")).to_contain_text("The tray is thrown again")
        assert page.locator("#history").get_by_label("Green").count() > 0
        assert page.locator("#history").get_by_label("Farmers").count() == 0
        assert hands.complaints == []
        hands.context.close()


def _count_one_red(hands: Hands) -> None:
    hands.tap("by-hand")
    hands.tap("count-red1")
    hands.answered()
    hands.tap("accept")
    hands.phase("idle")


def _counter_table(folder: Path, box: dict[str, int]) -> Runtime:
    sensors = SensorSpec("none", "none", profiles=str(folder / "profiles"))
    return Runtime(TableSpec("tower", folder, sensors, {"box": box}), find("just_the_tower"))


def test_some_cubes_are_taken_out_and_a_wrong_count_is_put_right(chromium: Browser, tmp_path: Path) -> None:
    """As after a battle: both sides go back to their supplies, whoever took no part waits in the tray."""
    runtime = _counter_table(tmp_path, {"red": 9, "blue": 9, "white": 9})
    session = runtime.session

    def game() -> dict[str, Any]:
        game_view: dict[str, Any] = session.view()["game"]
        return game_view

    session.command({"kind": "throw", "cubes": {"red": 3, "blue": 2, "white": 1}}, "anna", 1)
    session.settle({Colour("red"): 2, Colour("blue"): 1, Colour("white"): 1}, "anna", 2)
    with stages.served(runtime, tmp_path) as (demo, _):
        hands = Hands(chromium, demo, PHONE)
        page = hands.page
        hands.open("/")
        hands.tap("correct")
        hands.tap("correct-blue1")
        hands.answered()
        hands.tap("save")
        expect(page.locator('[data-key="counter-clear"]')).to_have_text("Take all of it out")
        assert game()["tray"] == {"red": 2, "blue": 2, "white": 1}
        assert game()["tower"] == {"red": 1}
        hands.tap("out-white-1")
        expect(page.locator('[data-key="counter-clear"]')).to_have_text("Take these out")
        hands.tap("counter-clear")
        expect(page.locator('[data-key="out-red1"]')).to_have_count(0)
        assert game()["tray"] == {"white": 1}
        assert game()["supply"] == {"red": 8, "blue": 9, "white": 8}
        expect(page.locator('[data-key="correct"]')).to_have_count(0)  # something depends on it
        page.click('#side [data-key^="undo-"]')
        expect(page.locator('[data-key="counter-clear"]')).to_have_text("Take all of it out")
        expect(page.locator('[data-key="correct"]')).to_be_visible()  # and no longer does
        hands.tap("out-white-1")
        hands.tap("counter-clear")
        expect(page.locator('[data-key="out-red1"]')).to_have_count(0)
        hands.tap("box-other")
        hands.tap("box-brown1")
        hands.tap("box-white-1")
        hands.tap("box-save")
        page.wait_for_selector('[data-key="throw-brown1"]')
        assert game()["box"] == {"red": 9, "blue": 9, "white": 8, "brown": 1}
        assert (game()["tray"], game()["supply"]["white"]) == ({"white": 1}, 7)
        assert hands.complaints == []
        hands.context.close()


def test_the_tray_is_thrown_again_and_again_until_a_throw_is_called_off(
    chromium: Browser, tmp_path: Path
) -> None:
    """Whoever tries out a tower throws a hundred times: one tap begins all of them."""
    runtime = _counter_table(tmp_path, {"red": 9, "blue": 9})
    session = runtime.session
    session.command({"kind": "throw", "cubes": {"red": 3}}, "anna", 1)
    session.settle({Colour("red"): 2}, "anna", 2)

    def has_thrown(number: int) -> bool:
        throws: int = session.view()["game"]["throws"]
        return throws == number

    with stages.served(runtime, tmp_path) as (demo, _):
        hands = Hands(chromium, demo, PHONE)
        hands.open("/")
        hands.tap("counter-series")
        hands.phase("waiting")
        stage = hands.page.locator("#stage")
        expect(stage).to_contain_text("Throw these")
        expect(stage).not_to_contain_text("nothing")
        expect(stage).not_to_contain_text("Also throw")
        for number in (2, 3):
            hands.page.wait_for_selector("#series")
            assert has_thrown(number - 1)
            hands.tap("by-hand")
            hands.count({"red": number})
            hands.tap("accept")
            until(partial(has_thrown, number))
            hands.phase("waiting")
        expect(hands.page.locator("#series")).to_contain_text("2 throws counted.")
        hands.page.reload()
        hands.phase("waiting")
        expect(hands.page.locator("#series")).to_contain_text("2 throws counted.")
        hands.tap("call-off")
        hands.phase("idle")
        hands.page.wait_for_selector('[data-key="counter-series"]')
        hands.tap("counter-throw")  # a single one
        hands.phase("waiting")
        assert hands.page.locator("#series").count() == 0
        _count_one_red(hands)
        assert has_thrown(4)
        hands.page.reload()
        hands.phase("idle")
        assert hands.complaints == []
        hands.context.close()


def test_more_than_the_box_was_said_to_hold_is_taken_and_the_history_tells_the_throw(
    chromium: Browser, tmp_path: Path
) -> None:
    """Cubes of another set went in: the throw could not be settled, nor the box corrected before it was."""
    runtime = _counter_table(tmp_path, {"red": 4, "blue": 3})
    session = runtime.session
    session.command({"kind": "throw", "cubes": {"red": 3}}, "anna", 1)
    with stages.served(runtime, tmp_path) as (demo, _):
        hands = Hands(chromium, demo, PHONE)
        hands.open("/")
        hands.phase("waiting")
        hands.tap("by-hand")
        hands.count({"red": 6})
        hands.tap("insist")
        hands.phase("idle")
        game = session.view()["game"]
        assert (game["box"], game["tray"], game["supply"]) == ({"red": 6, "blue": 3}, {"red": 6}, {"blue": 3})
        expect(hands.page.locator(".past li").first).to_contain_text("in the tray · Red 6")
        hands.open("/history")
        expect(hands.page.locator("main")).to_contain_text("The box was corrected")
        assert hands.complaints == []
        hands.context.close()


def test_the_box_that_is_being_put_right_is_not_lost_when_another_takes_cubes_out(
    chromium: Browser, tmp_path: Path
) -> None:
    runtime = _counter_table(tmp_path, {"red": 9, "blue": 9})
    session = runtime.session
    session.command({"kind": "throw", "cubes": {"red": 3}}, "anna", 1)
    session.settle({Colour("red"): 2}, "anna", 2)
    with stages.served(runtime, tmp_path) as (demo, _):
        hands = Hands(chromium, demo, PHONE)
        page = hands.page
        hands.open("/")
        hands.tap("box-other")
        hands.tap("box-brown1")
        tell(session, {"kind": "take_out", "cubes": {"red": 2}}, "ben")
        expect(page.locator('[data-key="counter-clear"]')).to_have_count(0)
        brown = page.locator('[data-count="box-brown"] output')
        expect(brown).to_have_text("1")
        hands.tap("box-save")
        page.wait_for_selector('[data-key="throw-brown1"]')
        page.click('#side [data-key^="undo-"]')
        expect(page.locator('[data-key="throw-brown1"]')).to_have_count(0)
        expect(brown).to_have_text("0")
        assert hands.complaints == []


def test_a_box_that_was_saved_is_told_beside_its_button_until_it_is_another(
    chromium: Browser, tmp_path: Path
) -> None:
    """Nothing in the window changed, so people saved it again."""
    runtime = _counter_table(tmp_path, {"red": 9, "blue": 9})
    session = runtime.session
    with stages.served(runtime, tmp_path) as (demo, _):
        hands = Hands(chromium, demo, PHONE)
        hands.open("/")
        hands.tap("box-other")
        hands.tap("box-brown1")
        saved_note = hands.page.locator("#box-saved")
        expect(saved_note).to_be_empty()
        hands.tap("box-save")
        expect(saved_note).to_have_text("Saved: the box holds these now.")
        expect_in_sight(saved_note)
        hands.tap("throw-red1")  # something else on this page
        expect(saved_note).not_to_be_empty()
        hands.tap("box-brown1")
        expect(saved_note).to_be_empty()
        hands.tap("box-brown-1")
        expect(saved_note).not_to_be_empty()
        box = {"kind": "correct_box", "box": {"red": 8, "blue": 9, "brown": 1}}
        session.command(box, "ben", session.view()["expected"])
        expect(saved_note).to_be_empty()
        assert hands.complaints == []


def test_what_happened_at_a_counter_is_told_with_its_cubes(chromium: Browser, tmp_path: Path) -> None:
    """In English it read "Thrown, and in the tray", without saying what."""
    runtime = _counter_table(tmp_path, {"red": 9, "green": 9})
    runtime.session.command({"kind": "throw", "cubes": {"red": 3, "green": 1}}, "anna", 1)
    runtime.session.settle({Colour("red"): 2, Colour("green"): 0}, "anna", 2)
    accident = {"kind": "accident", "fell": {"green": 1}}
    tell(runtime.session, accident)
    with stages.served(runtime, tmp_path) as (demo, _):
        for locale, sentences in {
            "en-GB": ("by chance · Green 1", "in the tray · Red 2", "Cubes to throw · Red 3, Green 1"),
            "de-DE": (
                "Turm gefallen · Grün 1",
                "in der Schale · Rot 2",
                "Würfel zum Einwerfen · Rot 3, Grün 1",
            ),
        }.items():
            hands = Hands(chromium, demo, PHONE, locale=locale)
            hands.open("/")
            lines = hands.page.locator("#side .past li .what")
            for number, words in enumerate(sentences):
                expect(lines.nth(number)).to_contain_text(words)
            assert hands.complaints == []
            hands.context.close()


def test_pages_of_a_counter_lead_to_nothing_that_it_lacks(chromium: Browser, tmp_path: Path) -> None:
    """They led to a printed sheet that was not found, and to a map of Japan for every throw."""
    runtime = _counter_table(tmp_path, {"red": 9})
    runtime.session.command({"kind": "throw", "cubes": {"red": 3}}, "anna", 1)
    with stages.served(runtime, tmp_path) as (demo, _):
        hands = Hands(chromium, demo, PHONE)
        page = hands.page
        hands.open("/end")
        expect(page.locator('#ways [data-key="keep-json"]')).to_be_visible()
        for link in page.locator("#ways a[download]").all():
            assert page.request.get(hands.url + str(link.get_attribute("href"))).ok
        expect(page.locator("#map")).to_be_hidden()
        expect(page.locator("#past")).to_be_hidden()
        hands.open("/history")
        expect(page.locator("#history")).to_contain_text("Cubes to throw")
        expect(page.locator('[data-key^="see-"]')).to_have_count(0)
        assert hands.complaints == []
        hands.context.close()


def test_who_watches_a_counter_sees_its_cubes_and_no_map_of_japan(chromium: Browser, tmp_path: Path) -> None:
    """All of Japan lay there, out of play, and nothing said what was thrown or what came out."""
    runtime = _counter_table(tmp_path, {"red": 9, "wood": 9})
    with stages.served(runtime, tmp_path) as (demo, _):
        watcher, board = Hands(chromium, demo, LAPTOP), Hands(chromium, demo, PHONE)
        watcher.open("/watch")
        board.open("/map")
        fight = watcher.page.locator("#fight")
        expect(fight).to_contain_text("nothing")
        expect(watcher.page.locator("#now")).to_have_text("What goes in?")  # no battle may be fought here
        runtime.session.command({"kind": "throw", "cubes": {"red": 3, "wood": 2}}, "anna", 1)
        expect(fight.locator(".pile b")).to_have_text(["3", "2"])
        runtime.session.settle({Colour("red"): 2, Colour("wood"): 1}, "anna", 2)
        expect(fight.get_by_label("Tray")).to_contain_text("2")
        expect(fight.locator(".pile")).to_have_count(0)
        for page in (watcher.page, board.page):
            expect(page.locator("#map")).to_be_hidden()
        board.tap("to-counter")
        expect(board.page.locator('[data-key="counter-throw"]')).to_be_visible()
        assert watcher.complaints == board.complaints == []


def test_the_map_of_a_game_comes_back_after_a_counter_and_goes_with_its_cards(
    chromium: Browser, tmp_path: Path
) -> None:
    """The map that stays open all evening kept the order buttons of the game before."""
    runtime = stages.fresh(tmp_path)
    shogun = {"players": ["blue", "red", "yellow"], "by_table": True, "start": "board", "season": "spring"}
    runtime.begin_table("first", find("shogun"), shogun, "host")
    with stages.served(runtime, tmp_path) as (demo, _):
        board = Hands(chromium, demo, LAPTOP)
        board.open("/map")
        expect(board.page.locator('[data-key="tell"]')).to_be_visible()
        runtime.begin_table("tower", find("just_the_tower"), {"box": {"red": 9}}, "host")
        expect(board.page.locator('[data-key="to-counter"]')).to_be_visible()
        expect(board.page.locator('[data-key="tell"]')).to_have_count(0)
        expect(board.page.locator("#map")).to_be_hidden()
        runtime.begin_table("second", find("shogun"), shogun, "host")
        expect(board.page.locator('[data-key="tell"]')).to_be_visible()
        expect(board.page.locator('#map [data-id="omi"]')).to_be_visible()
        expect(board.page.locator('[data-key="to-counter"]')).to_have_count(0)
        assert board.complaints == []


def test_where_no_phone_can_come_no_code_is_shown(chromium: Browser, tmp_path: Path) -> None:
    """A demo on this computer alone has no address for others: a code would lead nowhere."""
    with stages.served(stages.battle(tmp_path), tmp_path) as (demo, app):
        hands = Hands(chromium, demo, PHONE)
        hands.open()
        hands.tap("menu")
        sheet = hands.page.locator("dialog[open]")
        sheet.wait_for()
        code = hands.page.evaluate("fetch('/api/v1/join').then((one) => one.json())")["code"]
        assert code not in sheet.inner_text()
        assert sheet.locator(".qr").count() == 0
        hands.tap("close")
        app.config["JOIN_URL"] = "http://192.168.1.5:8475/"
        hands.tap("menu")
        sheet.locator(".qr").wait_for()
        assert code in sheet.inner_text()
        hands.context.close()
