"""A seat's turn on its phone: where it acts, why an action cannot be done, its plan, armies that stay."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Route, expect

from companion.games.shogun.game import GAME
from companion.table.messages import SensorSpec
from companion.table.runtime import Runtime, TableSpec
from tests.e2e import stages
from tests.e2e.pages import violations, wait_until_quiet
from tests.e2e.place import LAPTOP, PHONE, Demo, Hands
from tests.e2e.stages import give_at_table

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


SPECIALS = ["plus_rice", "plus_chest", "plus_attack", "plus_defence", "six_armies"]


def _planning_table(folder: Path) -> Runtime:
    """Cards are laid, plans are to be made."""
    runtime = Runtime(TableSpec("turn", folder, SensorSpec("none", "none"), BOARD), GAME)
    give_at_table(runtime, kind="lay", cards=ROW)
    give_at_table(runtime, kind="lay", cards=SPECIALS)
    return runtime


def _choosing_table(folder: Path) -> Runtime:
    """All have planned, special cards are to be chosen."""
    runtime = _planning_table(folder)
    for seat, plan in PLANS.items():
        cards_left = [card for card in CHESTS if card not in plan.values()]
        free_spaces = [space for space in stages.SPACES if space not in {*plan, "auction"}]
        for space, card in {
            **plan,
            "auction": "chest_0",
            **dict(zip(free_spaces, cards_left, strict=False)),
        }.items():
            command = {"kind": "place", "seat": seat, "space": space, "card": card}
            runtime.session.seat_command(seat, command, "phone", 0)
        give_at_table(runtime, kind="ready", seat=seat)
    give_at_table(runtime, kind="lay", cards=["7"])
    give_at_table(runtime, kind="reveal", bids={}, drawn=["blue", "red", "yellow"])
    return runtime


@pytest.fixture
def acting(tmp_path: Path) -> Iterator[tuple[Runtime, Demo]]:
    """Blue's turn in the first action: battle in Mino, then a castle in Owari without a chest."""
    runtime = _choosing_table(tmp_path)
    for special in ("plus_rice", "plus_chest", "plus_defence"):
        [seat] = runtime.session.view()["game"]["waiting_for"]
        give_at_table(runtime, kind="choose", seat=seat, special=special)
    with stages.served(runtime, tmp_path) as (demo, _):
        yield runtime, demo


def test_O4_special_cards_are_seen_on_their_places_and_chosen_by_them(
    chromium: Browser, tmp_path: Path
) -> None:
    """No page said which card lies on which place, so which turn it gives and what to bid for it."""
    runtime = _choosing_table(tmp_path)
    with stages.served(runtime, tmp_path) as (demo, _):
        board, phone = Hands(chromium, demo, LAPTOP), Hands(chromium, demo, PHONE)
        board.open("/map")
        places = board.page.locator("#round .order li")
        names = ["+1 rice", "+1 chest", "+1 in attack", "+1 in defence", "6 armies for 5"]
        expect(places).to_have_text([f"{at}{name}" for at, name in enumerate(names, 1)])
        phone.sit("blue")
        phone.page.click("text=Take +1 in defence, on place 4")
        expect(places.nth(3)).to_contain_text("Blue")
        expect(phone.page.locator("#now")).to_have_text("Red chooses a special card")
        assert board.complaints == phone.complaints == []


def test_T5_W1_events_ahead_tell_what_the_winter_would_take(chromium: Browser, tmp_path: Path) -> None:
    runtime = _planning_table(tmp_path)
    with stages.served(runtime, tmp_path) as (demo, _):
        hands = Hands(chromium, demo, PHONE)
        hands.open("/map")
        ahead = "Taxes bring at most 5 chests (winter takes 0 rice)"
        expect(hands.page.locator("#round")).to_contain_text(ahead)


def test_P8_a_plan_on_the_phone_is_not_cleared_by_a_slip(chromium: Browser, tmp_path: Path) -> None:
    """The button to plan with the real cards stood under it, and took every card off without asking."""
    runtime = _planning_table(tmp_path)
    with stages.served(runtime, tmp_path) as (demo, _):
        hands = Hands(chromium, demo, PHONE)
        page = hands.page
        hands.sit("blue")
        real = page.get_by_text("I plan with the real cards: ready")
        expect(real).to_have_count(1)
        hands.tap("card-mino")
        hands.tap("space-rice")
        page.wait_for_selector('[data-key="peek-rice"]')
        expect(real).to_have_count(0)
        hands.tap("off-rice")
        expect(real).to_have_count(1)


def test_A2_A3_a_turn_says_where_and_why_it_cannot_be_done(
    chromium: Browser, acting: tuple[Runtime, Demo]
) -> None:
    """It named the action alone, and let a castle be built that could not be paid for."""
    hands = Hands(chromium, acting[1], PHONE)
    page = hands.page
    hands.sit("blue")
    expect(page.locator("#now")).to_have_text("Your turn: Battle or move A · Mino")
    expect(page.locator(".orders .note")).to_have_count(0)
    page.click('.march:has-text("Owari") .btn')
    expect(page.locator("#now")).to_have_text("Your turn: Build castle · Owari")
    expect(page.locator(".orders .note")).to_have_text("There are not enough chests for it (rule A\u20112).")
    wait_until_quiet(page)
    assert violations(page) == []
    page.click("text=Skip this action")
    expect(page.locator("#now")).not_to_contain_text("Your turn")
    why = "There are not enough chests for it (rule A\u20112)."  # it said “(A-2)”
    hands.open("/history")
    expect(page.locator(".entries li").first).to_contain_text(why)
    hands.open("/")
    expect(page.locator("#side .past li").first).to_contain_text(
        f"Blue: An action was not carried out · Build castle · {why}"
    )
    assert hands.complaints == []


def test_O5_each_neighbour_stands_once_and_the_extra_army_is_one_tick(
    chromium: Browser, tmp_path: Path
) -> None:
    """Each neutral and foreign one was there twice, with the card's army and without: twelve rows for six."""
    runtime = _choosing_table(tmp_path)
    for special in ("plus_attack", "plus_chest", "plus_rice"):
        [seat] = runtime.session.view()["game"]["waiting_for"]
        give_at_table(runtime, kind="choose", seat=seat, special=special)
    with stages.served(runtime, tmp_path) as (demo, _):
        hands = Hands(chromium, demo, PHONE)
        page = hands.page
        hands.sit("blue")
        near = page.locator(".march b")
        expect(near.first).to_be_visible()
        assert len(set(near.all_inner_texts())) == near.count() > 1
        foreign_march, own_march = (
            page.locator(f'.march:has-text("{name}")') for name in ("Shinano", "Owari")
        )
        expect(foreign_march).not_to_contain_text("+1 in attack", use_inner_text=True)
        more = page.get_by_label("Throw one more army in attack")
        more.focus()
        page.keyboard.press("Space")
        expect(foreign_march).to_contain_text("+1 in attack", use_inner_text=True)
        expect(own_march).not_to_contain_text("+1 in attack", use_inner_text=True)
        wait_until_quiet(page)
        assert violations(page) == []
        foreign_march.locator("select").select_option(index=0)
        moment = page.get_attribute("#seat", "data-at")
        give_at_table(runtime, kind="correct", fact="points", where="red", value=7)
        page.wait_for_function("(was) => document.querySelector('#seat').dataset.at !== was", arg=moment)
        expect(more).to_be_checked()
        with page.expect_request("**/commands") as request:
            foreign_march.locator(".btn").click()
        command = (request.value.post_data_json or {})["command"]
        assert (command["to"], command["armies"], command["bonus_attack"]) == ("shinano", 1, True)
        expect(page.locator("#now")).not_to_contain_text("Your turn: Battle or move A")


def test_S4_each_card_of_the_draft_stands_once_with_a_choice_of_groups(
    chromium: Browser, tmp_path: Path
) -> None:
    """Three cards and five sizes of groups made a list of fifteen buttons."""
    options = {**stages.WHOLE, "start": "draft", "oldest": "blue"}
    runtime = Runtime(TableSpec("draft", tmp_path, SensorSpec("none", "none"), options), GAME)
    draft = runtime.session.view()["game"]["draft"]
    with stages.served(runtime, tmp_path) as (demo, _):
        hands = Hands(chromium, demo, PHONE)
        page = hands.page
        hands.sit("blue")
        cards = page.locator(".orders .march")
        expect(cards).to_have_count(3)
        expect(page.locator(".orders button")).to_have_count(3)
        expect(cards.nth(2)).to_contain_text("The top of the pile")
        groups = [f"{n} armies" for n in dict.fromkeys(draft["groups"]["blue"])]
        expect(cards.nth(1).locator("option")).to_have_text(groups)
        wait_until_quiet(page)
        assert violations(page) == []
        cards.nth(1).locator("select").select_option("3 armies")
        with page.expect_request("**/commands") as request:
            cards.nth(1).get_by_text("Take it").click()
        command = (request.value.post_data_json or {})["command"]
        assert (command["take"], command["group"]) == (draft["open"][1], 3)
        expect(page.locator("#now")).to_have_text("Red takes a province")


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
    expect(page.locator("#notice")).to_contain_text("rule A\u201117")
    assert runtime.session.view()["game"]["cards"]["done"] == 0
    page.click("text=Stay anyway")
    expect(page.locator("#now")).to_have_text("Your turn: Build castle · Owari")
    mino = next(
        province for province in runtime.session.view()["game"]["provinces"] if province["id"] == "mino"
    )
    assert mino["armies"] == 4


NOTICES = """() => {
  window.noticed = [];
  const notice = document.getElementById("notice");
  const told = new MutationObserver(() => noticed.push(notice.textContent));
  told.observe(notice, { childList: true, subtree: true });
}"""
"""Records what the page says from now on, also what it takes back."""


def test_A17_who_heard_no_rule_does_not_insist(chromium: Browser, acting: tuple[Runtime, Demo]) -> None:
    """The answer was lost on its way: the next tap overruled a rule that nobody had been told."""
    runtime, demo = acting
    hands = Hands(chromium, demo, PHONE)
    page = hands.page
    hands.sit("blue")
    page.route("**/seats/blue**", lambda route: route.abort())
    page.evaluate(NOTICES)
    page.click("text=Stay here")
    page.wait_for_function("() => noticed.some(Boolean)")  # gone once the table is heard again
    assert "Stay anyway" not in "".join(page.evaluate("() => noticed"))
    page.unroute_all()
    page.click("text=Stay here")
    expect(page.locator("#notice")).to_contain_text("rule A\u201117")
    assert runtime.session.view()["game"]["cards"]["done"] == 0


def test_what_was_refused_is_not_told_any_more_once_the_game_went_on(
    chromium: Browser, acting: tuple[Runtime, Demo]
) -> None:
    """It stood there until that player did something else: a whole round later it spoke of another turn."""
    runtime, demo = acting
    hands = Hands(chromium, demo, PHONE)
    page = hands.page
    hands.sit("blue")
    page.click("text=Stay here")
    expect(page.locator("#notice")).to_contain_text("rule A\u201117")
    give_at_table(runtime, kind="act", seat="blue", to="omi", armies=1, bonus_attack=False)
    expect(page.locator("#now")).to_have_text("Yellow: does the extra army defend?")
    expect(page.locator("#notice")).to_be_empty()


def test_P8_ready_is_said_of_a_plan_and_not_of_a_turn(
    chromium: Browser, acting: tuple[Runtime, Demo]
) -> None:
    hands = Hands(chromium, acting[1], PHONE)
    hands.sit("blue")
    expect(hands.page.locator(".mine .tag")).to_have_text(["+1 rice"])


def test_R23_who_is_asked_about_the_extra_army_reads_who_attacks_and_where(
    chromium: Browser, acting: tuple[Runtime, Demo]
) -> None:
    """The phone asked, and no page said about which battle."""
    runtime, demo = acting
    hands = Hands(chromium, demo, PHONE)
    hands.sit("yellow")
    give_at_table(runtime, kind="act", seat="blue", to="omi", armies=2, bonus_attack=False)
    expect(hands.page.locator("#now")).to_have_text("You are attacked: does the extra army defend?")
    question = "Blue attacks Omi. Blue: 2 armies · Yellow: 3 armies"
    expect(hands.page.locator(".orders .note")).to_have_text(question)
    assert hands.complaints == []


def test_a_phone_that_leaves_its_seat_as_the_game_goes_on_breaks_nothing(
    chromium: Browser, acting: tuple[Runtime, Demo]
) -> None:
    """The view it asked for was refused, as it no longer held the seat: the page's script broke."""
    hands = Hands(chromium, acting[1], PHONE)
    page = hands.page
    hands.sit("blue")
    late: list[Route] = []
    page.route("**/api/v1/seats/blue", lambda route: late.append(route))  # noqa: PLW0108 - a built-in cannot be marked
    with page.expect_request("**/api/v1/seats/blue"):
        give_at_table(acting[0], kind="act", seat="blue", to="owari", armies=1, bonus_attack=False)
    hands.tap("leave")
    expect(page.locator('[data-key="take-blue"]')).to_be_visible()
    broken: list[str] = []
    page.on("pageerror", lambda error: broken.append(str(error)))
    late[0].continue_()
    wait_until_quiet(page)
    assert broken == []


def test_a_phone_leads_to_where_the_table_tells_what_lies_there(chromium: Browser, tmp_path: Path) -> None:
    """It said “Lay out the action cards”, and nothing on it did so or led there."""
    runtime = Runtime(TableSpec("turn", tmp_path, SensorSpec("none", "none"), BOARD), GAME)
    with stages.served(runtime, tmp_path) as (demo, _):
        hands = Hands(chromium, demo, PHONE)
        hands.sit("blue")
        expect(hands.page.locator("#now")).to_have_text("Lay out the action cards")
        hands.tap("to-map")
        expect(hands.page.locator(".telling")).to_be_visible()


def test_W1_where_the_table_waits_for_winter_the_way_there_is_loud(chromium: Browser, tmp_path: Path) -> None:
    """The only way on from a seat was a quiet button, as if it led aside."""
    board = {**BOARD, "season": "winter", "year_events": [3]}
    runtime = Runtime(TableSpec("turn", tmp_path, SensorSpec("none", "none"), board), GAME)
    runtime.start()
    with stages.served(runtime, tmp_path) as (demo, _):
        hands = Hands(chromium, demo, PHONE)
        hands.sit("blue")
        link = hands.page.locator('#seat a[href="/winter"]')
        expect(link).to_contain_class("main")
        link.click()
        hands.page.locator('[data-key^="order-"]').first.click()
        expect(hands.page.locator("#now")).not_to_contain_text("rice is lost")
