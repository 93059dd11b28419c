"""The battle that the form proposes can be fought as it stands."""

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from companion.games.shogun.game import GAME
from companion.table.messages import SensorSpec
from companion.table.runtime import Runtime, TableSpec
from tests.e2e import stages
from tests.e2e.place import LAPTOP, PHONE, Hands

pytestmark = pytest.mark.browser
FREE: dict[str, Any] = {"players": ["red", "blue", "yellow"], "start": "free"}
STRONG = {"mino": {"owner": "red", "armies": 40}, "omi": {"owner": "blue", "armies": 15}}
"""Red has six cubes left, blue defends with fifteen armies."""

SUMMER: dict[str, Any] = {
    "players": ["red", "blue", "yellow"],
    "start": "board",
    "season": "summer",
    "provinces": {
        "mino": {"owner": "red", "armies": 5},
        "ise": {"owner": "red", "armies": 3},
        "kai": {"owner": "red", "armies": 9},
        "omi": {"owner": "blue", "armies": 2},
        "kii": {"owner": "yellow", "armies": 2},
    },
    "standing": {seat: {"chests": 9} for seat in ("red", "blue", "yellow")},
    "year_events": [3, 7, 9],
}
"""A game in its second season: Mino and Ise border on Omi, Kai does not."""

_NUMBERS_TOP = "() => document.querySelector('[data-count=attackers]').getBoundingClientRect().top + scrollY"


def _free_table(folder: Path, **options: Any) -> Runtime:
    return Runtime(TableSpec("free", folder, SensorSpec("none", "none"), {**FREE, **options}), GAME)


def _armies(runtime: Runtime) -> dict[str, int]:
    return {
        province["id"]: province["armies"]
        for province in runtime.session.view()["game"]["provinces"]
        if province["owner"]
    }


def test_no_more_attackers_are_proposed_than_lie_in_the_supply(chromium: Browser, tmp_path: Path) -> None:
    """Fifteen were proposed where six were left: the first tap was refused."""
    runtime = _free_table(tmp_path, provinces=STRONG, tower={"red": 16})
    assert runtime.session.view()["game"]["cubes"]["supply"]["red"] == 6
    with stages.served(runtime, tmp_path) as (demo, _):
        hands = Hands(chromium, demo, LAPTOP)
        hands.open()
        number = hands.page.locator('[data-count="attackers"] output')
        expect(number).to_have_text("6")
        hands.page.check('input[name="attacker"][value="yellow"]')
        for _ in range(3):
            hands.tap("attackers1")
        expect(number).to_have_text("9")
        hands.page.check('input[name="attacker"][value="red"]')
        expect(number).to_have_text("6")
        hands.tap("to-battle")
        hands.phase("waiting")


def test_who_owns_all_that_is_owned_is_not_proposed_to_attack_himself(
    chromium: Browser, tmp_path: Path
) -> None:
    anywhere = _free_table(tmp_path / "any")
    first = anywhere.session.view()["game"]["provinces"][0]["id"]
    anywhere.stop()
    runtime = _free_table(tmp_path, provinces={first: {"owner": "red", "armies": 3}})
    with stages.served(runtime, tmp_path) as (demo, _):
        hands = Hands(chromium, demo, LAPTOP)
        hands.open()
        hands.tap("to-battle")
        hands.phase("waiting")
        assert runtime.session.view()["game"]["throw"]["province"] != first


def test_B12_a_revolt_can_be_thrown_at_a_table_without_rounds(chromium: Browser, tmp_path: Path) -> None:
    """Only battles could be chosen; revolts from a collection or from winter had no button."""
    provinces = {"omi": {"owner": "blue", "armies": 3, "markers": 2}, "mino": {"owner": "red", "armies": 4}}
    runtime = _free_table(tmp_path, provinces=provinces)
    with stages.served(runtime, tmp_path) as (demo, _):
        hands = Hands(chromium, demo, LAPTOP)
        page = hands.page
        hands.open()
        page.check('input[name="attacker"][value="green"]')
        page.check('input[name="province"][value="mino"]')
        number = page.locator('[data-count="attackers"] output')
        expect(number).to_have_text("1")
        page.check('input[name="province"][value="omi"]')
        expect(number).to_have_text("2")  # a farmer for each revolt marker
        expect(page.locator('[data-key="elsewhere"]')).to_be_disabled()
        hands.tap("attackers1")
        hands.tap("defenders1")
        hands.tap("to-battle")
        hands.phase("waiting")
        expect(page.locator("#stage")).to_contain_text("Revolt in Omi against Blue")
        throw = runtime.session.view()["game"]["throw"]
        assert throw["from_table"] == {"blue": 4, "green": 3}
        hands.tap("call-off")
        hands.phase("idle")
        expect(page.locator("#side .past li").first).to_contain_text("The revolt in Omi was called off")
        assert runtime.session.view()["game"]["cubes"]["board"]["blue"] == 4
        assert hands.complaints == []


def test_A12_a_battle_out_of_turn_takes_the_armies_from_the_province_they_leave(
    chromium: Browser, tmp_path: Path
) -> None:
    """They always came from the supply: Mino kept its armies in the books until somebody corrected it."""
    runtime = _free_table(tmp_path, **SUMMER)
    with stages.served(runtime, tmp_path) as (demo, _):
        hands = Hands(chromium, demo, PHONE)
        page = hands.page
        hands.open()
        hands.tap("declare")
        page.check('input[name="province"][value="omi"]')
        offered = page.locator('input[name="origin"]')
        assert offered.evaluate_all("all => all.map((one) => one.value)") == ["ise", "mino", "supply"]
        expect(page.locator('input[name="origin"][value="mino"]')).to_be_checked()  # the strongest
        expect(page.locator("fieldset", has=offered.first)).to_contain_text("Mino5 armies")
        number = page.locator('[data-count="attackers"] output')
        for _ in range(6):
            if page.locator('[data-key="attackers1"]').get_attribute("aria-disabled") is None:
                hands.tap("attackers1")
        expect(number).to_have_text("4")  # one stays
        page.check('input[name="origin"][value="ise"]')
        expect(number).to_have_text("2")
        page.check('input[name="origin"][value="mino"]')
        hands.tap("to-battle")
        hands.phase("waiting")
        assert _armies(runtime)["mino"] == 5 - 2
        hands.tap("call-off")
        hands.phase("idle")
        assert _armies(runtime)["mino"] == 5
        assert hands.complaints == []


def test_armies_that_are_not_on_the_map_come_from_the_supply(chromium: Browser, tmp_path: Path) -> None:
    """Chosen with the keyboard; if no province of the attacker borders on it, nothing is asked."""
    runtime = _free_table(tmp_path, **SUMMER)
    with stages.served(runtime, tmp_path) as (demo, _):
        hands = Hands(chromium, demo, LAPTOP)
        page = hands.page
        hands.open()
        hands.tap("declare")
        page.check('input[name="attacker"][value="yellow"]')
        page.check('input[name="province"][value="kai"]')
        expect(page.locator('input[name="origin"]')).to_have_count(0)
        page.check('input[name="attacker"][value="red"]')
        page.check('input[name="province"][value="omi"]')
        page.focus('input[name="origin"][value="mino"]')
        page.keyboard.press("ArrowDown")
        expect(page.locator('input[name="origin"][value="supply"]')).to_be_checked()
        before = runtime.session.view()["game"]["cubes"]["supply"]["red"]
        hands.tap("attackers1")
        expect(page.locator('[data-count="attackers"] output')).to_have_text("2")
        hands.tap("to-battle")
        hands.phase("waiting")
        assert _armies(runtime)["mino"] == 5
        assert runtime.session.view()["game"]["cubes"]["supply"]["red"] == before - 2
        assert hands.complaints == []


@pytest.mark.parametrize("size", [PHONE, LAPTOP], ids=["phone", "laptop"])
def test_the_numbers_stay_where_they_are_whoever_attacks(
    size: dict[str, int], chromium: Browser, tmp_path: Path
) -> None:
    """The list of origins stood above them, for one attacker but not another: a tap hit what moved there."""
    runtime = _free_table(tmp_path, **SUMMER)
    with stages.served(runtime, tmp_path) as (demo, _):
        hands = Hands(chromium, demo, size)
        page = hands.page
        hands.open()
        hands.tap("declare")
        page.check('input[name="province"][value="omi"]')
        tops = set[float]()
        for attacker, origins in (("red", 3), ("yellow", 0), ("green", 0), ("red", 3)):
            page.check(f'input[name="attacker"][value="{attacker}"]')
            if attacker == "red":
                page.check('input[name="province"][value="omi"]')
            expect(page.locator('input[name="origin"]')).to_have_count(origins)
            tops.add(page.evaluate(_NUMBERS_TOP))
        assert len(tops) == 1
        page.locator('[data-key="elsewhere"]').select_option(index=1)
        wider = page.evaluate(_NUMBERS_TOP)
        page.check('input[name="attacker"][value="green"]')
        expect(page.locator('[data-key="elsewhere"]')).to_be_disabled()
        assert page.evaluate(_NUMBERS_TOP) == wider


def test_who_still_plans_is_not_said_to_be_ready_while_a_battle_out_of_turn_is_thrown(
    chromium: Browser, tmp_path: Path
) -> None:
    """The phone said that the plan was ready, and that it waited for everyone."""
    runtime = Runtime(TableSpec("summer", tmp_path, SensorSpec("none", "none"), SUMMER), GAME)
    with stages.served(runtime, tmp_path) as (demo, _):
        hands = Hands(chromium, demo, PHONE)
        hands.sit("red")
        now = hands.page.locator("#now")
        expect(now).to_contain_text("Plan in secret")
        stages.give_at_table(runtime, kind="declare", attacker="red", province="omi", armies=4, origin="mino")
        expect(now).to_have_text("Throw the cubes into the tower")
        stages.give_at_table(runtime, kind="call_off")
        expect(now).to_contain_text("Plan in secret")
        hands.context.close()
