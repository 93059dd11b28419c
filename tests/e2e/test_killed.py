"""The server is killed amid planning, a battle and scoring: every device comes back to where it was.

It runs as a process of its own, which is killed without warning, as by a pulled plug, and started again; no
page is reloaded.
"""

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from companion.games.shogun.state import State
from companion.games.shogun.words import Fight, Phase
from tests.e2e import stages
from tests.e2e.conftest import ROOT, wait_until_up
from tests.e2e.place import LAPTOP, Demo, Hands, take_seat
from tests.patience import PATIENCE_S
from tests.ports import free_port

pytestmark = pytest.mark.browser


class Served:
    """`tenshu serve` on one port and one folder, again and again."""

    def __init__(self, folder: Path) -> None:
        self.demo = Demo(f"http://127.0.0.1:{free_port()}", folder)
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        port = self.demo.url.rpartition(":")[2]
        place_options = ["--host", "127.0.0.1", "--port", port, "--data", str(self.demo.data)]
        serve_options = ["serve", "--table", "game", "--camera", "none", "--port-serial", "none"]
        self._process = subprocess.Popen(
            [sys.executable, "-m", "companion", *serve_options, *place_options],
            cwd=ROOT,
            stdout=subprocess.DEVNULL,
        )
        wait_until_up(self.demo.url)

    def kill(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait(PATIENCE_S)
            self._process = None

    def kill_and_start(self, *devices: Hands, meanwhile: Callable[[], None] | None = None) -> None:
        """Kill and start; wait until every device has noticed both."""
        self.kill()
        for hands in devices:
            hands.page.wait_for_selector("#conn.off")
        if meanwhile:
            meanwhile()
        self.start()
        for hands in devices:
            hands.page.wait_for_selector("#conn:not(.off)")


Begin = Callable[[Callable[[State], bool]], Served]


@pytest.fixture
def begin(tmp_path: Path) -> Iterator[Begin]:
    served = Served(tmp_path)

    def start_at(moment: Callable[[State], bool]) -> Served:
        stages.played(tmp_path / "tables", moment).stop()
        served.start()
        return served

    yield start_at
    served.kill()


def _open_laptop(chromium: Browser, served: Served, path: str, selector: str) -> Hands:
    hands = Hands(chromium, served.demo, LAPTOP)
    hands.open(path)
    hands.page.wait_for_selector(selector)
    return hands


def _texts_once_settled(*devices: Hands) -> list[str]:
    """Return what the pages show once everything has arrived everywhere."""
    while True:
        texts = [hands.page.inner_text("main") for hands in devices]
        devices[0].page.wait_for_timeout(1000)
        if texts == [hands.page.inner_text("main") for hands in devices]:
            return texts


def _expect_texts_again(texts_before: list[str], *devices: Hands) -> None:
    """Wait until every page shows again what it showed, for which the camera's process must report too."""
    for text, hands in zip(texts_before, devices, strict=True):
        expect(hands.page.locator("main")).to_have_text(text, use_inner_text=True)


_IN_VAIN = "Your last tap got no answer. If it does not show here, do it again."


def _is_fighting(state: State) -> bool:
    return state.throw is not None and state.throw.fight is Fight.ATTACK and not state.throw.ask_defence


def _is_scoring(state: State) -> bool:
    return state.phase is Phase.SCORING


def test_planning_goes_on_with_the_same_secret_plans(chromium: Browser, begin: Begin) -> None:
    served = begin(stages.second_year)
    blue, red = take_seat(chromium, served.demo, "blue"), take_seat(chromium, served.demo, "red")
    board = _open_laptop(chromium, served, "/map", "#standing table")
    for space in ("castle", "temple"):
        blue.page.click(".hand-card >> nth=0")
        blue.tap(f"space-{space}")
        blue.page.wait_for_selector(f'[data-key="peek-{space}"]')
    texts_before = _texts_once_settled(blue, red, board)

    def tap_in_vain() -> None:
        blue.tap("off-castle")
        expect(blue.page.locator("#notice")).to_contain_text("does not answer")

    served.kill_and_start(blue, red, board, meanwhile=tap_in_vain)
    now, rest = texts_before[0].split("\n", 1)
    _expect_texts_again([f"{now} {_IN_VAIN} {rest}", *texts_before[1:]], blue, red, board)
    blue.tap("off-castle")
    blue.page.wait_for_selector('[data-key="space-castle"]')
    host = _open_laptop(chromium, served, "/host", '[data-key="reissue-red"]')
    expect(host.page.locator("#host")).not_to_contain_text("no device is there")


def test_a_battle_goes_on_with_what_was_being_counted(chromium: Browser, begin: Begin) -> None:
    served = begin(_is_fighting)
    table = _open_laptop(chromium, served, "/", '[data-key="by-hand"]')
    watcher = _open_laptop(chromium, served, "/watch", "#fight .versus")
    phone = take_seat(chromium, served.demo, "blue")
    table.tap("by-hand")
    table.count({"blue": 2, "red": 1})
    expect(table.page.locator("#side")).to_contain_text("No camera")
    expect(table.page.locator("#preview")).to_be_visible()
    texts_before = _texts_once_settled(table, watcher, phone)

    def count_on() -> None:
        table.count({"blue": 3})
        table.count({"blue": 2})
        expect(table.page.locator("#preview")).to_have_count(0)

    served.kill_and_start(table, watcher, phone, meanwhile=count_on)
    _expect_texts_again(texts_before, table, watcher, phone)
    expect(table.page.locator("#preview")).to_be_visible()
    table.tap("insist" if table.page.locator("#over").count() else "accept")  # more than can be inside
    verdict = table.verdict()
    expect(watcher.page.locator("#fight .verdict")).to_have_text(verdict)
    served.kill_and_start(table, watcher, phone)
    expect(table.page.locator("#result .verdict")).to_have_text(verdict)


def test_scoring_goes_on_and_no_point_is_counted_twice(chromium: Browser, begin: Begin) -> None:
    served = begin(_is_scoring)
    winter = _open_laptop(chromium, served, "/winter", "#orders button")
    phone = take_seat(chromium, served.demo, "yellow")
    board = _open_laptop(chromium, served, "/map", "#standing table")
    texts_before = _texts_once_settled(winter, board, phone)
    served.kill_and_start(winter, board, phone)
    _expect_texts_again(texts_before, winter, board, phone)
    points = board.page.inner_text("#standing")
    winter.page.click("#orders button >> nth=0")
    expect(board.page.locator("#standing")).not_to_have_text(points, use_inner_text=True)
    standing_after = board.page.inner_text("#standing")
    served.kill_and_start(winter, board, phone)
    expect(board.page.locator("#standing")).to_have_text(standing_after, use_inner_text=True)
