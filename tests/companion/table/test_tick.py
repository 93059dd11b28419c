"""The tick of a running table goes on, whatever breaks in one of its rounds."""

import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import IO

import pytest

from companion.demo.table import FIRST, OPTIONS
from companion.games.protocol import Colour
from companion.games.registry import find
from companion.store.backup import load, save
from companion.store.events import StoredEvent
from companion.table.messages import Moving, SensorSpec
from companion.table.runtime import Runtime, TableSpec
from tests.companion.table.tables import looked, tell
from tests.patience import PATIENCE_S, until


@pytest.fixture
def runtime(tmp_path: Path) -> Iterator[Runtime]:
    """A battle is awaited, and a certain reading is accepted at once."""
    spec = TableSpec("demo", tmp_path, SensorSpec("none", "none"), OPTIONS, FIRST, countdown_s=0.05)
    runtime = Runtime(spec, find("shogun"))
    runtime._ticker.start()
    yield runtime
    runtime.stop()


def _hear_fall(runtime: Runtime, red: int, **others: int) -> None:
    runtime.session.hear(Moving())
    runtime.session.hear(looked(certain=None, red=red, **others))


def test_an_error_that_nobody_thought_of_is_told_and_the_next_throw_is_accepted(
    runtime: Runtime, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The error ended the thread: no throw was accepted any more, and nobody heard why."""

    def break_down(*_: object, **__: object) -> None:
        raise RuntimeError("nobody thought of it")

    with monkeypatch.context() as patched:
        patched.setattr(runtime.session, "_settle", break_down)
        _hear_fall(runtime, red=4, blue=1)
        until(lambda: runtime.session.view()["notice"])
    view = runtime.session.view()
    assert (view["phase"], view["notice"]["key"]) == ("asking", "http_500")
    runtime.session.settle({Colour("red"): 4, Colour("blue"): 1}, "anna", view["expected"])
    next_battle = {"kind": "declare", "attacker": "red", "province": "ise", "armies": 4}
    tell(runtime.session, next_battle)
    _hear_fall(runtime, red=3, green=1)
    until(lambda: runtime.session.view()["phase"] == "idle")
    assert len(runtime.session.throws()) == 2
    assert [record.message for record in caplog.records] == ["the table broke"]


def test_what_breaks_at_every_turn_is_in_the_log_once(
    runtime: Runtime, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    turns: list[int] = []

    def break_down(now_ms: int) -> bool:
        turns.append(now_ms)
        raise RuntimeError("every time")

    monkeypatch.setattr(runtime.copies, "is_due", break_down)
    until(lambda: len(turns) >= 3)
    assert len(caplog.records) == 1
    _hear_fall(runtime, red=4, blue=1)
    until(runtime.session.throws)


class SlowCopies:
    """Copies that are slow, as of a long past: each takes until it is released."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.begun, self.at_once, self.most = 0, 0, 0
        self.go_on = threading.Event()
        monkeypatch.setattr("companion.table.files.copies.save", self.save)

    def save(
        self, file: IO[bytes], events: Sequence[StoredEvent], picture: Callable[[str], bytes | None]
    ) -> None:
        self.begun += 1
        self.at_once += 1
        self.most = max(self.most, self.at_once)
        assert self.go_on.wait(PATIENCE_S)
        save(file, events, picture)
        self.at_once -= 1


def test_a_throw_is_accepted_while_a_copy_is_made(
    runtime: Runtime, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """At 20,000 events a copy takes two seconds, every ten minutes: meanwhile no countdown ended. Everything
    played until the end is in a copy, and a copy in progress is not cut off."""
    slow = SlowCopies(monkeypatch)
    until(lambda: not runtime._copying.locked())
    runtime.copies._newest, runtime.copies._copied_at_ms = ("", 0), 0
    until(lambda: slow.begun)
    runtime.copies._copied_at_ms = 0  # due again and again, as with a disk that takes ten minutes
    _hear_fall(runtime, red=4, blue=1)
    until(runtime.session.throws)
    ending = threading.Thread(target=runtime.stop)
    ending.start()
    ending.join(0.3)
    assert ending.is_alive()
    slow.go_on.set()
    ending.join(PATIENCE_S)
    with (tmp_path / "copies" / runtime.copies.all()[0].name).open("rb") as file:
        assert len(load(file).events) == len(runtime.session.events())
    assert (slow.begun, slow.most) == (2, 1)


def test_what_breaks_as_a_copy_is_made_is_told(
    runtime: Runtime, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """In a thread of its own the error was only printed to the terminal."""

    def break_down(*_: object) -> None:
        raise RuntimeError("nobody thought of it")

    until(lambda: not runtime._copying.locked())
    with monkeypatch.context() as patched:
        patched.setattr(runtime.copies, "keep", break_down)
        runtime.copies._copied_at_ms = 0
        until(lambda: runtime.session.view()["notice"])
    assert [record.message for record in caplog.records] == ["the table broke"]


def test_what_breaks_as_a_report_is_heard_ends_no_thread(
    runtime: Runtime, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The thread that listens to the sensor process ended, and camera and load cell were silently gone."""

    def break_down(_: object) -> None:
        raise RuntimeError("nobody thought of it")

    with monkeypatch.context() as patched:
        patched.setattr(runtime.session, "hear", break_down)
        runtime._hear(Moving())
    assert len(caplog.records) == 1
    assert runtime.session.view()["notice"]["key"] == "http_500"


def test_a_look_has_a_number_that_no_other_start_has_whatever_the_clock_says(tmp_path: Path) -> None:
    """Browsers cache pictures by it for good: with the clock set back they showed an older look's tray."""
    spec = TableSpec("demo", tmp_path, SensorSpec("none", "none"), OPTIONS, FIRST)
    numbers = []
    for _ in range(3):
        started = Runtime(spec, find("shogun"), wall_ms=lambda: 1_795_000_000_000)
        _hear_fall(started, red=4, blue=1)
        _hear_fall(started, red=4, blue=2)
        numbers.append(started.session.view()["look"]["number"])
        started.stop()
    assert len({number >> 10 for number in numbers}) == 3, "nor one that it may yet come to"
    assert max(numbers) < 2**53, "more than a browser can count"
