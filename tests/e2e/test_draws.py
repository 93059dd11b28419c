"""Winter revolts are drawn on the phone of the left neighbour (W-3), by the app or from the real cards."""

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Route, expect

from companion.games.shogun.game import GAME
from companion.table.messages import SensorSpec
from companion.table.runtime import Runtime, TableSpec
from tests.companion.table.tables import tell
from tests.e2e import stages
from tests.e2e.place import LAPTOP, PHONE, PHONE_WITH_BARS, Hands, expect_in_sight

pytestmark = pytest.mark.browser


def hungry_table(folder: Path, **options: Any) -> Runtime:
    """Winter for three with no rice at all: everybody's provinces revolt."""
    board = {
        "players": ["blue", "red", "yellow"],
        "start": "board",
        "season": "winter",
        "year_events": [7],
        "provinces": {
            name: {"owner": owner, "armies": 2}
            for owner, names in {
                "blue": ("omi", "mino", "owari"),
                "red": ("ise", "yamato", "kii"),
                "yellow": ("kaga", "etchu", "noto"),
            }.items()
            for name in names
        },
        "tower": {"blue": 7, "red": 7, "yellow": 7, "green": 10},
    }
    runtime = Runtime(TableSpec("hungry", folder, SensorSpec("none", "none"), {**board, **options}), GAME)
    tell(runtime.session, {"kind": "lose_rice"}, "table")
    return runtime


def test_the_left_neighbour_draws_on_the_phone_unseen_or_from_real_cards(
    chromium: Browser, tmp_path: Path
) -> None:
    runtime = hungry_table(tmp_path)

    def winter() -> dict[str, Any]:
        winter_view: dict[str, Any] = runtime.session.view()["game"]["winter"]
        return winter_view

    to_draw: dict[str, int] = winter()["to_draw"]
    assert set(to_draw) == {"blue", "red", "yellow"}
    with stages.served(runtime, tmp_path) as (demo, _):
        red = Hands(chromium, demo, PHONE)
        red.sit("red")
        expect(red.page.locator("#now")).to_have_text("You draw your neighbour’s revolts")
        yellow = Hands(chromium, demo, PHONE)
        yellow.sit("yellow")  # all draw at once: nobody waits for another
        expect(yellow.page.locator("#now")).to_have_text("You draw your neighbour’s revolts")
        red.tap("draw-blue")
        red.page.wait_for_selector('[data-key="draw-blue"]', state="detached")
        assert len(winter()["revolts"]["blue"]) == to_draw["blue"]

        assert yellow.page.locator('[data-key="draw-yellow"]').count() == 0
        yellow.page.click(".real summary")
        assert yellow.page.is_disabled('[data-key="these-red"]')
        drawn = ["ise", "kii", "yamato"][: to_draw["red"]]
        for province in drawn:
            yellow.page.check(f"#draw-{province}")
        yellow.tap("these-red")
        yellow.page.wait_for_selector('[data-key="these-red"]', state="detached")
        assert sorted(winter()["revolts"]["red"]) == drawn
        for hands in (red, yellow):
            assert hands.complaints == []
            hands.context.close()


def test_the_button_that_draws_is_in_the_window_of_a_phone_with_its_bars(
    chromium: Browser, tmp_path: Path
) -> None:
    """The seat's possessions and the way to the winter page stood above it: it lay below the window."""
    with stages.served(hungry_table(tmp_path), tmp_path) as (demo, _):
        red = Hands(chromium, demo, PHONE_WITH_BARS, locale="de-DE")
        red.sit("red")
        expect_in_sight(red.page.locator('[data-key="draw-blue"]'))


def test_W3_neighbours_who_draw_at_the_same_moment_both_draw(chromium: Browser, tmp_path: Path) -> None:
    """All are asked at once, and the second to tap was told that somebody else was faster."""
    runtime = hungry_table(tmp_path)
    with stages.served(runtime, tmp_path) as (demo, _):
        red, yellow = (Hands(chromium, demo, PHONE) for _ in range(2))
        late: list[Route] = []
        red.sit("red")
        yellow.sit("yellow")
        red.page.route("**/seats/red/commands", lambda route: late.append(route))  # noqa: PLW0108 - a built-in cannot be marked
        with red.page.expect_request("**/seats/red/commands"):
            red.tap("draw-blue")
        yellow.tap("draw-red")
        yellow.page.wait_for_selector('[data-key="draw-red"]', state="detached")
        with red.page.expect_response("**/seats/red/commands"):
            late[0].continue_()
        assert red.refused == yellow.refused == []
        assert {"red", "blue"} <= set(runtime.session.view()["game"]["winter"]["revolts"])


@pytest.mark.parametrize("address", ["/winter", "/map"])
def test_W3_a_table_that_shuffles_the_real_cards_names_those_that_were_drawn(
    chromium: Browser, tmp_path: Path, address: str
) -> None:
    """Its only button had the app draw other cards than those on the table."""
    runtime = hungry_table(tmp_path, by_table=True)
    with stages.served(runtime, tmp_path) as (demo, _):
        hands = Hands(chromium, demo, LAPTOP)
        page = hands.page
        hands.open(address)
        drawn = {"blue": ("mino", "omi", "owari"), "red": ("ise", "kii", "yamato")}
        number: dict[str, int] = runtime.session.view()["game"]["winter"]["to_draw"]
        for seat, provinces in drawn.items():
            for province in provinces[: number[seat]]:
                page.check(f"#draw-{province}")
        for seat, provinces in drawn.items():  # what is ticked for one is not lost when the other is sent
            hands.tap(f"these-{seat}")
            page.wait_for_selector(f'[data-key="these-{seat}"]', state="detached")
            revolts = runtime.session.view()["game"]["winter"]["revolts"]
            assert sorted(revolts[seat]) == sorted(provinces[: number[seat]])
        hands.tap("draw-yellow")
        page.wait_for_selector('[data-key="draw-yellow"]', state="detached")
        assert len(runtime.session.view()["game"]["winter"]["revolts"]["yellow"]) == number["yellow"]
        assert hands.complaints == []
