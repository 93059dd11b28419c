"""The load cell on the page: its trace, its drops, and a cable that is pulled in mid-battle."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from companion.demo.table import FIRST, OPTIONS
from companion.games.shogun.game import GAME
from companion.table.messages import SensorSpec
from companion.table.runtime import Runtime, TableSpec
from firmware.link.program import PROGRAM
from firmware.link.wire import CUBE_MG
from tests.e2e import stages
from tests.e2e.place import LAPTOP, SMALL_PHONE_WITH_BARS, Hands
from tests.firmware.standin import PtyBoard

pytestmark = pytest.mark.browser


@contextmanager
def _wired_table(
    chromium: Browser, folder: Path, camera: str, program: str = PROGRAM, port: str = "board"
) -> Iterator[tuple[PtyBoard, Runtime, Hands]]:
    """A table with a board that sends heartbeats by itself, and a laptop at the table."""
    board = PtyBoard(folder / port)
    board.board.program = program
    stop = board.beats_by_itself()
    sensors = SensorSpec(camera, str(board.path))
    runtime = Runtime(TableSpec("demo", folder, sensors, OPTIONS, FIRST, stages.PATIENT_S), GAME)
    try:
        with stages.served(runtime, folder) as (demo, _):
            runtime.start()
            hands = Hands(chromium, demo, LAPTOP)
            yield board, runtime, hands
            hands.context.close()
    finally:
        stop()
        board.close()


def test_drops_are_marked_in_the_trace(chromium: Browser, tmp_path: Path) -> None:
    runtime = stages.battle(tmp_path)
    with stages.served(runtime, tmp_path) as (demo, _):
        runtime.start()
        hands = Hands(chromium, demo, LAPTOP)
        hands.open()
        hands.tap("fall")
        hands.phase("countdown", "asking")
        hands.open("/sensor")
        hands.page.wait_for_selector("#strip .drop:not([hidden])")
        points = hands.page.get_attribute("#strip polyline", "points") or ""
        assert len(points.split()) > 5
        expect(hands.page.locator("#drops li").last).to_contain_text("1 cube")
        expect(hands.page.locator("#fact-rate")).to_have_text("80")
        assert hands.complaints == []
        hands.context.close()


def test_the_host_sets_zero_and_weighs_cubes_and_is_told_what_the_board_answers(
    chromium: Browser, tmp_path: Path
) -> None:
    with _wired_table(chromium, tmp_path, "none", "0.1.0") as (board, _, hands):
        hands.open("/sensor")
        answer = hands.page.locator("#set [role=status]")
        expect(hands.page.locator("#fact-board")).to_contain_text(
            f"program 0.1.0. Tenshu comes with version {PROGRAM}: tenshu firmware flash."
        )
        hands.tap("weigh")
        expect(answer).to_contain_text("Set zero first")
        hands.tap("tare")
        expect(answer).to_have_text("Zero is set, and the board keeps it.")
        hands.page.fill("#cell-cubes", "30")
        hands.tap("weigh")
        expect(answer).to_have_text("30 cubes were weighed, and the board keeps it. You can take them off.")
        expect(hands.page.locator("#fact-unit")).to_have_text("360 mg")
        board.board.refuse["TARE"] = "moving"
        hands.tap("tare")
        expect(answer).to_contain_text("The tray is not still.")
        hands.page.fill("#cell-cubes", "0")
        hands.tap("weigh")
        expect(answer).to_have_text("Enter a number of cubes from 1 to 999.")
        commands = [line for line in board.board.heard if line.split(",")[0] in ("TARE", "CALIBRATE", "SAVE")]
        assert commands == ["TARE", "SAVE", "CALIBRATE,cubes,30", "SAVE", "TARE"]


def test_the_cable_pulled_in_mid_battle_loses_nothing(chromium: Browser, tmp_path: Path) -> None:
    with _wired_table(chromium, tmp_path, "demo") as (board, runtime, hands):
        hands.open()
        hands.phase("waiting")
        hands.page.wait_for_selector("text=Load cell ready")
        board.pull()
        expect(hands.page.locator("#cell-trouble")).to_contain_text("was unplugged")
        hands.tap("fall")
        hands.phase("countdown", "asking")
        hands.tap("accept")
        hands.phase("idle")
        board.plug()
        hands.page.wait_for_selector("#cell-trouble", state="detached")
        assert hands.page.query_selector("#result") is not None
        [throw] = runtime.session.throws()
        assert throw["weight"] is None


def test_who_counts_by_hand_is_told_what_the_load_cell_weighs_and_a_cube_that_falls_late(
    chromium: Browser, tmp_path: Path
) -> None:
    """Without a camera; the load cell's number stood only on its own page."""
    with _wired_table(chromium, tmp_path, "none") as (board, _, hands):
        hands.open()
        hands.page.wait_for_selector("text=Load cell ready")
        for _ in range(3):
            board.say(lambda standin: standin.drop(CUBE_MG))
        hands.phase("unseen")
        expect(hands.page.locator("#light h1")).to_have_text("Count what is in the tray")
        expect(hands.page.locator(".versus")).to_be_visible()
        hands.tap("by-hand")
        weight_note = hands.page.locator("#by-weight")
        expect(weight_note).to_contain_text("The load cell says 3 cubes")
        expect(weight_note).to_have_class("muted")
        more = hands.page.locator('[data-key="count-red1"]')
        more.click()
        expect(weight_note).to_have_class("note")
        more.click()
        more.click()
        expect(weight_note).to_have_class("muted")
        hands.tap("accept")
        hands.phase("idle")
        late = hands.page.locator("#late")
        expect(late).to_be_empty()
        board.say(lambda standin: standin.drop(CUBE_MG))
        expect(late).to_contain_text("4 instead of 3")
        hands.tap("late")
        hands.page.locator('[data-key="correct-red1"]').click()
        hands.tap("save")
        expect(late).to_be_empty()
        hands.context.close()


_SLOW_ANSWERS = """(() => {
  const realFetch = window.fetch;
  window.waiting = window.most = window.asked = 0;
  window.fetch = async (url, ...more) => {
    if (!String(url).includes("/sensor?")) return realFetch(url, ...more);
    window.asked += 1;
    window.waiting += 1;
    window.most = Math.max(window.most, window.waiting);
    const answer = await realFetch(url, ...more);
    await new Promise((done) => setTimeout(done, 400));
    window.waiting -= 1;
    return answer;
  };
})()"""
"""Answers about the trace come later than the page would ask again."""


def test_a_slow_network_brings_no_part_of_the_trace_twice(chromium: Browser, tmp_path: Path) -> None:
    """Asked again before the last answer, the table told the same points twice: the line ran backwards."""
    with stages.served(stages.fresh(tmp_path), tmp_path) as (demo, _):
        hands = Hands(chromium, demo, LAPTOP)
        hands.page.add_init_script(_SLOW_ANSWERS)
        hands.open("/sensor")
        hands.page.wait_for_function("() => window.asked > 2")
        assert hands.page.evaluate("window.most") == 1
        hands.context.close()


def test_a_boards_long_port_stays_in_its_box_on_a_phone(chromium: Browser, tmp_path: Path) -> None:
    """Linux can name it by the board: the page was then wider than the phone."""
    port = "usb-Espressif_USB_JTAG_serial_debug_unit_48:27:E2:61:7C:A4-if00"
    with _wired_table(chromium, tmp_path, "none", port=port) as (_, _, hands):
        hands.page.set_viewport_size(
            {"width": SMALL_PHONE_WITH_BARS["width"], "height": SMALL_PHONE_WITH_BARS["height"]}
        )
        hands.open("/sensor")
        expect(hands.page.locator("#fact-board")).to_contain_text("if00")
        assert hands.page.evaluate("document.documentElement.scrollWidth") == SMALL_PHONE_WITH_BARS["width"]
