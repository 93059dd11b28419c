"""Screenshots of every page in three sizes, light and dark, and contact sheets of them: `make shots`.

All go to a folder that is not kept; the README's pictures and the contact sheets to `docs/shots`.
"""

import argparse
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from companion.table.runtime import Runtime
from tests.e2e import stages
from tests.e2e.contact import contact_sheet, side_by_side
from tests.e2e.films import photo_of_a_heap
from tests.e2e.firstuse import walk
from tests.e2e.pages import addresses, visit, wait_until_quiet
from tests.e2e.place import ARGUMENTS, CHROMIUM, LAPTOP, PHONE, TABLET, Hands

SIZES = {"phone": PHONE, "tablet": TABLET, "laptop": LAPTOP}
COLUMNS = {"phone": (260, 6), "tablet": (360, 4), "laptop": (480, 3)}
SCHEMES = ("light", "dark")
FEW = (("phone", "light"), ("laptop", "dark"))
PAST = ("/map", "/seat", "/winter", "/history", "/end", "/watch")
"""Pages that differ from stage to stage."""
STAGES: dict[str, Callable[[Path], Runtime]] = {
    "plans": lambda folder: stages.played(folder, stages.second_year),
    "winter": lambda folder: stages.played(folder, stages.winter_revolts),
    "over": lambda folder: stages.played(folder, stages.over),
}
"""The first is taken in every look, the others in a few."""


class Camera:
    """Takes pictures of a page in several sizes and colour schemes."""

    def __init__(self, out: Path, whole: bool, locale: str) -> None:
        self.out, self.whole, self.locale = out, whole, locale

    def take(self, page: Page, name: str, size: str, scheme: str) -> None:
        """Take one picture; with `whole` to the end of the page instead of one screen."""
        page.set_viewport_size({"width": SIZES[size]["width"], "height": SIZES[size]["height"]})
        page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
        page.evaluate("scrollTo(0, 0)")
        wait_until_quiet(page)
        page.screenshot(path=self.out / f"{size}-{scheme}-{name}.png", full_page=self.whole)

    def take_looks(self, page: Page, name: str, few: bool = False) -> None:
        """Take a page in all its looks, or in two."""
        for size, scheme in FEW if few else [(size, scheme) for size in SIZES for scheme in SCHEMES]:
            self.take(page, name, size, scheme)


def take_stage(browser: Browser, camera: Camera, name: str, few: bool) -> None:
    """Take every page at a moment of the game."""
    with tempfile.TemporaryDirectory() as folder:
        runtime = STAGES[name](Path(folder))
        with stages.served(runtime, Path(folder)) as (demo, app):
            hands = Hands(browser, demo, PHONE, locale=camera.locale)
            hands.sit("blue")
            for address in PAST if few else addresses(app):
                visit(hands, address)
                camera.take_looks(hands.page, f"{name}{address.replace('/', '-').rstrip('-')}", few)
            hands.context.close()


@contextmanager
def _open_table(
    browser: Browser, camera: Camera, begin: Callable[[Path], Runtime]
) -> Iterator[tuple[Hands, Path]]:
    """Yield hands at a running table, and its folder."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        runtime = begin(folder)
        runtime.start()
        with stages.served(runtime, folder) as (demo, _):
            hands = Hands(browser, demo, PHONE, locale=camera.locale)
            yield hands, folder
            hands.context.close()


def take_battle(browser: Browser, camera: Camera) -> None:
    """Take the demo: throw, read, ask, settled, past throws, and the menu."""
    with _open_table(browser, camera, stages.battle) as (hands, _):
        hands.open()
        hands.phase("waiting")
        hands.page.wait_for_selector('[data-key="look"]')
        camera.take_looks(hands.page, "battle-1-throw")
        hands.tap("fall")
        if hands.phase("countdown", "asking") == "countdown":
            camera.take_looks(hands.page, "battle-2-read")
            hands.tap("hold")
        hands.phase("asking")
        camera.take_looks(hands.page, "battle-3-ask", few=True)
        hands.tap("accept")
        hands.phase("idle")
        camera.take_looks(hands.page, "battle-4-settled")
        hands.open("/throws")
        camera.take_looks(hands.page, "battle-5-throws", few=True)
        hands.tap("menu")
        hands.page.wait_for_selector("dialog[open]")
        camera.take_looks(hands.page, "battle-6-menu", few=True)


def take_places_in_doubt(browser: Browser, camera: Camera) -> None:
    """Take a reading in doubt, of a photo sent by a phone."""
    with _open_table(browser, camera, stages.battle_of_three) as (hands, folder):
        hands.open("/camera")
        hands.page.set_input_files("#photo", photo_of_a_heap(folder / "heap.jpg", 41_004))
        hands.page.wait_for_selector('[data-key="photo-read"] canvas')
        hands.open()
        hands.phase("asking")
        camera.take_looks(hands.page, "battle-7-where")


def take_first_use(browser: Browser, docs: Path, out: Path) -> None:
    """Take the README's three pictures of the first minute."""
    with tempfile.TemporaryDirectory() as folder:
        runtime = stages.battle(Path(folder))
        runtime.start()
        taken: list[Path] = []

        def step(name: str, hands: Hands) -> None:
            hands.page.evaluate("scrollTo(0, 0)")
            wait_until_quiet(hands.page)
            taken.append(out / f"first-{name}.png")
            hands.page.screenshot(path=taken[-1])

        with stages.served(runtime, Path(folder)) as (demo, _):
            walk(browser, demo.url, PHONE, step)
        side_by_side(taken, docs / "first-use.png", PHONE["height"])


def write_contact_sheets(out: Path, docs: Path) -> None:
    """Write one contact sheet for each size."""
    for size, (width, columns) in COLUMNS.items():
        pictures = sorted(out.glob(f"{size}-*.png"), key=lambda path: path.stem.split("-", 2)[2])
        contact_sheet(pictures, docs / f"contact-{size}.jpg", width, columns)


README_LAPTOP_PX = 675
README = {
    "laptop-light-battle-2-read": "read",
    "laptop-light-battle-7-where": "where",
    "phone-light-plans-seat": "seat",
    "laptop-dark-over-map": "map",
}


def main() -> int:
    """Take them all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path, help="where all pictures go")
    parser.add_argument("--docs", type=Path, help="where the README's pictures and the contact sheets go")
    parser.add_argument("--whole", action="store_true", help="to the end of each page, not one screen")
    parser.add_argument("--locale", default="en-GB", help="language of the pages, as de-DE")
    parser.add_argument("--only", choices=("battle", *STAGES), help="one part")
    args = parser.parse_args()
    docs: Path = args.docs or args.out
    for folder in (args.out, docs):
        folder.mkdir(parents=True, exist_ok=True)
    camera = Camera(args.out, args.whole, args.locale)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        if args.only in (None, "battle"):
            take_battle(browser, camera)
            take_places_in_doubt(browser, camera)
            take_first_use(browser, docs, args.out)
        for number, name in enumerate(STAGES):
            if args.only in (None, name):
                take_stage(browser, camera, name, few=number > 0)
        browser.close()
    write_contact_sheets(args.out, docs)
    for name, short_name in README.items():
        if (picture := args.out / f"{name}.png").exists():
            height = README_LAPTOP_PX if name.startswith("laptop") else PHONE["height"]
            side_by_side([picture], docs / f"{short_name}.png", height)
    return 0


if __name__ == "__main__":
    sys.exit(main())
