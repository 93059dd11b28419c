"""iPhones: the same pages in the engine of their browsers."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.table.messages import Moving
from companion.table.runtime import Runtime
from tests.e2e import stages
from tests.e2e.pages import addresses
from tests.e2e.place import Demo
from tests.e2e.test_map import table
from tests.e2e.webkit import MISSING, WebKit, record_complaints, webkit

pytestmark = pytest.mark.browser
__all__ = ["table"]
_NOW = "return document.querySelector('#now').textContent === arguments[0]"
_SPEAKS = "return document.querySelector('h1.now')?.textContent !== 'Tenshu'"


@pytest.fixture
def phone(tmp_path: Path) -> Iterator[WebKit]:
    if MISSING is not None:
        if os.environ.get("CI") == "true":
            pytest.fail(MISSING)
        pytest.skip(MISSING)
    with webkit(tmp_path) as browser:
        yield browser


def test_every_page_is_drawn_by_webkit_without_a_complaint(phone: WebKit, tmp_path: Path) -> None:
    with stages.served(stages.played(tmp_path, stages.second_year), tmp_path) as (demo, app):
        record_complaints(app)
        phone.open(f"{demo.url}/seat")
        phone.tap("take-blue")
        phone.wait("return !!document.querySelector('.mine')")
        for address in addresses(app):
            phone.open(demo.url + address)
            phone.wait(_SPEAKS)
            wide = phone.run("return document.documentElement.scrollWidth - innerWidth")
            assert wide <= 0, f"{address} scrolls sideways by {wide} px"
        assert phone.complaints() == []  # asked while the server still answers


def test_a_battle_is_read_and_settled_in_webkit(phone: WebKit, tmp_path: Path) -> None:
    runtime = stages.battle(tmp_path)
    runtime.start()
    with stages.served(runtime, tmp_path) as (demo, app):
        record_complaints(app)
        phone.open(demo.url)
        phone.tap("fall")
        phone.wait("return ['asking', 'countdown'].includes(document.querySelector('#light').dataset.phase)")
        if phone.run("return document.querySelector('#light').dataset.phase") == "countdown":
            phone.tap("hold")
        phone.wait("return !!document.querySelector('#stage figure.tray image')")
        phone.tap("accept")
        phone.wait("return !!document.querySelector('#result .verdict')")
        verdict = phone.run("return document.querySelector('#result .verdict').textContent")
        assert verdict == "Red takes Omi with 2 armies"
        assert phone.complaints() == []


def test_webkit_hears_what_others_do(phone: WebKit, tmp_path: Path) -> None:
    """By the event stream, without a tap."""
    runtime = stages.battle_of_three(tmp_path)
    with stages.served(runtime, tmp_path) as (demo, app):
        record_complaints(app)
        phone.open(f"{demo.url}/watch")
        phone.wait(_NOW, "Throw the cubes into the tower")
        runtime.session.hear(Moving())
        phone.wait(_NOW, "Cubes are falling")
        assert phone.complaints() == []


def test_a_phone_with_webkit_plans_in_secret_and_keeps_it_through_a_reload(
    phone: WebKit, table: tuple[Runtime, Demo]
) -> None:
    url = f"{table[1].url}/seat"
    phone.open(url)
    phone.tap("take-blue")
    phone.tap("card-mino")
    phone.tap("to-rice")
    peek = "return document.querySelector('[data-key=\"peek-rice\"]')?.textContent"
    shut = "return !!document.querySelector('[data-key=\"peek-rice\"]')"
    for _ in ("planned", "and opened again"):
        phone.wait(shut)
        assert "Mino" not in phone.run(peek)
        with phone.hold("peek-rice"):
            phone.wait(f"{peek} === 'Mino'")
        phone.wait(f"{peek} !== 'Mino'")
        phone.open(url)
