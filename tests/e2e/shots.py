"""Screenshots of every page in both sizes and both lights, from a running demo: `make shots`."""

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from tests.e2e.conftest import answers
from tests.e2e.place import ARGUMENTS, CHROMIUM, LAPTOP, PHONE, WAIT_MS, Demo, Hands, free_port

ROOT = Path(__file__).parents[2]
SIZES = {"phone": PHONE, "laptop": LAPTOP}


@contextmanager
def running(data: Path) -> Iterator[Demo]:
    """A demo of its own."""
    port = free_port()
    command = [sys.executable, "-m", "companion", "demo", "--no-browser", "--port", str(port)]
    with subprocess.Popen([*command, "--data", str(data)], cwd=ROOT, stdout=subprocess.DEVNULL) as process:
        try:
            answers(f"http://127.0.0.1:{port}")
            yield Demo(f"http://127.0.0.1:{port}", data)
        finally:
            process.terminate()
            process.wait(20)


def walk(browser: Browser, demo: Demo, out: Path, size: str, dark: bool) -> None:
    """One evening in pictures."""
    hands = Hands(browser, demo, SIZES[size], dark=dark)
    ending = f"{size}{'-dark' if dark else ''}.png"

    def shot(name: str) -> None:
        hands.page.wait_for_timeout(500)
        hands.page.evaluate("scrollTo(0, 0)")
        hands.page.screenshot(path=out / f"{name}-{ending}")

    hands.open()
    hands.phase("waiting")
    hands.page.wait_for_selector('[data-key="look"]', timeout=WAIT_MS)
    shot("1-throw")
    hands.tap("fall")
    hands.phase("countdown", "asking")
    shot("2-read")
    if hands.page.get_attribute("#light", "data-phase") == "countdown":
        hands.tap("hold")
    hands.phase("asking")
    shot("3-ask")
    hands.tap("accept")
    hands.phase("idle")
    shot("4-result")
    hands.page.evaluate("document.querySelector('#result').remove()")
    shot("5-choose")
    hands.declare("blue", "mino", 4)
    hands.tap("fall")
    hands.phase("countdown", "asking")
    hands.tap("accept")
    hands.phase("idle")
    hands.open("/throws")
    shot("6-throws")
    hands.tap("menu")
    hands.page.wait_for_selector("dialog[open]", timeout=WAIT_MS)
    shot("7-device")
    hands.context.close()


def main() -> int:
    """Write them all."""
    out = Path(sys.argv[1])
    out.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        for size in SIZES:
            for dark in (False, True):
                with tempfile.TemporaryDirectory() as data, running(Path(data)) as demo:
                    walk(browser, demo, out, size, dark)
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
