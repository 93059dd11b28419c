"""What a tap opens or brings is in the window of a phone whose browser shows its bars, without scrolling."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from companion.games.registry import find
from companion.games.shogun.words import Phase
from companion.table.messages import CameraSays, Moving, SensorSpec
from companion.table.runtime import Runtime, TableSpec
from tests.e2e import stages
from tests.e2e.films import heap_as_read, photo_of_a_heap
from tests.e2e.place import (
    LOW_LAPTOP,
    ON_ITS_SIDE,
    PHONE_WITH_BARS,
    SMALL_PHONE_WITH_BARS,
    Demo,
    Hands,
    expect_in_sight,
)
from tests.e2e.trays import page_at, picture_at_step

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("size", [PHONE_WITH_BARS, SMALL_PHONE_WITH_BARS], ids=["phone", "small phone"])
def test_counting_by_hand_and_correcting_begin_in_the_window(
    chromium: Browser, tmp_path: Path, size: dict[str, int]
) -> None:
    """The page stayed where the button had been: the first rows, or all of the form, lay above the window."""
    runtime = stages.battle_of_three(tmp_path)
    runtime.session.hear(CameraSays("none"))
    with stages.served(runtime, tmp_path) as (demo, _):
        hands = Hands(chromium, demo, size)
        page = hands.page
        hands.open()
        hands.tap("by-hand")
        for part in ('[data-count="count-red"]', '[data-key="accept"]'):
            expect_in_sight(page.locator(part))
        hands.count({"red": 5, "blue": 1})
        hands.tap("accept")
        hands.phase("idle")
        hands.tap("correct")
        for part in ('[data-count="correct-red"]', '[data-key="save"]'):
            expect_in_sight(page.locator(part))
        hands.tap("correct-blue1")
        hands.answered()
        page.evaluate("scrollBy(0, 300)")
        hands.tap("save")
        expect_in_sight(page.locator("#result .verdict"))
        assert hands.complaints == []


@pytest.mark.parametrize("size", [PHONE_WITH_BARS, SMALL_PHONE_WITH_BARS], ids=["phone", "small phone"])
def test_a_tower_is_thrown_again_and_counted_without_a_scroll(
    chromium: Browser, tmp_path: Path, size: dict[str, int]
) -> None:
    """The buttons to throw, to count without a camera and to throw again lay below the window."""
    box = dict.fromkeys(("red", "blue", "yellow", "green", "black", "white"), 12)
    spec = TableSpec("tower", tmp_path, SensorSpec("none", "none"), {"box": box})
    runtime = Runtime(spec, find("just_the_tower"))
    runtime.session.hear(CameraSays("none"))
    with stages.served(runtime, tmp_path) as (demo, _):
        hands = Hands(chromium, demo, size)
        page = hands.page
        hands.open()
        go, in_short = page.locator('[data-key="counter-throw"]'), page.locator(".decide .in-short")
        expect_in_sight(go)
        hands.tap("throw-red1")
        hands.tap("throw-blue1")
        hands.tap("counter-throw")
        hands.phase("waiting")
        expect_in_sight(page.locator('[data-key="by-hand"]'))
        hands.tap("by-hand")
        hands.count({"red": 1})
        hands.tap("accept")
        hands.phase("idle")
        for part in (go, page.locator('[data-key="counter-series"]'), in_short):
            expect_in_sight(part)
        expect(in_short).to_have_text("R 1")
        hands.tap("throw-yellow1")
        expect(in_short.locator(".row > span")).to_have_text(["R 1", "Y 1"])  # what waits there goes in too
        assert hands.complaints == []


def test_that_places_are_to_be_answered_is_told_in_the_window(chromium: Browser, tmp_path: Path) -> None:
    """Under the picture it lay below the window: a question and a picture, and nothing to do."""
    runtime = stages.battle_of_three(tmp_path)
    with stages.served(runtime, tmp_path) as (demo, _):
        runtime.session.hear(Moving())
        runtime.session.hear(heap_as_read(41_004))
        hands = Hands(chromium, demo, PHONE_WITH_BARS)
        hands.open()
        hands.phase("asking")
        why, tray = hands.page.locator("#why"), hands.page.locator("#stage figure.tray")
        expect(why).to_contain_text("places are unclear")
        for part in (why, tray):
            expect_in_sight(part, 0.9)


def test_what_a_photo_showed_and_the_way_on_come_into_the_window(chromium: Browser, tmp_path: Path) -> None:
    """Both lay below it: after "Reading …" nothing seemed to have happened."""
    runtime = stages.battle_of_three(tmp_path / "tables")
    runtime.start()
    with stages.served(runtime, tmp_path) as (demo, _):
        hands = Hands(chromium, demo, PHONE_WITH_BARS)
        hands.open("/camera")
        hands.page.set_input_files("#photo", photo_of_a_heap(tmp_path / "heap.jpg", 41_004))
        for part in ("canvas", "p", "a.btn"):
            expect_in_sight(hands.page.locator(f'[data-key="photo-read"] {part}'), 0.9)


def test_what_became_of_a_fact_put_right_is_in_the_window(chromium: Browser, tmp_path: Path) -> None:
    """The refusal stood at the top of the page, and what was put right in the list below the form."""
    with stages.served(stages.fresh(tmp_path), tmp_path) as (demo, _):
        hands = Hands(chromium, demo, PHONE_WITH_BARS)
        page = hands.page
        hands.open("/history")
        page.click("#correct summary")
        page.fill("#correct input[type=number]", "4")
        page.evaluate("""document.querySelector('[data-key="save-fact"]').scrollIntoView({ block: "end" })""")
        free = page.evaluate("""async () => (await (await fetch("/api/v1/table")).json()).game.provinces
          .find((one) => !one.owner)?.id""")
        page.select_option("#where", free)
        page.fill("#correct input[type=number]", "4")
        hands.tap("save-fact")
        expect_in_sight(page.locator("#notice .bad"))
        page.select_option("#fact", "bank")
        page.fill("#correct input[type=number]", "7")
        hands.tap("save-fact")
        expect(page.locator("#notice .bad")).to_have_count(0)
        expect_in_sight(page.locator("#history li").first)


@pytest.mark.parametrize("size", [PHONE_WITH_BARS, SMALL_PHONE_WITH_BARS], ids=["phone", "small phone"])
def test_what_a_calibration_asks_its_picture_and_the_answers_are_in_the_window(
    chromium: Browser, tmp_path: Path, size: dict[str, int]
) -> None:
    """The answers lay below the picture of what was asked about, and below the window."""
    with page_at(chromium, tmp_path, size) as (hands, table):
        page = hands.page
        hands.tap("begin")
        table.lay(picture_at_step("empty"))
        hands.tap("ready")
        for part in ("#say", "#walk img", '[data-key="yes"]', '[data-key="no"]', '[data-key="leave"]'):
            expect_in_sight(page.locator(part))
        assert page.evaluate("""() => document.querySelector("#walk img").getBoundingClientRect().bottom
          <= 1 + document.querySelector('[data-key="yes"]').getBoundingClientRect().top""")


def test_a_new_battle_is_told_beside_its_button_while_it_is_chosen(chromium: Browser, tmp_path: Path) -> None:
    """The form is two windows long, and its button lay below all of it."""
    runtime = stages.battle_of_three(tmp_path)
    with stages.served(runtime, tmp_path) as (demo, _):
        hands = Hands(chromium, demo, PHONE_WITH_BARS)
        page = hands.page
        hands.open()
        hands.tap("call-off")
        expect(
            page.locator('[data-key="to-battle"]')
        ).not_to_be_in_viewport()  # nobody has chosen a battle yet
        page.check('input[name="attacker"][value="blue"]')
        page.check('input[name="province"][value="mino"]')
        chosen = page.locator(".chosen .verdict")
        expect(chosen).to_have_text("Blue attacks Mino")
        page.evaluate("document.querySelector('input[value=mino]').scrollIntoView({ block: 'center' })")
        for part in (".chosen .verdict", '[data-key="to-battle"]'):
            expect_in_sight(page.locator(part))
        hands.tap("to-battle")
        hands.phase("waiting")


@pytest.mark.parametrize("size", [ON_ITS_SIDE, LOW_LAPTOP], ids=["phone on its side", "low laptop"])
def test_a_countdown_is_seen_and_stopped_in_a_low_window(
    chromium: Browser, unhurried: Demo, size: dict[str, int]
) -> None:
    """On its side a phone showed the countdown, but neither the counts nor the button that stops it."""
    hands = Hands(chromium, unhurried, size)
    hands.open()
    hands.phase("waiting")
    hands.tap("fall")
    tray, short = hands.page.locator("#stage figure.tray"), hands.page.locator(".decide .in-short")
    if hands.phase("countdown", "asking") == "countdown":
        for part in ("#light", '[data-key="accept"]', '[data-key="hold"]', "#preview"):
            expect_in_sight(hands.page.locator(part))
        hands.tap("hold")
    hands.phase("asking")
    for part in ("#light", '[data-key="accept"]', "#preview"):
        expect_in_sight(hands.page.locator(part))
    expect_in_sight(tray)
    if size == ON_ITS_SIDE:
        expect_in_sight(short)  # the rows have no room


@pytest.mark.parametrize("size", [SMALL_PHONE_WITH_BARS, ON_ITS_SIDE], ids=["small phone", "on its side"])
def test_what_an_undo_takes_back_and_both_answers_are_in_the_window(
    chromium: Browser, tmp_path: Path, size: dict[str, int]
) -> None:
    """The answers lay below the sheet's end; if one had the focus, what goes lay above the sheet's top."""
    runtime = stages.battle_of_three(tmp_path)
    runtime.start()
    with stages.served(runtime, tmp_path) as (demo, _):
        hands = Hands(chromium, demo, size, locale="ru-RU")
        hands.open()
        hands.tap("by-hand")
        hands.count({"red": 5, "blue": 1})
        hands.tap("accept")
        hands.phase("idle")
        hands.tap("undo")
        for part in ("dialog h2", "dialog h2 + p", '[data-key="undo-yes"]', '[data-key="undo-no"]'):
            expect_in_sight(hands.page.locator(part))
        expect(hands.page.locator('[data-key="undo-no"]')).to_be_focused()


@pytest.mark.parametrize(
    "size", [PHONE_WITH_BARS, SMALL_PHONE_WITH_BARS, ON_ITS_SIDE], ids=["phone", "small phone", "on its side"]
)
def test_the_slider_of_the_past_stays_in_the_window_with_the_map_that_it_moves(
    chromium: Browser, tmp_path: Path, size: dict[str, int]
) -> None:
    """It lay two windows below the map: whoever moved it saw nothing change but a line."""
    runtime = stages.fresh(tmp_path)
    for armies in (9, 8):
        fact = {"kind": "correct", "fact": "armies", "where": "omi", "value": armies}
        runtime.session.command(fact, "anna", runtime.session.view()["expected"])
    with stages.served(runtime, tmp_path) as (demo, _):
        hands = Hands(chromium, demo, size)
        page = hands.page
        hands.open("/map")
        page.click("#past summary")
        slider, omi = page.locator("#moment"), page.locator('[data-id="omi"]')
        for part in (slider, omi, page.locator('[data-key="past-close"]')):
            expect_in_sight(part)
        before = slider.bounding_box()
        page.focus("#moment")
        page.keyboard.press("ArrowLeft")
        expect(omi).to_have_attribute("aria-label", re.compile("9 armies"))
        for part in (slider, omi, page.locator('[data-key="now"]')):
            expect_in_sight(part)
        assert slider.bounding_box() == before  # nothing moves under the finger
        hands.tap("now")
        expect(omi).to_have_attribute("aria-label", re.compile("8 armies"))
        hands.tap("past-close")
        expect(slider).to_be_hidden()
        expect(page.locator("#past summary")).to_be_focused()
        assert hands.complaints == []


def test_what_a_seat_may_do_is_in_the_window_of_a_phone_on_its_side(
    chromium: Browser, tmp_path: Path
) -> None:
    """The seat's possessions filled the window, and a button at its edge repeated the heading."""
    runtime = stages.played(tmp_path, lambda state: state.phase is Phase.ORDER)
    [seat] = runtime.session.view()["game"]["waiting_for"]
    with stages.served(runtime, tmp_path) as (demo, _):
        hands = Hands(chromium, demo, ON_ITS_SIDE, locale="de-DE")
        hands.page.set_viewport_size({"width": 844, "height": 160})  # whose button lies below the window
        hands.sit(seat)
        assert hands.page.evaluate("scrollY") == 0, "its page is read from the beginning"
        hands.page.set_viewport_size({"width": ON_ITS_SIDE["width"], "height": ON_ITS_SIDE["height"]})
        orders = hands.page.locator(".orders .btn")
        for part in (hands.page.locator(".mine dd").first, orders.nth(0), orders.nth(3)):
            expect_in_sight(part)
        expect(hands.page.locator(".turn")).to_be_hidden()


def test_points_of_the_end_are_in_the_window(chromium: Browser, tmp_path: Path) -> None:
    """Who had how many lay below six buttons."""
    runtime = stages.played(tmp_path, stages.over)
    with stages.served(runtime, tmp_path) as (demo, _):
        hands = Hands(chromium, demo, SMALL_PHONE_WITH_BARS, locale="ru-RU")
        hands.open("/end")
        rows = hands.page.locator("#podium tbody tr")
        for number, size in ((2, SMALL_PHONE_WITH_BARS), (3, LOW_LAPTOP), (1, ON_ITS_SIDE)):
            hands.page.set_viewport_size({"width": size["width"], "height": size["height"]})
            expect_in_sight(rows.nth(number - 1))


def test_the_whole_map_is_in_the_window_of_a_low_laptop(chromium: Browser, tmp_path: Path) -> None:
    """Its south lay below the window, on the screen in the middle of the table."""
    runtime = stages.played(tmp_path, stages.second_year)
    with stages.served(runtime, tmp_path) as (demo, _):
        hands = Hands(chromium, demo, LOW_LAPTOP)
        hands.open("/map")
        for province in ("noto", "izu", "kii", "hitachi", "aki"):
            expect_in_sight(hands.page.locator(f'[data-id="{province}"]'))
