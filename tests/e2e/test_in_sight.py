"""What a tap opens or brings lies in the window of a phone whose browser shows its bars, without a scroll."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.e2e import stages
from tests.e2e.place import Hands

pytestmark = pytest.mark.browser
BARRED = {"width": 390, "height": 664}
"""A phone of 390 by 844 px, without its browser's bars."""
SMALL = {"width": 360, "height": 580}


@pytest.mark.parametrize("size", [BARRED, SMALL], ids=["phone", "small phone"])
def test_counting_by_hand_and_correcting_begin_in_the_window(
    chromium: Browser, tmp_path: Path, size: dict[str, int]
) -> None:
    """The page stayed where the button had been: the first rows, or all of the form, lay above the window."""
    runtime = stages.battle_of_three(tmp_path)
    runtime.start()
    with stages.served(runtime, tmp_path) as (demo, _):
        hands = Hands(chromium, demo, size)
        page = hands.page
        hands.open()
        hands.tap("by-hand")
        for part in ('[data-count="count-red"]', '[data-key="accept"]'):
            expect(page.locator(part)).to_be_in_viewport(ratio=1)
        hands.count({"red": 5, "blue": 1})
        hands.tap("accept")
        hands.phase("idle")
        hands.tap("correct")
        for part in ('[data-count="correct-red"]', '[data-key="save"]'):
            expect(page.locator(part)).to_be_in_viewport(ratio=1)
        hands.tap("correct-blue1")
        hands.answered()
        page.evaluate("scrollBy(0, 300)")
        hands.tap("save")
        expect(page.locator("#result .verdict")).to_be_in_viewport(ratio=1)
        assert hands.complaints == []
