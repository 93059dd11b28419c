"""What a page requests beside the view and does not get, it requests again while the table stands still."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Route, expect

from companion.games.shogun.game import GAME
from companion.table.messages import SensorSpec
from companion.table.past.undoing import Wish
from companion.table.runtime import Runtime, TableSpec
from tests.companion.table.tables import tell
from tests.e2e import stages
from tests.e2e.place import LAPTOP, PHONE, Hands
from tests.e2e.stages import ready_by_cards
from tests.e2e.test_real_cards import BOARD

pytestmark = pytest.mark.browser
REAL = {**BOARD, "by_table": True}
SLOW_STREAM = """(() => {
  const listen = EventSource.prototype.addEventListener;
  EventSource.prototype.addEventListener = function (name, hear) {
    listen.call(this, name, (event) => setTimeout(() => hear(event), 500));
  };
})()"""
"""Has views arrive later than answers."""

COUNTED = """(() => {
  window.views = 0;
  const listen = EventSource.prototype.addEventListener;
  EventSource.prototype.addEventListener = function (name, hear) {
    listen.call(this, name, (event) => {
      window.opened = true;
      window.views += name === "table";
      hear(event);
    });
  };
})()"""
"""Counts the views that the stream brought."""


def _lose_request(route: Route) -> None:
    route.abort()


def _answer_busy(route: Route) -> None:
    """Answer as the server does when all its threads are taken."""
    route.fulfill(status=503, json={"error": {"key": "busy", "sentence": "Ask again.", "params": {}}})


def _real_cards_table(folder: Path) -> Runtime:
    """Three who plan with the real cards."""
    runtime = Runtime(TableSpec("real", folder, SensorSpec("none", "none"), REAL), GAME)
    tell(runtime.session, {"kind": "lay"}, "table")
    tell(runtime.session, {"kind": "lay"}, "table")
    return runtime


def test_T5_what_is_offered_of_a_later_moment_waits_for_its_view(chromium: Browser, tmp_path: Path) -> None:
    """The last seats got ready while the page asked what it may do: the card to draw was offered without its
    form, and stayed so, since the offer was the same once the view had come."""
    runtime = _real_cards_table(tmp_path)
    with stages.served(runtime, tmp_path) as (demo, _):
        hands = Hands(chromium, demo, PHONE)
        hands.context.add_init_script(SLOW_STREAM)
        hands.open("/map")
        expect(hands.page.locator("#now")).to_contain_text("Secret plans")

        def answer_late(route: Route) -> None:
            ready_by_cards(runtime, "red", "yellow")
            route.continue_()

        hands.page.route("**/api/v1/legal", answer_late, times=1)
        ready_by_cards(runtime, "blue")
        expect(hands.page.locator("#now")).to_have_text("Draw the event of this round")
        expect(hands.page.locator(".telling > .fields select option")).to_have_count(1 + 3)
        assert hands.complaints == []
        hands.context.close()


@pytest.mark.parametrize("fails", [_lose_request, _answer_busy])
def test_T5_what_is_offered_is_asked_for_again(
    chromium: Browser, tmp_path: Path, fails: Callable[[Route], None]
) -> None:
    runtime = _real_cards_table(tmp_path)
    ready_by_cards(runtime, "blue", "red")
    with stages.served(runtime, tmp_path) as (demo, _):
        hands = Hands(chromium, demo, PHONE)
        hands.open("/map")
        expect(hands.page.locator("#now")).to_contain_text("Secret plans")
        hands.page.route("**/api/v1/legal", fails, times=1)
        ready_by_cards(runtime, "yellow")
        expect(hands.page.locator(".telling > .fields select option")).to_have_count(1 + 3)
        hands.context.close()


PAGES = {
    "history": (_lose_request, "/history", "**/api/v1/history?*", ".entries li >> nth=0", "miscounted"),
    "seat": (_answer_busy, "/seat", "**/api/v1/seats/red", ".mine dl div:nth-child(2) dd", "17"),
    "end": (_lose_request, "/end", "**/api/v1/throws", "#podium tr:has-text('Red') td:nth-of-type(4)", "17"),
}


@pytest.mark.parametrize("page", PAGES)
def test_a_page_shows_what_was_put_right_though_its_answer_did_not_come(
    chromium: Browser, tmp_path: Path, page: str
) -> None:
    fails, path, url, selector, text = PAGES[page]
    runtime = stages.played(tmp_path, stages.second_year)
    session = runtime.session
    with stages.served(runtime, tmp_path) as (demo, _):
        hands = Hands(chromium, demo, LAPTOP)
        if page == "seat":
            hands.sit("red")
        hands.open(path)
        hands.page.wait_for_selector(selector)
        hands.page.route(url, fails, times=1)
        fact = {"fact": "chests", "where": "red", "value": 17, "reason": "miscounted"}
        tell(session, {"kind": "correct", **fact})
        expect(hands.page.locator(selector)).to_contain_text(text)
        hands.context.close()


def test_the_past_is_drawn_though_its_answer_did_not_come(chromium: Browser, tmp_path: Path) -> None:
    runtime = stages.played(tmp_path, stages.second_year)
    with stages.served(runtime, tmp_path) as (demo, _):
        hands = Hands(chromium, demo, LAPTOP)
        hands.page.route("**/api/v1/moments", _answer_busy, times=1)
        hands.open("/end")
        expect(hands.page.locator("#past .chart .course")).to_have_count(3)
        hands.context.close()


def test_who_is_asked_about_an_undo_reads_what_goes_though_the_answer_did_not_come(
    chromium: Browser, tmp_path: Path
) -> None:
    runtime = stages.played(tmp_path, stages.second_year)
    session = runtime.session
    with stages.served(runtime, tmp_path) as (demo, _):
        red = Hands(chromium, demo, PHONE)
        red.sit("red")
        red.page.route("**/api/v1/undo/*", _lose_request, times=1)
        batch = next(throw["batch"] for throw in session.throws() if not throw["undone"])
        session.ask_undo(Wish(batch, "anna"), session.view()["expected"], ["red", "blue"], None)
        expect(red.page.locator(".poll b")).to_contain_text("more")
        red.context.close()


def test_why_an_undo_did_not_ask_is_told_and_the_next_one_asks(chromium: Browser, tmp_path: Path) -> None:
    """It was refused as a thing that the table has to be asked about, and nobody was asked."""
    runtime = stages.played(tmp_path, stages.second_year)
    n_events_before = len(runtime.session.events())
    with stages.served(runtime, tmp_path) as (demo, _):
        hands = Hands(chromium, demo, LAPTOP)
        hands.open("/history")
        hands.page.route("**/api/v1/undo/*", _answer_busy, times=1)
        hands.page.click('.entries li >> nth=0 >> [data-key^="back-"]')
        expect(hands.page.locator("#notice .note.bad")).to_have_text("Ask again.")
        assert len(runtime.session.events()) == n_events_before
        hands.page.click('.entries li >> nth=0 >> [data-key^="back-"]')
        expect(hands.page.locator('[data-key="undo-yes"]')).to_be_visible()
        hands.context.close()


def test_a_moment_is_looked_at_though_the_first_answer_did_not_come(
    chromium: Browser, tmp_path: Path
) -> None:
    runtime = stages.played(tmp_path, stages.second_year)
    batch = runtime.session.events()[-1].batch
    with stages.served(runtime, tmp_path) as (demo, _):
        hands = Hands(chromium, demo, LAPTOP)
        hands.page.route("**/api/v1/moments", _lose_request, times=2)
        hands.open(f"/map#moment={batch}")
        expect(hands.page.locator("#now")).to_contain_text("As it was")
        hands.context.close()


def test_whether_phones_can_come_is_not_said_while_it_is_not_known(chromium: Browser, tmp_path: Path) -> None:
    """It said "this computer has to be in a network" of one that was busy."""
    with stages.served(stages.battle(tmp_path), tmp_path) as (demo, _):
        hands = Hands(chromium, demo, PHONE)
        hands.open()
        hands.page.route("**/api/v1/join", _answer_busy, times=1)
        hands.tap("menu")
        expect(hands.page.locator("#sheet .note.bad")).to_be_visible()
        expect(hands.page.locator("#sheet")).not_to_contain_text("Phones cannot join")
        hands.context.close()


@pytest.mark.parametrize("path", ["/", "/map", "/watch", "/winter", "/history", "/statistics"])
def test_a_page_opens_with_one_view_and_hears_of_the_next(
    path: str, chromium: Browser, tmp_path: Path
) -> None:
    """It asked for the table, and the stream brought the same again: everything was sent and drawn twice."""
    runtime = _real_cards_table(tmp_path)
    with stages.served(runtime, tmp_path) as (demo, _):
        hands = Hands(chromium, demo, LAPTOP)
        hands.context.add_init_script(COUNTED)
        with hands.page.expect_request("**/api/v1/events?*") as stream:
            hands.open(path)
        view = runtime.session.view()
        assert f"after={view['start']}.{view['rev']}" in stream.value.url
        hands.page.wait_for_function("() => window.opened")
        expect(hands.page.locator("#conn")).to_have_class("conn")
        assert hands.page.evaluate("window.views") == 0
        ready_by_cards(runtime, "blue")
        hands.page.wait_for_function("() => window.views === 1")
        assert hands.complaints == []


def test_a_seat_asks_for_its_view_once_as_it_opens(chromium: Browser, tmp_path: Path) -> None:
    """It asked once more as the stream began, for the same moment."""
    runtime = _real_cards_table(tmp_path)
    with stages.served(runtime, tmp_path) as (demo, _):
        hands = Hands(chromium, demo, PHONE)
        hands.sit("blue")
        hands.context.add_init_script(COUNTED)
        urls = list[str]()
        hands.page.on(
            "request", lambda request: urls.append(request.url) if request.url.endswith("/blue") else None
        )
        with hands.page.expect_response("**/api/v1/seats"):  # which the page asks for as the stream begins
            hands.open("/seat")
        hands.page.wait_for_function("() => window.views")
        expect(hands.page.locator(".mine h2")).to_contain_text("Blue")
        with hands.page.expect_response("**/seats/blue"):
            ready_by_cards(runtime, "red")
        assert len(urls) == hands.page.evaluate("window.views")
        assert hands.complaints == []


def test_a_page_that_misses_something_as_it_opens_gets_the_whole_view(
    chromium: Browser, tmp_path: Path
) -> None:
    """If the first view counted as received, nothing would come until somebody plays."""
    runtime = _real_cards_table(tmp_path)
    with stages.served(runtime, tmp_path) as (demo, _):
        hands = Hands(chromium, demo, LAPTOP)
        hands.context.add_init_script(COUNTED)
        hands.page.route("**/api/v1/history?**", _lose_request, times=1)
        with hands.page.expect_request("**/api/v1/events?*") as stream:
            hands.open("/history")
        assert "after=" not in stream.value.url
        expect(hands.page.locator("#history li")).not_to_have_count(0)
        assert hands.page.evaluate("window.views") >= 1
