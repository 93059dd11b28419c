"""The statistician's page: figures with their uncertainty, charts for who cannot see, files to take."""

import csv
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from companion.demo.table import OPTIONS
from companion.games.protocol import Colour, TowerShown
from companion.games.shogun.game import GAME
from companion.table.messages import SensorSpec
from companion.table.runtime import Runtime, TableSpec
from tests.e2e import stages
from tests.e2e.place import PHONE, Hands

pytestmark = pytest.mark.browser


def thrown(folder: Path, throws: int) -> Runtime:
    """A table where the same battle was fought several times, counted by hand."""
    runtime = Runtime(TableSpec("thrown", folder, SensorSpec("none", "none"), OPTIONS), GAME)
    session = runtime.session
    for number in range(throws):
        foe = next(one["id"] for one in session.view()["game"]["provinces"] if one["owner"] != "red")
        order = {"kind": "declare", "attacker": "red", "province": foe, "armies": 3, "origin": None}
        session.command(order, "anna", session.view()["expected"])
        tray = {Colour("red"): 2 + number % 2, Colour("blue"): 1}
        session.settle(tray, "anna", session.view()["expected"], insist=True)
    return runtime


def test_the_tower_s_figures_are_on_a_page_and_can_be_taken_away(chromium: Browser, tmp_path: Path) -> None:
    runtime = thrown(tmp_path, 3)
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
        red = next(one for one in label.split("; ") if one.startswith("Red:"))
        assert red.endswith("came out 7")
        page.focus('[data-numbers="colours"] summary')
        page.keyboard.press("Enter")
        expect(page.locator('[data-numbers="colours"] tbody tr:has-text("Red")')).to_contain_text("7 / ")
        with page.expect_download() as taken:
            hands.tap("away-throwlog.csv")
        with Path(taken.value.path()).open(newline="") as file:
            assert [row["out_red"] for row in csv.DictReader(file)] == ["2", "3", "2"]
        hands.tap("of-all")
        page.wait_for_selector("#figures :text('1 table')")
        runtime.session.show_tower(TowerShown.HIDDEN, "host", runtime.session.view()["expected"])
        page.wait_for_selector("#untold")
        expect(page.locator("#figures .chart")).to_have_count(0)
        assert hands.complaints == []
        assert hands.strangers == []
        hands.context.close()
