"""Going from page to page, a browser asks for no file that it already has."""

from pathlib import Path

import pytest
from flask import request
from playwright.sync_api import Browser

from tests.e2e import stages
from tests.e2e.pages import wait_until_quiet
from tests.e2e.place import PHONE, Hands

pytestmark = pytest.mark.browser


def test_a_page_that_was_open_before_asks_for_none_of_its_files(chromium: Browser, tmp_path: Path) -> None:
    runtime = stages.played(tmp_path, stages.second_year)
    paths: list[str] = []
    with stages.served(runtime, tmp_path) as (demo, app):
        app.before_request(lambda: paths.append(request.path))
        hands = Hands(chromium, demo, PHONE)
        hands.open("/map")
        hands.page.wait_for_selector(".province")
        first_files = [path for path in paths if path.endswith((".js", ".css", ".json"))]
        assert len(first_files) > 20
        page = hands.page.request.get(f"{demo.url}/map").text()
        heard_of_later = {path for path in first_files if path.endswith((".js", ".css")) and path not in page}
        assert heard_of_later == set()  # over a slow network each would cost one more round trip
        hands.open("/seat")
        wait_until_quiet(hands.page)
        paths.clear()
        hands.open("/map")
        hands.page.wait_for_selector(".province")
        wait_until_quiet(hands.page)
        assert "/map" in paths
        assert [path for path in paths if path.startswith("/static/of/")] == []
        hands.context.close()
