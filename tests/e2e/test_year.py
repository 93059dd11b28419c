"""Three phones, a table and a map through a whole year, and nobody hears another seat's secrets."""

import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from companion.games.shogun.game import GAME
from companion.table.messages import SensorSpec
from companion.table.runtime import Runtime, TableSpec
from tests.e2e import stages
from tests.e2e.ears import Ear, Plans, find_betrayed
from tests.e2e.place import LAPTOP, PHONE, TABLET, Demo, Hands

pytestmark = pytest.mark.browser
SEATS = ("red", "blue", "purple")
"""The colours that most of the embedded pictures show."""
OPTIONS = {"players": list(SEATS), "side": "sun", "start": "predetermined", "seed": 1600}
MOST_STEPS = 400
SEASONS = 3


class Evening:
    """A table of three with all its devices; a seeded generator decides what the players want."""

    def __init__(self, chromium: Browser, runtime: Runtime, demo: Demo) -> None:
        self.runtime = runtime
        self.keys: dict[str, str] = {}
        self.plans: Plans = {}
        self.ears = {name: Ear(self.plans, self.keys, name) for name in SEATS}
        self.ears |= {name: Ear(self.plans, self.keys, None) for name in ("table", "map")}
        sizes = {**dict.fromkeys(SEATS, PHONE), "table": LAPTOP, "map": TABLET}
        self.hands = {n: Hands(chromium, demo, sizes[n], heard=ear) for n, ear in self.ears.items()}
        self.chance = random.Random(17)  # seeded: the same evening each time
        self.throws = 0
        self.taps = 0
        for name in SEATS:
            self.hands[name].sit(name)
            self.keys[name] = self.hands[name].key()
        self.hands["table"].open("/")
        self.hands["map"].open("/map")

    @property
    def game(self) -> dict[str, Any]:
        """What everybody may know now."""
        game: dict[str, Any] = self.runtime.session.view()["game"]
        return game

    def step(self) -> None:
        """Have those the table waits for do what it waits for, on their own device."""
        game = self.game
        self._expect_all_told(game)
        if game["throw"] and not game["throw"]["ask_defence"]:
            self._throw()
        elif game["phase"] == "planning":
            self._plan_all(game["waiting_for"])
        else:
            waited_for, *_ = game["waiting_for"]
            has_orders = waited_for != "table" and self.runtime.session.seat_view(waited_for)["legal"]
            self._tap_any(waited_for, "#seat") if has_orders else self._tap_any("map", "#orders")

    def _expect_all_told(self, game: dict[str, Any]) -> None:
        for name in (*SEATS, "map"):
            now_line = self.hands[name].page.locator("#now")
            complaint = f"{name} does not say what is to do in {game['phase']}"
            # Waited for: a page that was opened just now may not have heard it yet.
            expect(now_line, complaint).to_contain_text(re.compile(r"\S\s+\S"))

    def _plan_all(self, seats: list[str]) -> None:
        """Plan for all of them at once, each on a phone of its own."""
        round_now = (self.game["year"], self.game["season"])
        self.plans |= {seat: (round_now, self._random_plan(seat)) for seat in seats}
        for seat in seats:
            page = self.hands[seat].page
            page.evaluate("(pairs) => { window.planned = fingers.plan(pairs); }", self.plans[seat][1])
        for seat in seats:
            self.hands[seat].page.evaluate("window.planned")

    def _random_plan(self, seat: str) -> list[tuple[str, str]]:
        view = self.runtime.session.seat_view(seat)["game"]
        own_player = next(player for player in view["players"] if player["seat"] == seat)
        cards = list(own_player["hand"])
        self.chance.shuffle(cards)
        cards.sort(key=lambda card: card.startswith("chest"))
        bid = self.chance.choice([f"chest_{n}" for n in range(min(4, own_player["chests"]) + 1)])
        cards.remove(bid)
        spaces = [space for space in stages.SPACES if space != "auction"]
        self.chance.shuffle(spaces)
        return [("auction", bid), *zip(spaces, cards[: own_player["to_place"] - 1], strict=False)]

    def _tap_any(self, device: str, area: str) -> None:
        page = self.hands[device].page
        batch = self.runtime.session.table_legal()["expected"]
        page.wait_for_selector(f'{area}[data-at="{batch}"] .btn[data-key*="-"]')
        offered = f".orders .btn{self._exclude_staying(device)}" if area == "#seat" else "button.btn"
        orders = page.locator(f"{area} {offered}")
        orders.nth(self.chance.randrange(orders.count())).click()
        self.taps += 1
        page.wait_for_selector(f'{area}:not([data-at="{batch}"])', state="attached")

    def _exclude_staying(self, seat: str) -> str:
        """Leave out staying where armies must move (A-17), though the table could insist on it."""
        legal = self.runtime.session.seat_view(seat)["legal"]
        stays = any(order.get("to", "") is None for order in legal)
        return "" if stays else ":not([data-key*='\"to\":null'])"

    def wait_until_all_heard(self) -> None:
        """Wait until every device shows what came last: on a busy machine one hears later than another."""
        batch = self.runtime.session.table_legal()["expected"]
        for name, where in {**dict.fromkeys(SEATS, "#seat"), "map": "#orders"}.items():
            self.hands[name].page.wait_for_selector(f'{where}[data-at="{batch}"]', state="attached")

    def _throw(self) -> None:
        """Let the cubes fall before the embedded camera; a person lowers counts that are not possible."""
        table, session = self.hands["table"], self.runtime.session
        table.phase("waiting")
        possible_counts = {str(c): n for c, n in session.fall_order().possible.items()}
        table.tap("fall")
        if table.phase("countdown", "asking") == "countdown":
            table.tap("hold")
            table.phase("asking")
        counts = session.view()["look"]["counts"]
        table.count(
            {c: possible_counts.get(c, 0) for c, n in counts.items() if n > possible_counts.get(c, 0)}
        )
        table.tap("accept")
        table.page.wait_for_selector("#light:not([data-phase=asking])")
        self.throws += 1


@pytest.fixture
def evening(chromium: Browser, tmp_path: Path) -> Iterator[Evening]:
    spec = TableSpec("year", tmp_path, SensorSpec("demo", "demo"), OPTIONS, None, stages.PATIENT_S)
    runtime = Runtime(spec, GAME)
    runtime.start()
    with stages.served(runtime, tmp_path) as (demo, _):
        evening = Evening(chromium, runtime, demo)
        yield evening
        for hands in evening.hands.values():
            hands.context.close()


def test_a_whole_year_on_three_phones_and_a_table_and_no_secret_is_heard(evening: Evening) -> None:
    for _ in range(MOST_STEPS):
        if evening.game["year"] == 2:
            break
        evening.step()
    assert (evening.game["year"], evening.game["phase"]) == (2, "planning")
    assert evening.throws >= 5
    for name, ear in evening.ears.items():
        assert ear.leaks == []
        assert ear.messages > 100, name
        assert {seat for seat, _, _ in ear.looked_for} == set(SEATS) - {name}
        assert len(ear.looked_for) >= SEASONS * 6 * (2 if name in SEATS else 3)
    for name, hands in evening.hands.items():
        assert hands.complaints == [], (name, hands.refused)
        assert hands.strangers == [], name
    evening.wait_until_all_heard()
    before = {name: evening.hands[name].page.inner_text("#now") for name in (*SEATS, "map")}
    for name, sentence in before.items():
        evening.hands[name].page.reload()
        evening.hands[name].page.wait_for_function(
            "(was) => document.querySelector('#now').textContent === was", arg=sentence
        )


def test_an_ear_hears_what_it_should_not() -> None:
    secret = ("red", "castle", "omi")
    for text in (
        '{"players": [{"seat": "red", "board": {"castle": "omi"}}]}',
        '{"history": [{"body": {"kind": "place", "seat": "red", "space": "castle", "card": "omi"}}]}',
        '{"title": "red lays omi onto castle"}',
        '{"order": ["castle", "omi"]}',
    ):
        assert find_betrayed(text, "blue", [secret]) == [secret], text
        assert find_betrayed(text, None, [secret]) == [secret], text
    own_plan = '{"players": [{"seat": "red", "board": {"castle": "omi"}}], "provinces": [{"id": "omi"}]}'
    assert find_betrayed(own_plan, "red", [secret]) == []
