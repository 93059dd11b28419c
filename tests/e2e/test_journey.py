"""From the first click to the log entry, in a real browser, on real pictures, with the real reader."""

import csv
import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from companion.cli import main
from tests.e2e.films import photo_of_a_heap
from tests.e2e.pages import violations
from tests.e2e.place import LAPTOP, PHONE, TRUTH, Demo, Hands

pytestmark = pytest.mark.browser


def _fall_and_settle(hands: Hands, picture: str, verdict: str) -> None:
    """Let the cubes fall; wait for a certain reading, or correct a doubtful one."""
    hands.tap("fall")
    if hands.phase("countdown", "asking", "idle") == "asking":  # a slow page may see only the countdown's end
        hands.count(TRUTH[picture])
        hands.tap("accept")
    hands.phase("idle")
    expect(hands.page.locator("#result .verdict")).to_have_text(verdict)


def _exported_rows(demo: Demo) -> list[dict[str, str]]:
    csv_file = demo.data / "throws.csv"
    assert main(["log", "export", "--data", str(demo.data), "-o", str(csv_file)]) == 0
    return list(csv.DictReader(csv_file.read_text(encoding="utf-8-sig").splitlines()))


def test_three_battles_from_the_first_click_to_the_log(chromium: Browser, demo: Demo) -> None:
    hands = Hands(chromium, demo, LAPTOP)
    hands.open()

    hands.phase("waiting")  # the first battle stands ready: red attacks Omi
    _fall_and_settle(hands, "pictures/throw-01.jpg", "Red takes Omi with 2 armies")

    hands.declare("blue", "mino", 4)
    _fall_and_settle(hands, "pictures/throw-02.jpg", "Red holds Mino with 1 army, thanks to the farmers")

    hands.declare("red", "ise", 3)
    _fall_and_settle(hands, "pictures/throw-03.jpg", "Undecided: Ise is laid waste and belongs to nobody")

    rows = _exported_rows(demo)
    assert [row["outcome"] for row in rows] == ["attacker", "defender", "undecided"]
    assert [row["out_red"] for row in rows] == ["7", "3", "2"]
    hands.open("/throws")
    expect(hands.page.locator("article")).to_have_count(3)
    expect(hands.page.locator("article image")).to_have_count(3)
    assert (hands.complaints, hands.refused) == ([], [])  # a refusal names its address
    assert hands.strangers == []


def test_two_phones_confirm_at_once(chromium: Browser, acted: Demo) -> None:
    anna, ben = Hands(chromium, acted, PHONE), Hands(chromium, acted, PHONE)
    anna.open()
    anna.tap("fall")
    if anna.phase("countdown", "asking") == "countdown":
        anna.tap("hold")
    anna.phase("asking")
    ben.page.route("**/api/v1/events*", lambda route: route.abort())  # ben's updates come too late
    ben.open()
    ben.phase("asking")  # otherwise he would never hear of what he confirms
    anna.tap("accept")
    anna.phase("idle")
    ben.tap("accept")
    ben.page.wait_for_selector("#notice .bad")
    expect(ben.page.locator("#notice")).to_contain_text("Someone else was faster")
    ben.phase("idle")
    assert len(_exported_rows(acted)) == 1


def test_a_correction_and_an_undo_by_hand_on_a_phone(chromium: Browser, acted: Demo) -> None:
    hands = Hands(chromium, acted, PHONE)
    hands.open()
    hands.tap("fall")
    if hands.phase("countdown", "asking") == "countdown":
        hands.tap("hold")
    hands.phase("asking")
    hands.count({"red": 2, "blue": 3, "green": 3})
    expect(hands.page.locator("#preview")).to_contain_text(re.compile("^Blue holds Omi"))
    hands.tap("accept")
    verdict = hands.page.locator("#result .verdict")
    expect(verdict).to_have_text("Blue holds Omi with 3 armies, thanks to the farmers")
    hands.tap("undo")
    hands.tap("undo-yes")
    hands.phase("waiting")
    assert hands.page.inner_text('[data-key="undo"]') == "Undo: Red attacks Omi with 5 armies"
    hands.tap("undo")
    hands.tap("undo-yes")
    hands.phase("idle")
    [row] = _exported_rows(acted)
    assert (row["corrected"], row["undone"], row["seen_red"], row["out_red"]) == ("True", "True", "7", "2")


def test_the_whole_way_by_keyboard(chromium: Browser, acted: Demo) -> None:
    hands = Hands(chromium, acted, LAPTOP)
    hands.open()
    hands.page.focus('[data-key="fall"]')
    hands.page.keyboard.press("Enter")
    if hands.phase("countdown", "asking") == "countdown":
        hands.page.focus('[data-key="hold"]')
        hands.page.keyboard.press("Enter")
    hands.phase("asking")
    hands.page.focus('[data-key="count-red1"]')
    hands.page.keyboard.press("Enter")
    hands.page.keyboard.press("Enter")
    assert hands.page.evaluate("document.activeElement.dataset.key") == "count-red1"
    hands.page.focus('[data-key="accept"]')
    hands.page.keyboard.press("Enter")
    hands.phase("idle")
    [row] = _exported_rows(acted)
    assert (row["seen_red"], row["out_red"]) == ("7", "9")


def test_where_it_is_unsure_a_tap_at_the_place_puts_the_counts_right(
    chromium: Browser, unhurried: Demo, tmp_path: Path
) -> None:
    """Given a photo of a heap in which one cube lies under another, as a phone sends it."""
    phone, hands = Hands(chromium, unhurried, PHONE), Hands(chromium, unhurried, LAPTOP)
    phone.open("/camera")
    phone.page.set_input_files("#photo", photo_of_a_heap(tmp_path / "heap.jpg"))
    phone.page.wait_for_selector('[data-key="photo-read"] canvas')
    hands.open()
    hands.phase("asking")
    look = hands.page.evaluate("fetch('/api/v1/table').then((r) => r.json())")["look"]
    places = hands.page.locator(".places li")
    expect(places).to_have_count(len(look["open"]))
    expect(hands.page.locator(".tray .ring")).to_have_count(len(look["open"]))
    assert violations(hands.page) == []
    first_place = look["open"][0]
    counted, answered = (
        first_place["counted"],
        next(
            answer["colour"]
            for answer in first_place["answers"]
            if answer["colour"] != first_place["counted"]
        ),
    )
    faces = places.nth(0).locator("label")
    expect(faces).to_have_count(len(first_place["answers"]))
    places.nth(0).locator(f'input[value="{answered or "none"}"]').check()
    expected = dict(look["counts"])
    for colour, step in ((counted, -1), (answered, 1)):
        if colour:
            expected[colour] += step
            expect(hands.page.locator(f'[data-count="count-{colour}"] output')).to_have_text(
                str(expected[colour])
            )
    expect(hands.page.locator('[data-key="accept"]')).to_have_text("Use these numbers")
    places.nth(0).locator(f'input[value="{counted or "none"}"]').check()
    expect(hands.page.locator('[data-key="accept"]')).to_have_text("That is right")
    places.nth(0).locator(f'input[value="{answered or "none"}"]').focus()
    hands.page.keyboard.press("Space")
    expect(hands.page.locator('[data-key="accept"]')).to_have_text("Use these numbers")
    hands.answered()
    hands.tap("accept")
    hands.phase("idle")
    [throw] = hands.page.evaluate("fetch('/api/v1/throws').then((r) => r.json())")["throws"]
    assert {c: n for c, n in throw["accepted"].items() if n} == {c: n for c, n in expected.items() if n}
    assert hands.complaints == phone.complaints == []
