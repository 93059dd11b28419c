"""A third party's game, with seats and words of its own: no page breaks for lack of Shogun's."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Browser, expect

from companion.games.just_the_tower.events import Event, Settled
from companion.games.just_the_tower.game import GAME, JustTheTower, State
from companion.games.protocol import Colour, Json, Seat, TowerShown
from companion.table.messages import CameraSays, Looked, SensorSpec
from companion.table.runtime import Runtime, TableSpec
from tests.e2e import stages
from tests.e2e.pages import visit
from tests.e2e.place import PHONE, Hands
from tests.e2e.test_counter import OF_THE_GAME
from vision.reader import TrayReader
from vision.reading import SeenCube

pytestmark = pytest.mark.browser


class Seated(JustTheTower):
    """It has seats, and numbers its throws in the field in which Shogun keeps the battle."""

    name = "seated"

    def view(self, state: State, seat: Seat | None, tower: TowerShown = TowerShown.ALL) -> Json:
        return {**super().view(state, seat, tower), "seats": ["red", "blue"]}

    def encode_event(self, event: Event) -> Json:
        body = super().encode_event(event)
        return {**body, "throw": 3, "result": "won"} if isinstance(event, Settled) else body

    def decode_event(self, body: Json) -> Event:
        return super().decode_event({k: v for k, v in body.items() if k not in ("throw", "result")})


def test_a_seat_of_another_game_is_led_to_the_table_and_every_page_is_drawn(
    chromium: Browser, tmp_path: Path
) -> None:
    """The phone of a seat was empty, the statistics broke, the history told of a battle between nobody."""
    sensors = SensorSpec("none", "none", profiles=str(tmp_path / "profiles"))
    runtime = Runtime(TableSpec("friday", tmp_path, sensors, {"box": {"red": 9, "blue": 9}}), Seated())
    session = runtime.session
    session.command({"kind": "throw", "cubes": {"red": 3, "blue": 2}}, "anna", 1)
    session.settle({Colour("red"): 2, Colour("blue"): 1}, "anna", 2)
    with stages.served(runtime, tmp_path) as (demo, _):
        hands = Hands(chromium, demo, PHONE)
        hands.open("/seat")
        hands.tap("take-red")
        expect(hands.page.locator('[data-key="to-battle"]')).to_be_visible()
        expect(hands.page.locator("#seat")).to_contain_text("Red")
        for address in OF_THE_GAME:
            visit(hands, address)
        hands.open("/history")
        expect(hands.page.locator("#history")).to_contain_text("Thrown, and in the tray")
        assert hands.complaints == []
        hands.open("/end")
        expect(hands.page.locator("#crown h1")).to_have_text("seated")  # "Just the tower" over all but Shogun
        hands.open("/seat")
        hands.tap("leave")
        expect(hands.page.locator('[data-key="take-red"]')).to_be_enabled()
        hands.context.close()


def test_a_colour_that_only_a_tray_was_taught_is_called_as_it_was_typed(
    chromium: Browser, tmp_path: Path
) -> None:
    """The page had "colour.türkis" beside its number, and "letter.türkis" on every cube."""
    runtime = Runtime(TableSpec("friday", tmp_path, SensorSpec("none", "none"), {"box": {"red": 9}}), GAME)
    session = runtime.session
    session.hear(CameraSays("a webcam"))
    session.command({"kind": "throw", "cubes": {"red": 3}}, "anna", 1)
    corners = ((500.0, 370.0), (560.0, 370.0), (560.0, 430.0), (500.0, 430.0))
    cube = SeenCube("türkis", (530.0, 400.0), corners, (0.0, 0.0), 0.98)
    reading = replace(
        TrayReader().read(np.zeros((960, 1280, 3), np.uint8)), counts={"türkis": 1}, cubes=(cube,)
    )
    session.hear(Looked(reading, b"", 30.0, 200.0))
    with stages.served(runtime, tmp_path) as (demo, _):
        hands = Hands(chromium, demo, PHONE)
        hands.open()
        expect(hands.page.locator(".looking .count").last).to_contain_text("türkis")
        expect(hands.page.locator(".tray text")).to_have_text("Tü")
        expect(hands.page.locator("main")).not_to_contain_text("letter.")
        hands.context.close()
