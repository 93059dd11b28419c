"""“Brighter” goes by the tray's levels in the picture: a dark one is lifted, a bright one not burnt out."""

import re
from pathlib import Path

import cv2
import numpy as np
import pytest
from playwright.sync_api import Browser, Locator, expect
from playwright.sync_api import Error as Gone

from companion.table.messages import Looked, Moving
from companion.table.runtime import Runtime
from tests.e2e import stages
from tests.e2e.films import photo_of_a_heap
from tests.e2e.pages import wait_until_quiet
from tests.e2e.place import LAPTOP, Hands
from tests.patience import until
from vision.pictures import Picture, load_picture
from vision.reader import TrayReader
from vision.reading import TrayReading

pytestmark = pytest.mark.browser
FLOOR = 0.25
"""Share of the picture's sides: farther inside only the tray's floor is seen, and what lies on it."""


@pytest.fixture(scope="module")
def heap(tmp_path_factory: pytest.TempPathFactory) -> tuple[Picture, TrayReading]:
    """A heap of cubes that is asked about, and how it is read."""
    picture = load_picture(photo_of_a_heap(tmp_path_factory.mktemp("heap") / "heap.jpg"))
    return picture, TrayReader().read(picture)


def _ask_about(hands: Hands, runtime: Runtime, picture: Picture, reading: TrayReading) -> Locator:
    """Have the page ask about this picture, hide the marks, and return the figure that shows it."""
    jpeg = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 95])[1].tobytes()
    runtime.session.hear(Moving())
    runtime.session.hear(Looked(reading, jpeg, 30.0, 200.0))
    with hands.page.expect_response("**/events*"), hands.page.expect_response("**/preview"):
        hands.open()
    hands.phase("asking")
    wait_until_quiet(hands.page)  # both redraw the page, and what is gone cannot be photographed
    hands.tap("marks")
    figure = hands.page.locator(".picture figure.tray")
    expect(figure).to_have_class(re.compile("bare"))
    figure.locator("image").evaluate("(image) => image.decode()")
    return figure


def _grey_screenshot(figure: Locator) -> Picture:
    """The middle of the tray as it is on the screen, grey. The page may redraw its figure at any time."""
    shots: list[bytes] = []

    def try_screenshot() -> bool:
        try:
            shots.append(figure.screenshot())
        except Gone as gone:
            if "not attached" not in str(gone):
                raise
        return bool(shots)

    until(try_screenshot)
    shot = cv2.imdecode(np.frombuffer(shots[0], np.uint8), cv2.IMREAD_GRAYSCALE)
    assert shot is not None
    height, width = shot.shape
    top, left = int(height * FLOOR), int(width * FLOOR)
    return np.asarray(shot[top : height - top, left : width - left], np.uint8)


def test_a_dark_picture_is_lifted_and_a_bright_one_is_not_burnt_out(
    chromium: Browser, tmp_path: Path, heap: tuple[Picture, TrayReading]
) -> None:
    """Each picture was made 2.6 times as bright: a bright one went white, a dark one stayed black."""
    picture, reading = heap
    runtime = stages.battle_of_three(tmp_path)
    with stages.served(runtime, tmp_path) as (demo, _):
        hands = Hands(chromium, demo, LAPTOP)
        for light in (0.06, 0.15, 0.5, 1.0, 1.25):
            exposed = np.clip(picture * light, 0, 255).astype(np.uint8)
            figure = _ask_about(hands, runtime, exposed, reading)
            before = _grey_screenshot(figure)
            hands.tap("bright")
            expect(figure.locator("image")).to_have_attribute("filter", re.compile(r"url\(#"))
            after = _grey_screenshot(figure)
            hands.tap("enlarge")
            expect(hands.page.locator("dialog.zoom image")).to_have_attribute("filter", re.compile(r"url\(#"))
            hands.page.keyboard.press("Escape")
            hands.page.keyboard.press("b")
            expect(figure.locator("image")).not_to_have_attribute("filter", re.compile("."))
            assert np.median(after) >= np.median(before) + 5, light
            assert np.median(after) >= 80, light
            assert (after >= 250).mean() <= (before >= 250).mean() + 0.02, light
        hands.context.close()
    assert hands.complaints == []
