"""Players with the real cards tell the app what lies on the table: bids, and the cards the table lays."""

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from companion.games.shogun.game import GAME
from companion.table.messages import SensorSpec
from companion.table.runtime import Runtime, TableSpec
from tests.e2e import stages
from tests.e2e.place import LAPTOP, PHONE, SMALL_PHONE_WITH_BARS, Hands, expect_in_sight
from tests.e2e.stages import give_at_table, ready_by_cards

pytestmark = pytest.mark.browser
BOARD: dict[str, Any] = {
    "players": ["blue", "red", "yellow"],
    "start": "board",
    "season": "summer",
    "provinces": {
        "mino": {"owner": "blue", "armies": 4},
        "kii": {"owner": "red", "armies": 2},
        "omi": {"owner": "yellow", "armies": 3},
    },
    "standing": {seat: {"chests": 9} for seat in ("blue", "red", "yellow")},
    "year_events": [3, 7, 9],
}
ROW = ("taxes", "rice", "castle", "battle_a", "deploy_5")
SPECIALS = ("plus_rice", "plus_attack", "six_armies", "plus_defence", "plus_chest")
YEAR = ("12", "5", "7", "1")


def _real_cards_table(folder: Path, **options: Any) -> Runtime:
    return Runtime(TableSpec("real", folder, SensorSpec("none", "none"), {**BOARD, **options}), GAME)


def _game(runtime: Runtime) -> dict[str, Any]:
    game: dict[str, Any] = runtime.session.view()["game"]
    return game


def _choose_cards(page: Page, *values: str) -> None:
    fields = page.locator(".telling > .fields select")
    expect(fields).to_have_count(len(values))
    for at, value in enumerate(values):
        fields.nth(at).select_option(value)


def test_the_buttons_of_what_lies_there_are_in_the_window_of_a_phone(
    chromium: Browser, tmp_path: Path
) -> None:
    """They lay below five fields, twice a round: one saw no button to shuffle, nor how many are left."""
    with stages.served(_real_cards_table(tmp_path, by_table=True), tmp_path) as (demo, _):
        hands = Hands(chromium, demo, SMALL_PHONE_WITH_BARS, locale="de-DE")
        hands.open("/map")
        for key in ("tell", "shuffle"):
            expect_in_sight(hands.page.locator(f'[data-key="{key}"]'))
        expect_in_sight(hands.page.get_by_text("5 zu wählen"))
        last = hands.page.locator("#tell-5")
        last.focus()
        end = last.evaluate("(last) => last.getBoundingClientRect().bottom")
        # The focused field is not covered by them.
        assert end <= hands.page.evaluate("document.querySelector('.tells').getBoundingClientRect().top")


def test_O1_bids_on_real_cards_are_told_and_count(chromium: Browser, tmp_path: Path) -> None:
    """The only button took all seats for ones without a card: nobody paid, and the app drew the order."""
    runtime = _real_cards_table(tmp_path)
    ready_by_cards(runtime, "blue", "red", "yellow")
    with stages.served(runtime, tmp_path) as (demo, _):
        hands = Hands(chromium, demo, PHONE)
        hands.open("/map")
        tell_button = hands.page.locator('[data-key="tell"]')
        expect(tell_button).to_be_disabled()
        _choose_cards(hands.page, "chest_2", "kii", "chest_4")
        expect(tell_button).to_be_enabled()
        tell_button.click()
        expect(hands.page.locator("#now")).to_have_text("Yellow chooses a special card")
        assert _game(runtime)["cards"]["choosing"] == ["yellow", "blue", "red"]
        assert {player["seat"]: player["chests"] for player in _game(runtime)["players"]} == {
            "blue": 7,
            "red": 9,
            "yellow": 5,
        }
        assert hands.complaints == []


def test_O3_equal_bids_drawn_with_the_real_daimyo_cards_are_told(chromium: Browser, tmp_path: Path) -> None:
    runtime = _real_cards_table(tmp_path)
    ready_by_cards(runtime, "blue", "red", "yellow")
    with stages.served(runtime, tmp_path) as (demo, _):
        hands = Hands(chromium, demo, PHONE)
        page = hands.page
        hands.open("/map")
        _choose_cards(page, "chest_1", "chest_1", "chest_1")
        page.click(".telling .real summary")
        drawn = page.locator(".telling .real select")
        for at, seat in enumerate(("red", "yellow", "blue")):
            drawn.nth(at).select_option(seat)
        hands.tap("tell")
        expect(page.locator("#now")).to_have_text("Red chooses a special card")
        assert _game(runtime)["cards"]["choosing"] == ["red", "yellow", "blue"]


def test_O1_only_seats_with_real_cards_are_asked_for_their_bid(chromium: Browser, tmp_path: Path) -> None:
    runtime = _real_cards_table(tmp_path)
    plans = {
        "red": {"auction": "chest_2", "castle": "chest_1", "rice": "kii"},
        "yellow": {"auction": "chest_1", "castle": "chest_2", "rice": "omi"},
    }
    for seat, plan in plans.items():
        for space, card in {**plan, "temple": "chest_3", "theatre": "chest_4", "taxes": "chest_0"}.items():
            command = {"kind": "place", "seat": seat, "space": space, "card": card}
            runtime.session.seat_command(seat, command, "phone", 0)
        give_at_table(runtime, kind="ready", seat=seat)
    ready_by_cards(runtime, "blue")
    with stages.served(runtime, tmp_path) as (demo, _):
        hands = Hands(chromium, demo, PHONE)
        hands.open("/map")
        _choose_cards(hands.page, "")
        expect(hands.page.locator(".telling .real")).to_have_count(0)
        hands.tap("tell")
        expect(hands.page.locator("#now")).to_have_text("Red chooses a special card")
        assert _game(runtime)["cards"]["choosing"] == ["red", "yellow", "blue"]


def test_T2_T3_T5_S10_cards_that_the_table_shuffled_are_told(chromium: Browser, tmp_path: Path) -> None:
    """The only button had the app shuffle its own cards: what lay on the table could not be told."""
    runtime = _real_cards_table(tmp_path, by_table=True, season="spring", year_events=[])
    with stages.served(runtime, tmp_path) as (demo, _):
        hands = Hands(chromium, demo, PHONE)
        page = hands.page
        hands.open("/map")
        _choose_cards(page, *YEAR)
        hands.tap("tell")
        expect(page.locator("#now")).to_have_text("Lay out the action cards")
        assert [str(card["id"]) for card in _game(runtime)["cards"]["year_events"]] == list(YEAR)
        _choose_cards(page, *ROW)
        hands.tap("tell")
        expect(page.locator("#now")).to_have_text("Lay out the special cards")
        assert _game(runtime)["cards"]["actions"] == [*ROW, None, None, None, None, None]
        _choose_cards(page, *SPECIALS)
        hands.tap("tell")
        expect(page.locator("#now")).to_contain_text("Secret plans")
        assert _game(runtime)["cards"]["specials"] == list(SPECIALS)
        ready_by_cards(runtime, "blue", "red", "yellow")
        expect(page.locator("#now")).to_have_text("Draw the event of this round")
        offered = page.locator(".telling > .fields select option")
        expect(offered).to_have_count(1 + len(YEAR))
        assert "Taxes bring at most 5 chests · winter takes 0 rice" in offered.all_inner_texts()
        _choose_cards(page, "5")
        hands.tap("tell")
        expect(page.locator("#now")).to_have_text("Turn up the bids")
        assert _game(runtime)["cards"]["event"]["id"] == 5
        assert hands.complaints == []


def test_T2_no_card_is_told_twice_and_the_app_may_shuffle_instead(chromium: Browser, tmp_path: Path) -> None:
    runtime = _real_cards_table(tmp_path, by_table=True)
    with stages.served(runtime, tmp_path) as (demo, _):
        hands = Hands(chromium, demo, PHONE)
        page = hands.page
        hands.open("/map")
        fields = page.locator(".telling > .fields select")
        fields.first.select_option("taxes")
        expect(fields.nth(1).locator('option[value="taxes"]')).to_be_disabled()
        expect(fields.nth(1).locator('option[value="rice"]')).to_be_enabled()
        expect(page.locator(".telling [role=status]")).to_have_text("4 to choose")
        hands.tap("shuffle")
        expect(page.locator("#now")).to_have_text("Lay out the special cards")
        assert None not in _game(runtime)["cards"]["actions"][:5]


def test_T2_what_was_chosen_for_one_table_is_not_told_of_another(chromium: Browser, tmp_path: Path) -> None:
    """The map stays open all evening: the next game began with the last one's cards, ready to be told."""
    options = {"by_table": True, "season": "spring", "year_events": []}
    runtime = _real_cards_table(tmp_path, **options)
    with stages.served(runtime, tmp_path) as (demo, _):
        hands = Hands(chromium, demo, PHONE)
        page = hands.page
        hands.open("/map")
        _choose_cards(page, *YEAR)
        expect(page.locator('[data-key="tell"]')).to_be_enabled()
        runtime.begin_table("again", GAME, {**BOARD, **options}, "host")
        expect(page.locator(".telling [role=status]")).to_have_text("4 to choose")
        expect(page.locator('[data-key="tell"]')).to_be_disabled()


def _play_to_first_action(runtime: Runtime) -> None:
    """All plan with real cards; five action cards lie open, the first is to be carried out."""
    give_at_table(runtime, kind="lay", cards=list(ROW))
    give_at_table(runtime, kind="lay", cards=list(SPECIALS))
    ready_by_cards(runtime, "blue", "red", "yellow")
    give_at_table(runtime, kind="lay", cards=["3"])
    give_at_table(runtime, kind="reveal", bids=dict.fromkeys(("blue", "red", "yellow")), drawn=None)
    for special in SPECIALS[:3]:
        give_at_table(runtime, kind="choose", seat=_game(runtime)["waiting_for"][0], special=special)


def test_T7_the_next_card_of_the_row_is_told_by_its_place(chromium: Browser, tmp_path: Path) -> None:
    """It was offered as "the next action" while four lay before it, and nothing said what to turn up."""
    runtime = _real_cards_table(tmp_path, by_table=True)
    _play_to_first_action(runtime)
    with stages.served(runtime, tmp_path) as (demo, _):
        hands = Hands(chromium, demo, LAPTOP)
        hands.open("/map")
        now, offered = hands.page.locator("#now"), hands.page.locator("#orders")
        for _ in range(3):
            give_at_table(runtime, kind="turn_up", seat=_game(runtime)["waiting_for"][0], card=None)
        expect(now).to_contain_text("Confiscate rice")
        expect(offered).to_contain_text("Turned up on place 6: Build temple")
        for _ in range(12):
            give_at_table(runtime, kind="turn_up", seat=_game(runtime)["waiting_for"][0], card=None)
        expect(now).to_have_text("Turn up the next action card")
        at = runtime.session.view()["expected"]  # what is legal is requested separately, and looks the same
        expect(offered).to_have_attribute("data-at", str(at))
        hands.page.click("text=Turned up on place 6: Build temple")
        expect(now).to_contain_text("Build temple")
        hands.open()
        expect(hands.page.locator("#stage")).to_contain_text("continues on the map and at the seats")
        assert hands.complaints == []


def test_one_laptop_goes_from_seat_to_seat_in_one_tap(chromium: Browser, tmp_path: Path) -> None:
    """Each turn began at the foot of the last player's page: leave, find the next seat, take it."""
    runtime = _real_cards_table(tmp_path, by_table=True)
    _play_to_first_action(runtime)
    first, second, third = _game(runtime)["cards"]["order"]
    with stages.served(runtime, tmp_path) as (demo, _):
        laptop, phone = Hands(chromium, demo, LAPTOP), Hands(chromium, demo, PHONE)
        laptop.sit(first)
        phone.sit(third)
        page = laptop.page
        page.click('button:has-text("Turn up: no card")')
        laptop.tap(f"go-on-{second}")
        expect(page.locator("#now")).to_contain_text("Your turn: Collect taxes")
        page.click('button:has-text("Turn up: no card")')
        expect(page.locator("#now")).to_contain_text("Collect taxes")
        expect(phone.page.locator("#now")).to_contain_text("Your turn")
        expect(page.locator(f'[data-key="go-on-{third}"]')).to_have_count(0)  # that one has a phone
        phone.page.click('button:has-text("Turn up: no card")')
        laptop.tap(f"go-on-{first}")
        expect(page.locator("#now")).to_contain_text("Your turn: Confiscate rice")
        assert phone.complaints == []


def test_P7_a_phone_with_a_secret_plan_is_not_offered_another_seat(chromium: Browser, tmp_path: Path) -> None:
    """Whoever took the seat that it left would see the plan."""
    runtime = _real_cards_table(tmp_path)
    with stages.served(runtime, tmp_path) as (demo, _):
        phone = Hands(chromium, demo, PHONE)
        phone.sit("red")
        plan = {"auction": "chest_2", "castle": "chest_1", "rice": "kii"}
        plan |= {"temple": "chest_3", "theatre": "chest_4", "taxes": "chest_0"}
        for space, card in plan.items():
            phone.tap(f"card-{card}")
            phone.tap(f"space-{space}")
            expect(phone.page.locator(f'[data-key="off-{space}"]')).to_be_visible()
        phone.page.click('button:has-text("All planned: ready")')
        expect(phone.page.locator("#now")).to_contain_text("waiting for")
        laptop = Hands(chromium, demo, LAPTOP)
        laptop.sit("blue")
        laptop.page.click('button:has-text("I plan with the real cards")')
        expect(phone.page.locator("#now")).to_have_text("Your plan is ready; waiting for Yellow")
        expect(laptop.page.locator('[data-key="go-on-yellow"]')).to_be_visible()
        phone.page.evaluate("fetch('/api/v1/seats').then((one) => one.text())")  # as the page would ask
        expect(phone.page.locator('[data-key^="go-on-"]')).to_have_count(0)


def _take_from_pile(runtime: Runtime, seat: str, drawn: str) -> None:
    """Take the top card of the pile with the first group that is left."""
    group = _game(runtime)["draft"]["groups"][seat][0]
    give_at_table(runtime, kind="take", seat=seat, take="pile", group=group, drawn=drawn)


def test_S4_S5_provinces_are_taken_with_the_real_cards(chromium: Browser, tmp_path: Path) -> None:
    """The host's form greyed this out, and no page could say which card came from the pile."""
    runtime = _real_cards_table(tmp_path)
    with stages.served(runtime, tmp_path) as (demo, _):
        host, phone = Hands(chromium, demo, LAPTOP), Hands(chromium, demo, PHONE)
        host.open("/host")
        for name in ("blue", "red", "yellow"):
            host.tap(f"player-{name}")
        host.page.check('[data-key="start-draft"]')
        host.page.check('[data-key="by-table"]')
        host.page.select_option('[data-key="open-0"]', "kai")
        expect(host.page.locator('[data-key="open-1"] option[value="kai"]')).to_be_disabled()
        host.tap("begin")
        expect(host.page.locator("#notice")).to_have_text("Say which two province cards are open.")
        host.page.select_option('[data-key="open-1"]', "omi")
        host.tap("begin")
        expect(host.page.locator("#notice")).to_contain_text("has begun")

        phone.sit("blue")
        page = phone.page
        take_button = page.locator('[data-key="take-it"]')
        expect(take_button).to_be_disabled()
        assert page.locator('[data-key="tell-take"] option').all_inner_texts() == [
            "–",
            "Kai",
            "Omi",
            "The top of the pile",
        ]
        expect(page.locator('[data-key="tell-drawn"] option[value="omi"]')).to_have_count(0)
        group = str(_game(runtime)["draft"]["groups"]["blue"][0])
        for field, value in (("take", "kai"), ("group", group), ("drawn", "mino")):
            page.select_option(f'[data-key="tell-{field}"]', value)
        take_button.click()
        expect(page.locator("#now")).to_contain_text("Red takes a province")
        expect(page.locator(".telling")).to_have_count(0)
        kai = next(province for province in _game(runtime)["provinces"] if province["id"] == "kai")
        assert (kai["owner"], str(kai["armies"])) == ("blue", group)
        assert _game(runtime)["draft"]["open"] == ["omi", "mino"]

        cards = [province["id"] for province in _game(runtime)["provinces"] if not province["owner"]]
        drawn = iter([card for card in cards if card not in ("omi", "mino")])
        for seat in ("red", "yellow", "blue", "red", "yellow"):
            _take_from_pile(runtime, seat, next(drawn))
        first, second = next(drawn), next(drawn)
        page.select_option('[data-key="tell-swap-1"]', first)
        page.select_option('[data-key="tell-swap-2"]', second)
        phone.tap("swapped")
        expect(page.locator('[data-key="swapped"]')).to_have_count(0)
        assert _game(runtime)["draft"]["open"] == [first, second]
        expect(take_button).to_be_disabled()  # what was chosen belonged to the cards before
        assert phone.complaints == []


def test_S4_a_real_card_that_was_put_right_is_replaced_on_the_map(chromium: Browser, tmp_path: Path) -> None:
    """Nobody was asked which card the table had turned up in its place: only one lay open from then on."""
    options = {"players": BOARD["players"], "start": "draft", "by_table": True, "open": ["omi", "mino"]}
    runtime = Runtime(TableSpec("real", tmp_path, SensorSpec("none", "none"), options), GAME)
    give_at_table(runtime, kind="correct", fact="owner", where="omi", value="yellow", reason="")
    with stages.served(runtime, tmp_path) as (demo, _):
        hands = Hands(chromium, demo, PHONE)
        page = hands.page
        hands.open("/map")
        expect(page.locator("#now")).to_have_text("Turn up the next card of the draft")
        expect(page.locator('.telling option[value="mino"]')).to_have_count(0)
        expect(page.locator('[data-key="shuffle"]')).to_have_count(0)
        _choose_cards(page, "kai")
        hands.tap("tell")
        expect(page.locator("#now")).to_have_text("Blue takes a province")
        expect(page.locator(".telling")).to_have_count(0)
        assert _game(runtime)["draft"]["open"] == ["mino", "kai"]
        assert hands.complaints == []
