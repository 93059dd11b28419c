"""The first minute: from the open page to a settled battle in few taps."""

import pytest
from playwright.sync_api import Browser

from tests.e2e.firstuse import MOST_TAPS, walk
from tests.e2e.place import LAPTOP, PHONE, Demo

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("size", [PHONE, LAPTOP], ids=["phone", "laptop"])
def test_the_first_battle_of_the_demo_takes_few_taps(
    size: dict[str, int], chromium: Browser, acted: Demo
) -> None:
    taps, verdict = walk(chromium, acted.url, size)
    assert 1 <= taps <= MOST_TAPS
    assert "Omi" in verdict
