"""The ledger tells the camera what can lie in the tray after the awaited throw."""

import os
import signal
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import cv2
import pytest

from companion.games.registry import find
from companion.table.messages import Expect, SensorSpec
from companion.table.runtime import Runtime, TableSpec
from tests.calibration.test_profile import with_cubes
from tests.companion.table.tables import Table, looked, tell
from tests.patience import until
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
    assert expected.at_most == table.session.fall_order().possible
    assert expected.at_most["red"] >= 5
    table.falls(red=4, blue=1)
    table.pass_s(5)
    assert table.session.expected() == Expect(None)


def test_a_look_read_beside_another_ledger_is_outdated(table: Table) -> None:
    """It was on its way when the throw was called off and another one was awaited."""
    table.attack()
    report, own_at_most = looked(red=4), table.session.expected().at_most
    assert not table.session.is_outdated(replace(report, at_most=own_at_most))
    assert not table.session.is_outdated(report), "a sensor process that was told of none yet"
    assert table.session.is_outdated(replace(report, at_most={"purple": 5}))


def picture_in_doubt() -> Picture:
    """Five cubes of the colour between blue and purple that a reader is least sure of."""
    reader = TrayReader()

    def confidence_of(picture: Picture) -> float:
        reading: TrayReading = reader.read(picture)
        return min(reading.confidence.values()) if reading.total == 5 else 1.0

    mixed_colours = [
        tuple(round(b + (p - b) * n / STEPS) for b, p in zip(BLUE_BGR, PURPLE_BGR, strict=True))
        for n in range(10, 35, 2)
    ]
    return min((with_cubes((b, g, r)) for b, g, r in mixed_colours), key=confidence_of)


@pytest.fixture
def runtime(tmp_path: Path) -> Iterator[Runtime]:
    """A tower and a camera that sees a picture in doubt."""
    picture = tmp_path / "tray.png"
    cv2.imwrite(str(picture), picture_in_doubt())
    runtime = Runtime(
        TableSpec("tower", tmp_path, SensorSpec(str(picture), "none"), FIVE_OF_EACH), find("just_the_tower")
    )
    runtime.start()
    yield runtime
    runtime.stop()


def counts_of_next_look(runtime: Runtime) -> dict[str, int]:
    """Ask for a look until one is on the page; return what it counts."""
    number_before = (runtime.session.view()["look"] or {}).get("number")

    def has_new_look() -> bool:
        runtime.look_again()
        time.sleep(0.2)
        return (runtime.session.view()["look"] or {}).get("number") != number_before

    until(has_new_look)
    return {c: n for c, n in runtime.session.view()["look"]["counts"].items() if n}


def throw(runtime: Runtime, colour: str) -> None:
    runtime.session.command(
        {"kind": "throw", "cubes": {colour: 5}}, "anna", runtime.session.view()["expected"]
    )


def test_a_picture_in_doubt_is_read_as_what_was_thrown(runtime: Runtime) -> None:
    throw(runtime, "blue")
    assert counts_of_next_look(runtime) == {"blue": 5}
    tell(runtime.session, {"kind": "call_off"})
    throw(runtime, "purple")
    assert counts_of_next_look(runtime) == {"purple": 5}


def test_a_sensor_process_that_comes_back_knows_it_too(runtime: Runtime) -> None:
    throw(runtime, "purple")
    assert counts_of_next_look(runtime) == {"purple": 5}
    first_pid = runtime.sensor_pid
    assert first_pid is not None
    os.kill(first_pid, signal.SIGKILL)
    until(lambda: runtime.sensor_pid not in (None, first_pid))
    assert counts_of_next_look(runtime) == {"purple": 5}
