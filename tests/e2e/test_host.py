"""The host's evening: seats that change phones, a new game, a game as one file."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import APIResponse, Browser, Route, expect

from companion.demo.table import FIRST
from companion.demo.table import OPTIONS as DEMO
from companion.games.protocol import Colour
from companion.games.shogun.game import GAME
from companion.table.runtime import Runtime
from companion.web import streams
from tests.companion.table.tables import tell
from tests.e2e import stages
from tests.e2e.pages import visit, wait_until_quiet
from tests.e2e.place import LAPTOP, PHONE, Demo, Hands
from tests.patience import until

pytestmark = pytest.mark.browser
Place = tuple[Runtime, Demo]


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    runtime = stages.fresh(tmp_path)
    with stages.served(runtime, tmp_path) as (demo, app):
        app.config["JOIN_URL"] = f"{demo.url}/"
        yield runtime, demo


def _phone_at_seat(chromium: Browser, demo: Demo) -> Hands:
    hands = Hands(chromium, demo, PHONE)
    hands.open("/seat")
    return hands


def _laptop_at_host(chromium: Browser, demo: Demo) -> Hands:
    hands = Hands(chromium, demo, LAPTOP)
    hands.open("/host")
    hands.page.wait_for_selector('[data-key="begin"]')
    return hands


def _wait_until_seated(hands: Hands) -> None:
    hands.page.wait_for_selector(".mine")


def test_a_seat_goes_to_another_phone_when_the_host_agrees(chromium: Browser, place: Place) -> None:
    _, demo = place
    old = _phone_at_seat(chromium, demo)
    old.tap("take-blue")
    _wait_until_seated(old)
    host, new = Hands(chromium, demo, LAPTOP), _phone_at_seat(chromium, demo)
    host.open("/map")
    new.tap("ask-blue")
    host.tap("asks")
    host.tap("agree-1")
    _wait_until_seated(new)
    old.page.wait_for_selector('[data-key="ask-blue"]')
    new.page.reload()
    _wait_until_seated(new)
    assert (host.complaints, new.complaints, host.strangers) == ([], [], [])


def test_a_lost_phones_seat_gets_a_new_link_and_nobody_else_the_seat(
    chromium: Browser, place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(streams, "HEARTBEAT_S", 1.0)  # a phone that is gone is noticed at the next heartbeats
    _, demo = place
    lost = _phone_at_seat(chromium, demo)
    lost.tap("take-red")
    _wait_until_seated(lost)
    lost.context.close()
    host = _laptop_at_host(chromium, demo)
    expect(host.page.locator("#host")).to_contain_text("has gone silent")
    host.tap("reissue-red")
    host.tap("sure")
    link = host.page.inner_text("#sheet .link")
    assert _phone_at_seat(chromium, demo).page.locator('[data-key="take-red"]').is_disabled()
    found = Hands(chromium, demo, PHONE)
    found.page.goto(link)
    _wait_until_seated(found)
    assert "#" not in found.page.url
    host.page.reload()
    expect(host.page.locator("#host")).to_contain_text("Guest sits here")


def test_the_host_is_asked_before_a_seat_is_free_for_everybody(chromium: Browser, place: Place) -> None:
    """One tap beside *Ask the host for it* gave the seat, and the plan in it, to whoever was first."""
    runtime, demo = place
    phone = _phone_at_seat(chromium, demo)
    phone.tap("take-red")
    _wait_until_seated(phone)
    host = Hands(chromium, demo, LAPTOP)
    host.open("/seat")
    host.tap("free-red")
    host.tap("not-sure")
    assert runtime.seats.taken() == ["red"]
    host.tap("free-red")
    host.tap("sure")
    expect(phone.page.locator("#notice")).to_contain_text("Nobody has Red now")
    phone.page.wait_for_selector('[data-key="take-red"]:enabled')


def test_a_new_game_begins_on_every_device_and_the_old_one_is_gone_on_with(
    chromium: Browser, place: Place
) -> None:
    runtime, demo = place
    phone = _phone_at_seat(chromium, demo)
    phone.tap("take-yellow")
    _wait_until_seated(phone)
    host = _laptop_at_host(chromium, demo)
    for name in ("red", "black", "purple", "yellow"):
        host.tap(f"player-{name}")
    host.page.check('[data-key="start-draft"]')
    host.page.fill("#table-name", "saturday")
    host.tap("begin")
    phone.page.wait_for_selector('[data-key="take-purple"]')
    assert runtime.session.seats() == ["red", "black", "purple", "yellow"]
    host.tap("open-game")
    _wait_until_seated(phone)
    assert runtime.session.table == "game"
    assert host.complaints == []


def _deliver_late(phone: Hands, url: str, held_back: list[tuple[Route, APIResponse]]) -> None:
    """Deliver the answer that was held back, and wait for what the page makes of it."""
    [(route, answer)] = held_back
    with phone.page.expect_response(url):
        route.fulfill(response=answer)
    phone.page.unroute_all()
    wait_until_quiet(phone.page)


def test_a_late_answer_of_another_table_takes_no_phone_back_to_it(chromium: Browser, place: Place) -> None:
    """The old game was resumed at once, and for minutes a phone was offered a seat of the new one."""
    runtime, demo = place
    phone = _phone_at_seat(chromium, demo)
    phone.tap("take-yellow")
    _wait_until_seated(phone)
    runtime.begin_table("saturday", GAME, {**stages.WHOLE, "players": ["red", "black", "purple"]}, "host")
    phone.page.wait_for_selector('[data-key="take-purple"]')
    late: list[tuple[Route, APIResponse]] = []
    phone.page.route("**/api/v1/seats", lambda route: late.append((route, route.fetch())))
    runtime.session.wake()
    until(lambda: phone.page.evaluate("1") and late)
    runtime.open_table("game")
    _wait_until_seated(phone)
    _deliver_late(phone, "**/api/v1/seats", late)
    _wait_until_seated(phone)
    assert phone.page.locator('[data-key="take-purple"]').count() == 0
    assert phone.complaints == []


def test_a_seats_view_that_comes_after_the_table_has_changed_is_not_shown(
    chromium: Browser, place: Place
) -> None:
    """The phone would show its seat in the old game, where the new one has a choice to offer."""
    runtime, demo = place
    phone = _phone_at_seat(chromium, demo)
    phone.tap("take-yellow")
    _wait_until_seated(phone)
    late: list[tuple[Route, APIResponse]] = []
    phone.page.route("**/api/v1/seats/yellow", lambda route: late.append((route, route.fetch())))
    runtime.session.wake()
    until(lambda: phone.page.evaluate("1") and late)
    runtime.begin_table("saturday", GAME, {**stages.WHOLE, "players": ["red", "black", "purple"]}, "host")
    phone.page.wait_for_selector('[data-key="take-purple"]')
    _deliver_late(phone, "**/api/v1/seats/yellow", late)
    assert phone.page.locator('[data-key="take-purple"]').count() == 1
    assert phone.page.locator(".mine").count() == 0
    assert phone.complaints == []


def test_what_was_asked_before_the_new_game_had_seats_is_not_shown_after_them(
    chromium: Browser, place: Place
) -> None:
    """A table is new before its game begins; the answer about it came late, and no seat was offered."""
    runtime, demo = place
    phone = _phone_at_seat(chromium, demo)
    phone.page.wait_for_selector('[data-key="take-blue"]')
    late: list[tuple[Route, APIResponse]] = []

    def hold_first(route: Route) -> None:
        answer = route.fetch()
        if late:
            route.fulfill(response=answer)
        else:
            late.append((route, answer))

    phone.page.route("**/api/v1/seats", hold_first)
    runtime.session.wake()
    until(lambda: phone.page.evaluate("1") and late)
    runtime.begin_table("saturday", GAME, {**stages.WHOLE, "players": ["red", "black", "purple"]}, "host")
    phone.page.wait_for_selector('[data-key="take-purple"]')
    [(route, answer)] = late
    with phone.page.expect_response("**/api/v1/seats"):
        route.fulfill(response=answer)
    phone.page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    assert phone.page.locator('[data-key="take-purple"]').is_visible()


def test_a_game_is_saved_as_a_file_and_taken_up_from_it(
    chromium: Browser, place: Place, tmp_path: Path
) -> None:
    runtime, demo = place
    phone = _phone_at_seat(chromium, demo)
    phone.tap("take-yellow")
    _wait_until_seated(phone)
    host = _laptop_at_host(chromium, demo)
    with host.page.expect_download() as download:
        host.tap("backup-game")
    file = tmp_path / "saved.tenshu"
    download.value.save_as(file)
    host.page.set_input_files("#restore", file)
    expect(host.page.locator("#notice")).to_contain_text("game-2")
    host.tap("open-game-2")
    expect(host.page.locator("#notice")).to_contain_text("You are now playing game-2")
    assert runtime.session.table == "game-2"
    assert runtime.session.view()["game"]["phase"] == "fill"
    phone.open("/seat")
    _wait_until_seated(phone)  # by the key from before: the copy has the seats of the original


def test_the_host_hears_how_many_pictures_of_a_file_were_damaged(
    chromium: Browser, place: Place, tmp_path: Path
) -> None:
    _, demo = place
    host = _laptop_at_host(chromium, demo)
    host.page.route(
        "**/api/v1/host/restore",
        lambda route: route.fulfill(json={"name": "game-2", "damaged": 3, "unkept": 1}),
    )
    file = tmp_path / "saved.tenshu"
    file.write_bytes(b"a game with twenty pictures")
    host.page.set_input_files("#restore", file)
    expect(host.page.locator("#notice")).to_contain_text("3 pictures in the file were damaged")
    expect(host.page.locator("#notice")).to_contain_text("1 picture could not be saved")


def test_what_is_in_the_tower_is_hidden_from_every_device(chromium: Browser, place: Place) -> None:
    runtime, demo = place
    host, board = _laptop_at_host(chromium, demo), Hands(chromium, demo, LAPTOP)
    board.open("/")
    host.page.check('[data-key="shown-hidden"]')
    expect(board.page.locator("#side")).to_contain_text("This table hides what is in the tower")
    host.page.uncheck('[data-key="now-must_move"]')
    expect(host.page.locator('[data-key="now-must_move"]')).not_to_be_checked()
    # the checkbox changes with the tap, the table with the answer
    until(lambda: runtime.session.view()["game"]["house"]["must_move"] is False)
    assert host.complaints == []


def test_the_form_of_a_new_game_does_not_move_away_under_a_finger(chromium: Browser, place: Place) -> None:
    """What stands above it is there before it comes; otherwise a tap would hit something else."""
    _, demo = place
    host = Hands(chromium, demo, PHONE)
    host.context.add_init_script(
        """new MutationObserver(() => {
          if (!document.getElementById("newgame")?.childElementCount) return;
          const painted = () => (window.above ??= document.getElementById("tower").childElementCount);
          requestAnimationFrame(painted);
        }).observe(document, { subtree: true, childList: true })"""
    )
    host.open("/host")
    host.page.wait_for_function("() => window.above !== undefined")
    assert host.page.evaluate("window.above") == 1


def test_the_card_of_the_tower_is_told_in_the_language_that_is_chosen(
    chromium: Browser, place: Place
) -> None:
    _, demo = place
    host = _laptop_at_host(chromium, demo)
    card = host.page.locator("#tower")
    expect(card).to_contain_text("Opened and counted")
    host.tap("menu")
    host.page.select_option("#lang", "de")
    expect(card).to_contain_text("Geöffnet und gezählt")
    assert host.complaints == []


def test_what_is_entered_stays_in_another_language(chromium: Browser, place: Place) -> None:
    """A new game and a correction were empty again."""
    runtime, demo = place
    tell(runtime.session, {"kind": "correct", "fact": "points", "where": "red", "value": 3})
    host = _laptop_at_host(chromium, demo)
    host.page.fill("#table-name", "kept-name")
    host.tap("menu")
    host.page.select_option("#lang", "de")
    expect(host.page.locator("#newgame h2")).to_have_text("Neue Partie")
    expect(host.page.locator("#table-name")).to_have_value("kept-name")
    host.open("/history")
    host.page.locator("#correct summary").click()
    host.page.select_option("#fact", "points")
    host.page.fill("#value", "7")
    host.page.fill("#reason", "miscounted")
    host.tap("menu")
    host.page.select_option("#lang", "en")
    expect(host.page.locator("#correct summary")).to_have_text("Correct a fact")
    for field, value in (("fact", "points"), ("value", "7"), ("reason", "miscounted")):
        expect(host.page.locator(f"#{field}")).to_have_value(value)
    assert host.complaints == []


@pytest.mark.parametrize("path", ["/history", "/statistics", "/end", "/throws"])
def test_another_table_with_as_long_a_past_is_told_as_its_own(
    path: str, chromium: Browser, tmp_path: Path
) -> None:
    """The past of the one stayed, with buttons that undid what had happened at the other."""
    runtime = stages.battle_of_three(tmp_path)
    settled = {"demo": {Colour("red"): 3}, "other": {Colour("blue"): 9}}
    runtime.session.settle(settled["demo"], "anna", runtime.session.view()["expected"])
    players = {**DEMO, "players": ["red", "blue", "yellow"], "tower": {"red": 8, "blue": 8, "green": 10}}
    runtime.begin_table("other", GAME, players, "host")
    tell(runtime.session, FIRST, "host")
    runtime.session.settle(settled["other"], "anna", runtime.session.view()["expected"])
    at = runtime.session.view()["expected"]
    with stages.served(runtime, tmp_path) as (demo, _):
        page = visit(Hands(chromium, demo, LAPTOP), path)
        text_before = page.inner_text("main")
        runtime.open_table("demo")
        assert runtime.session.view()["expected"] == at
        fresh = visit(Hands(chromium, demo, LAPTOP), path).inner_text("main")
        assert fresh != text_before
        page.wait_for_function("(words) => document.querySelector('main').innerText === words", arg=fresh)


@pytest.mark.parametrize("path", ["/map", "/end"])
def test_a_moment_that_is_looked_at_goes_with_its_table(path: str, chromium: Browser, tmp_path: Path) -> None:
    """The armies of the old game stood on the map of the new one, until somebody found the button for now."""
    runtime = stages.fresh(tmp_path)
    with stages.served(runtime, tmp_path) as (demo, _):
        session = runtime.session
        fact = {"kind": "correct", "fact": "armies", "where": "omi", "value": 9}
        tell(session, fact)
        page = visit(Hands(chromium, demo, LAPTOP), path)
        if path == "/map":
            page.click("#past summary")
        page.focus("#moment")
        page.keyboard.press("Home")
        page.wait_for_selector('[data-key="now"]')
        options = {**stages.WHOLE, "players": ["red", "black", "purple"]}
        runtime.begin_table("saturday", GAME, options, "host")
        expect(page.locator('[data-key="now"]')).to_have_count(0)
        expect(page.locator("#map .province.purple").first).to_be_attached()
        expect(page.locator("#map .province.blue")).to_have_count(0)


def test_a_fact_is_put_right_with_the_choices_of_the_table_that_is_played(
    chromium: Browser, tmp_path: Path
) -> None:
    """Until it was touched the form offered the seats of the previous table, which this one does not have."""
    runtime = stages.fresh(tmp_path)
    with stages.served(runtime, tmp_path) as (demo, _):
        page = visit(Hands(chromium, demo, LAPTOP), "/history")
        page.click("#correct summary")
        page.select_option("#fact", "points")
        expect(page.locator('#where option[value="blue"]')).to_have_count(1)
        options = {**stages.WHOLE, "players": ["red", "black", "purple"]}
        runtime.begin_table("saturday", GAME, options, "host")
        page.wait_for_function("() => document.querySelector('#fact').value !== 'points'")
        page.select_option("#fact", "points")
        offered = page.locator("#where option").evaluate_all("(all) => all.map((one) => one.value)")
        assert set(offered) == {"red", "black", "purple"}
