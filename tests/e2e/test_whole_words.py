"""No word breaks in the middle, in a narrow window, on a phone, on a tablet and in large text."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from companion.games.shogun.words import Phase
from companion.table.messages import Moving
from tests.companion.table.tables import tell
from tests.e2e import stages
from tests.e2e.films import heap_as_read
from tests.e2e.pages import visit, wait_until_quiet
from tests.e2e.place import PHONE, TABLET, Hands
from tests.e2e.test_everyone import NARROW

pytestmark = pytest.mark.browser
SMALL = {"width": 360, "height": 640}
"""The smallest phones that are sold by the million."""
_FIND_BROKEN = """() => {
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


def _broken_words(page: Page) -> list[str]:
    found = []
    for size in (NARROW, SMALL, PHONE, TABLET):
        page.set_viewport_size({"width": size["width"], "height": size["height"]})
        found += [f"{size['width']}: {word}" for word in page.evaluate(_FIND_BROKEN)]
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    for size in (PHONE, TABLET):
        page.set_viewport_size({"width": size["width"], "height": size["height"]})
        found += [f"{size['width']}, large: {word}" for word in page.evaluate(_FIND_BROKEN)]
    page.evaluate("document.documentElement.style.fontSize = ''")
    return found


@pytest.mark.parametrize("locale", ["de-DE", "ru-RU"])
def test_words_of_the_battle_page_stay_whole(locale: str, chromium: Browser, tmp_path: Path) -> None:
    """Красны/е, Revoltenm/arker: beside a cube or a stepper there was room for six letters."""
    runtime = stages.battle(tmp_path / "tables")
    session = runtime.session
    with stages.served(runtime, tmp_path) as (demo, _):
        hands = Hands(chromium, demo, PHONE, locale=locale)
        hands.open()
        hands.phase("waiting")
        found = [f"waiting {word}" for word in _broken_words(hands.page)]
        session.hear(Moving())
        session.hear(heap_as_read())
        hands.phase("asking")
        hands.page.wait_for_selector("#preview")
        found += [f"asking {word}" for word in _broken_words(hands.page)]
        tell(session, {"kind": "call_off"})
        hands.phase("idle")
        found += [f"choosing {word}" for word in _broken_words(hands.page)]
    assert found == []


def _broken_words_in_each_language(hands: Hands) -> list[str]:
    """The broken words of the open page, in each language."""
    found = []
    for language in ("fr", "ru", "de", "ro", "en"):
        hands.speak(language)
        hands.page.reload()
        hands.page.wait_for_selector(".mine")
        assert hands.page.evaluate("document.documentElement.lang") == language
        found += [f"{language} {word}" for word in _broken_words(hands.page)]
    return found


def test_words_of_a_seats_plan_stay_whole(chromium: Browser, tmp_path: Path) -> None:
    """mainteni/r, перемещени/е: beside its cross a covered card had room for eight letters on a phone."""
    runtime = stages.played(tmp_path / "tables", lambda state: state.phase is Phase.PLANNING)
    with stages.served(runtime, tmp_path) as (demo, _):
        hands = Hands(chromium, demo, SMALL)
        hands.sit("blue")
        found = [f"empty {word}" for word in _broken_words_in_each_language(hands)]
        hand = hands.page.locator(".hand-card").evaluate_all(
            "(all) => all.map((one) => one.dataset.key.slice(5))"
        )
        for space, card in zip(stages.SPACES, hand, strict=False):
            hands.tap(f"card-{card}")
            hands.tap(f"space-{space}")
            hands.page.wait_for_selector(f'[data-key="peek-{space}"]')
        found += [f"full {word}" for word in _broken_words_in_each_language(hands)]
    assert found == []


@pytest.mark.parametrize("locale", ["de-DE", "ru-RU"])
def test_words_beside_the_map_stay_whole_on_wide_screens(
    locale: str, chromium: Browser, tmp_path: Path
) -> None:
    """beschlagnahm/en, Revoltenmarke/r: ten actions in a row, and signs in more columns than fit."""
    runtime = stages.played(tmp_path / "tables", stages.second_year)
    with stages.served(runtime, tmp_path) as (demo, _):
        page = visit(Hands(chromium, demo, TABLET, locale=locale), "/map")
        page.click(".map-legend summary")
        found = []
        for width in (TABLET["width"], 1024, 1100, 1300, 1440):
            page.set_viewport_size({"width": width, "height": 900})
            wait_until_quiet(page)
            found += [f"{width}: {word}" for word in page.evaluate(_FIND_BROKEN)]
    assert found == []
