"""A seat's turn on its phone: where it acts, why an action cannot be done, its plan, armies that stay."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from companion.games.shogun.game import GAME
from companion.table.messages import SensorSpec
from companion.table.runtime import Runtime, TableSpec
from tests.e2e import stages
from tests.e2e.pages import quiet, violations
from tests.e2e.place import PHONE, Demo, Hands

pytestmark = pytest.mark.browser
BOARD: dict[str, Any] = {
    "players": ["blue", "red", "yellow"],
    "start": "board",
    "season": "summer",
    "by_table": True,
    "provinces": {
        "mino": {"owner": "blue", "armies": 4},
        "owari": {"owner": "blue", "armies": 2},
        "kii": {"owner": "red", "armies": 2},
        "omi": {"owner": "yellow", "armies": 3},
    },
    "year_events": [3, 7, 9],
}
ROW = ["battle_a", "castle", "rice", "taxes", "deploy_5"]
CHESTS = ["chest_1", "chest_2", "chest_3", "chest_4"]
PLANS = {
    "blue": {"battle_a": "mino", "castle": "owari"},
    "red": {"rice": "kii", "battle_a": "chest_4"},
    "yellow": {"taxes": "omi", "castle": "chest_4"},
}


@pytest.fixture
def acting(tmp_path: Path) -> Iterator[tuple[Runtime, Demo]]:
    """Blue's turn in the first action: battle in Mino, then a castle in Owari without a chest."""
    runtime = Runtime(TableSpec("turn", tmp_path, SensorSpec("none", "none"), BOARD), GAME)

    def give(**command: Any) -> None:
        runtime.session.command(command, "table", runtime.session.view()["expected"])

    give(kind="lay", cards=ROW)
    give(kind="lay", cards=["plus_rice", "plus_chest", "plus_attack", "plus_defence", "six_armies"])
    for seat, plan in PLANS.items():
        left = [card for card in CHESTS if card not in plan.values()]
        free = [space for space in stages.SPACES if space not in {*plan, "auction"}]
        for space, card in {**plan, "auction": "chest_0", **dict(zip(free, left, strict=False))}.items():
            placed = {"kind": "place", "seat": seat, "space": space, "card": card}
            runtime.session.seat_command(seat, placed, "phone", 0)
        give(kind="ready", seat=seat)
    give(kind="lay", cards=["7"])
    give(kind="reveal", bids={})
    for special in ("plus_rice", "plus_chest", "plus_defence"):
        [seat] = runtime.session.view()["game"]["waiting_for"]
        give(kind="choose", seat=seat, special=special)
    with stages.served(runtime, tmp_path) as (demo, _):
        yield runtime, demo


def test_A2_A3_a_turn_says_where_and_why_it_cannot_be_done(
    chromium: Browser, acting: tuple[Runtime, Demo]
) -> None:
    """It named the action alone, and let a castle be carried out that cannot be paid."""
    hands = Hands(chromium, acting[1], PHONE)
    page = hands.page
    hands.sit("blue")
    expect(page.locator("#now")).to_have_text("Your turn: Battle or move A · Mino")
    expect(page.locator(".orders .note")).to_have_count(0)
    page.click('.march:has-text("Owari") .btn')
    expect(page.locator("#now")).to_have_text("Your turn: Build castle · Owari")
    expect(page.locator(".orders .note")).to_have_text("There are not enough chests for it. (rule A-2)")
    quiet(page)
    assert violations(page) == []
    page.click("text=Leave this action out")
    expect(page.locator("#now")).not_to_contain_text("Your turn")
    assert hands.complaints == []


def test_C6_ones_own_plan_can_be_looked_at_after_planning(
    chromium: Browser, acting: tuple[Runtime, Demo]
) -> None:
    """It was gone from the phone as soon as all were ready, with the special cards still to be chosen."""
    hands = Hands(chromium, acting[1], PHONE)
    page = hands.page
    hands.sit("blue")
    expect(page.locator(".spaces")).not_to_contain_text("Owari")
    expect(page.locator('.space:has-text("Bid for the special cards")')).to_contain_text("Chests 0")
    peek = page.locator('[data-key="peek-castle"]')
    peek.hover()
    page.mouse.down()
    expect(peek).to_have_text("Owari")
    page.mouse.up()
    expect(peek).not_to_have_text("Owari")
    expect(page.locator('[data-key="off-castle"]')).to_have_count(0)


def test_A17_R11_who_stays_is_reminded_once_and_then_may(
    chromium: Browser, acting: tuple[Runtime, Demo]
) -> None:
    """The phone offered no way to stay, though the table may let a player do so."""
    runtime, demo = acting
    hands = Hands(chromium, demo, PHONE)
    page = hands.page
    hands.sit("blue")
    page.click("text=Stay here")
    expect(page.locator("#notice")).to_contain_text("rule A-17")
    assert runtime.session.view()["game"]["cards"]["done"] == 0
    page.click("text=Stay all the same")
    expect(page.locator("#now")).to_have_text("Your turn: Build castle · Owari")
    mino = next(one for one in runtime.session.view()["game"]["provinces"] if one["id"] == "mino")
    assert mino["armies"] == 4
