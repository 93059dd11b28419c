"""What else happens at a table takes nothing from who is entering, looking back or told something."""

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Route, expect

from companion.games.protocol import Colour, TowerShown
from companion.games.registry import find
from companion.games.shogun.commands import Place
from companion.games.shogun.game import GAME
from companion.games.shogun.words import RED, Space
from companion.table.messages import SensorSpec
from companion.table.past.undoing import Wish
from companion.table.runtime import Runtime, TableSpec
from companion.table.session import TableSession
from tests.companion.table.tables import tell
from tests.e2e import stages
from tests.e2e.place import LAPTOP, PHONE, Hands
from tests.patience import until

pytestmark = pytest.mark.browser


def _show(session: TableSession, shown: TowerShown) -> None:
    """Change how much of the tower is told: it changes nothing of the game."""
    session.show_tower(shown, "host", session.view()["expected"])


def _undo(session: TableSession, batch: int) -> None:
    session.undo(Wish(batch, "anna"), session.view()["expected"], agreed=["anna"])


def _counter_table(folder: Path) -> Runtime:
    """A counter after a throw of three red cubes, of which two lie in the tray."""
    spec = TableSpec("tower", folder, SensorSpec("none", "none"), {"box": {"red": 9, "blue": 9}})
    runtime = Runtime(spec, find("just_the_tower"))
    tell(runtime.session, {"kind": "throw", "cubes": {"red": 3}})
    runtime.session.settle({Colour("red"): 2}, "anna", runtime.session.view()["expected"])
    return runtime


def test_who_counts_by_hand_goes_on_as_the_table_changes_what_it_tells(
    chromium: Browser, tmp_path: Path
) -> None:
    """The count vanished, and the page said to throw."""
    runtime = stages.battle_of_three(tmp_path)
    with stages.served(runtime, tmp_path) as (demo, _):
        hands = Hands(chromium, demo, PHONE)
        hands.open()
        hands.tap("by-hand")
        hands.count({"red": 2})
        _show(runtime.session, TowerShown.TOTALS)
        expect(hands.page.locator("#side")).to_contain_text("are believed to be inside")
        expect(hands.page.locator('[data-count="count-red"] output')).to_have_text("2")
        hands.page.reload()
        expect(hands.page.locator('[data-count="count-red"] output')).to_have_text("2")
        hands.answered()
        hands.tap("accept")
        hands.phase("idle")
        assert runtime.session.view()["game"]["last"]["tray"] == {"red": 2}


def test_a_countdown_that_cannot_be_stopped_is_asked_to_once(chromium: Browser, tmp_path: Path) -> None:
    """A refusal came with the table, still counting down, and the page asked fifty times a second."""
    runtime = stages.acted(tmp_path)
    with stages.served(runtime, tmp_path) as (demo, app):
        hands = Hands(chromium, demo, PHONE)
        hands.open()
        hands.phase("waiting")
        hands.tap("by-hand")
        refused = {"error": {"key": "not_joined", "sentence": "", "params": {}}}
        asked = []

        def refuse(route: Route) -> None:
            asked.append(route.request.url)
            view = app.test_client().get("/api/v1/table", base_url=demo.url).get_json()
            route.fulfill(status=403, json={**refused, "table": view})

        hands.page.route("**/api/v1/hold", refuse)
        runtime.let_fall()
        hands.phase("countdown")
        hands.page.wait_for_timeout(500)
        assert len(asked) == 1
        hands.context.close()


def test_a_battle_out_of_turn_is_chosen_while_others_plan(chromium: Browser, tmp_path: Path) -> None:
    """The form closed with every card that a seat placed."""
    runtime = stages.played(tmp_path, stages.second_year)
    card = next(p["id"] for p in runtime.session.view()["game"]["provinces"] if p["owner"] == RED)
    with stages.served(runtime, tmp_path) as (demo, _):
        hands = Hands(chromium, demo, LAPTOP)
        page = hands.page
        hands.open()
        hands.tap("declare")
        attacker = page.locator('input[name="attacker"]:not(:checked)').first.get_attribute("value")
        page.check(f'input[name="attacker"][value="{attacker}"]')
        expected = runtime.session.view()["expected"]
        place = GAME.encode_command(Place(RED, Space.CASTLE, card))
        runtime.session.seat_command("red", place, "seat", expected)
        expect(page.locator("#side .past li .what").first).to_contain_text("Red: Planning")
        expect(page.locator('input[name="attacker"]:checked')).to_have_value(attacker or "")


def test_a_throw_that_is_composed_stays_as_the_tray_is_emptied(chromium: Browser, tmp_path: Path) -> None:
    with stages.served(_counter_table(tmp_path), tmp_path) as (demo, _):
        hands = Hands(chromium, demo, PHONE)
        hands.open()
        hands.tap("throw-blue1")
        hands.tap("counter-clear")
        expect(hands.page.locator('[data-key="counter-clear"]')).to_have_count(0)
        expect(hands.page.locator('[data-count="throw-blue"] output')).to_have_text("1")


@pytest.mark.parametrize("game", ["counter", "battle"])
def test_a_throw_is_put_right_however_often_the_table_changed_what_it_tells(
    chromium: Browser, tmp_path: Path, game: str
) -> None:
    """At a counter the button went with the first change; in a battle it did nothing after twelve."""
    runtime = _counter_table(tmp_path) if game == "counter" else _battle_settled(tmp_path)
    for shown in (TowerShown.TOTALS, TowerShown.ALL) * 6:
        _show(runtime.session, shown)
    with stages.served(runtime, tmp_path) as (demo, _):
        hands = Hands(chromium, demo, LAPTOP)
        hands.open()
        hands.tap("correct")
        hands.tap("correct-red-1")
        hands.answered()
        hands.tap("save")
        until(lambda: _tray_of_last(runtime) == {"red": 1})
        assert hands.complaints == []


def _battle_settled(folder: Path) -> Runtime:
    runtime = stages.battle_of_three(folder)
    runtime.session.settle({Colour("red"): 2}, "anna", runtime.session.view()["expected"])
    return runtime


def _tray_of_last(runtime: Runtime) -> dict[str, int]:
    game = runtime.session.view()["game"]
    tray: dict[str, int] = game["last"]["tray"] if "last" in game else game["tray"]
    return tray


def _corrected(folder: Path) -> Runtime:
    """A table with six corrections of the points of Red."""
    runtime = stages.fresh(folder)
    for points in range(1, 7):
        tell(runtime.session, {"kind": "correct", "fact": "points", "where": "red", "value": points})
    return runtime


@pytest.mark.parametrize("path", ["/map", "/end"])
def test_who_looks_back_sees_slider_and_map_of_one_moment(
    chromium: Browser, tmp_path: Path, path: str
) -> None:
    """After an undo the slider told another moment than the map; on the last page the map went on alone."""
    runtime = _corrected(tmp_path)
    mine = next(p for p in runtime.session.view()["game"]["provinces"] if p["owner"] == RED)
    tell(runtime.session, {"kind": "correct", "fact": "armies", "where": mine["id"], "value": 9})
    with stages.served(runtime, tmp_path) as (demo, _):
        hands = Hands(chromium, demo, LAPTOP)
        page = hands.page
        hands.open(path)
        page.evaluate("document.querySelector('#past').open = true")
        page.focus("#moment")
        page.keyboard.press("ArrowLeft")
        slider, present = page.locator("#moment"), page.locator('[data-key="now"]')
        expect(present).to_be_visible()
        before = page.locator(f'[data-id="{mine["id"]}"]:not([aria-label*="9 armies"])')
        expect(before).to_have_count(1)
        shown, end = int(slider.input_value()), int(slider.get_attribute("max") or 0)
        assert shown == end - 1
        tell(runtime.session, {"kind": "correct", "fact": "points", "where": "red", "value": 9})
        expect(slider).to_have_attribute("max", str(end + 1))
        expect(slider).to_have_value(str(shown))
        expect(before).to_have_count(1)
        _undo(runtime.session, 4)
        expect(present).to_have_count(0)  # that moment has been undone
        assert slider.input_value() == slider.get_attribute("max")


def test_a_choice_that_did_not_reach_the_table_is_not_shown(chromium: Browser, tmp_path: Path) -> None:
    """A host believed that the tower was hidden while every page showed it."""
    runtime = stages.fresh(tmp_path)
    with stages.served(runtime, tmp_path) as (demo, _):
        hands = Hands(chromium, demo, LAPTOP)
        hands.open("/host")
        hands.page.route("**/api/v1/host/tower", lambda route: route.abort())
        hands.page.route("**/api/v1/commands", lambda route: route.abort())
        for key, expected in (("shown-hidden", "shown-all"), ("now-must_move", "now-must_move")):
            hands.tap(key)
            expect(hands.page.locator(f'[data-key="{expected}"]')).to_be_checked()


def test_a_number_that_is_missing_is_asked_for(chromium: Browser, tmp_path: Path) -> None:
    """It was saved as 0."""
    runtime = stages.fresh(tmp_path)
    before = runtime.session.view()["expected"]
    with stages.served(runtime, tmp_path) as (demo, _):
        hands = Hands(chromium, demo, LAPTOP)
        hands.open("/history")
        hands.page.click("#correct summary")
        hands.page.select_option("#fact", "points")
        value = hands.page.locator("#value")
        value.fill("")
        hands.tap("save-fact")
        expect(value).to_be_focused()
        assert value.evaluate("(input) => input.validity.valueMissing")
        assert runtime.session.view()["expected"] == before
        value.fill("7")
        hands.tap("save-fact")
        until(lambda: runtime.session.view()["expected"] > before)


def test_a_setting_taken_back_and_a_throw_put_right_are_told_as_that(
    chromium: Browser, tmp_path: Path
) -> None:
    """The one was told as if it counted again, the other had a line "Undone" of its own."""
    runtime = _counter_table(tmp_path)
    session = runtime.session
    session.correct(
        session.view()["undo"]["batch"], {Colour("red"): 1}, "", "anna", session.view()["expected"]
    )
    _show(session, TowerShown.TOTALS)
    changed = session.view()["history"][0]["batch"]
    _undo(session, changed)
    with stages.served(runtime, tmp_path) as (demo, _):
        hands = Hands(chromium, demo, LAPTOP)
        hands.open("/history")
        lines = [line.split("\n")[0] for line in hands.page.locator(".entries li").all_inner_texts()]
        assert lines[0].startswith("Undone: ")
        assert "tower" in lines[0]
        assert [line for line in lines if line == "Undone"] == []
        expect(hands.page.locator(".entries li").first.get_by_text("Redo")).to_be_visible()


def test_who_watches_sees_the_tray_s_cubes_go_in_again(chromium: Browser, tmp_path: Path) -> None:
    runtime = _counter_table(tmp_path)
    tell(runtime.session, {"kind": "throw", "cubes": {}})
    with stages.served(runtime, tmp_path) as (demo, _):
        hands = Hands(chromium, demo, LAPTOP)
        hands.open("/watch")
        card = hands.page.locator('section[aria-label="To throw"], section.card').first
        expect(card).to_contain_text("2")
        expect(hands.page.locator("main")).not_to_contain_text("nothing")


def test_a_seat_of_a_table_of_free_battles_leads_to_them(chromium: Browser, tmp_path: Path) -> None:
    """It led to the map, where there was nothing to do."""
    options: dict[str, Any] = {"players": ["red", "blue", "yellow"], "start": "free"}
    spec = TableSpec("free", tmp_path, SensorSpec("none", "none"), options)
    with stages.served(Runtime(spec, GAME), tmp_path) as (demo, _):
        hands = Hands(chromium, demo, PHONE)
        hands.sit("red")
        hands.tap("to-battle")
        expect(hands.page.locator("#stage")).to_contain_text("New battle")
