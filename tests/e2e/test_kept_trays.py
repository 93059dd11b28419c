"""Kept trays on the calibration page: under which names, which one is in use, and how one is removed."""

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Route, expect

import companion.web
from calibration.profiles.profile import names, save
from companion.table.desks.profiles import use_profile
from companion.table.messages import SensorSpec
from tests.calibration.test_profile import learned
from tests.e2e import stages
from tests.e2e.place import LAPTOP, PHONE, Hands
from tests.e2e.trays import COLOURS, page_at, table_at, walk

pytestmark = pytest.mark.browser
_ASKED = re.compile("/calibration/(rename|remove)$")
NONE_IN_USE = json.loads((Path(companion.web.__file__).parent / "static/i18n/ru.json").read_text("utf-8"))[
    "calibrate.none_in_use"
]


def test_a_tray_is_called_as_its_name_was_typed_and_replaces_no_other(
    chromium: Browser, tmp_path: Path
) -> None:
    """In Russian: "Кухня" became "table", and took its place."""
    other_profile = tmp_path / "profiles" / "table.json"
    other_profile.parent.mkdir()
    other_profile.write_text("{}")
    with page_at(chromium, tmp_path, PHONE, "ru-RU") as (hands, table):
        hands.page.fill("#tray-name", "Кухня")
        hands.page.click("details:has(#colours) summary")
        hands.page.fill("#colours", ", ".join(COLOURS))
        hands.tap("begin")
        walk(hands, table)
        expect(hands.page.locator("#walk")).to_contain_text("Сохранено как «Кухня».")
        expect(hands.page.locator("#in-use option")).to_have_text([NONE_IN_USE, "table", "Кухня"])
        expect(hands.page.locator("#in-use")).to_have_value("Кухня")
        assert other_profile.read_text() == "{}"
        hands.tap("again")
        expect(hands.page.locator("#tray-name")).to_have_value("Кухня")
        hands.tap("begin")
        expect(hands.page.locator("#say")).to_contain_text("Профиль «Кухня» уже сохранён.")
        hands.tap("no")
        expect(hands.page.locator("#verdict")).to_contain_text("Профиль «Кухня» остаётся прежним.")
        assert hands.complaints == []


def test_kept_trays_are_called_otherwise_and_removed(chromium: Browser, tmp_path: Path) -> None:
    """The focus follows; a refusal is shown where one asked, and nothing is removed by a single tap."""
    profiles = tmp_path / "profiles"
    for name in ("attic", "kitchen"):
        save(replace(learned(), name=name), profiles)
    (profiles / "broken.json").write_text("{broken")
    use_profile(SensorSpec("none", "none", profiles=str(profiles)), "kitchen")
    with table_at(tmp_path) as (_, runtime), stages.served(runtime, tmp_path) as (demo, _):
        hands = Hands(chromium, demo, PHONE)
        hands.open("/calibrate")
        page, rows = hands.page, hands.page.locator(".trays > li")
        hands.tap("kept")
        expect(rows).to_have_count(3)
        expect(rows.nth(0)).to_contain_text("21 Nov 2026 · red, black, yellow, green · with the mat")
        expect(rows.nth(1)).to_contain_text("cannot be read. Calibrate the tray again.")
        expect(rows.nth(1).locator("button")).to_have_text(["Remove"])
        expect(rows.nth(2)).to_contain_text("in use")

        hands.tap("rename-kitchen")
        expect(page.locator("#new-name")).to_be_focused()
        page.fill("#new-name", "attic")
        page.keyboard.press("Enter")
        expect(rows.get_by_role("alert")).to_have_text(
            "There is already a tray “attic”. Choose another name."
        )
        page.fill("#new-name", "Кухня")
        hands.tap("save-name")
        expect(page.locator('[data-key="rename-Кухня"]')).to_be_focused()
        expect(page.locator("#in-use")).to_have_value("Кухня")

        hands.tap("remove-attic")
        expect(rows.nth(0)).to_contain_text("This cannot be undone.")
        hands.tap("leave-tray")
        expect(page.locator('[data-key="remove-attic"]')).to_be_focused()
        held_routes: list[Route] = []
        page.route(_ASKED, lambda route: held_routes.append(route))  # noqa: PLW0108 - a built-in cannot be marked
        hands.tap("rename-attic")
        page.fill("#new-name", "Кухня")
        with page.expect_request(_ASKED):
            hands.tap("save-name")
        hands.tap("remove-Кухня")  # while that is on its way, and will be refused
        held_routes.pop().continue_()
        expect(rows.get_by_role("alert")).to_contain_text("already a tray “Кухня”")
        expect(page.locator("#new-name")).to_have_value("Кухня")
        hands.tap("leave-tray")

        hands.tap("remove-attic")
        with page.expect_request(_ASKED):
            hands.tap("remove-sure")
        hands.tap("remove-Кухня")  # while the first is on its way
        held_routes.pop().continue_()
        page.unroute(_ASKED)
        expect(rows).to_have_count(2)
        expect(page.locator('[data-key="remove-sure"]')).to_be_focused()
        hands.tap("remove-sure")
        expect(rows).to_have_count(1)
        expect(page.locator("#in-use")).to_have_value("")
        assert names(profiles) == ["broken"]
        assert ["422" in line for line in hands.complaints] == [True, True]  # the browser's own lines
        hands.context.close()


def test_a_broken_profile_is_told_in_the_pages_language(chromium: Browser, tmp_path: Path) -> None:
    """In German: the JSON parser's error was in English, and the page that chose the profile said nothing."""
    broken = "Das Profil dieser Schale lässt sich nicht lesen. Kalibriere die Schale neu."
    (tmp_path / "profiles").mkdir()
    (tmp_path / "profiles" / "attic.json").write_text("{broken")
    with page_at(chromium, tmp_path, LAPTOP, "de-DE") as (hands, _):
        hands.page.select_option("#in-use", "attic")
        expect(hands.page.locator("#ails")).to_have_text(broken)
        hands.open()
        expect(hands.page.locator("#ails")).to_have_text(f"{broken} Neu kalibrieren")
        assert hands.page.get_attribute("#ails a", "href") == "/calibrate"
        hands.open("/camera")
        expect(hands.page.locator("#camera")).to_contain_text(broken)
        assert hands.complaints == []
