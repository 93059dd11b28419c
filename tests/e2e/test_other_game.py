"""A third party's game, with seats and words of its own: no page breaks for lack of Shogun's."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from companion.games.just_the_tower.events import Event, Settled
from companion.games.just_the_tower.game import JustTheTower, State
from companion.games.protocol import Colour, Json, Seat, TowerShown
from companion.table.messages import SensorSpec
from companion.table.runtime import Runtime, TableSpec
from tests.e2e import stages
from tests.e2e.pages import visit
from tests.e2e.place import PHONE, Hands
from tests.e2e.test_counter import OF_THE_GAME

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
        hands.open("/seat")
        hands.tap("leave")
        expect(hands.page.locator('[data-key="take-red"]')).to_be_enabled()
        hands.context.close()
