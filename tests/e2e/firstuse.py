"""The first-use walk: from `make demo` to the first settled battle, taps and seconds counted.

`python -m tests.e2e.firstuse` walks in this checkout; `--fresh` copies it to an empty folder first, so that
what has to be installed counts too.
"""

import argparse
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from tests.e2e.place import ARGUMENTS, CHROMIUM, LAPTOP, Demo, Hands
from tests.patience import PATIENCE_S
from tests.ports import free_port

ROOT = Path(__file__).parents[2]
MOST_TAPS, MOST_S = 10, 120.0
LOOK_AND_REACH_S = 5.0
"""Seconds allowed per tap to a person new to the page, on top of what the machine takes."""
COUNT_TAPS = "addEventListener('pointerdown', (event) => event.isTrusted && window.tapped(), true)"
Step = Callable[[str, Hands], None]


@dataclass(frozen=True, slots=True)
class Walk:
    """What a walk took."""

    taps: int
    machine_s: float
    verdict: str

    @property
    def seconds(self) -> float:
        """Seconds in all, with the time that a person needs."""
        return self.machine_s + self.taps * LOOK_AND_REACH_S

    @property
    def short(self) -> bool:
        """Whether it stays within the promised limits."""
        return self.taps <= MOST_TAPS and self.seconds < MOST_S


def walk(browser: Browser, url: str, size: dict[str, int], step: Step = lambda *_: None) -> tuple[int, str]:
    """Open the page and do what it says; return the number of taps and the page's verdict."""
    hands = Hands(browser, Demo(url, Path()), size)
    taps: list[None] = []
    hands.page.expose_function("tapped", lambda: taps.append(None))
    hands.page.add_init_script(COUNT_TAPS)
    hands.open()
    hands.phase("waiting")
    hands.page.wait_for_selector('[data-key="look"]')
    step("1-throw", hands)
    hands.tap("fall")
    hands.phase("countdown", "asking")
    step("2-read", hands)
    hands.tap("accept")
    hands.phase("idle")
    verdict = hands.verdict()
    step("3-settled", hands)
    hands.context.close()
    return len(taps), verdict


@contextmanager
def run_demo(folder: Path) -> Iterator[str]:
    """Run `make demo` in a folder; yield its address as soon as it prints it."""
    with tempfile.TemporaryDirectory() as data:
        options = f"--no-browser --port {free_port()} --data {data}"
        command = ["make", "--no-print-directory", "demo", f"DEMO={options}", f"PYTHON={sys.executable}"]
        with subprocess.Popen(
            command, cwd=folder, stdout=subprocess.PIPE, text=True, start_new_session=True
        ) as process:
            try:
                assert process.stdout is not None
                yield next(line.split()[-1].rstrip("/") for line in process.stdout if "Tenshu is at" in line)
            finally:
                os.killpg(process.pid, signal.SIGTERM)
                process.wait(PATIENCE_S)


@contextmanager
def checkout(fresh: bool) -> Iterator[Path]:
    """Yield this checkout, or a copy of it without anything that was built."""
    if not fresh:
        yield ROOT
        return
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True)
    with tempfile.TemporaryDirectory() as folder:
        for name in listed.stdout.splitlines():
            target = Path(folder) / name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, target)
        yield Path(folder)


def main() -> int:
    """Walk once and print what it took; return 1 if it took too much."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--fresh", action="store_true", help="from an empty folder, installing all it needs")
    fresh = parser.parse_args().fresh
    with sync_playwright() as playwright, checkout(fresh) as folder:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        begin = time.monotonic()
        with run_demo(folder) as url:
            up_s = time.monotonic() - begin
            taps, verdict = walk(browser, url, LAPTOP)
            result = Walk(taps, time.monotonic() - begin, verdict)
        browser.close()
    sys.stdout.write(
        f'"{result.verdict}": {result.taps} taps, {result.machine_s:.0f} s of the machine'
        f" ({up_s:.0f} s of them until the page stood{', with installing' if fresh else ''}),"
        f" {result.seconds:.0f} s with {LOOK_AND_REACH_S:.0f} s a tap to look and reach.\n"
    )
    return 0 if result.short else 1


if __name__ == "__main__":
    sys.exit(main())
