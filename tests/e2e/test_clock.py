"""The computer at the table is restarted with its clock set back: no page stops following."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from companion.demo.table import FIRST, OPTIONS
from companion.games.protocol import Colour
from companion.games.registry import find
from companion.table.messages import SensorSpec
from companion.table.runtime import Runtime, TableSpec
from tests.e2e.place import LAPTOP, PHONE, Hands
from tests.e2e.stages import served
from tests.ports import free_port

pytestmark = pytest.mark.browser
BEFORE_MS, AFTER_MS = 1_800_000_000_000, 1_799_996_400_000


def _demo_table(folder: Path, clock_ms: int) -> Runtime:
    spec = TableSpec("demo", folder, SensorSpec("none", "none"), OPTIONS, FIRST)
    return Runtime(spec, find("shogun"), lambda: clock_ms)


def test_pages_follow_a_table_that_was_started_with_an_earlier_clock(
    chromium: Browser, tmp_path: Path
) -> None:
    """Views are numbered by the clock: for an hour, new ones looked older than what was shown."""
    port = free_port()
    with served(_demo_table(tmp_path, BEFORE_MS), tmp_path, port) as (demo, _):
        opened = {path: Hands(chromium, demo, LAPTOP) for path in ("/", "/watch", "/map", "/history")}
        for path, hands in opened.items():
            hands.open(path)
        seat = Hands(chromium, demo, PHONE)
        seat.sit("red")
        for hands in (*opened.values(), seat):
            expect(hands.page.locator("#conn:not(.off)")).to_be_attached()
    for hands in (*opened.values(), seat):
        hands.page.wait_for_selector("#conn.off")
    runtime = _demo_table(tmp_path, AFTER_MS)
    at = runtime.session.view()["expected"]
    with served(runtime, tmp_path, port):
        for hands in (*opened.values(), seat):
            hands.page.wait_for_selector("#conn:not(.off)")
        runtime.session.settle({Colour("red"): 4, Colour("blue"): 1}, "anna", at)
        expected_after = runtime.session.view()["expected"]
        expect(opened["/"].page.locator("#result .verdict")).to_have_text("Red takes Omi with 3 armies")
        expect(opened["/watch"].page.locator("#fight .verdict")).to_have_text("Red takes Omi with 3 armies")
        omi = opened["/map"].page.locator('[data-id="omi"]')
        expect(omi).to_have_attribute("aria-label", "Omi, Red region. Red, 3 armies")
        expect(opened["/history"].page.locator("main")).to_contain_text("anna")
        expect(seat.page.locator("#seat")).to_have_attribute("data-at", str(expected_after))
