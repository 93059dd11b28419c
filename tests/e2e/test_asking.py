"""Asking a person on a phone: the light above and the bar below cover nothing that has to be seen."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from companion.games.protocol import Colour
from companion.table.messages import CameraSays, Moving, SensorSays
from companion.table.runtime import Runtime
from firmware.link.events import LinkUp
from tests.companion.table.tables import looked
from tests.e2e import stages
from tests.e2e.films import heap_as_read
from tests.e2e.pages import violations
from tests.e2e.place import LAPTOP, PHONE, PHONE_WITH_BARS, TABLET, Hands, expect_in_sight
from vision.reading import Doubt

pytestmark = pytest.mark.browser
LOW = {"width": 844, "height": 390}
"""The same phone on its side."""
MOST_STOPS = 80
_FOCUSED = """() => {
  const stop = document.activeElement;
  if (stop === document.body) return null;
  const box = stop.getBoundingClientRect();
  const at = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
  const over = at?.closest(".decide, .head > *");
  const covered = Boolean(over) && !over.contains(stop);
  return { name: stop.dataset.key ?? stop.textContent.slice(0, 30), covered };
}"""
_LAST = """() => {
  const all = [...document.querySelectorAll("main *")]
    .filter((one) => one.checkVisibility() && !one.childElementCount);
  const box = all.at(-1).getBoundingClientRect();
  const at = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
  return at === all.at(-1);
}"""
_FREE = """() => [".decide", ".head"]
  .map((name) => document.querySelector(name))
  .filter((bar) => getComputedStyle(bar).position === "sticky")
  .map((bar) => bar.getBoundingClientRect())
  .reduce((free, { width, height }) => free - (width * height) / (innerWidth * innerHeight), 1)"""


@pytest.fixture
def runtime(tmp_path: Path) -> Runtime:
    return stages.battle_of_three(tmp_path / "tables")


@pytest.fixture
def asked(chromium: Browser, runtime: Runtime, tmp_path: Path) -> Iterator[Hands]:
    """A phone that asks about a heap of which nobody can be sure."""
    with stages.served(runtime, tmp_path) as (demo, _):
        runtime.session.hear(Moving())
        runtime.session.hear(heap_as_read(41_004))  # two places to ask about
        hands = Hands(chromium, demo, PHONE)
        hands.open()
        hands.phase("asking")
        hands.page.wait_for_selector("#preview")
        yield hands


@pytest.mark.parametrize("size", [PHONE, LOW], ids=["upright", "on its side"])
def test_what_has_the_focus_lies_under_no_bar(asked: Hands, size: dict[str, int]) -> None:
    page = asked.page
    page.set_viewport_size({"width": size["width"], "height": size["height"]})
    stops = list(_tab_stops(page))
    assert {"count-red1", "accept", "look"} <= {stop["name"] for stop in stops}
    assert [stop["name"] for stop in stops if stop["covered"]] == []


@pytest.mark.parametrize("size", [PHONE, LOW], ids=["upright", "on its side"])
def test_most_of_the_screen_is_left_to_what_is_counted(asked: Hands, size: dict[str, int]) -> None:
    """Upright there are six rows of cubes; on its side a phone has room only for a bar beside the picture."""
    page = asked.page
    page.set_viewport_size({"width": size["width"], "height": size["height"]})
    assert page.evaluate(_FREE) >= 2 / 3


@pytest.mark.parametrize(
    "size", [PHONE, TABLET, LOW, LAPTOP], ids=["phone", "tablet", "on its side", "laptop"]
)
def test_the_counts_stand_beside_the_button_where_their_rows_lie_below_the_window(
    asked: Hands, runtime: Runtime, size: dict[str, int]
) -> None:
    """ "That is right" was asked about counts that nobody saw without scrolling."""
    page = asked.page
    page.set_viewport_size({"width": size["width"], "height": size["height"]})
    short = page.locator(".decide .in-short")
    if size == LAPTOP:  # the rows stand beside the picture
        expect(short).to_be_hidden()
        return
    page.evaluate("document.querySelector('[data-key=accept]').scrollIntoView({ block: 'end' })")
    expect_in_sight(short)
    red = runtime.session.view()["look"]["counts"]["red"]
    expect(short.locator(".row > span").first).to_have_text(f"R {red}")
    asked.tap("count-red1")
    expect(short.locator(".row > span").first).to_have_text(f"R {red + 1}")


def test_tray_counts_and_buttons_fit_the_window_of_a_phone_with_its_bars(
    chromium: Browser, tmp_path: Path
) -> None:
    """The browser's bars leave 664 of 844 px: four seconds ran, and the button that stops them lay below."""
    with stages.served(stages.acted(tmp_path), tmp_path) as (demo, _):
        hands = Hands(chromium, demo, PHONE_WITH_BARS)
        hands.open()
        hands.tap("fall")
        hands.phase("countdown")
        hands.page.wait_for_selector("#preview")
        for selector in ("#light", "#stage figure.tray", ".decide .in-short", "#preview", "[data-key=hold]"):
            expect_in_sight(hands.page.locator(selector))
        assert not hands.page.evaluate("""() => {
          const [tray, bar] = ["figure.tray", ".decide"]
            .map((one) => document.querySelector(`#stage ${one}`).getBoundingClientRect());
          return tray.bottom > bar.top + 1;
        }""")


def test_at_the_end_of_the_page_its_last_words_can_be_read(asked: Hands) -> None:
    asked.page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
    assert asked.page.evaluate(_LAST)
    asked.page.evaluate(
        "document.querySelector('.looking .tell').lastElementChild.scrollIntoView({ block: 'end' })"
    )
    assert not asked.page.evaluate("""() => {
      const box = document.querySelector(".looking .tell").lastElementChild.getBoundingClientRect();
      return Boolean(document.elementFromPoint(box.left + 4, box.top + box.height / 2)?.closest(".decide"));
    }""")


def test_an_empty_tray_asks_for_the_throw_and_is_settled_only_on_purpose(
    chromium: Browser, tmp_path: Path
) -> None:
    """ "That is right" under a verdict settled a battle with no cubes before anybody had thrown."""
    runtime = stages.battle_of_three(tmp_path)
    with stages.served(runtime, tmp_path) as (demo, _):
        hands = Hands(chromium, demo, PHONE)
        hands.open()
        hands.phase("waiting")
        runtime.session.look_again()
        runtime.session.hear(looked())
        hands.phase("asking")
        accept = hands.page.locator('[data-key="accept"]')
        expect(hands.page.locator("#light h1")).to_have_text("The tray is empty. Throw now.")
        expect(accept).to_have_text("Nothing came out")
        expect(accept).to_have_class("btn quiet")
        hands.tap("count-red1")
        expect(accept).to_have_text("Use these numbers")
        expect(hands.page.locator("#preview")).to_be_visible()
        hands.tap("count-red-1")
        expect(hands.page.locator("#preview")).to_have_count(0)
        hands.tap("accept")
        hands.phase("idle")


_SEEN = """() => {
  const { top, bottom } = document.querySelector("#notice .bad").getBoundingClientRect();
  return top >= 0 && bottom <= innerHeight;
}"""


@pytest.mark.parametrize("size", [PHONE, LOW, LAPTOP], ids=["upright", "on its side", "laptop"])
def test_a_refusal_is_seen_where_the_page_is_scrolled_to_and_goes_with_its_question(
    asked: Hands, runtime: Runtime, size: dict[str, int]
) -> None:
    """The disk is full when the button below is pressed."""
    page = asked.page
    page.set_viewport_size({"width": size["width"], "height": size["height"]})
    full = {"error": {"key": "not_saved", "sentence": "Full.", "params": {}}}
    page.route("**/api/v1/settle", lambda route: route.fulfill(status=507, json=full))
    page.evaluate("document.querySelector('[data-key=accept]').scrollIntoView({ block: 'end' })")
    asked.tap("accept")
    expect(page.locator("#notice")).to_contain_text("This could not be saved")
    assert page.evaluate(_SEEN)
    page.unroute("**/api/v1/settle")
    runtime.session.hear(SensorSays(LinkUp("/dev/ttyACM0", "0.0.1")))  # unrelated to the question
    expect(page.locator("#notice .bad")).to_have_count(1)
    runtime.session.settle({Colour("red"): 1}, "anna", runtime.session.view()["expected"])
    asked.phase("idle")
    expect(page.locator("#notice > *")).to_have_count(0)


def test_what_is_counted_already_and_what_is_asked_about_are_told_apart_in_each_cut_out(
    asked: Hands, runtime: Runtime
) -> None:
    """A ring around three cubes of a heap asked `what lies in the ring?`, and nobody could answer."""
    look = runtime.session.view()["look"]
    assert look["open"]
    cuts = asked.page.locator(".places .cut")
    expect(cuts).to_have_count(len(look["open"]))
    for cut in cuts.all():
        assert cut.locator(".dashed").count() == 1
        assert cut.locator(".counted text").count() > 0
    numbers = asked.page.locator(".tray .ring > text")
    spots = {tuple((numbers.nth(at).bounding_box() or {}).values()) for at in range(numbers.count())}
    assert len(spots) == len(look["open"])


def test_words_point_at_a_circle_only_where_there_is_one(asked: Hands, runtime: Runtime) -> None:
    runtime.session.hear(looked(Doubt.UNCLEAR_COUNT, red=4))
    advice = asked.page.locator(".looking")
    expect(advice).to_contain_text("count them all")
    expect(advice).not_to_contain_text("circled")


def test_a_count_that_is_stepped_to_its_end_keeps_the_focus(asked: Hands) -> None:
    """At zero "−" was disabled, and the next key press went to the page."""
    less = asked.page.locator('[data-key="count-blue-1"]')
    number = asked.page.locator('[data-count="count-blue"] output')
    less.focus()
    for value in range(int(number.inner_text()) - 1, -1, -1):
        asked.page.keyboard.press("Enter")
        expect(number).to_have_text(str(value))
    expect(less).to_be_focused()
    expect(less).to_have_attribute("aria-disabled", "true")
    asked.page.keyboard.press("Enter")
    asked.page.keyboard.press("Tab")
    expect(asked.page.locator('[data-key="count-blue1"]')).to_be_focused()
    asked.page.keyboard.press("Enter")
    expect(number).to_have_text("1")


def test_what_the_ledger_refuses_is_said_before_it_is_pressed(asked: Hands, runtime: Runtime) -> None:
    """`That is right` was the main button, and was answered with `more of farmers came out`."""
    runtime.session.hear(looked(Doubt.NOT_IN_TOWER, green=14))
    expect(asked.page.locator("#over")).to_contain_text("Farmers: 14 counted, at most")
    expect(asked.page.locator(".count.over")).to_contain_text("Farmers")
    expect(asked.page.locator('[data-key="accept"]')).to_be_disabled()
    expect(asked.page.locator('[data-key="insist"]')).to_be_enabled()
    asked.count({"green": 1})
    expect(asked.page.locator("#over, [data-key=insist]")).to_have_count(0)
    expect(asked.page.locator('[data-key="accept"]')).to_be_enabled()


def test_the_main_reason_stands_by_the_picture_and_advice_is_folded_away(
    asked: Hands, runtime: Runtime
) -> None:
    runtime.session.hear(looked(Doubt.NO_MAT, Doubt.STACKED, Doubt.CROWDED, red=5, blue=3, green=3))
    expect(asked.page.locator(".sight #why")).to_contain_text("on top of each other")
    folded = asked.page.locator(".reasons")
    expect(folded.locator("summary")).to_contain_text("2 more reasons")
    asked.tap("reasons")
    expect(folded.locator("h3 + ul")).to_contain_text("mat")
    expect(folded).not_to_contain_text("`")


@pytest.mark.parametrize(
    ("why", "words"), [(Doubt.TAKEN_OUT, "There is less in the tray"), (Doubt.LAY_THERE, "before the throw")]
)
def test_what_hands_did_stands_by_the_picture_beside_places_to_answer(
    asked: Hands, runtime: Runtime, why: Doubt, words: str
) -> None:
    """It was folded away: whoever answered the places confirmed what hands had left in the tray."""
    runtime.session.hear(heap_as_read(41_004).asking(why))
    expect(asked.page.locator(".sight #why")).to_contain_text(words)
    expect(asked.page.locator(".sight #why")).to_contain_text("places are unclear: answer")
    expect(asked.page.locator(".reasons", has_text=words)).to_have_count(0)


def test_who_enlarges_the_picture_stops_the_countdown(
    chromium: Browser, runtime: Runtime, tmp_path: Path
) -> None:
    """It went on unseen beneath: four seconds later the throw was settled and the picture closed."""
    with stages.served(runtime, tmp_path) as (demo, _):
        hands = Hands(chromium, demo, LAPTOP)
        hands.open()
        hands.phase("waiting")
        runtime.session.hear(Moving())
        runtime.session.hear(looked(red=3, blue=3))
        hands.phase("countdown")
        hands.page.focus('[data-key="enlarge"]')
        hands.page.keyboard.press("Enter")
        hands.phase("asking")
        expect(hands.page.locator("dialog.zoom")).to_be_visible()
        hands.page.keyboard.press("Escape")
        expect(hands.page.locator('[data-key="enlarge"]')).to_be_focused()
        hands.tap("accept")
        hands.phase("idle")
        assert (hands.complaints, hands.refused) == ([], [])


def test_the_picture_is_enlarged_its_marks_go_and_a_ring_leads_to_its_question(asked: Hands) -> None:
    page = asked.page
    asked.tap("enlarge")
    expect(page.locator("dialog.zoom")).to_be_visible()
    mark = page.locator("dialog.zoom .outline").first
    expect(mark).to_be_visible()
    page.keyboard.press("m")
    expect(mark).to_be_hidden()
    page.keyboard.press("m")
    box = "document.querySelector('dialog.zoom svg').getAttribute('viewBox').split(' ')[2]"
    width_before = float(page.evaluate(box))
    asked.tap("zoom-in")
    assert float(page.evaluate(box)) < width_before
    assert violations(page) == []
    page.keyboard.press("Escape")
    expect(page.locator("dialog.zoom")).to_have_count(0)
    expect(page.locator('[data-key="enlarge"]')).to_be_focused()
    page.locator('.tray [data-place="2"]').dispatch_event("click")
    expect(page.locator("#place-2 input:checked")).to_be_focused()


def test_what_was_answered_outlives_a_reload_and_a_new_reading_says_that_it_does_not(
    asked: Hands, runtime: Runtime
) -> None:
    page = asked.page
    chosen = page.locator("#place-1 input:not(:checked)").first.get_attribute("value")
    page.locator(f'#place-1 input[value="{chosen}"]').check()
    expect(page.locator('[data-key="accept"]')).to_have_text("Use these numbers")
    page.reload()
    expect(page.locator(f'#place-1 input[value="{chosen}"]')).to_be_checked()
    expect(page.locator('[data-key="accept"]')).to_have_text("Use these numbers")
    runtime.session.hear(looked(Doubt.STACKED, red=4, blue=2))
    expect(page.locator("#anew")).to_contain_text("read again")
    expect(page.locator('[data-count="count-blue"] output')).to_have_text("2")


def test_who_counts_by_hand_keeps_the_numbers_can_go_back_and_is_asked_once_more_at_none(
    chromium: Browser, runtime: Runtime, tmp_path: Path
) -> None:
    with stages.served(runtime, tmp_path) as (demo, _):
        hands = Hands(chromium, demo, PHONE)
        hands.open()
        hands.tap("by-hand")
        expect(hands.page.locator("#light")).to_contain_text("Count what is in the tray")
        hands.tap("cancel")
        hands.tap("by-hand")
        hands.tap("accept")
        expect(hands.page.locator("#empty")).to_be_visible()
        hands.count({"red": 2})
        expect(hands.page.locator("#empty")).to_have_count(0)
        runtime.session.hear(Moving())
        runtime.session.hear(looked(red=4))  # certain: it would count down
        expect(hands.page.locator("#read-meanwhile")).to_be_visible()
        hands.phase("asking")
        expect(hands.page.locator("#total")).to_have_text("2 cubes")
        hands.tap("show-read")
        expect(hands.page.locator("#total")).to_have_text("4 cubes")
        assert hands.complaints == []


def test_a_count_is_corrected_beside_its_picture_and_what_it_would_decide(asked: Hands) -> None:
    """It loaded every throw of the table for the picture of one."""
    asked.tap("accept")
    asked.phase("idle")
    of_one_throw = "**/api/v1/throws?last=1&before=*"
    asked.page.route(of_one_throw, lambda route: route.abort(), times=1)  # asked for again
    with asked.page.expect_request(of_one_throw):
        asked.tap("correct")
    expect(asked.page.locator(".sight figure.tray .outline").first).to_be_visible()
    expect(asked.page.locator("#preview")).to_contain_text("If so: Blue holds Omi")
    asked.page.locator('[data-count="correct-red"] button').last.click()
    expect(asked.page.locator('[data-count="correct-red"] output')).to_have_text("5")
    asked.tap("save")
    expect(asked.page.locator("#result .verdict")).to_be_visible()


def test_who_only_watches_is_told_so_before_a_tap_is_refused(
    chromium: Browser, runtime: Runtime, tmp_path: Path
) -> None:
    with stages.served(runtime, tmp_path) as (demo, app):
        app.config["LOOPBACK_IS_HOST"] = False
        hands = Hands(chromium, demo, PHONE)
        hands.open()
        expect(hands.page.locator("#watching a")).to_have_attribute("href", "/join")
        expect(hands.page.locator('[data-key="by-hand"]')).to_be_disabled()
        runtime.session.hear(Moving())
        runtime.session.hear(looked(Doubt.STACKED, red=4))
        expect(hands.page.locator('[data-key="accept"]')).to_be_disabled()
        expect(hands.page.locator('[data-key="enlarge"]')).to_be_enabled()
        assert (hands.complaints, hands.refused) == ([], [])


def _tab_stops(page: Page) -> Iterator[dict[str, Any]]:
    """What the Tab key leads to, from the first to the last."""
    page.evaluate("scrollTo(0, 0)")
    for _ in range(MOST_STOPS):
        page.keyboard.press("Tab")
        stop: dict[str, Any] | None = page.evaluate(_FOCUSED)
        if stop is None:
            return
        yield stop
    pytest.fail("the walk does not end")


def test_a_camera_that_goes_amid_a_fall_leaves_the_count_to_hands(chromium: Browser, tmp_path: Path) -> None:
    """As long as it was away the title said that cubes were falling."""
    runtime = stages.battle_of_three(tmp_path)
    with stages.served(runtime, tmp_path) as (demo, _):
        hands = Hands(chromium, demo, PHONE)
        hands.open()
        runtime.session.hear(Moving())
        hands.phase("falling")
        runtime.session.hear(CameraSays("0", "It is gone.", "Plug it in.", "unplugged"))
        hands.phase("unseen")
        expect(hands.page.locator("#light h1")).to_have_text("The camera sees nothing")
        expect(hands.page.locator("#stage .falling")).to_have_count(0)
        hands.tap("by-hand")
        hands.count({"red": 4, "blue": 2})
        hands.tap("accept")
        hands.phase("idle")
        assert runtime.session.throws()[0]["by"] == "hand"
        hands.context.close()
