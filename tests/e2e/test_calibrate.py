"""Calibration in the browser, from unpacking to a verdict, with a camera that sees rendered pictures."""

import json
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import APIResponse, Browser, Locator, Route, expect

from calibration.synth import Options
from calibration.synth.staged import StagedTable
from companion.web.calibration import Answer
from tests.e2e import stages
from tests.e2e.place import LAPTOP, PHONE, Hands
from tests.e2e.trays import COLOURS, STAGED, page_at, picture_at_step, table_at, walk
from tests.patience import until
from vision.scene.plane import Points
from vision.scene.rectify import outline_px
from vision.scene.tray import tray_drawn

pytestmark = pytest.mark.browser
BARE = StagedTable(
    12, Options(size_px=(800, 600), mat=False, plastic="clear", tray="square", light="daylight", plain=True)
)


def test_a_tray_is_calibrated_in_the_browser_and_its_drift_is_told(chromium: Browser, tmp_path: Path) -> None:
    """A full disk loses no walk: a file lies where the folder of profiles should be, then there is room.

    `test_kept_trays.py` tests that a tray is kept at once where there is room.
    """
    profiles = tmp_path / "profiles"
    profiles.write_text("")
    with page_at(chromium, tmp_path, LAPTOP) as (hands, table):
        hands.page.wait_for_selector("#live polygon.floor")
        expect(hands.page.locator("#live")).to_contain_text("4 of 4 mat markers")
        hands.page.fill("#tray-name", "kitchen")
        hands.page.click("details:has(#colours) summary")
        hands.page.fill("#colours", ", ".join(COLOURS))
        hands.tap("begin")
        verdict = walk(hands, table)
        assert verdict == "All is well: 3 red, 2 black, and it is certain."
        expect(hands.page.locator("#steps img")).to_have_count(2 + len(COLOURS))
        expect(hands.page.locator("#trouble")).to_contain_text("Free some disk space")
        profiles.unlink()
        hands.tap("keep")
        expect(hands.page.locator("#walk")).to_contain_text("Saved as “kitchen”.")
        expect(hands.page.locator("#trouble")).to_have_count(0)
        assert (profiles / "kitchen.json").is_file()

        table.lay(np.asarray(picture_at_step("test") * 0.45, np.uint8))
        hands.open()
        ails = hands.page.locator("#ails")
        expect(ails).to_contain_text("brighter or darker than at the calibration")
        hands.page.click("#ails a")
        expect(hands.page.locator("#in-use")).to_have_value("kitchen")
        assert hands.complaints == []


def test_a_walk_can_be_left_and_what_goes_wrong_is_told(chromium: Browser, tmp_path: Path) -> None:
    """In German, on a phone: the tray is not there."""
    with page_at(chromium, tmp_path, PHONE, "de-DE") as (hands, table):
        hands.tap("begin")
        hands.page.wait_for_selector('[data-key="ready"]')
        expect(hands.page.locator("#say")).to_contain_text("die leere Schale")
        hands.tap("leave")
        hands.tap("begin")
        table.lay(np.zeros((960, 1280, 3), np.uint8))
        hands.tap("ready")
        expect(hands.page.locator("#verdict")).to_contain_text("Das Bild ist ganz schwarz.")
        assert not list((tmp_path / "profiles").glob("*.json"))
        hands.tap("again")  # the next walk's first question is not the one that was answered
        hands.tap("begin")
        hands.page.wait_for_selector('[data-key="ready"]')


def test_the_question_stands_beside_its_own_picture(chromium: Browser, tmp_path: Path) -> None:
    """Three cubes, then four: the second question showed the first picture. Done by keyboard alone."""
    with page_at(chromium, tmp_path, PHONE) as (hands, table):
        hands.page.click("details:has(#colours) summary")
        hands.page.fill("#colours", "red, black")
        hands.page.keyboard.press("Enter")
        hands.page.wait_for_selector('[data-key="ready"]')
        hands.page.focus('[data-key="ready"]')
        hands.page.keyboard.press("Enter")
        expect(hands.page.locator('[data-key="yes"]')).to_be_focused()  # the size is asked about
        hands.page.keyboard.press("Enter")
        screenshots = []
        for number in (3, 4):
            expect(hands.page.locator("#say")).to_contain_text("5 red cubes")
            table.lay(STAGED.render_apart("red", number)[0])
            expect(hands.page.locator('[data-key="ready"]')).to_be_focused()
            hands.page.keyboard.press("Enter")
            expect(hands.page.locator("#say")).to_contain_text(f"Are there {number}?")
            picture = hands.page.locator("#walk img")
            expect(picture).to_be_in_viewport(ratio=0.5)
            hands.page.wait_for_function("() => document.querySelector('#walk img').complete")
            screenshots.append(picture.screenshot())
            expect(hands.page.locator('[data-key="yes"]')).to_be_focused()
            hands.tap("no")
        assert screenshots[0] != screenshots[1]
        table.lay(STAGED.render_apart("red", 5)[0])
        hands.tap("ready")
        expect(hands.page.locator("#say")).to_contain_text("5 black cubes")
        hands.tap("ready")  # once more, before black ones are laid
        expect(hands.page.locator("#say")).to_contain_text("where the red ones were")
        hands.tap("no")
        expect(hands.page.locator("#say")).to_contain_text("5 black cubes")
        sure = hands.page.locator("#walk [role=alert]")
        hands.tap("leave")
        expect(sure).to_contain_text("What was taught so far is lost.")
        hands.tap("go-on")
        expect(sure).to_have_count(0)
        assert hands.complaints == []


def test_a_floor_that_is_found_wrongly_is_drawn_by_hand(chromium: Browser, tmp_path: Path) -> None:
    """Without the mat: with the mouse, with keys, as another shape; what is no floor cannot be sent."""
    with page_at(chromium, tmp_path, PHONE) as (hands, table):
        page = hands.page
        table.lay(BARE.render_empty())
        hands.tap("begin")
        hands.tap("ready")
        expect(page.locator("#say")).to_contain_text("No mat in view.")
        floor = page.locator("#walk polygon.floor").first
        found_points = _points_of(floor)
        hands.tap("draw")
        expect(page.locator("#say")).to_have_text("Draw the floor of the tray.")
        assert (_points_of(floor) == found_points).all()
        _drag_ring(hands, 0, 200, 160)
        expect(page.locator("#no-floor")).to_be_visible()  # across the other corners
        hands.tap("yes")
        expect(page.locator("#no-floor")).to_be_visible()
        hands.tap("as-found")
        hands.tap("draw")
        page.check('[data-key="floor-shape-oval"]')
        expect(page.locator("#walk")).to_contain_text("near and left end")
        page.focus('[data-key="pull-0"]')
        points_before = _points_of(floor)
        page.keyboard.press("Shift+ArrowDown")
        expect(page.locator(".floor-loupe")).to_have_attribute("visibility", "visible")
        moved = _points_of(floor) - points_before
        assert moved[:, 1].max() > 5
        _drag_ring(hands, 2, 0, -12)
        drawn = _points_of(floor)
        with page.expect_request("**/calibration/answer") as answer:
            hands.tap("yes")
        expect(page.locator("#say")).to_contain_text("5 red cubes")
        outline = Answer.model_validate_json(answer.value.post_data or "").outline
        assert outline is not None
        tray = tray_drawn(outline.drawn(), (800, 600))
        assert tray is not None
        assert np.abs(np.array(outline_px(tray)) - drawn).max() < 1.0
        assert hands.complaints == []


def _points_of(polygon: Locator) -> Points:
    points = polygon.get_attribute("points") or ""
    return np.array([[float(value) for value in point.split(",")] for point in points.split()])


def _drag_ring(hands: Hands, ring: int, right_px: float, down_px: float) -> None:
    """Drag a ring by its edge."""
    box = hands.page.locator(f'[data-key="pull-{ring}"]').bounding_box()
    assert box is not None
    x, y = box["x"] + 4, box["y"] + box["height"] / 2
    hands.page.mouse.move(x, y)
    hands.page.mouse.down()
    hands.page.mouse.move(x + right_px, y + down_px, steps=3)
    hands.page.mouse.up()


def test_two_devices_calibrate_one_tray_once(chromium: Browser, tmp_path: Path) -> None:
    """The second sees the first one's walk; whoever ends it, the other is told."""
    with table_at(tmp_path) as (_, runtime):
        runtime.start()
        with stages.served(runtime, tmp_path) as (demo, _):
            first, second = Hands(chromium, demo, LAPTOP), Hands(chromium, demo, PHONE)
            for hands in (first, second):
                hands.open("/calibrate")
            first.tap("begin")
            first.page.wait_for_selector('[data-key="ready"]')
            answer = second.page.request.post(demo.url + "/api/v1/calibration/begin", data={"name": "other"})
            assert answer.status == 409
            assert answer.json()["error"]["key"] == "calibration_runs"
            second.page.wait_for_selector('[data-key="ready"]')
            second.tap("leave")
            expect(first.page.locator("#ended")).to_contain_text("The calibration was ended")
            expect(second.page.locator("#ended")).to_have_count(0)
            for hands in (first, second):
                hands.page.wait_for_selector('[data-key="begin"]')
                hands.context.close()


def test_how_things_stood_before_a_walk_is_not_told_after_it_began(chromium: Browser, tmp_path: Path) -> None:
    """The answer was late: the page said that the walk just begun had been ended on another device."""
    with page_at(chromium, tmp_path, PHONE) as (hands, _):
        page = hands.page
        page.wait_for_selector('[data-key="begin"]')
        late: list[tuple[Route, APIResponse]] = []
        page.route("**/api/v1/calibration", lambda route: late.append((route, route.fetch())))
        until(lambda: page.evaluate("1") and late)
        hands.tap("begin")
        page.wait_for_selector('[data-key="leave"]')
        route, answer = late[0]
        with page.expect_response("**/api/v1/calibration"):
            route.fulfill(response=answer)
        page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        assert page.locator("#ended").count() == 0
        expect(page.locator('[data-key="leave"]')).to_be_visible()
        page.unroute_all(behavior="ignoreErrors")  # the next request may be under way as the test ends


def test_a_camera_that_falls_silent_is_told_beside_the_walk(chromium: Browser, tmp_path: Path) -> None:
    """The folder that the camera plays is gone: the last picture is out of date."""
    with page_at(chromium, tmp_path, PHONE) as (hands, table):
        hands.tap("begin")
        hands.page.wait_for_selector("#live .signs")
        table.folder.rename(tmp_path / "elsewhere")
        expect(hands.page.locator("#live #ails")).to_contain_text("The folder of pictures is gone.")
        expect(hands.page.locator("#live .signs")).to_have_count(0)
        expect(hands.page.locator("#live a")).to_have_attribute("href", "/camera")


def test_a_damaged_picture_of_the_folder_is_told_by_its_file(chromium: Browser, tmp_path: Path) -> None:
    """Every other page named the file; here one had to find which of a hundred it was."""
    with page_at(chromium, tmp_path, PHONE) as (hands, table):
        hands.page.wait_for_selector("#live .signs")
        (table.folder / "zebra.png").write_bytes(b"no picture")
        expect(hands.page.locator("#live #ails")).to_contain_text("zebra.png: ")


def test_the_way_to_the_camera_keeps_the_focus(chromium: Browser, tmp_path: Path) -> None:
    """Even without a camera, some seconds after opening no picture counts as new: the link was replaced."""
    with stages.served(stages.fresh(tmp_path), tmp_path) as (demo, _):
        hands = Hands(chromium, demo, PHONE)
        page = hands.page
        hands.open("/calibrate")
        link = page.locator("#live a")
        link.focus()
        link.evaluate("(it) => { it.id = 'reached'; }")
        more: dict[str, bool] = {"still": True}
        page.route("**/calibration", lambda route: route.fulfill(json={**route.fetch().json(), **more}))
        for _ in range(2):  # when the second is requested the first has been drawn
            page.wait_for_event("response", lambda answer: answer.url.endswith("/api/v1/calibration"))
        expect(page.locator("#reached")).to_be_focused()
        more["camera"] = True
        expect(page.locator("#live .waits")).to_be_visible()
        expect(link).to_be_focused()
        page.unroute_all(behavior="ignoreErrors")  # the next request may be under way as the test ends
        hands.context.close()


def test_colours_are_named_in_ones_own_language_and_checked_beforehand(
    chromium: Browser, tmp_path: Path
) -> None:
    """Also without the dots of ё, as most people type it, and as the other pages call a colour: such a tray
    was taught colours that no game has."""
    with page_at(chromium, tmp_path, PHONE, "ru-RU") as (hands, _):
        hands.page.click("details:has(#colours) summary")
        colours = hands.page.locator("#colours")
        for text, wrong in {
            "красный": "восьми",
            "красный, red": "дважды",
            "красный, 7": "до 20 букв",
        }.items():
            colours.fill(text)
            hands.tap("begin")
            assert wrong.lower() in str(colours.evaluate("field => field.validationMessage")).lower(), text
        colours.fill("Красный, белый, नीला, бирюзовый, gray, желтый, Чёрные, зеленые")
        with hands.page.expect_request("**/calibration/begin") as begin:
            hands.tap("begin")
        assert json.loads(begin.value.post_data or "")["colours"] == [
            "red",
            "white",
            "नीला",
            "бирюзовый",
            "grey",
            "yellow",
            "black",
            "green",
        ]
        hands.page.wait_for_selector('[data-key="ready"]')
        expect(hands.page.locator(".way")).to_contain_text("бирюзовый")


def test_why_the_beginning_was_refused_stands_until_the_person_does_something(
    chromium: Browser, tmp_path: Path
) -> None:
    """The page keeps polling the state of things, which wiped the refusal at once."""
    with page_at(chromium, tmp_path, LAPTOP) as (hands, _):
        hands.page.click("details:has(#colours) summary")
        hands.page.fill("#colours", ", ".join(COLOURS))
        hands.page.fill("#tray-name", "castle\u200b")
        hands.tap("begin")
        why = hands.page.locator("#notice p")
        expect(why).to_contain_text("did not understand")
        for _ in range(3):
            with hands.page.expect_response(lambda answer: answer.url.endswith("/api/v1/calibration")):
                pass
        assert why.count() == 1
        hands.page.fill("#tray-name", "castle")
        hands.tap("begin")
        hands.page.wait_for_selector('[data-key="ready"]')
        expect(why).to_have_count(0)
