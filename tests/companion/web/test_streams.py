"""Streams: one view for all waiting devices, and a countdown that is up to date."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.demo.table import FIRST, OPTIONS
from companion.games.registry import find
from companion.table.messages import Moving, SensorSpec
from companion.table.runtime import Runtime, TableSpec
from companion.web import streams as web_streams
from companion.web.streams import Streams
from tests.companion.table.tables import looked


def _started_streams(streams: Streams, count: int) -> list[Iterator[str]]:
    """Streams waiting for their first view."""
    started = [streams.events(0) for _ in range(count)]
    for stream in started:
        next(stream)
    return started


def _view(text: str) -> dict[str, object]:
    return dict(json.loads(text.split("data: ", 1)[1]))


def test_a_view_is_built_once_for_all_devices(runtime: Runtime) -> None:
    """Sixty devices had sixty views built per change: most of the time until the last one had it."""
    builds: list[int] = []

    def build_view() -> dict[str, Any]:
        builds.append(1)
        return runtime.session.view()

    streams = Streams(runtime, 80, build_view)
    devices = _started_streams(streams, 20)
    first = {next(device) for device in devices}
    assert (len(first), len(builds)) == (1, 1)
    runtime.session.wake()
    second = {next(device) for device in devices}
    assert (len(second), len(builds)) == (1, 2)
    assert first != second


def test_after_a_start_with_the_clock_set_back_every_device_hears_the_table(tmp_path: Path) -> None:
    """Revisions start from the clock: a page that had seen a higher one stood still for an hour."""
    ids: list[str] = []
    for clock_ms in (1_800_000_000_000, 1_799_996_400_000):
        spec = TableSpec("demo", tmp_path, SensorSpec("none", "none"), OPTIONS, FIRST)
        runtime = Runtime(spec, find("shogun"), lambda now=clock_ms: now)  # type: ignore[misc] # the test's clock
        streams = Streams(runtime, 80, runtime.session.view)
        stream = streams.events(streams.after(ids[-1] if ids else ""))
        next(stream)
        text = next(stream)
        ids.append(text.split("\n", 1)[0].removeprefix("id: "))
        assert ids[-1] == "{start}.{rev}".format(**_view(text))
        assert streams.after(ids[-1]) == _view(text)["rev"]
        runtime.stop()
    assert int(ids[1].split(".")[1]) < int(ids[0].split(".")[1])


@pytest.mark.parametrize(
    "event_id", ["", "0", "5", "other.5", ".", "5.", "{start}.", "{start}.x", "{start}.²"]
)
def test_what_is_no_number_of_this_start_is_sent_everything(runtime: Runtime, event_id: str) -> None:
    streams = Streams(runtime, 80, runtime.session.view)
    assert streams.after(event_id.format(start=runtime.session.start)) == 0


def test_who_comes_in_a_countdown_hears_what_is_left_now(runtime: Runtime) -> None:
    streams = Streams(runtime, 80, runtime.session.view)
    runtime.session.hear(Moving())
    runtime.session.hear(looked(red=4, blue=1))
    [early] = _started_streams(streams, 1)
    before = _view(next(early))
    runtime.session._awaiting._course.countdown._ends_at -= 1.0  # one second passes
    streams._cached = streams._cached.__class__(streams._cached.rev, streams._cached.text, True, 0.0)
    [late] = _started_streams(streams, 1)
    after = _view(next(late))
    assert before["phase"] == after["phase"] == "countdown"
    assert isinstance(before["left_ms"], int)
    assert isinstance(after["left_ms"], int)
    assert after["left_ms"] <= before["left_ms"] - 900


def test_a_silent_table_says_that_it_is_here(runtime: Runtime, monkeypatch: pytest.MonkeyPatch) -> None:
    """It was a comment, which pages cannot see: with a dead network they stayed green for half a minute."""
    monkeypatch.setattr(web_streams, "HEARTBEAT_S", 0.01)
    [stream] = _started_streams(Streams(runtime, 80, runtime.session.view), 1)
    assert "event: table" in next(stream)
    assert next(stream) == "event: here\ndata: {}\n\n"
