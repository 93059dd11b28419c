"""What others do meanwhile, or a late network, costs nobody what was chosen, typed or counted."""

from collections import Counter
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from companion.games.protocol import Colour
from companion.games.shogun.commands import Act
from companion.games.shogun.game import GAME
from companion.games.shogun.legal import legal
from companion.games.shogun.state import State
from companion.games.shogun.words import Phase
from companion.table.messages import CameraSays, SensorSays, SensorSpec
from companion.table.past.undoing import Wish
from companion.table.runtime import Runtime, TableSpec
from firmware.link.events import Drop, LinkUp, Motion
from tests.companion.table.tables import tell
from tests.e2e import stages
from tests.e2e.place import LAPTOP, PHONE, Demo, Hands
from tests.e2e.test_map import OPTIONS, table
from tests.patience import until

pytestmark = pytest.mark.browser
__all__ = ["table"]
_ANSWERED = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"

_TOLD_AFTER = """(at) => void (window.told = new Promise((yes) =>
  addEventListener("view", (it) => it.detail.expected > at && yes(), true)))"""
"""Waits for news later than this moment: that of what was done before may still be on its way."""


def _may_march_by_threes(state: State) -> bool:
    """A seat may march with three armies or more into one province."""
    n_orders = Counter(
        (o.seat, o.to) for s in state.seats for o in legal(state, s) if isinstance(o, Act) and o.to
    )
    return state.phase is Phase.ACTIONS and bool(n_orders) and max(n_orders.values()) >= 3


def test_the_number_of_armies_that_was_chosen_is_the_one_that_marches(
    chromium: Browser, tmp_path: Path
) -> None:
    """Another phone that merely sat down reset it to the maximum, and that was sent."""
    runtime = stages.played(tmp_path, _may_march_by_threes)
    with stages.served(runtime, tmp_path) as (demo, _):
        [seat] = runtime.session.view()["game"]["waiting_for"]
        hands = Hands(chromium, demo, PHONE)
        hands.sit(seat)
        page = hands.page
        page.locator(".march select").first.select_option(index=0)
        page.evaluate("window.open_under_a_finger = document.querySelector('.march select')")
        other_hands = Hands(chromium, demo, PHONE)
        other_hands.sit(next(other_seat for other_seat in runtime.session.seats() if other_seat != seat))
        with page.expect_response(f"**/seats/{seat}"):
            runtime.session.wake()
        page.evaluate(_ANSWERED)
        assert page.evaluate("window.open_under_a_finger.isConnected")
        _redraw(page, runtime)
        with page.expect_request("**/commands") as command:
            page.locator(".march button").first.click()
        assert (command.value.post_data_json or {})["command"]["armies"] == 1


def _redraw(page: Page, runtime: Runtime) -> None:
    """Have the page redrawn: the game goes on elsewhere."""
    moment = page.get_attribute("#seat", "data-at")
    correction = {"kind": "correct", "fact": "points", "where": "red", "value": 7}
    tell(runtime.session, correction)
    page.wait_for_function("(was) => document.querySelector('#seat').dataset.at !== was", arg=moment)


def test_an_undo_that_the_table_is_asked_about_is_asked_on_every_page(
    chromium: Browser, tmp_path: Path
) -> None:
    """Only history and winter showed it: nobody else heard of it, and it never happened."""
    runtime = stages.battle_of_three(tmp_path)
    session = runtime.session
    with stages.served(runtime, tmp_path) as (demo, _):
        hands = Hands(chromium, demo, PHONE)
        hands.sit("blue")
        for path in ("/seat", "/map", "/"):
            session.settle({Colour("red"): 3}, "anna", session.view()["expected"])
            hands.open(path)
            wish = Wish(session.view()["undo"]["batch"], "Red")
            session.ask_undo(wish, session.view()["expected"], ["blue", "red"], "red")
            with hands.page.expect_response("**/answer"):
                hands.tap("poll-yes")
            expect(hands.page.locator("#poll")).to_be_empty()
            assert session.view()["phase"] == "waiting", path


def test_thirty_cubes_are_not_counted_twice_because_somebody_laid_a_card(
    chromium: Browser, tmp_path: Path
) -> None:
    """The counts were refused as outdated, and were lost with their sheet."""
    options = {**OPTIONS, "tower": {"blue": 3, "red": 4}}
    runtime = Runtime(TableSpec("map", tmp_path, SensorSpec("none", "none"), options), GAME)
    with stages.served(runtime, tmp_path) as (demo, _):
        hands = Hands(chromium, demo, LAPTOP)
        hands.open("/")
        hands.tap("tower-opened")
        for _turn in range(2):
            hands.page.click('#sheet [data-key="inside-blue1"]')
        hands.page.route("**/commands", lambda route: route.abort("connectionreset"), times=1)
        with hands.page.expect_event("requestfailed"):
            hands.tap("tower-yes")
        hands.page.evaluate(_ANSWERED)
        expect(hands.page.locator("#sheet[open]")).to_have_count(0)
        hands.tap("tower-opened")
        expect(hands.page.locator('#sheet[open] [data-count="inside-blue"] output')).to_have_text("5")
        fact = {"kind": "correct", "fact": "points", "where": "red", "value": 7}
        tell(runtime.session, fact)
        with hands.page.expect_response("**/commands"):
            hands.tap("tower-yes")
        expect(hands.page.locator('#sheet[open] [data-count="inside-blue"] output')).to_have_text("5")
        with hands.page.expect_response("**/commands"):
            hands.tap("tower-yes")
        expect(hands.page.locator("#sheet[open]")).to_have_count(0)
        assert runtime.session.view()["game"]["cubes"]["tower"]["blue"] == 5
        count = {"kind": "count_tower", "inside": {"blue": 1}}
        at = runtime.session.view()["expected"]
        hands.page.evaluate(_TOLD_AFTER, at)
        runtime.session.command(count, "anna", at)
        hands.page.evaluate("window.told.then(() => null)")
        hands.tap("tower-opened")
        expect(hands.page.locator('#sheet[open] [data-count="inside-blue"] output')).to_have_text("1")


@pytest.mark.parametrize(
    ("path", "lost", "there"),
    [
        ("/", "**/api/v1/table", "#stage *"),
        ("/seat", "**/i18n/en.json", "#seat button"),
        ("/map", "**/api/v1/legal", "#map *"),
    ],
)
def test_a_request_that_is_lost_as_a_page_opens_is_made_again(
    path: str, lost: str, there: str, chromium: Browser, table: tuple[Runtime, Demo]
) -> None:
    """A phone woke before its network, and stayed empty until a person loaded the page again."""
    hands = Hands(chromium, table[1], PHONE)
    urls: list[str] = []

    def lose_first(route: Route) -> None:
        urls.append(route.request.url)
        if len(urls) == 1:
            route.abort("connectionreset")
        else:
            route.continue_()

    hands.page.route(lost, lose_first)
    hands.page.goto(f"{table[1].url}{path}")
    hands.page.wait_for_selector(there)


def test_a_picture_that_is_lost_on_its_way_is_asked_for_again(chromium: Browser, acted: Demo) -> None:
    """Browsers drew a torn sheet in its place until somebody reloaded the page."""
    hands = Hands(chromium, acted, PHONE)
    hands.open()
    hands.page.route("**/api/v1/looks/**", lambda route: route.abort())
    hands.tap("fall")
    caption = hands.page.locator("#stage .tray figcaption")
    expect(caption).to_have_text("The picture has not arrived; trying again.")
    expect(caption).to_be_visible()
    image = hands.page.locator("#stage .tray image")
    expect(image).to_have_css("visibility", "hidden")
    hands.page.unroute("**/api/v1/looks/**")
    expect(caption).to_be_hidden()
    expect(image).to_have_css("visibility", "visible")


def test_each_tap_on_a_count_is_seen_at_once_and_none_is_lost(chromium: Browser, tmp_path: Path) -> None:
    """During a countdown nothing was shown until the network answered, and that put older counts back."""
    runtime = stages.acted(tmp_path)
    with stages.served(runtime, tmp_path) as (demo, _):
        hands = Hands(chromium, demo, PHONE)
        hands.open("/")
        hands.tap("fall")
        hands.phase("countdown")
        page, output = hands.page, '[data-count="count-red"] output'
        waiting: list[Route] = []
        page.route("**/api/v1/hold", lambda route: waiting.append(route))  # noqa: PLW0108 - a bound method of a list has no attributes
        number_before = int(page.inner_text(output))
        for tap in (1, 2, 3):
            page.click('[data-key="count-red1"]')
            assert int(page.inner_text(output)) == number_before + tap
        until(lambda: page.evaluate("1") and waiting)
        [route] = waiting
        with page.expect_response("**/api/v1/preview"):
            route.continue_()
        expect(page.locator(output)).to_have_text(str(number_before + 3))
        assert runtime.session.view()["phase"] == "asking"


def test_a_person_may_count_what_the_camera_does_not_see_fall(chromium: Browser, tmp_path: Path) -> None:
    """A load cell felt the cubes, the camera was gone: the only button was for another look."""
    runtime = stages.battle_of_three(tmp_path)
    with stages.served(runtime, tmp_path) as (demo, _):
        hands = Hands(chromium, demo, PHONE)
        hands.open("/")
        for report in (
            CameraSays("0", "It gives no picture.", "Plug it in.", "gone"),
            SensorSays(LinkUp("cell", "1.0")),
        ):
            runtime.session.hear(report)
        for event in (Motion(5), Drop(9, 360)):
            runtime.session.hear(SensorSays(event))
        hands.phase("falling")
        hands.tap("by-hand")
        hands.page.click('[data-key="count-red1"]')
        hands.tap("accept")
        hands.phase("idle")
        assert runtime.session.throws()[0]["by"] == "hand"


def test_the_page_names_the_picture_of_a_folder_that_cannot_be_read(
    chromium: Browser, tmp_path: Path
) -> None:
    """In the language of the page, with its colon."""
    runtime = stages.battle_of_three(tmp_path)
    with stages.served(runtime, tmp_path) as (demo, _):
        hands = Hands(chromium, demo, PHONE, locale="fr-FR")
        hands.open("/")
        says = CameraSays("trays", "7.png is cut short.", "Copy it again.", "picture_cut", file="7.png")
        runtime.session.hear(says)
        expect(hands.page.locator("#light p")).to_have_text(
            "7.png\u00a0: La fin de l’image manque. Reprenez-la ou recopiez-la."
        )


def test_an_address_that_is_typed_stays_while_the_table_changes(chromium: Browser, tmp_path: Path) -> None:
    """Each change of the camera's health emptied the field and took the focus away; so did a refusal."""
    runtime = stages.battle_of_three(tmp_path)
    with stages.served(runtime, tmp_path) as (demo, _):
        hands = Hands(chromium, demo, LAPTOP)
        hands.open("/camera")
        field = hands.page.locator("#address")
        field.press_sequentially("htp://192.168.1.20")
        with hands.page.expect_response("**/api/v1/camera"):
            runtime.session.hear(CameraSays("0", "It gives no picture.", "Plug it in.", "gone"))
        hands.page.evaluate(_ANSWERED)
        expect(field).to_be_focused()
        hands.page.keyboard.type(":80")
        hands.tap("use-address")
        hands.page.wait_for_selector("#notice .bad")
        expect(field).to_have_value("htp://192.168.1.20:80")


def _lose_answer(route: Route) -> None:
    route.fetch()
    route.abort()


def test_a_seat_is_not_lost_with_the_answer_that_gives_it(
    chromium: Browser, table: tuple[Runtime, Demo]
) -> None:
    """The Wi-Fi dropped in between: the seat had a key that nobody knew, and the host had to reissue it."""
    hands = Hands(chromium, table[1], PHONE)
    hands.open("/seat")
    hands.page.route("**/seats/blue/take", _lose_answer, times=1)
    hands.tap("take-blue")
    hands.page.wait_for_selector(".mine")
    hands.page.reload()
    hands.page.wait_for_selector(".mine")


def test_a_link_that_was_used_without_an_answer_still_gives_its_seat(
    chromium: Browser, table: tuple[Runtime, Demo]
) -> None:
    runtime, demo = table
    ticket = runtime.issue_seat("red")
    hands = Hands(chromium, demo, PHONE)
    hands.page.route("**/seats/red/take", _lose_answer, times=1)
    hands.page.goto(f"{hands.url}/join#{runtime.access.code()}.red.{ticket}")
    hands.page.wait_for_selector(".mine")


def test_a_seat_that_could_not_be_left_is_still_ones_own(
    chromium: Browser, table: tuple[Runtime, Demo]
) -> None:
    """The phone threw its key away, and the table never heard of it."""
    hands = Hands(chromium, table[1], PHONE)
    hands.sit("blue")
    hands.page.route("**/seats/blue/free", lambda route: route.abort(), times=1)
    with hands.page.expect_response("**/seats/blue"):
        hands.tap("leave")
    hands.tap("leave")
    expect(hands.page.locator('[data-key="take-blue"]')).to_be_enabled()
