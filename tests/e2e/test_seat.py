"""Three phones with a seat each, and the table: a round is planned in secret and begins."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from companion.games.shogun.commands import Act
from companion.games.shogun.legal import legal
from companion.games.shogun.state import State
from companion.games.shogun.words import Phase, Space
from companion.table.runtime import Runtime
from tests.e2e import stages
from tests.e2e.place import (
    LAPTOP,
    PHONE,
    PHONE_WITH_BARS,
    SMALL_PHONE_WITH_BARS,
    Demo,
    Hands,
    expect_in_sight,
)
from tests.e2e.test_map import table

pytestmark = pytest.mark.browser
__all__ = ["table"]
PLANS = {
    "blue": {"mino": "rice", "chest_0": "auction", "chest_1": "castle"},
    "red": {"kii": "taxes", "chest_0": "auction", "chest_1": "castle"},
    "yellow": {"omi": "theatre", "chest_0": "auction", "chest_1": "castle"},
}
MANY = 5
"""Provinces to march to: more than a phone's window holds."""
REST = {"chest_2": "temple", "chest_3": "deploy_5", "chest_4": "deploy_3"}


def _sit_down(chromium: Browser, demo: Demo, colour: str) -> Hands:
    hands = Hands(chromium, demo, PHONE)
    hands.open("/seat")
    hands.tap(f"take-{colour}")
    hands.page.wait_for_selector(".hand-card")
    return hands


def _lay_plan(hands: Hands, plan: dict[str, str]) -> None:
    for card, space in plan.items():
        hands.tap(f"card-{card}")
        hands.tap(f"space-{space}")
        hands.page.wait_for_selector(f'[data-key="peek-{space}"]')


def test_three_phones_plan_in_secret_and_the_round_begins(
    chromium: Browser, table: tuple[Runtime, Demo]
) -> None:
    _, demo = table
    board = Hands(chromium, demo, LAPTOP)
    board.open("/map")
    phones = {colour: _sit_down(chromium, demo, colour) for colour in PLANS}
    for colour, plan in PLANS.items():
        _lay_plan(phones[colour], {**plan, **REST})
    blue = phones["blue"].page
    expect(blue.locator(".spaces")).not_to_contain_text("Mino")
    blue.focus('[data-key="peek-rice"]')
    blue.keyboard.down("Enter")
    expect(blue.locator('[data-key="peek-rice"]')).to_have_text("Mino")
    blue.keyboard.up("Enter")
    expect(blue.locator(".spaces")).not_to_contain_text("Mino")
    for hands in phones.values():
        hands.page.click(".orders .btn >> nth=0")
    choosing = "() => document.querySelector('#now').textContent.endsWith('chooses a special card')"
    board.page.wait_for_function(choosing)
    for _ in PLANS:
        chooser = board.page.inner_text("#now").split()[0].lower()
        page = phones[chooser].page  # it may not know yet that all are ready
        expect(page.locator("#now")).to_have_text("Your turn: choose a special card")
        page.click(".orders .btn >> nth=0")
        board.page.wait_for_function(
            "(was) => !document.querySelector('#now').textContent.toLowerCase().startsWith(was + ' chooses')",
            arg=chooser,
        )
    expect(board.page.locator("#round .order li")).to_have_count(len(PLANS))
    expect(board.page.locator("#round .actions .now")).to_have_count(1)
    for hands in (board, *phones.values()):
        assert hands.complaints == []
        assert hands.strangers == []


def test_a_phone_plans_without_a_walk_to_the_board_and_back_for_each_card(
    chromium: Browser, table: tuple[Runtime, Demo]
) -> None:
    """The spaces lie a window below the cards: what a tapped card asked for could not be seen."""
    blue = _sit_down(chromium, table[1], "blue")
    page, where = blue.page, blue.page.locator(".where")
    blue.tap("card-mino")
    expect_in_sight(where)
    expect(where.get_by_role("status")).to_have_text("Mino: which space?")
    blue.tap("to-none")
    expect(where).to_have_count(0)
    for card, space in PLANS["blue"].items():
        blue.tap(f"card-{card}")
        blue.tap(f"to-{space}")
        page.wait_for_selector(f'[data-key="peek-{space}"]')
        expect(where).to_have_count(0)
    assert page.evaluate("scrollY") == 0
    blue.tap("card-chest_2")
    offered = where.locator("li button").evaluate_all("(all) => all.map((one) => one.dataset.key)")
    assert set(offered) == {f"to-{s}" for s in stages.SPACES} - {f"to-{s}" for s in PLANS["blue"].values()}
    page.locator(".spaces").evaluate("(board) => board.scrollIntoView({ block: 'end' })")
    expect(where).to_be_hidden()  # the board itself is in view


def test_a_plan_that_is_whole_leads_to_ready(chromium: Browser, table: tuple[Runtime, Demo]) -> None:
    """Nothing above the board said that the last card was placed, and the button lies a window below."""
    blue = Hands(chromium, table[1], PHONE_WITH_BARS)
    blue.sit("blue")
    to_turn = blue.page.locator('[data-key="to-turn"]')
    for card, space in {**PLANS["blue"], **REST}.items():
        expect(to_turn).to_have_count(0)
        blue.tap(f"card-{card}")
        blue.tap(f"to-{space}")
        blue.page.wait_for_selector(f'[data-key="peek-{space}"]')
    expect_in_sight(to_turn)
    expect(to_turn).to_have_text("Your secret plan · 6 of 6 cards placed")
    to_turn.press("Enter")
    expect_in_sight(blue.page.get_by_text("All planned: ready"))
    expect(to_turn).to_be_hidden()
    blue.page.keyboard.press("Tab")  # the focus has followed
    expect(blue.page.get_by_text("All planned: ready")).to_be_focused()


def _count_march_targets(state: State) -> int:
    """To how many provinces the seat that acts now may go."""
    if state.throw is not None or state.turn >= len(state.order):
        return 0
    orders = legal(state, state.order[state.turn])
    return len({order.to for order in orders if isinstance(order, Act) and order.to})


def _is_deploying(state: State) -> bool:
    """The first seat deploys, and the next in order will."""
    is_deploy_card = state.phase is Phase.ACTIONS and state.row[state.done] is Space.DEPLOY_3
    return is_deploy_card and state.throw is None and state.turn == 0


def test_a_turn_that_comes_while_a_phone_is_scrolled_to_its_plan_is_seen(
    chromium: Browser, tmp_path: Path
) -> None:
    """The turn's buttons appeared above the window, and nothing in it changed."""
    runtime = stages.played(tmp_path, _is_deploying)
    with stages.served(runtime, tmp_path) as (demo, _):
        first, second = runtime.session.view()["game"]["cards"]["order"][:2]
        hands = Hands(chromium, demo, SMALL_PHONE_WITH_BARS)
        hands.sit(second)
        page = hands.page
        page.evaluate("scrollTo(0, document.body.scrollHeight)")
        to_turn, first_order = page.locator('[data-key="to-turn"]'), page.locator(".orders .btn").first
        expect(to_turn).to_have_count(0)
        seat_view = runtime.session.seat_view(first)
        runtime.session.seat_command(first, seat_view["legal"][0], "phone", seat_view["expected"])
        expect_in_sight(to_turn)
        expect(to_turn).to_contain_text("Your turn: Deploy 3 armies")
        expect(first_order).not_to_be_in_viewport()
        to_turn.click()
        expect_in_sight(first_order)
        expect(to_turn).to_be_hidden()


def test_what_begins_in_the_window_has_no_second_way_to_it(chromium: Browser, tmp_path: Path) -> None:
    """With a long list of provinces, as in the draft, it would cover what is chosen from."""
    runtime = stages.played(
        tmp_path, lambda state: state.phase is Phase.ACTIONS and _count_march_targets(state) > MANY
    )
    with stages.served(runtime, tmp_path) as (demo, _):
        [seat] = runtime.session.view()["game"]["waiting_for"]
        hands = Hands(chromium, demo, PHONE_WITH_BARS)
        hands.sit(seat)
        expect(hands.page.locator(".march").nth(MANY)).to_be_attached()
        expect(hands.page.locator(".turn")).to_be_hidden()


def test_a_card_that_is_looked_at_stays_open_while_others_plan(
    chromium: Browser, table: tuple[Runtime, Demo]
) -> None:
    blue, red = (_sit_down(chromium, table[1], colour) for colour in ("blue", "red"))
    _lay_plan(blue, {"mino": "rice"})
    card_under = blue.page.locator('[data-key="peek-rice"]')
    moment_script = 'document.querySelector("#seat").dataset.at'
    moment_before = blue.page.evaluate(moment_script)
    card_under.hover()
    blue.page.mouse.down()
    expect(card_under).to_have_text("Mino")
    with blue.page.expect_response("**/seats/blue"):
        _lay_plan(red, {"kii": "rice"})
    blue.page.evaluate("() => new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)))")
    expect(card_under).to_have_text("Mino")
    blue.page.mouse.up()
    expect(card_under).not_to_have_text("Mino")
    blue.page.wait_for_function(f"(was) => {moment_script} !== was", arg=moment_before)


def test_a_drag_that_ends_nowhere_leaves_the_card_to_the_next_tap(
    chromium: Browser, table: tuple[Runtime, Demo]
) -> None:
    """As a scroll that begins on a card: the next tap on it did nothing, and all spaces took taps."""
    red = Hands(chromium, table[1], PHONE)
    red.sit("red")
    card = red.page.locator(".hand-card").first
    box = card.bounding_box()
    assert box is not None
    red.page.mouse.move(box["x"] + 20, box["y"] + 20)
    red.page.mouse.down()
    red.page.mouse.move(box["x"] + 20, box["y"] - 30, steps=4)
    red.page.mouse.up()
    assert red.page.locator(".space.empty:not([disabled])").count() == 0
    red.page.wait_for_timeout(100)
    card.click()
    expect(card).to_have_attribute("aria-pressed", "true")
    assert red.complaints == []


def test_who_plans_by_key_keeps_the_focus(chromium: Browser, table: tuple[Runtime, Demo]) -> None:
    """A card that was placed or taken off left it to the page: eleven times in a plan."""
    red = Hands(chromium, table[1], LAPTOP)
    red.sit("red")
    card = red.page.locator(".hand-card").first.get_attribute("data-key") or ""
    for key, then in ((card, card), ("space-castle", "peek-castle"), ("off-castle", card)):
        red.page.focus(f'[data-key="{key}"]')
        red.page.keyboard.press("Enter")
        expect(red.page.locator(f'[data-key="{then}"]')).to_be_focused()
        red.answered()
    assert red.complaints == []


def test_what_cannot_be_is_refused_with_its_rule(chromium: Browser, table: tuple[Runtime, Demo]) -> None:
    page = _sit_down(chromium, table[1], "blue").page
    page.click(".orders .btn >> nth=0")
    expect(page.locator(".note.bad")).to_contain_text("rule P\u20115")


def test_P5_who_leaves_spaces_empty_is_told_the_rule_and_may_be_ready_all_the_same(
    chromium: Browser, table: tuple[Runtime, Demo]
) -> None:
    """The table could overrule the rule, the phone could not ask for it."""
    runtime, demo = table
    page = _sit_down(chromium, demo, "blue").page
    page.locator(".orders .btn").first.click()
    notice_button = page.locator("#notice button")
    expect(notice_button).to_have_text("Ready anyway")
    expect(notice_button).to_be_in_viewport()  # the button of the plan lies at the page's end
    assert "blue" in runtime.session.view()["game"]["waiting_for"]
    notice_button.press("Enter")
    expect(page.locator("#notice")).to_be_empty()
    expect(page.locator(".tag", has_text="ready")).to_have_count(1)
    assert "blue" not in runtime.session.view()["game"]["waiting_for"]


def test_P6_a_bid_above_the_chests_is_told_the_rule_and_may_lie_all_the_same(
    chromium: Browser, table: tuple[Runtime, Demo]
) -> None:
    runtime, demo = table
    runtime.session.command(
        {"kind": "correct", "fact": "chests", "where": "blue", "value": 1, "reason": ""},
        "table",
        runtime.session.view()["expected"],
    )
    blue, red = (_sit_down(chromium, demo, colour) for colour in ("blue", "red"))
    blue.tap("card-chest_4")
    blue.tap("space-auction")
    notice_button = blue.page.locator("#notice button")
    expect(notice_button).to_have_text("Bid it anyway")
    _lay_plan(red, {"kii": "rice"})  # another seat's plan makes nobody's outdated
    notice_button.click()
    expect(blue.page.locator('[data-key="peek-auction"]')).to_have_count(1)
    expect(blue.page.locator("#notice")).to_be_empty()


def test_a_seat_survives_a_reload_and_another_phone_cannot_take_it(
    chromium: Browser, table: tuple[Runtime, Demo]
) -> None:
    page = _sit_down(chromium, table[1], "red").page
    page.reload()
    page.wait_for_selector(".hand-card")
    other_phone = Hands(chromium, table[1], PHONE)
    other_phone.open("/seat")
    assert other_phone.page.is_disabled('[data-key="take-red"]')
