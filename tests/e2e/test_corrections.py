"""Every fact that the rules can correct is corrected on the history page, told in words, and undone."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from companion.games.shogun.commands import Fact
from companion.table.runtime import Runtime
from tests.e2e import stages
from tests.e2e.place import LAPTOP, Hands

pytestmark = pytest.mark.browser
Game = dict[str, Any]


def province(game: Game, name: str) -> Game:
    found: Game = next(entry for entry in game["provinces"] if entry["id"] == name)
    return found


def player(game: Game, seat: str) -> Game:
    found: Game = next(entry for entry in game["players"] if entry["seat"] == seat)
    return found


def fill_fields(where: str, value: str = "", also: str = "") -> Callable[[Page], None]:
    def fill(page: Page) -> None:
        if where:
            page.select_option("#where", where)
        if also:
            page.select_option("#also", also)
        field = page.locator("#value")
        if field.evaluate("(one) => one.localName") == "select":
            field.select_option(value)
        else:
            field.fill(value)

    return fill


def tick_boxes(where: str, *values: str) -> Callable[[Page], None]:
    def fill(page: Page) -> None:
        if where:
            page.select_option("#where", where)
        for box in page.locator(".several input").all():
            box.set_checked(str(box.get_attribute("id")).removeprefix("value-") in values)

    return fill


def fill_places(*values: str) -> Callable[[Page], None]:
    def fill(page: Page) -> None:
        for at, value in enumerate(values):
            page.select_option(f"#value-{at + 1}", value)

    return fill


ROW = ("castle", "temple", "theatre", "rice", "taxes", "deploy_5", "deploy_3", "", "", "battle_a")
CASES: dict[Fact, tuple[Callable[[Page], None], Callable[[Game], object], object, str]] = {
    Fact.ARMIES: (fill_fields("omi", "7"), lambda g: province(g, "omi")["armies"], 7, "Omi"),
    Fact.OWNER: (fill_fields("omi", "red"), lambda g: province(g, "omi")["owner"], "red", "Red"),
    Fact.MARKERS: (fill_fields("mino", "2"), lambda g: province(g, "mino")["markers"], 2, "Mino"),
    Fact.BUILDINGS: (
        tick_boxes("owari", "castle"),
        lambda g: province(g, "owari")["buildings"],
        ["castle"],
        "Castle",
    ),
    Fact.BORDER: (
        fill_fields("omi", "1", "noto"),
        lambda g: "noto" in province(g, "omi")["near"],
        True,
        "yes",
    ),
    Fact.POINTS: (fill_fields("red", "11"), lambda g: player(g, "red")["points"], 11, "11"),
    Fact.CHESTS: (fill_fields("red", "9"), lambda g: player(g, "red")["chests"], 9, "9"),
    Fact.RICE: (fill_fields("red", "5"), lambda g: player(g, "red")["rice"], 5, "5"),
    Fact.SPECIAL: (
        fill_fields("red", "plus_rice"),
        lambda g: player(g, "red")["special"],
        "plus_rice",
        "+1 rice",
    ),
    Fact.CARD: (fill_fields("red", "chest_2", "auction"), lambda g: None, None, "Red"),
    Fact.TOWER: (fill_fields("blue", "4"), lambda g: g["cubes"]["tower"]["blue"], 4, "4"),
    Fact.TRAY: (fill_fields("green", "3"), lambda g: g["cubes"]["tray"]["green"], 3, "3"),
    Fact.EVENT: (fill_fields("", "5"), lambda g: g["cards"]["event"]["id"], 5, "5"),
    Fact.YEAR_EVENTS: (
        tick_boxes("", "3", "9"),
        lambda g: [card["id"] for card in g["cards"]["year_events"]],
        [3, 9],
        "3, 9",
    ),
    Fact.ROW: (fill_places(*ROW), lambda g: g["cards"]["actions"][:5], list(ROW[:5]), "Row of action cards"),
    Fact.ORDER: (
        fill_places("yellow", "red", "blue"),
        lambda g: g["cards"]["order"],
        ["yellow", "red", "blue"],
        "Yellow, Red, Blue",
    ),
    Fact.BANK: (fill_fields("", "17"), lambda g: g["bank"], 17, "17"),
    Fact.TILES: (fill_fields("temple", "20"), lambda g: g["tiles"]["temple"], 20, "Temple"),
    Fact.HOUSE: (fill_fields("must_move", "0"), lambda g: g["house"]["must_move"], False, "no"),
}


@pytest.fixture
def table(tmp_path: Path) -> Runtime:
    """A whole game with plans still to be made, no throw awaited."""
    return stages.played(tmp_path, lambda state: state.phase.value == "planning")


def test_every_fact_is_put_right_on_the_page_and_told_in_words(
    chromium: Browser, table: Runtime, tmp_path: Path
) -> None:
    assert set(CASES) == set(Fact)
    session = table.session
    stages.ready_by_cards(table, "red")
    with stages.served(table, tmp_path) as (demo, _):
        hands = Hands(chromium, demo, LAPTOP)
        page = hands.page
        hands.open("/history")
        page.click("#correct summary")
        offered = page.locator("#fact option").evaluate_all("(all) => all.map((one) => one.value)")
        assert set(offered) == {fact.value for fact in Fact}
        for fact, (fill, read_fact, wanted, words) in CASES.items():
            before = session.view()["expected"]
            page.select_option("#fact", fact.value)
            fill(page)
            page.fill("#reason", f"seen: {fact.value}")
            hands.tap("save-fact")
            page.wait_for_selector(f".entries li:has-text('seen: {fact.value}') >> nth=0", state="attached")
            assert session.view()["expected"] > before, fact
            assert read_fact(session.view()["game"]) == wanted, fact
            expect(page.locator(".entries li").first, str(fact)).to_contain_text(words)
        assert "chest" not in page.inner_text(".entries li:has-text('seen: card')").lower()
        page.click('.entries li >> nth=0 >> [data-key^="back-"]')
        page.wait_for_selector(".entries li.undone")
        assert session.view()["game"]["house"]["must_move"] is True
        newest = page.locator(".entries li").first
        expect(newest).to_have_text(re.compile("^Undone: A fact was corrected.*House rule"))
        assert hands.complaints == []
        hands.context.close()


def test_a_card_planned_on_a_phone_is_not_put_right_elsewhere(
    chromium: Browser, table: Runtime, tmp_path: Path
) -> None:
    """C-6: the space that became empty would name the card."""
    with stages.served(table, tmp_path) as (demo, _):
        hands = Hands(chromium, demo, LAPTOP)
        hands.open("/history")
        hands.page.click("#correct summary")
        hands.page.select_option("#fact", "card")
        hands.page.select_option("#where", "blue")
        hands.tap("save-fact")
        expect(hands.page.locator("#notice")).to_have_text("Plans are made on the seat’s own device.")
        hands.context.close()


def test_every_event_card_is_named_by_what_stands_on_it(
    chromium: Browser, table: Runtime, tmp_path: Path
) -> None:
    """Those that did not lie open were bare numbers, which the real cards do not show."""
    with stages.served(table, tmp_path) as (demo, _):
        hands = Hands(chromium, demo, LAPTOP)
        hands.open("/history")
        hands.page.click("#correct summary")
        hands.page.select_option("#fact", "event")
        offered = hands.page.locator("#value option").all_inner_texts()
        assert len(offered) == 1 + 12
        assert all("winter takes" in words for words in offered[1:])
        assert "7: Taxes bring at most 5 chests · winter takes 0 rice" in offered
