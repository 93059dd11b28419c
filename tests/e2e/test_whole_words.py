"""No word breaks in the middle, in a narrow window, on a phone, on a tablet and in large text."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from companion.table.messages import Looked, Moving
from tests.e2e import stages
from tests.e2e.films import photo_of_a_heap
from tests.e2e.place import PHONE, TABLET, Hands
from tests.e2e.test_everyone import NARROW
from vision.pictures import load_picture
from vision.reader import TrayReader

pytestmark = pytest.mark.browser
_BROKEN = """() => {
  document.body.style.hyphens = "manual"; // where a browser knows the language, a hyphen is no break
  const broken = [];
  const texts = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    if (!text.parentElement.checkVisibility() || text.parentElement.closest(".sr")) continue;
    for (const word of text.data.matchAll(/[\\p{L}\\p{N}\\u00ad]+/gu)) {
      const range = document.createRange();
      range.setStart(text, word.index);
      range.setEnd(text, word.index + word[0].length);
      const lines = new Set([...range.getClientRects()].map((box) => Math.round(box.top)));
      if (lines.size > 1 && !word[0].includes("\\u00ad")) broken.push(word[0]);
    }
  }
  return broken;
}"""


def _broken(page: Page) -> list[str]:
    found = []
    for size in (NARROW, PHONE, TABLET):
        page.set_viewport_size({"width": size["width"], "height": size["height"]})
        found += [f"{size['width']}: {word}" for word in page.evaluate(_BROKEN)]
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    for size in (PHONE, TABLET):
        page.set_viewport_size({"width": size["width"], "height": size["height"]})
        found += [f"{size['width']}, large: {word}" for word in page.evaluate(_BROKEN)]
    page.evaluate("document.documentElement.style.fontSize = ''")
    return found


@pytest.mark.parametrize("locale", ["de-DE", "ru-RU"])
def test_words_of_the_battle_page_stay_whole(locale: str, chromium: Browser, tmp_path: Path) -> None:
    """Красны/е, Revoltenm/arker: beside a cube or a stepper there was room for six letters."""
    photo = photo_of_a_heap(tmp_path / "heap.jpg")
    runtime = stages.battle(tmp_path / "tables")
    session = runtime.session
    with stages.served(runtime, tmp_path) as (demo, _):
        hands = Hands(chromium, demo, PHONE, locale=locale)
        hands.open()
        hands.phase("waiting")
        found = [f"waiting {one}" for one in _broken(hands.page)]
        session.hear(Moving())
        session.hear(Looked(TrayReader().read(load_picture(photo)), photo.read_bytes(), 30.0, 200.0))
        hands.phase("asking")
        hands.page.wait_for_selector("#preview")
        found += [f"asking {one}" for one in _broken(hands.page)]
        session.command({"kind": "call_off"}, "anna", session.view()["expected"])
        hands.phase("idle")
        found += [f"choosing {one}" for one in _broken(hands.page)]
    assert found == []
