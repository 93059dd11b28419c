"""A running demo and a real browser."""

import os
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.e2e import stages
from tests.e2e.place import ARGUMENTS, CHROMIUM, Demo
from tests.patience import PATIENCE_S, until
from tests.ports import free_port

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="session")
def launched() -> Iterator[Browser]:
    if not Path(CHROMIUM).exists():
        if os.environ.get("CI") == "true":
            pytest.fail("Chromium is missing; make test installs it")
        pytest.skip("Chromium is missing: sudo apt-get install chromium-headless-shell")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture
def chromium(launched: Browser) -> Iterator[Browser]:
    """The browser, without pages left over from other tests: these go on asking for a table that is gone."""
    yield launched
    for context in launched.contexts:
        context.close()


@pytest.fixture
def demo(tmp_path: Path) -> Iterator[Demo]:
    port = free_port()
    command = [sys.executable, "-m", "companion", "demo", "--no-browser", "--port", str(port)]
    with subprocess.Popen(
        [*command, "--data", str(tmp_path)], cwd=ROOT, stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            url = f"http://127.0.0.1:{port}"
            wait_until_up(url)
            yield Demo(url, tmp_path)
        finally:
            process.terminate()
            process.wait(PATIENCE_S)


@pytest.fixture
def unhurried(tmp_path: Path) -> Iterator[Demo]:
    """The demo's table, with a countdown long enough to be held however busy the machine is."""
    runtime = stages.battle(tmp_path / "tables")
    runtime.start()
    with stages.served(runtime, tmp_path) as (demo, _):
        yield demo


@pytest.fixture
def acted(tmp_path: Path) -> Iterator[Demo]:
    """The same without a camera process: the first throw lies there as soon as the button is pressed."""
    with stages.served(stages.acted(tmp_path / "tables"), tmp_path) as (demo, _):
        yield demo


def wait_until_up(url: str) -> None:
    """Wait until a demo answers."""

    def is_up() -> bool:
        try:
            with urllib.request.urlopen(f"{url}/api/v1/table", timeout=PATIENCE_S):
                return True
        except OSError:
            return False

    until(is_up)
