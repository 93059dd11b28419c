"""The ledger tells the camera what can lie in the tray after the awaited throw."""

import os
import signal
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import cv2
import pytest

from companion.games.registry import find
from companion.table.messages import Expect, SensorSpec
from companion.table.runtime import Runtime, TableSpec
from tests.calibration.test_profile import with_cubes
from tests.companion.table.tables import Table, looked, tell
from tests.patience import PATIENCE_S
from vision.pictures import Picture
from vision.reader import TrayReader
from vision.reading import TrayReading

BLUE_BGR, PURPLE_BGR = (170, 60, 40), (150, 50, 110)
STEPS = 40
FIVE_OF_EACH = {"box": {"blue": 5, "purple": 5}}


def test_what_can_come_out_of_the_awaited_throw(table: Table) -> None:
    assert table.session.expected() == Expect(None)
    table.attack()
    expected = table.session.expected()
    assert expected.at_most == table.session.letting_fall().possible
    assert expected.at_most["red"] >= 5
    table.falls(red=4, blue=1)
    table.pass_s(5)
    assert table.session.expected() == Expect(None)


def test_a_look_read_beside_another_ledger_is_outdated(table: Table) -> None:
    """It was on its way when the throw was called off and another one was awaited."""
    table.attack()
    seen, mine = looked(red=4), table.session.expected().at_most
    assert not table.session.is_outdated(replace(seen, at_most=mine))
    assert not table.session.is_outdated(seen), "a sensor process that was told of none yet"
    assert table.session.is_outdated(replace(seen, at_most={"purple": 5}))


def between() -> Picture:
    """Five cubes of the colour between blue and purple that a reader is least sure of."""
    reader = TrayReader()

    def sure(picture: Picture) -> float:
        reading: TrayReading = reader.read(picture)
        return min(reading.confidence.values()) if reading.total == 5 else 1.0

    mixed = [
        tuple(round(b + (p - b) * n / STEPS) for b, p in zip(BLUE_BGR, PURPLE_BGR, strict=True))
        for n in range(10, 35, 2)
    ]
    return min((with_cubes((b, g, r)) for b, g, r in mixed), key=sure)


@pytest.fixture
def runtime(tmp_path: Path) -> Iterator[Runtime]:
    """A tower and a camera that sees a picture in doubt."""
    picture = tmp_path / "tray.png"
    cv2.imwrite(str(picture), between())
    made = Runtime(
        TableSpec("tower", tmp_path, SensorSpec(str(picture), "none"), FIVE_OF_EACH), find("just_the_tower")
    )
    made.start()
    yield made
    made.stop()


def told(runtime: Runtime) -> dict[str, int]:
    """Ask for a look until one is on the page; return what it counts."""
    before = (runtime.session.view()["look"] or {}).get("number")

    def is_there() -> bool:
        runtime.look_again()
        time.sleep(0.2)
        return (runtime.session.view()["look"] or {}).get("number") != before

    until(is_there)
    return {c: n for c, n in runtime.session.view()["look"]["counts"].items() if n}


def until(happens: Callable[[], bool]) -> None:
    for _ in range(round(PATIENCE_S / 0.05)):
        if happens():
            return
        time.sleep(0.05)
    raise AssertionError("it never happened")


def throw(runtime: Runtime, colour: str) -> None:
    runtime.session.command(
        {"kind": "throw", "cubes": {colour: 5}}, "anna", runtime.session.view()["expected"]
    )


def test_a_picture_in_doubt_is_read_as_what_was_thrown(runtime: Runtime) -> None:
    throw(runtime, "blue")
    assert told(runtime) == {"blue": 5}
    tell(runtime.session, {"kind": "call_off"})
    throw(runtime, "purple")
    assert told(runtime) == {"purple": 5}


def test_a_sensor_process_that_comes_back_knows_it_too(runtime: Runtime) -> None:
    throw(runtime, "purple")
    assert told(runtime) == {"purple": 5}
    first = runtime.sensor_pid
    assert first is not None
    os.kill(first, signal.SIGKILL)
    until(lambda: runtime.sensor_pid not in (None, first))
    assert told(runtime) == {"purple": 5}
