"""A rendered tray before a camera that plays a folder, and a device at the page that calibrates it."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import cv2
from playwright.sync_api import Browser

from calibration.synth import Options
from calibration.synth.staged import StagedTable
from companion.demo.table import FIRST, OPTIONS
from companion.games.shogun.game import GAME
from companion.table.messages import SensorSpec
from companion.table.runtime import Runtime, TableSpec
from tests.e2e import stages
from tests.e2e.place import Hands
from vision.pictures import Picture

COLOURS = ("red", "black")
STAGED = StagedTable(
    12, Options(size_px=(800, 600), mat=True, plastic="clear", tray="square", light="daylight", plain=True)
)
ANY_QUESTION = '[data-key="ready"], [data-key="yes"], #verdict'


@cache
def picture_at_step(step: str) -> Picture:
    """The picture of what a person lays into the tray at a step."""
    if step == "empty":
        return STAGED.render_empty()
    return (
        STAGED.render_thrown({"red": 3, "black": 2}, 5)[0]
        if step == "test"
        else STAGED.render_apart(step, 5)[0]
    )


class Table:
    """What lies before the camera, which plays this folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._number = 0
        folder.mkdir()

    def lay(self, picture: Picture) -> None:
        self._number += 1
        unfinished = self.folder / "aside.tmp"
        unfinished.write_bytes(cv2.imencode(".jpg", picture)[1].tobytes())
        unfinished.rename(self.folder / f"{self._number:03}.jpg")


@contextmanager
def table_at(tmp_path: Path) -> Iterator[tuple[Table, Runtime]]:
    table = Table(tmp_path / "camera")
    table.lay(picture_at_step("empty"))
    sensors = SensorSpec(str(table.folder), "none", profiles=str(tmp_path / "profiles"))
    yield table, Runtime(TableSpec("home", tmp_path, sensors, OPTIONS, FIRST), GAME)


@contextmanager
def page_at(
    chromium: Browser, tmp_path: Path, size: dict[str, int], locale: str = "en-GB"
) -> Iterator[tuple[Hands, Table]]:
    """A device at the page, and what lies before the camera."""
    with table_at(tmp_path) as (table, runtime):
        runtime.start()
        with stages.served(runtime, tmp_path) as (demo, _):
            hands = Hands(chromium, demo, size, locale=locale)
            hands.open("/calibrate")
            yield hands, table
            hands.context.close()


def walk(hands: Hands, table: Table) -> str:
    """Do as the page says until there is a verdict."""
    page, steps = hands.page, iter(("empty", *COLOURS, "test"))
    while True:
        page.wait_for_selector(ANY_QUESTION)
        if page.locator("#verdict").count():
            return page.inner_text("#verdict")
        if page.locator('[data-key="ready"]').count():
            table.lay(picture_at_step(next(steps)))
            hands.tap("ready")
        else:
            hands.tap("yes")
