"""Winter, history and end: what happened, in words, and the ways back to it."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from companion.games.registry import find
from companion.table.messages import SensorSpec
from companion.table.past.book import TABLE_SAYS
from companion.table.past.undoing import Wish
from companion.table.runtime import Runtime, TableSpec
from tests.companion.table.tables import tell
from tests.e2e import stages
from tests.e2e.place import LAPTOP, MODULE, PHONE, WORDED, Demo, Hands, expect_in_sight

pytestmark = pytest.mark.browser


def test_the_history_tells_leads_back_and_puts_right(chromium: Browser, tmp_path: Path) -> None:
    runtime = stages.played(tmp_path, stages.second_year)
    session = runtime.session
    with stages.served(runtime, tmp_path) as (demo, _):
        hands = Hands(chromium, demo, LAPTOP)
        page = hands.page
        hands.open("/history")
        page.wait_for_selector(".entries li")
        newest = page.locator(".entries li").first
        expect(newest).to_contain_text("The points were counted")
        points = {player["seat"]: player["points"] for player in session.view()["game"]["players"]}
        expect(newest).to_contain_text(f"Red +{points['red']}")
        page.click("#correct summary")
        page.select_option("#fact", "chests")
        page.select_option("#where", "red")
        page.fill("#value", "7")
        page.fill("#reason", "miscounted")
        hands.tap("save-fact")
        page.wait_for_selector(".entries li:has-text('miscounted')")
        chests = {player["seat"]: player["chests"] for player in session.view()["game"]["players"]}
        assert chests["red"] == 7
        page.click('.entries li >> nth=1 >> [data-key^="back-"]')
        expect(page.locator('[data-key="undo-no"]')).to_be_focused()  # not the text field
        hands.tap("undo-yes")
        page.wait_for_selector(".entries li.undone >> nth=1")
        assert session.view()["game"]["phase"] == "scoring"
        page.click('.entries li:not(.undone) [data-key^="see-"] >> nth=0')
        page.wait_for_selector("#past[open] #moment")
        expect(page.locator("#now")).to_have_text(re.compile("^As it was"))  # now's comes first
        assert hands.complaints == []
        assert hands.strangers == []
        hands.context.close()


def test_a_long_history_is_read_as_far_as_it_is_shown(chromium: Browser, tmp_path: Path) -> None:
    """All 90 throws were sent to show the newest 40, and again with every change."""
    spec = TableSpec("long", tmp_path, SensorSpec("none", "none"), {"box": {"red": 90}})
    runtime = Runtime(spec, find("just_the_tower"))
    session = runtime.session
    for _ in range(90):
        tell(session, {"kind": "throw", "cubes": {"red": 1}})
        tell(session, {"kind": "call_off"}, "ben")
    queries: list[str] = []
    with stages.served(runtime, tmp_path) as (demo, _):
        hands = Hands(chromium, demo, PHONE)
        page, lines = hands.page, hands.page.locator(".entries li")
        page.on(
            "request", lambda r: queries.append(r.url.partition("?")[2]) if "v1/history?" in r.url else None
        )
        hands.open("/history")
        expect(lines).to_have_count(40)
        assert queries == ["last=80"]
        hands.tap("more")
        expect(lines).to_have_count(120)
        assert queries[1:] == ["last=80&before=102"]
        hands.tap("more")
        expect(lines).to_have_count(181)
        expect(page.locator('[data-key="more"]')).to_have_count(0)
        expect(lines.nth(120)).to_be_focused()  # the first that came; keys would begin at the page's top
        tell(session, {"kind": "throw", "cubes": {"red": 2}}, "carla")
        expect(lines.first).to_contain_text("carla")
        expect(lines).to_have_count(182)
        assert hands.complaints == []
        hands.context.close()


def test_a_long_name_widens_no_page_and_one_read_from_the_right_tears_no_date(
    chromium: Browser, tmp_path: Path
) -> None:
    """A name of 40 letters pushed a phone's page aside, and a Hebrew one stood between day and hour."""
    spec = TableSpec("names", tmp_path, SensorSpec("none", "none"), {"box": {"red": 90}})
    runtime = Runtime(spec, find("just_the_tower"))
    tell(runtime.session, {"kind": "throw", "cubes": {"red": 1}}, "W" * 40)
    tell(runtime.session, {"kind": "call_off"}, "דנה")
    with stages.served(runtime, tmp_path) as (demo, _):
        hands = Hands(chromium, demo, PHONE)
        hands.open("/history")
        expect(hands.page.locator(".entries li").first).to_contain_text("\u2068דנה\u2069 ·")
        widths = hands.page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
        assert widths[0] <= widths[1]
        assert hands.complaints == []
        hands.context.close()


def test_throws_that_were_lost_on_the_way_are_no_game_without_any(chromium: Browser, tmp_path: Path) -> None:
    runtime = stages.played(tmp_path, stages.over)
    counted_throws = [throw for throw in runtime.session.throws() if not throw["undone"]]
    thrown = len(counted_throws)
    assert thrown
    cubes = sum(sum(throw[pile].values()) for throw in counted_throws for pile in ("from_table", "from_tray"))
    with stages.served(runtime, tmp_path) as (demo, _):
        hands = Hands(chromium, demo, PHONE)
        hands.page.route("**/api/v1/throws", lambda route: route.abort(), times=1)
        hands.open("/end")
        expect(hands.page.locator("#crown p")).to_contain_text(re.compile(rf"\b{thrown} throws?\b"))
        expect(hands.page.locator("#crown p")).to_contain_text(f" {cubes} cubes thrown")
        hands.context.close()


def test_winter_and_end_show_how_the_game_was_won(chromium: Browser, tmp_path: Path) -> None:
    runtime = stages.played(tmp_path, stages.over)
    game = runtime.session.view()["game"]
    with stages.served(runtime, tmp_path) as (demo, _):
        hands = Hands(chromium, demo, PHONE)
        page = hands.page
        hands.open("/end")
        page.wait_for_selector(".bigseal")
        [winner] = game["winners"]
        expect(page.locator("#crown h1")).to_have_text(f"{winner} wins the game", ignore_case=True)
        best = max(player["points"] for player in game["players"])
        expect(page.locator("#podium tbody tr").first).to_contain_text(str(best))
        with page.expect_download() as download:
            hands.tap("keep-pdf")
        assert download.value.suggested_filename == "tenshu-game.pdf"
        assert Path(download.value.path()).read_bytes().startswith(b"%PDF-")
        with page.expect_download() as download:
            hands.tap("keep-json")
        assert json.loads(Path(download.value.path()).read_text())["game"]["winners"] == [winner]
        hands.tap("menu")
        page.select_option("#lang", "de")
        expect(page.locator("#past summary")).to_have_text("Zurückblicken")
        expect(page.locator("#map .map-zoom button").first).to_have_attribute("aria-label", "Näher")
        hands.tap("menu")
        page.select_option("#lang", "en")
        hands.open("/winter")
        page.wait_for_selector(".running tr")
        for player in game["players"]:
            shown = page.locator(f'.running tr[data-seat="{player["seat"]}"] .points')
            expect(shown).to_have_text(str(player["points"]))
        hands.tap("score-first")
        back = page.locator('[data-key="score-back"]')
        expect(back).to_have_attribute("aria-disabled", "true")
        hands.tap("score-next")
        expect(back).not_to_have_attribute("aria-disabled", "true")
        back.press("Enter")
        expect(back).to_have_attribute("aria-disabled", "true")
        expect(back).to_be_focused()
        hands.tap("score-next")
        assert page.locator(".revolt").count() > 0
        assert hands.complaints == []
        assert hands.strangers == []
        hands.context.close()


def test_a_winter_that_is_taken_back_leaves_nothing_of_it_on_its_page(
    chromium: Browser, tmp_path: Path
) -> None:
    """The card saying that the winter is over, with the winners, stood below "no winter yet"."""
    runtime = stages.played(tmp_path, stages.second_year)
    session = runtime.session
    events = session.events()
    before = next(e.batch for e in events if e.kind == "round_ended" and e.body["season"] == "winter")
    with stages.served(runtime, tmp_path) as (demo, _):
        hands = Hands(chromium, demo, PHONE)
        hands.open("/winter")
        expect(hands.page.locator("#after")).to_contain_text("This winter is over")
        session.undo(Wish(before, "anna"), session.view()["expected"], ["anna"])
        expect(hands.page.locator("#winter")).to_contain_text("There has been no winter yet")
        expect(hands.page.locator("#after")).to_be_empty()
        expect(hands.page.locator("#scoring")).to_be_empty()
        assert hands.complaints == []
        hands.context.close()


def test_who_has_no_name_is_called_so_in_the_readers_language(chromium: Browser, tmp_path: Path) -> None:
    """The log had "Gast" and "Invité" for two phones without a name."""
    runtime = stages.played(tmp_path, stages.second_year)
    session = runtime.session
    with stages.served(runtime, tmp_path) as (demo, _):
        german = Hands(chromium, demo, PHONE, locale="de-DE")
        german.open("/history")
        fact = {"kind": "correct", "fact": "chests", "where": "red", "value": 7}
        given = {"expected": session.view()["expected"], "command": fact}
        posted = f"(given) => {MODULE}('api.js').then((api) => api.post('commands', given))"
        german.page.evaluate(posted, given)
        expect(german.page.locator(".entries li").first).to_contain_text("Gast")
        assert session.events()[-1].author == "guest"
        french = Hands(chromium, demo, PHONE, locale="fr-FR")
        french.open("/history")
        expect(french.page.locator(".entries li").first).to_contain_text("Invité")
        assert (german.complaints, french.complaints) == ([], [])


def test_winters_whose_answer_was_lost_are_asked_for_again(chromium: Browser, tmp_path: Path) -> None:
    """The page took them for known, and went on showing what had been undone."""
    runtime = stages.played(tmp_path, stages.second_year)
    session = runtime.session
    before = next(
        e.batch for e in session.events() if e.kind == "round_ended" and e.body["season"] == "winter"
    )
    with stages.served(runtime, tmp_path) as (demo, _):
        hands = Hands(chromium, demo, PHONE)
        hands.open("/winter")
        expect(hands.page.locator("#after")).to_contain_text("This winter is over")
        hands.page.route("**/api/v1/chapters", lambda route: route.abort(), times=1)
        with hands.page.expect_event("requestfailed"):
            session.undo(Wish(before, "anna"), session.view()["expected"], ["anna"])
        session.wake()
        expect(hands.page.locator("#winter")).to_contain_text("There has been no winter yet")


def _phone_asked_for_undo(runtime: Runtime, chromium: Browser, demo: Demo) -> Hands:
    """Red's phone is asked whether the last throw, and what came after it, is taken back."""
    red = Hands(chromium, demo, PHONE)
    red.sit("red")
    session = runtime.session
    batch = next(throw["batch"] for throw in session.throws() if not throw["undone"])
    session.ask_undo(Wish(batch, "anna"), session.view()["expected"], ["red", "blue"], None)
    return red


def test_who_is_asked_about_an_undo_reads_what_goes(chromium: Browser, tmp_path: Path) -> None:
    """ "Anna asks to take something back": the phone asked for a yes without saying to what."""
    runtime = stages.played(tmp_path, stages.second_year)
    with stages.served(runtime, tmp_path) as (demo, _):
        red = _phone_asked_for_undo(runtime, chromium, demo)
        expect(red.page.locator("#poll b")).to_have_text(re.compile(r".* and \d+ more$"))
        red.page.evaluate("scrollTo(0, 500)")
        expect(red.page.locator('[data-key="poll-yes"]')).to_be_in_viewport()
        refused = {"error": {"key": "http_429", "sentence": "", "params": {}}}
        red.page.route("**/answer", lambda route: route.fulfill(status=429, json=refused))
        red.tap("poll-no")
        expect(red.page.locator("#poll [role=alert]")).to_have_text("Too many requests. Wait a moment.")
        red.page.unroute("**/answer")
        red.tap("poll-no")
        expect(red.page.locator("#poll")).to_be_empty()
        red.complaints[:] = [words for words in red.complaints if "429" not in words]
        assert red.complaints == []


def test_a_question_leaves_some_of_a_small_screen_to_what_it_asks_about(
    chromium: Browser, tmp_path: Path
) -> None:
    """With a reason it covered all but 40 px of a phone on its side, wherever the page was scrolled to."""
    runtime = stages.played(tmp_path, stages.second_year)
    with stages.served(runtime, tmp_path) as (demo, _):
        red = Hands(chromium, demo, PHONE, locale="ru-RU")
        red.sit("red")
        batch = next(throw["batch"] for throw in runtime.session.throws() if not throw["undone"])
        wish = Wish(batch, "anna", "The wrong tray was counted. " * 6)
        runtime.session.ask_undo(wish, runtime.session.view()["expected"], ["red", "blue"], None)
        red.page.wait_for_selector('[data-key="poll-yes"]')
        for wide, high in ((568, 320), (320, 568)):
            red.page.set_viewport_size({"width": wide, "height": high})
            red.page.evaluate("scrollTo(0, 500)")
            box = red.page.locator("#poll").bounding_box()
            assert box is not None
            assert box["y"] + box["height"] < 0.66 * high
            for key in ("poll-yes", "poll-no"):
                expect_in_sight(red.page.locator(f'[data-key="{key}"]'))
        red.tap("poll-no")
        expect(red.page.locator("#poll")).to_be_empty()
        assert red.complaints == []


def test_who_is_asked_again_reads_what_goes_now_and_in_the_pages_language(
    chromium: Browser, tmp_path: Path
) -> None:
    """The words of the first time stayed for good, even after the seat had chosen another language."""
    runtime = stages.played(tmp_path, stages.second_year)
    session = runtime.session
    with stages.served(runtime, tmp_path) as (demo, _):
        red = _phone_asked_for_undo(runtime, chromium, demo)
        words = red.page.locator("#poll b")
        expect(words).to_have_text(re.compile(r" remain · Blue 5, Farmers 3, .* and \d+ more$"))  # in words
        number = int(re.findall(r"\d+", words.inner_text())[-1])
        red.tap("menu")
        red.page.select_option("#lang", "de")
        red.tap("poll-no")
        expect(red.page.locator("#poll")).to_be_empty()
        batch = next(throw["batch"] for throw in session.throws() if not throw["undone"])
        session.command(
            {"kind": "correct", "fact": "points", "where": "red", "value": 1},
            "anna",
            session.view()["expected"],
        )
        session.ask_undo(Wish(batch, "anna"), session.view()["expected"], ["red", "blue"], None)
        expect(words).to_have_text(re.compile(rf"^Blau .* und {number + 1} weitere$"))
        assert red.complaints == []


def test_what_happened_is_told_with_who_and_what_in_every_language(chromium: Browser, tmp_path: Path) -> None:
    """In English it read "red takes plus_rice", elsewhere "a special card was taken"."""
    runtime = stages.played(tmp_path, lambda state: any(player.special for player in state.players.values()))
    chosen = next(player for player in runtime.session.view()["game"]["players"] if player["special"])
    with stages.served(runtime, tmp_path) as (demo, _):
        for locale, words in {
            "en-GB": ("Red", "Blue", "Yellow"),
            "fr-FR": ("Rouge", "Bleu", "Jaune"),
        }.items():
            hands = Hands(chromium, demo, PHONE, locale=locale)
            hands.open("/")
            newest = hands.page.locator("#side .past li .what").first
            colour = dict(zip(("red", "blue", "yellow"), words, strict=True))[chosen["seat"]]
            expect(newest).to_have_text(re.compile(f"^{colour}\\s?: .+ · [^_]+$"))


def test_a_count_that_later_steps_build_on_is_put_right_as_facts(chromium: Browser, tmp_path: Path) -> None:
    """*Correct the count* stood there all the same, and only refused once everything was counted."""
    runtime = stages.played(tmp_path, stages.second_year)
    session = runtime.session
    throw = next(entry["batch"] for entry in session.throws() if not entry["undone"])
    with stages.served(runtime, tmp_path) as (demo, _):
        hands = Hands(chromium, demo, PHONE)
        hands.open("/")
        expect(hands.page.locator('[data-key="correct-fact"]')).to_be_visible()
        expect(hands.page.locator('[data-key="correct"]')).to_have_count(0)
        after = next(e.batch for e in session.events() if e.batch > throw)
        session.undo(Wish(after, "anna"), session.view()["expected"], ["anna"])
        expect(hands.page.locator('[data-key="correct"]')).to_be_visible()
        expect(hands.page.locator('[data-key="correct-fact"]')).to_have_count(0)


def test_a_reason_that_the_program_gives_is_told_in_the_pages_language(
    chromium: Browser, tmp_path: Path
) -> None:
    with stages.served(stages.fresh(tmp_path), tmp_path) as (demo, _):
        hands = Hands(chromium, demo, PHONE, locale="fr-FR")
        hands.open("/history")
        said = hands.page.evaluate(
            f"(reason) => {WORDED}('words.js').then((words) => words.reasonText(reason))", TABLE_SAYS
        )
        assert said == "La table l’accepte"


def test_what_was_brought_back_is_taken_back_and_not_brought_back_again(
    chromium: Browser, tmp_path: Path
) -> None:
    """Its button said "Bring back" and took a winter's points away, at one tap and without a question."""
    runtime = stages.played(tmp_path, stages.second_year)
    with stages.served(runtime, tmp_path) as (demo, _):
        hands, table = Hands(chromium, demo, LAPTOP), Hands(chromium, demo, LAPTOP)
        page = hands.page
        hands.open("/history")
        table.open("/")
        newest, past = page.locator(".entries li").first, table.page.locator("#side .past li").first
        button = newest.locator('[data-key^="back-"]')
        labels = ["Undo to here", "Redo", "Undo to here", "Redo"]
        for at, (words, phase) in enumerate(zip(labels, ["scoring", "planning"] * 2, strict=True)):
            expect(button).to_have_text(words)
            button.click()
            if at % 2 == 0:
                hands.tap("undo-yes")
            expect(newest).to_contain_text(["Undone", "What was undone counts again"][at % 2])
            expect(past).to_contain_text(["Undone", "What was undone counts again"][at % 2])
            expect(past.locator(".btn")).to_have_text(["Redo", "Undo"][at % 2])
            assert runtime.session.view()["game"]["phase"] == phase
        assert hands.complaints == table.complaints == []


@pytest.mark.parametrize("size", [{"width": 1366, "height": 768}, PHONE])
def test_a_regions_picture_shows_all_that_is_counted_in_it(
    size: dict[str, int], chromium: Browser, tmp_path: Path
) -> None:
    """It was cut to its frame: the theatre that brought the point lay below its edge, provinces beside it."""
    runtime = stages.played(tmp_path, stages.second_year)
    with stages.served(runtime, tmp_path) as (demo, _):
        hands = Hands(chromium, demo, size)
        page = hands.page
        hands.open("/winter")
        page.wait_for_selector(".counting .crop")
        hands.tap("score-first")
        for _ in range(int(page.inner_text(".player .muted").split()[-1])):
            hands.tap("score-next")
            outside = page.eval_on_selector(
                ".counting .crop",
                """(it) => [...it.querySelectorAll('.signs > g')].filter((one) => {
                  const [frame, sign] = [it.getBoundingClientRect(), one.getBoundingClientRect()];
                  return sign.left < frame.left || sign.right > frame.right
                    || sign.top < frame.top || sign.bottom > frame.bottom;
                }).map((one) => one.textContent)""",
            )
            assert outside == []


def test_the_battles_page_leads_to_the_end_of_a_game_that_is_over(chromium: Browser, tmp_path: Path) -> None:
    """Below "The game is over" it said that the game goes on at the map and at the seats."""
    runtime = stages.played(tmp_path, stages.over)
    with stages.served(runtime, tmp_path) as (demo, _):
        hands = Hands(chromium, demo, LAPTOP)
        hands.open("/")
        stage = hands.page.locator("#stage")
        expect(stage.locator(".btn.main")).to_have_attribute("href", "/end")
        expect(stage).not_to_contain_text("continues")


LEAN: dict[str, Any] = {
    "players": ["blue", "red", "yellow"],
    "start": "board",
    "season": "winter",
    "provinces": {
        **{place: {"owner": "blue", "armies": 2} for place in ("omi", "mino")},
        **{place: {"owner": "red", "armies": 2} for place in ("kii", "iyo", "yamato")},
    },
    "standing": {"blue": {"rice": 1}, "red": {"rice": 0}},
    "year_events": [5],
}
"""Blue lacks 2 rice, red 3 (W-2), once the event has taken its share."""


def test_one_revolt_is_not_told_as_several(chromium: Browser, tmp_path: Path) -> None:
    """It said "1 révolte, chacune avec 2 fermiers de plus"."""
    runtime = Runtime(TableSpec("lean", tmp_path, SensorSpec("none", "none"), LEAN), find("shogun"))
    with stages.served(runtime, tmp_path) as (demo, _):
        hands = Hands(chromium, demo, PHONE, locale="fr-FR")
        hands.open("/winter")
        hungry = hands.page.locator(".hunger")
        expect(hungry).to_have_text(
            ["1 révolte, avec 2 fermiers de plus", "2 révoltes, chacune avec 2 fermiers de plus"]
        )
