"""The network dies silently: a page says so, on a phone too, and recovers by itself."""

import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Route, expect

from companion.games.shogun.words import Phase
from tests.e2e import stages
from tests.e2e.conftest import ROOT, wait_until_up
from tests.e2e.pages import visit
from tests.e2e.place import LAPTOP, PHONE, Demo, Hands
from tests.patience import PATIENCE_S
from tests.ports import free_port

pytestmark = pytest.mark.browser
HEARTBEATS_MS = 21_000
TAPPED = {"/history": "save-fact", "/host": "new-code", "/seat": "leave"}
"""For each page a button that sends something."""


@pytest.fixture
def stopped(tmp_path: Path) -> Iterator[tuple[Demo, subprocess.Popen[bytes]]]:
    """A battle that awaits its throw, on a server that can be frozen without hanging up."""
    stages.battle_of_three(tmp_path / "tables").stop()
    port = free_port()
    place_options = ["--host", "127.0.0.1", "--port", str(port), "--data", str(tmp_path)]
    serve_options = ["serve", "--table", "demo", "--camera", "none", "--port-serial", "none"]
    command = [sys.executable, "-m", "companion", *serve_options, *place_options]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL) as process:
        try:
            wait_until_up(f"http://127.0.0.1:{port}")
            yield Demo(f"http://127.0.0.1:{port}", tmp_path), process
        finally:
            process.send_signal(signal.SIGCONT)
            process.terminate()
            process.wait(PATIENCE_S)


def test_silence_of_a_few_heartbeats_is_a_lost_connection(
    chromium: Browser, stopped: tuple[Demo, subprocess.Popen[bytes]]
) -> None:
    """The server stood still (SIGSTOP) and every page stayed green; a tap waited for ever."""
    demo, process = stopped
    phone, laptop = Hands(chromium, demo, PHONE), Hands(chromium, demo, LAPTOP)
    for hands in (phone, laptop):
        hands.page.clock.install()
        hands.open("/")
        hands.phase("waiting")
    process.send_signal(signal.SIGSTOP)
    phone.page.clock.fast_forward(HEARTBEATS_MS)
    expect(phone.page.locator("#conn.off")).to_be_visible()
    expect(phone.page.locator("#conn")).to_contain_text("Connection lost")
    expect(phone.page.locator("#light")).to_contain_text("Connection lost")
    with laptop.page.expect_request("**/commands"):
        laptop.tap("call-off")
    laptop.page.clock.fast_forward(9_000)
    expect(laptop.page.locator("#notice")).to_contain_text("does not answer")
    expect(laptop.page.locator("#conn.off")).to_be_visible()
    process.send_signal(signal.SIGCONT)
    for hands in (phone, laptop):
        hands.page.clock.fast_forward(HEARTBEATS_MS)
        expect(hands.page.locator("#conn:not(.off)")).to_be_attached()
        expect(hands.page.locator("#light")).not_to_contain_text("Connection lost")
        expect(hands.page.locator("#notice")).to_be_empty()


def test_a_phone_that_leaves_the_network_says_so_and_comes_back(chromium: Browser, tmp_path: Path) -> None:
    """Once it was back, the notice that the table's computer does not answer stayed; or there was none, and
    whoever had tapped while the network was away took it for done."""
    with stages.served(stages.battle_of_three(tmp_path), tmp_path) as (demo, _):
        phone, board = Hands(chromium, demo, PHONE), Hands(chromium, demo, PHONE)
        phone.open("/")
        phone.phase("waiting")
        phone.context.set_offline(True)
        expect(phone.page.locator("#light h1")).to_have_text("Connection lost")
        phone.tap("call-off")
        expect(phone.page.locator("#notice")).to_contain_text("does not answer")
        phone.context.set_offline(False)
        expect(phone.page.locator("#light h1")).to_have_text("Throw the cubes now")
        expect(phone.page.locator("#notice")).to_contain_text("got no answer")
        board.open("/map")
        board.page.wait_for_selector('[data-key="to-throw"]')
        board.context.set_offline(True)
        expect(board.page.locator("#conn")).to_contain_text("Connection lost")
        board.context.set_offline(False)
        expect(board.page.locator("#conn:not(.off)")).to_be_attached()
        phone.tap("call-off")
        phone.phase("idle")
        expect(phone.page.locator("#notice")).to_be_empty()


@pytest.mark.parametrize("path", TAPPED)
def test_what_was_tapped_into_a_silence_is_told_as_unanswered(
    path: str, chromium: Browser, tmp_path: Path
) -> None:
    """The notice went when the table was heard again, though nothing had been done, and nothing said so."""
    runtime = stages.played(tmp_path, lambda state: state.phase is Phase.PLANNING)
    with stages.served(runtime, tmp_path) as (demo, _):
        hands = Hands(chromium, demo, PHONE)
        hands.sit("blue")
        visit(hands, path)
        if path == "/history":
            hands.page.click("#correct summary")
        hands.context.set_offline(True)
        hands.tap(TAPPED[path])
        expect(hands.page.locator("#notice")).to_contain_text("does not answer")
        hands.context.set_offline(False)
        expect(hands.page.locator("#notice")).to_contain_text("got no answer")
        expect(hands.page.locator("#conn:not(.off)")).to_be_attached()
        hands.context.close()


def test_the_menu_opens_though_nobody_answers(chromium: Browser, tmp_path: Path) -> None:
    """It waited eight seconds for the ways to join, and whoever tapped once more thought it broken."""
    with stages.served(stages.battle_of_three(tmp_path), tmp_path) as (demo, _):
        hands = Hands(chromium, demo, PHONE)
        hands.open()
        waiting: list[Route] = []
        hands.page.route("**/api/v1/join", lambda route: waiting.append(route))  # noqa: PLW0108 - a built-in cannot be marked
        hands.tap("menu")
        expect(hands.page.locator("#sheet #lang")).to_be_visible()
        expect(hands.page.locator("#sheet .note")).to_have_count(0)
        waiting.pop().abort()
        expect(hands.page.locator("#sheet .note.bad")).to_contain_text("does not answer")
        hands.context.close()


def test_a_language_chosen_without_a_connection_comes_with_it(chromium: Browser, tmp_path: Path) -> None:
    """The page stayed in the old one, and the menu showed the new one as chosen already."""
    with stages.served(stages.fresh(tmp_path), tmp_path) as (demo, _):
        page = visit(Hands(chromium, demo, PHONE), "/map")
        page.route("**/i18n/de.json", lambda route: route.abort())
        page.click('[data-key="menu"]')
        page.select_option("#lang", "de")
        expect(page.locator("#conn.off")).to_be_visible()
        page.unroute_all()
        expect(page.locator("html")).to_have_attribute("lang", "de")
        expect(page.locator("#conn.off")).to_have_count(0)
        expect(page.locator('#top [data-key="page-seat"]')).to_have_text("Dein Platz")
