"""The statistics page: figures with their uncertainty, charts for the blind, files to download."""

import csv
import io
import re
from itertools import pairwise
from pathlib import Path

import pytest
from openpyxl import load_workbook
from playwright.sync_api import Browser, Route, expect

from companion.demo.table import OPTIONS
from companion.games.just_the_tower.game import GAME as JUST_THE_TOWER
from companion.games.protocol import Colour, TowerShown
from companion.games.shogun.game import GAME
from companion.table.messages import SensorSpec
from companion.table.runtime import Runtime, TableSpec
from tests.companion.table.tables import tell
from tests.e2e import stages
from tests.e2e.place import PHONE, WORDED, Hands

pytestmark = pytest.mark.browser


def table_with_throws(folder: Path, throws: int) -> Runtime:
    """A table where the same battle was fought several times, counted by hand."""
    runtime = Runtime(TableSpec("thrown", folder, SensorSpec("none", "none"), OPTIONS), GAME)
    for number in range(throws):
        fight(runtime, 2 + number % 2)
    return runtime


def fight(runtime: Runtime, red: int) -> None:
    session = runtime.session
    foe = next(
        province["id"] for province in session.view()["game"]["provinces"] if province["owner"] != "red"
    )
    declaration = {"kind": "declare", "attacker": "red", "province": foe, "armies": 3, "origin": None}
    tell(session, declaration)
    tray = {Colour("red"): red, Colour("blue"): 1}
    session.settle(tray, "anna", session.view()["expected"], insist=True)


def test_a_rate_that_is_known_well_is_not_known_to_nothing(chromium: Browser, tmp_path: Path) -> None:
    """300 throws of fifteen cubes; "67 % come out (± 0)" stood on the page of a table with ten thousand."""
    options = {"box": {"white": 60, "red": 60}, "tower": {"white": 15, "red": 15}}
    runtime = Runtime(TableSpec("many", tmp_path, SensorSpec("none", "none"), options), JUST_THE_TOWER)
    session = runtime.session
    for number in range(300):
        for order in (
            {"kind": "take_out", "cubes": {"white": 15}},
            {"kind": "throw", "cubes": {"white": 15}},
        ):
            if number or order["kind"] == "throw":
                tell(session, order)
        session.settle({Colour("white"): 15}, "anna", session.view()["expected"])
    with stages.served(runtime, tmp_path) as (demo, _):
        hands = Hands(chromium, demo, PHONE)
        hands.open("/statistics")
        expect(hands.page.locator("#rates")).to_have_text(re.compile(r"come out \(±\s0\.\d\)"))
        hands.context.close()


def test_where_nobody_knew_what_was_inside_the_page_does_not_say_that_nothing_was(
    chromium: Browser, tmp_path: Path
) -> None:
    """Knocked after three throws, and 51 cubes inside: "Nothing has stayed in the tower so far"."""
    runtime = table_with_throws(tmp_path, 3)
    tell(runtime.session, {"kind": "knock"})
    for number in range(10):
        fight(runtime, 2 + number % 2)
    with stages.served(runtime, tmp_path) as (demo, _):
        hands = Hands(chromium, demo, PHONE)
        hands.open("/statistics")
        sentence = "For 3 throws it is known what was inside before; it takes 12 of these to work them out."
        expect(hands.page.locator("#no-rates")).to_have_text(sentence)
        hands.context.close()


def test_a_cube_that_stayed_in_the_last_throw_is_not_denied(chromium: Browser, tmp_path: Path) -> None:
    """It said that nothing had stayed so far, below a chart where one had: no throw had begun with it."""
    options = {"box": {"red": 60}}
    runtime = Runtime(TableSpec("kept", tmp_path, SensorSpec("none", "none"), options), JUST_THE_TOWER)
    session = runtime.session
    for number in range(12):
        if number:
            order = {"kind": "take_out", "cubes": {"red": 3}}
            tell(session, order)
        tell(session, {"kind": "throw", "cubes": {"red": 3}})
        session.settle({Colour("red"): 2 if number == 11 else 3}, "anna", session.view()["expected"])
    with stages.served(runtime, tmp_path) as (demo, _):
        hands = Hands(chromium, demo, PHONE)
        hands.open("/statistics")
        expect(hands.page.locator("#no-rates")).to_contain_text("No throw so far began with anything stuck")
        expect(hands.page.locator("#no-rates")).not_to_contain_text("stayed")
        hands.context.close()


def test_the_tower_s_figures_are_on_a_page_and_can_be_taken_away(chromium: Browser, tmp_path: Path) -> None:
    runtime = table_with_throws(tmp_path, 3)
    with stages.served(runtime, tmp_path) as (demo, _):
        hands = Hands(chromium, demo, PHONE)
        page = hands.page
        hands.open("/history")
        hands.tap("menu")
        page.click('dialog [data-key="page-statistics"]')
        page.wait_for_selector("#figures .chart")
        expect(page.locator("#figures")).to_contain_text("3 throws")
        expect(page.locator("#sure")).to_contain_text("± 57 percentage points")
        label = page.get_attribute('[aria-label="Per colour"] svg[role=img]', "aria-label") or ""
        red_part = next(part for part in label.split("; ") if part.startswith("Red:"))
        assert red_part.endswith("came out 7")
        expect(page.locator("#figures")).not_to_contain_text("nobody knew")
        expect(page.locator("#verdict")).to_have_text("The results are what these odds would bring.")
        page.focus('[data-numbers="colours"] summary')
        page.keyboard.press("Enter")
        expect(page.locator('[data-numbers="colours"] tbody tr:has-text("Red")')).to_contain_text("7 / ")
        with page.expect_download() as download:
            hands.tap("away-throwlog.csv")
        with Path(download.value.path()).open(newline="") as file:
            assert [row["out_red"] for row in csv.DictReader(file)] == ["2", "3", "2"]
        with page.expect_download() as download:
            hands.tap("away-throwlog.xlsx")
        assert download.value.suggested_filename.endswith(".xlsx")
        head, *rows = load_workbook(io.BytesIO(Path(download.value.path()).read_bytes())).active.values
        assert [row[head.index("out_red")] for row in rows] == [2, 3, 2]
        expect(page.locator("polyline.odds")).to_have_count(1)
        tell(runtime.session, {"kind": "knock"})
        fight(runtime, 2)
        expect(page.locator("#figures")).to_contain_text("4 throws")
        expect(page.locator("#figures")).to_contain_text("After 1 throw nobody knew what was inside")
        expect(page.locator("polyline.odds")).to_have_count(0)
        hands.tap("of-all")
        page.wait_for_selector("#figures :text('1 table')")
        runtime.session.show_tower(TowerShown.HIDDEN, "host", runtime.session.view()["expected"])
        page.wait_for_selector("#untold")
        expect(page.locator("#figures .chart")).to_have_count(0)
        assert hands.complaints == []
        assert hands.strangers == []
        hands.context.close()


@pytest.mark.parametrize(("throws", "said"), [(1, "По одному броску судить рано"), (21, "± 21 п. п.")])
def test_twenty_one_throws_say_more_than_one(
    throws: int, said: str, chromium: Browser, tmp_path: Path
) -> None:
    """Russian inflects 21 like 1: of 21, 101 and 121 throws it said that they tell nothing yet."""
    options = {"box": {"white": 9}, "tower": {}}
    runtime = Runtime(TableSpec("box", tmp_path, SensorSpec("none", "none"), options), JUST_THE_TOWER)
    session = runtime.session
    for number in range(throws):
        for kind in ("take_out", "throw") if number else ("throw",):
            order = {"kind": kind, "cubes": {"white": 2}}
            tell(session, order)
        session.settle({Colour("white"): 2}, "anna", session.view()["expected"])
    with stages.served(runtime, tmp_path) as (demo, _):
        hands = Hands(chromium, demo, PHONE, locale="ru-RU")
        hands.open("/statistics")
        expect(hands.page.locator("#sure")).to_contain_text(said)
        hands.context.close()


def test_provinces_have_their_names_beside_a_table_without_a_map(chromium: Browser, tmp_path: Path) -> None:
    """Only the tower was played: of the previous evening's game it said "Red attacks awa-shikoku"."""
    table_with_throws(tmp_path, 3).stop()
    options = {"box": {"white": 9}, "tower": {}}
    runtime = Runtime(TableSpec("box", tmp_path, SensorSpec("none", "none"), options), JUST_THE_TOWER)
    with stages.served(runtime, tmp_path) as (demo, _):
        hands = Hands(chromium, demo, PHONE)
        hands.open("/statistics#of=all")
        expect(hands.page.locator(".upsets li").first).to_have_text(re.compile("^Red attacks Awa-Shikoku ·"))
        hands.context.close()


def test_each_number_of_a_chart_is_seen_and_stands_at_its_bar(chromium: Browser, tmp_path: Path) -> None:
    """It lay under the dashed line, and to the right of the expected number, as if it belonged to that."""
    with stages.served(table_with_throws(tmp_path, 7), tmp_path) as (demo, _):
        hands = Hands(chromium, demo, PHONE)
        page = hands.page
        hands.open("/statistics")
        page.wait_for_selector("polyline.odds")
        beneath = page.locator("svg:has(polyline.odds) > text:not(.axis) ~ polyline.odds")
        expect(beneath).to_have_count(0)  # later elements are drawn on top
        rows = page.locator('[aria-label="Per colour"] svg[role=img] > g').all()
        assert len(rows) >= 2
        for row in rows:
            came_out, number = (
                row.locator("rect").last.bounding_box(),
                row.locator("text").last.bounding_box(),
            )
            assert came_out is not None
            assert number is not None
            assert 0 < number["x"] - came_out["x"] - came_out["width"] < 10
        hands.context.close()


def test_the_figures_are_those_of_the_choice_though_answers_overtake_each_other(
    chromium: Browser, tmp_path: Path
) -> None:
    """All tables take long: their figures came after this game was chosen again, and stood under its name.
    What the network lost is requested again when it is back."""
    runtime = table_with_throws(tmp_path, 2)
    with stages.served(runtime, tmp_path) as (demo, _):
        hands = Hands(chromium, demo, PHONE)
        page = hands.page
        hands.open("/statistics")
        expect(page.locator("#figures")).to_contain_text("2 throws")
        held_routes: list[Route] = []

        def hold_route(route: Route) -> None:
            held_routes.append(route)

        page.route("**/api/v1/statistics?of=all", hold_route)
        with page.expect_request("**/api/v1/statistics?of=all"):
            hands.tap("of-all")
        with page.expect_response("**/api/v1/statistics?of=game"):
            hands.tap("of-game")
        with page.expect_response("**/api/v1/statistics?of=all"):
            held_routes[0].continue_()
        page.evaluate("fetch('/api/v1/statistics?of=game').then((one) => one.text())")
        expect(page.locator("#figures")).not_to_contain_text("1 table")
        page.unroute("**/api/v1/statistics?of=all")

        page.route("**/api/v1/statistics?of=all", lambda route: route.abort())
        with page.expect_event("requestfailed"):
            hands.tap("of-all")
        expect(page.locator("#ways [role=alert]")).to_be_visible()
        expect(page.locator('[data-key="of-game"]')).to_have_attribute("aria-pressed", "true")
        page.unroute("**/api/v1/statistics?of=all")
        runtime.session.wake()
        expect(page.locator("#figures")).to_contain_text("1 table")
        expect(page.locator('[data-key="of-all"]')).to_have_attribute("aria-pressed", "true")
        hands.context.close()


def test_a_green_cube_of_a_table_without_rules_is_green(chromium: Browser, tmp_path: Path) -> None:
    """It was "Farmers" here, and green on every other page."""
    runtime = Runtime(
        TableSpec("green", tmp_path, SensorSpec("none", "none"), {"box": {"green": 9}}), JUST_THE_TOWER
    )
    session = runtime.session
    tell(session, {"kind": "throw", "cubes": {"green": 3}})
    session.settle({Colour("green"): 2}, "anna", session.view()["expected"])
    with stages.served(runtime, tmp_path) as (demo, _):
        hands = Hands(chromium, demo, PHONE)
        hands.open("/statistics")
        chart = hands.page.locator('[aria-label="Per colour"] svg[role=img]')
        expect(chart).to_have_attribute("aria-label", "Green: went in 3, stayed 1, came out 2")
        hands.context.close()


_DRAWN = """.then(({ columnsWithOdds }) => {
  const of = (at) => ({ name: String(at), value: 380 - 9 * Math.abs(at - 8), expected: 200 });
  document.body.append(columnsWithOdds("many", 312, Array.from({ length: 19 }, (_, at) => of(at)), "", ""));
  return [...document.querySelectorAll('.chart text:not(.axis)')].map((one) => {
    const { left, right } = one.getBoundingClientRect();
    return [one.textContent, left, right];
  });
})"""


def test_numbers_on_narrow_columns_can_be_read(chromium: Browser, tmp_path: Path) -> None:
    """On a phone, from some 300 throws on, each overlapped the next."""
    with stages.served(table_with_throws(tmp_path, 0), tmp_path) as (demo, _):
        hands = Hands(chromium, demo, PHONE)
        hands.open("/statistics")
        columns = hands.page.evaluate(f"() => {WORDED}('charts.js'){_DRAWN}")
        assert "380" in [text for text, _, _ in columns]
        assert all(right <= left for (_, _, right), (_, left, _) in pairwise(columns))
        hands.context.close()
