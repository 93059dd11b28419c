"""The embedded camera: its pictures, its choice, and that nothing in it knows the truth."""

import json
from functools import cache
from pathlib import Path

import pytest

from companion.demo.camera import HERE, Clip, DemoCamera, clips
from companion.demo.sensor import CUBE_MG, DemoSensor
from companion.table.messages import Looked, Moving
from companion.table.sensing.eye import Eye
from firmware.link.events import Answered, Beat, Drop, LinkUp, Motion, Sample, Settled
from firmware.link.wire import Command
from tests.companion.table.tables import Clock
from vision.pictures import picture_files
from vision.reader import TrayReader

TRUTH: dict[str, dict[str, int]] = json.loads(
    (Path(__file__).parents[2] / "data" / "demo" / "truth.json").read_text()
)
ALL = dict.fromkeys(("red", "blue", "yellow", "black", "purple", "green"), 62)


def _demo_camera(clock: Clock) -> DemoCamera:
    def let_pass(seconds: float) -> None:
        clock.now_s += seconds

    camera = DemoCamera(clock=clock, sleep=let_pass)
    camera._clips = list(_clips())
    return camera


@cache
def _clips() -> list[Clip]:
    """All throws; what is seen in one is read once for all tests."""
    return clips()


def test_it_is_small_and_bears_no_labels() -> None:
    files = [path for path in HERE.rglob("*") if path.suffix in (".jpg", ".json", ".csv", ".txt")]
    assert {path.suffix for path in files} == {".jpg"}
    assert sum(path.stat().st_size for path in files) < 4_000_000
    assert len(list((HERE / "pictures").iterdir())) <= 14
    assert len(list((HERE / "sequences").iterdir())) == 2


@pytest.mark.parametrize("name", TRUTH)
def test_what_the_reader_calls_certain_is_exact(name: str) -> None:
    reading = TrayReader().read(Clip(picture_files([HERE / name])).settled())
    if reading.certain:
        assert dict(reading.counts) == TRUTH[name]


def test_a_throw_moves_settles_and_is_read_once() -> None:
    clock = Clock()
    camera = _demo_camera(clock)
    eye = Eye(camera, TrayReader(), clock)
    for _ in range(10):
        quiet = eye.step(1.0)
    assert quiet == []
    camera.release(ALL, ("red", "blue"))
    reports = [report for _ in range(40) for report in eye.step(1.0)]
    assert [type(report) for report in reports] == [Moving, Looked]
    looked = reports[-1]
    assert isinstance(looked, Looked)
    assert looked.jpeg.startswith(b"\xff\xd8")
    assert looked.since_rest_ms < 1000


def test_it_chooses_what_could_come_out() -> None:
    camera = _demo_camera(Clock())
    reader = TrayReader()
    only = {"purple": 20, "blue": 20, "black": 20, "red": 0, "yellow": 0, "green": 0}
    chosen = camera._choose({**ALL, "green": 0}, ("red", "blue"))
    assert chosen.seen(reader)["green"] == 0
    assert camera._choose(only, ("blue",)) in camera._clips


def test_every_clip_falls_before_one_falls_again() -> None:
    camera = _demo_camera(Clock())
    fallen = []
    for _ in clips():
        camera.release(ALL, ())
        fallen.append(camera._clips[-1])
    assert len({id(clip) for clip in fallen}) == len(clips())


def test_what_lies_there_does_not_fall_again() -> None:
    camera = _demo_camera(Clock())
    camera.release({"red": 2, "blue": 2, "purple": 1}, ("red", "blue"))
    lying = camera._clips[-1]
    camera.release({"red": 2, "blue": 2, "purple": 1}, ("red", "blue"))
    assert camera._clips[-1] is not lying


def test_the_stand_in_sensor_can_be_set_to_zero_and_scaled() -> None:
    clock = Clock()
    sensor = DemoSensor(clock)
    sensor.poll(0.0)
    sensor.ask(Command.CALIBRATE, "cubes", 5)
    sensor.fall(5)
    sensor.ask(Command.TARE)
    clock.now_s += 5
    reasons = [event.reason for event in sensor.poll(0.0) if isinstance(event, Answered)]
    assert reasons == ["light", "moving"]
    sensor.ask(Command.CALIBRATE, "cubes", 5)
    assert [event.mass_mg for event in sensor.poll(0.0) if isinstance(event, Beat)] == [5 * 360]
    sensor.ask(Command.TARE)
    assert [event.mass_mg for event in sensor.poll(0.0) if isinstance(event, Beat)] == [0]
    assert abs(sensor._displayed_mg(sensor._weight_mg(sensor._now_ms()))) < CUBE_MG / 2


def test_the_stand_in_sensor_speaks_like_a_real_one() -> None:
    clock = Clock()
    sensor = DemoSensor(clock)
    assert [type(event) for event in sensor.poll(0.0)] == [LinkUp, Beat]
    sensor.fall(3)
    clock.now_s += 5
    events = [event for event in sensor.poll(0.0) if not isinstance(event, Sample)]
    assert [type(event) for event in events] == [Motion, Drop, Drop, Drop, Settled]
    sensor.fall(2)
    clock.now_s += 5
    events = [event for event in sensor.poll(0.0) if not isinstance(event, Sample)]
    assert sum(event.mass_mg for event in events if isinstance(event, Drop)) == -CUBE_MG
    sensor.close()
    sensor.close()
