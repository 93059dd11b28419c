"""The mat comes from the page: shown, downloaded, and linked to where a text mentions it."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import cv2
import numpy as np
import pytest
from playwright.sync_api import Browser, Page, Route, expect

from calibration.sheets.drawing import INLAYS, Inlay, Paper, Shape
from calibration.sheets.mat_pdf import inlays_pdf, mat_pdf
from calibration.synth import Options
from calibration.synth.staged import StagedTable
from companion.games.shogun.game import GAME
from companion.table.messages import CameraSays, SensorSpec
from companion.table.runtime import Runtime, TableSpec
from tests.companion.table.tables import looked
from tests.e2e import stages
from tests.e2e.pages import violations
from tests.e2e.place import LAPTOP, PHONE, Hands
from tests.patience import until
from vision.pictures import Picture
from vision.reading import Doubt
from vision.scene.mat import MARKER_DICTIONARY, PATCHES, marker_corners_mm

pytestmark = pytest.mark.browser
SMALL = {"width": 360, "height": 640}
PX = 4
_FITS_WINDOW = "document.documentElement.scrollWidth <= innerWidth"


@contextmanager
def calibration_page(
    browser: Browser,
    folder: Path,
    size: dict[str, int],
    camera_picture: Picture | None = None,
    locale: str = "en-GB",
) -> Iterator[Hands]:
    """A device at the calibration page; `camera_picture` is what the camera sees, if there is one."""
    pictures = folder / "pictures"
    pictures.mkdir()
    if camera_picture is not None:
        cv2.imwrite(str(pictures / "1.png"), camera_picture)
    sensors = SensorSpec(
        "none" if camera_picture is None else str(pictures), "none", profiles=str(folder / "profiles")
    )
    runtime = Runtime(TableSpec("home", folder, sensors, stages.WHOLE), GAME)
    if camera_picture is None:
        runtime.session.hear(CameraSays("none"))
    else:
        runtime.start()
    with stages.served(runtime, folder) as (demo, _):
        hands = Hands(browser, demo, size, locale=locale)
        hands.open("/calibrate")
        yield hands
        hands.context.close()


def download_mat(page: Page) -> bytes:
    """Download the file by keyboard."""
    page.focus('[data-key="mat-pdf"]')
    with page.expect_download() as download:
        page.keyboard.press("Enter")
    return Path(download.value.path()).read_bytes()


_LIVE_HEIGHT = "document.getElementById('live').getBoundingClientRect().height"
_TOP_OF_MAT = """new Promise((told) => requestAnimationFrame(() => requestAnimationFrame(() =>
  told(Math.round(document.getElementById('mat').getBoundingClientRect().top)))))"""
_AS_SAFARI = """addEventListener('DOMContentLoaded', () => {
  document.documentElement.style.overflowAnchor = 'none'; });"""


@pytest.mark.parametrize("size", [PHONE, {"width": 1280, "height": 800}], ids=["phone", "laptop"])
def test_the_mat_that_a_link_leads_to_stays_in_view_when_the_picture_comes(
    chromium: Browser, tmp_path: Path, size: dict[str, int]
) -> None:
    """The picture above it came late and pushed it down by its height, 250 of 800 pixels on a laptop."""
    options = Options(mat=True, plastic="clear", tray="square", light="daylight", plain=True)
    with calibration_page(chromium, tmp_path, size, StagedTable(12, options).render_empty()) as hands:
        page = hands.page
        page.wait_for_selector("#live image")  # the camera is awake
        page.goto("about:blank")
        page.add_init_script(_AS_SAFARI)  # with this no browser moves the page by itself

        def answer_late(route: Route) -> None:
            answer = route.fetch()
            route.fulfill(response=answer, json={**answer.json(), "facts": None})

        page.route("**/api/v1/calibration", answer_late)
        hands.open("/calibrate#mat")
        page.wait_for_selector("#mat-looks:not([hidden])")
        height_before = page.evaluate(_LIVE_HEIGHT)
        assert page.locator("#live image").count() == 0
        page.unroute_all(behavior="wait")  # a request may be under way
        page.wait_for_selector("#live image")
        assert abs(page.evaluate(_LIVE_HEIGHT) - height_before) < 40
        until(lambda: page.evaluate("document.getElementById('mat-looks').naturalWidth > 0"))
        until(lambda: page.evaluate(_TOP_OF_MAT) == 0)  # once the card has risen
        page.mouse.wheel(0, -200)
        until(lambda: page.evaluate(_TOP_OF_MAT) > 0)  # whoever scrolls on is not held back


def test_the_mat_is_downloaded_from_the_calibration_page(chromium: Browser, tmp_path: Path) -> None:
    """A narrow phone, no mouse: the file equals the command's, and the page says how to check the print."""
    with calibration_page(chromium, tmp_path, SMALL) as hands:
        page = hands.page
        page.focus('[data-key="print-mat-first"]')
        page.keyboard.press("Enter")
        expect(page.locator("#mat summary")).to_be_focused()
        expect(page.locator("#mat")).to_be_in_viewport()
        expect(page.locator("#mat-looks")).to_be_visible()
        expect(page.locator("#mat ol")).to_contain_text("100 %")
        expect(page.locator("#mat ol")).to_contain_text("25 mm wide and high")
        assert page.evaluate(_FITS_WINDOW)
        assert violations(page) == []
        assert download_mat(page) == mat_pdf([Paper.A4])
        page.focus("#mat-paper")
        page.keyboard.press("End")
        expect(page.locator("#mat-paper")).to_have_value("a3")
        expect(page.locator("#mat-paper")).to_be_focused()
        assert download_mat(page) == mat_pdf([Paper.A3])
        assert (hands.complaints, hands.strangers) == ([], [])


def test_where_letter_lies_in_the_printer_it_is_offered_first(chromium: Browser, tmp_path: Path) -> None:
    with calibration_page(chromium, tmp_path, PHONE, locale="en-US") as hands:
        hands.tap("mat")
        expect(hands.page.locator("#mat-paper")).to_have_value("letter")
        assert download_mat(hands.page) == mat_pdf([Paper.LETTER])


def test_the_sheet_speaks_as_the_page_does(chromium: Browser, tmp_path: Path) -> None:
    """A host who reads Russian glues a mat to the table that can be read by everybody there."""
    with calibration_page(chromium, tmp_path, PHONE, locale="ru-RU") as hands:
        hands.tap("mat")
        assert download_mat(hands.page) == mat_pdf([Paper.A4], "ru")
        hands.tap("menu")
        hands.page.select_option("#lang", "fr")
        expect(hands.page.locator("#mat-looks")).to_have_attribute("src", re.compile("lang=fr"))
        assert download_mat(hands.page) == mat_pdf([Paper.A4], "fr")
        assert hands.complaints == []


def test_an_inlay_for_ones_own_tray_or_why_there_is_none(chromium: Browser, tmp_path: Path) -> None:
    """What does not fit is said beside the fields, and nothing is saved; A3 has room."""
    with calibration_page(chromium, tmp_path, LAPTOP) as hands:
        page = hands.page
        hands.tap("mat")
        page.select_option("#mat-sheet", "inlay")
        page.select_option("#mat-shape", "oval")
        expect(page.locator("#mat-width")).to_have_value("210")
        page.fill("#mat-width", "200.5")
        page.fill("#mat-depth", "140")
        assert download_mat(page) == inlays_pdf([Paper.A4], [Inlay(Shape.OVAL, 200.5, 140)])
        page.fill("#mat-depth", "240")
        why = page.locator("#mat-why")
        expect(why).to_have_text("An inlay of 200.5 × 240 mm does not fit on A4. Choose A3.")
        expect(page.locator("#mat-looks")).to_be_hidden()
        saved: list[str] = []
        page.on("download", lambda download: saved.append(download.url))
        with page.expect_response("**/api/v1/mat.svg?*"):
            hands.tap("mat-pdf")
        page.select_option("#mat-paper", "a3")
        expect(why).to_be_empty()
        assert saved == []
        assert download_mat(page) == inlays_pdf([Paper.A3], [Inlay(Shape.OVAL, 200.5, 240)])
        page.fill("#mat-width", "59")
        hands.tap("mat-pdf")
        assert page.locator("#mat-width").evaluate("field => field.validity.rangeUnderflow")
        assert len(saved) == 1


def test_the_page_offers_the_usual_trays(chromium: Browser, tmp_path: Path) -> None:
    with calibration_page(chromium, tmp_path, PHONE) as hands:
        hands.tap("mat")
        hands.page.select_option("#mat-sheet", "inlay")
        for inlay in INLAYS:
            hands.page.select_option("#mat-shape", inlay.shape.value)
            expect(hands.page.locator("#mat-width")).to_have_value(f"{inlay.width_mm:g}")
            expect(hands.page.locator("#mat-depth")).to_have_value(f"{inlay.depth_mm:g}")


def test_the_picture_shows_the_sheet_as_it_is_printed(chromium: Browser, tmp_path: Path) -> None:
    """Its markers and colours lie where the reader expects them on the paper."""
    with calibration_page(chromium, tmp_path, LAPTOP) as hands:
        hands.tap("mat")
        picture = hands.page.locator("#mat-looks")
        expect(picture).to_be_visible()
        width, height = (round(side * PX) for side in Paper.A4.size_mm)
        hands.page.set_viewport_size({"width": width + 20, "height": height + 20})
        address = picture.get_attribute("src")
        hands.page.goto(hands.url + str(address))
        screenshot = cv2.imdecode(np.frombuffer(hands.page.screenshot(), np.uint8), cv2.IMREAD_COLOR)
        assert screenshot is not None
        scale = min((width + 20) / Paper.A4.size_mm[0], (height + 20) / Paper.A4.size_mm[1])
        middle = np.array(screenshot.shape[1::-1]) / 2
        dictionary = cv2.aruco.getPredefinedDictionary(MARKER_DICTIONARY)
        corners, ids, _ = cv2.aruco.ArucoDetector(dictionary).detectMarkers(screenshot)
        assert sorted(ids.ravel().tolist()) == [0, 1, 2, 3]
        for quad, marker in zip(corners, ids.ravel(), strict=True):
            seen_mm = (quad[0] + 0.5 - middle) / scale
            assert seen_mm == pytest.approx(np.array(marker_corners_mm(int(marker))), abs=0.3)
        for patch in PATCHES:
            x, y = (middle + np.array(patch.centre_mm) * scale).astype(int)
            assert tuple(screenshot[y, x, ::-1].tolist()) == pytest.approx(patch.srgb, abs=1)


@pytest.mark.parametrize(
    ("options", "words", "sheet"),
    [
        (Options(mat=False, plastic="clear", light="daylight"), "No mat in view.", "mat"),
        (Options(mat=True, plastic="black", light="daylight"), "The tray is dark", "inlay"),
    ],
)
def test_words_that_speak_of_a_sheet_lead_to_it(
    chromium: Browser, tmp_path: Path, options: Options, words: str, sheet: str
) -> None:
    """They named a shell command to whoever stood there with a phone."""
    with calibration_page(chromium, tmp_path, PHONE, StagedTable(12, options).render_empty()) as hands:
        sign = hands.page.locator("#live .signs li", has_text=words)
        expect(sign).to_be_visible()
        expect(hands.page.locator("main")).not_to_contain_text("tenshu mat")
        sign.locator("a").click()
        expect(hands.page.locator("#mat-sheet")).to_have_value(sheet)
        expect(hands.page.locator("#mat-looks")).to_be_visible()


@pytest.mark.parametrize(("doubt", "sheet"), [(Doubt.NO_MAT, "mat"), (Doubt.BLACK_ON_BLACK, "inlay")])
def test_from_a_reading_in_doubt_the_way_leads_to_the_sheet_that_helps(
    chromium: Browser, tmp_path: Path, doubt: Doubt, sheet: str
) -> None:
    runtime = stages.battle_of_three(tmp_path)
    with stages.served(runtime, tmp_path) as (demo, _):
        hands = Hands(chromium, demo, PHONE)
        hands.open()
        hands.phase("waiting")
        runtime.session.look_again()
        runtime.session.hear(looked(doubt, red=2))
        hands.phase("asking")
        hands.page.click("#why a")
        expect(hands.page.locator("#mat-sheet")).to_have_value(sheet)
        expect(hands.page.locator("#mat-looks")).to_be_visible()
        expect(hands.page.locator("#mat summary")).to_be_focused()
        assert hands.complaints == []


@pytest.mark.parametrize("share", [1.0, 0.6])
def test_a_tray_that_the_picture_cuts_is_told_before_anything_is_learned(
    chromium: Browser, tmp_path: Path, share: float
) -> None:
    options = Options(mat=True, plastic="clear", tray="square", light="daylight", plain=True)
    picture = StagedTable(12, options).render_empty()
    cut_picture = picture[:, : int(share * picture.shape[1])]
    with calibration_page(chromium, tmp_path, PHONE, cut_picture) as hands:
        sign = hands.page.locator(".signs li").first
        expect(sign).to_contain_text("Tray found" if share == 1.0 else "outside the picture")
        expect(sign).to_have_class("" if share == 1.0 else "bad")


def test_the_card_stands_through_what_the_camera_page_hears(chromium: Browser, tmp_path: Path) -> None:
    """That page redraws its cards at each change; what is being typed stays, with the focus."""
    runtime = stages.battle_of_three(tmp_path)
    with stages.served(runtime, tmp_path) as (demo, _):
        hands = Hands(chromium, demo, PHONE)
        hands.open("/camera#inlay")
        hands.page.fill("#mat-width", "123")
        with hands.page.expect_response("**/api/v1/camera"):
            runtime.session.look_again()
            runtime.session.hear(looked(Doubt.STACKED, red=2))
        expect(hands.page.locator("#mat-width")).to_have_value("123")
        expect(hands.page.locator("#mat-width")).to_be_focused()
