"""What journeys and screenshots share: the browser, the demo, and a person's hands on the page."""

import json
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, Response, expect
from playwright.sync_api import TimeoutError as TooLate

from tests.patience import PATIENCE_S

CHROMIUM = shutil.which("chromium-headless-shell") or shutil.which("chromium") or "/usr/bin/chromium"
"""Path of the browser; its windowless build, where installed, takes less processor time."""
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--no-first-run",
]
PHONE = {"width": 390, "height": 844}
PHONE_WITH_BARS = {"width": 390, "height": 664}
SMALL_PHONE_WITH_BARS = {"width": 360, "height": 580}
ON_ITS_SIDE = {"width": 844, "height": 340}
LOW_LAPTOP = {"width": 1280, "height": 620}
"""What the browser's own bars leave of a window, as in the three sizes above."""
TABLET = {"width": 820, "height": 1180}
LAPTOP = {"width": 1440, "height": 900}
TRUTH: dict[str, dict[str, int]] = json.loads(
    (Path(__file__).parents[1] / "data" / "demo" / "truth.json").read_text()
)
MODULE = "((name) => import(new URL(name, document.querySelector('script[type=module]').src)))"
"""Imports a module as the page has it, with its state."""
WORDED = f"((name) => {MODULE}('i18n.js').then((i18n) => i18n.loadMessages()).then(() => {MODULE}(name)))"
"""The same once the messages are loaded: a heading is there before them."""
_COUNT_REQUESTS = """(() => {
  const realFetch = window.fetch;
  window.underWay = 0;
  const done = () => setTimeout(() => { window.underWay -= 1; });
  window.fetch = (...fetchArguments) => {
    window.underWay += 1;
    const answer = realFetch(...fetchArguments);
    answer.then((response) => response.clone().arrayBuffer()).then(done, done);
    return answer;
  };
})()"""
"""Counts the requests that a page still waits for: until they are answered the page is not final."""
WAIT_MS = 1000 * PATIENCE_S
expect.set_options(timeout=WAIT_MS)


def expect_in_sight(locator: Locator, share: float = 0.95) -> None:
    """Wait until this share of it is in the window: all but its border, as boxes end on parts of a pixel."""
    expect(locator).to_be_in_viewport(ratio=share)


@dataclass(frozen=True, slots=True)
class Demo:
    """A running demo."""

    url: str
    data: Path


class Hands:
    """A person at a device; records a page's complaints, calls to other hosts and (`heard`) what it gets."""

    def __init__(
        self,
        browser: Browser,
        demo: Demo,
        size: dict[str, int],
        *,
        dark: bool = False,
        locale: str = "en-GB",
        heard: Callable[[str], None] | None = None,
        ignore_https_errors: bool = False,
    ) -> None:
        self.context = browser.new_context(
            viewport={"width": size["width"], "height": size["height"]},
            color_scheme="dark" if dark else "light",
            locale=locale,
            ignore_https_errors=ignore_https_errors,  # the warning was clicked away
        )
        self.context.add_init_script(_COUNT_REQUESTS)
        if heard is not None:
            self.context.expose_function("heard", heard)
            self.context.add_init_script(path=Path(__file__).parent / "fingers.js")
        self.context.set_default_timeout(WAIT_MS)
        self.page: Page = self.context.new_page()
        self.complaints: list[str] = []
        self.refused: list[str] = []
        self.strangers: list[str] = []
        self.page.on(
            "console", lambda m: self.complaints.append(m.text) if m.type in ("error", "warning") else None
        )
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("response", self._note_refusal)
        self.page.on(
            "request",
            lambda r: self.strangers.append(r.url) if not r.url.startswith((demo.url, "data:")) else None,
        )
        self._demo = demo
        self.url = demo.url

    def _note_refusal(self, response: Response) -> None:
        """Record what was asked: the console says only that something was refused."""
        if response.status >= 400:
            request = response.request
            self.refused.append(f"{response.status} {request.method} {request.url} {request.post_data or ''}")

    def open(self, path: str = "/") -> None:
        self.page.goto(self._demo.url + path)
        self.page.wait_for_selector("main h1, main h2")

    def tap(self, key: str) -> None:
        self.page.click(f'[data-key="{key}"]')

    def speak(self, language: str) -> None:
        """Choose a language as the menu does, for pages opened from now on."""
        self.page.evaluate("(language) => localStorage.setItem('tenshu.language', language)", language)

    def sit(self, colour: str) -> None:
        """Take a seat, and wait for its hand of cards."""
        self.open("/seat")
        self.tap(f"take-{colour}")
        self.page.wait_for_selector(".mine")

    def key(self) -> str:
        """Return the key of the seat that this device holds."""
        seat_key: str = self.page.evaluate(f"{MODULE}('device.js').then((device) => device.heldSeat().key)")
        return seat_key

    def phase(self, *phases: str) -> str:
        """Wait until the light shows one of these."""
        wanted = ", ".join(f'#light[data-phase="{phase}"]' for phase in phases)
        try:
            shown = self.page.wait_for_selector(wanted)
        except TooLate:  # the page, or what was refused, says why the light stays
            light = self.page.locator("#light").get_attribute("data-phase")
            pytest.fail(f"{light}, not {phases}; refused: {self.refused}; on the page: {self.complaints}")
        assert shown is not None
        return shown.get_attribute("data-phase") or ""

    def declare(self, attacker: str, province: str, attackers: int) -> None:
        """Choose a battle with the mouse."""
        self.page.check(f'input[name="attacker"][value="{attacker}"]')
        self.page.check(f'input[name="province"][value="{province}"]')
        self._step_to("attackers", attackers)
        self.tap("to-battle")
        self.phase("waiting")

    def count(self, truth: dict[str, int]) -> None:
        """Set the counts to what lies in the picture."""
        for colour, number in truth.items():
            self._step_to(f"count-{colour}", number)
        self.answered()

    def answered(self) -> None:
        """Wait for open requests, as for what counts would decide: it is refused once they are taken."""
        self.page.wait_for_function("() => !window.underWay")

    def verdict(self) -> str:
        return self.page.inner_text("#result .verdict")

    def _step_to(self, key: str, number: int) -> None:
        shown = self.page.locator(f'[data-count="{key}"] output')
        current = int(shown.inner_text())
        while current != number:
            step = 1 if current < number else -1
            self.tap(f"{key}{step}")
            current += step
            self.page.wait_for_function(
                "([key, now]) => document.querySelector(`[data-count='${key}'] output`)?.textContent === now",
                arg=[key, str(current)],
            )


def take_seat(browser: Browser, demo: Demo, colour: str, size: dict[str, int] = PHONE) -> Hands:
    """A new device, a phone unless another size is given, that has taken a seat."""
    hands = Hands(browser, demo, size)
    hands.sit(colour)
    return hands
