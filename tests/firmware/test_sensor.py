"""The link on its thread and a real pty: the cable, a second program, nothing left behind."""

import os
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from firmware.link.events import Answered, Drop, LinkDown, LinkUp, Sample, SensorEvent, Settled
from firmware.link.sensor import SerialSensor, open_sensor
from firmware.link.wire import Command, Kind
from tests.firmware.standin import PtyBoard
from tests.patience import PATIENCE_S, until


@pytest.fixture
def board(tmp_path: Path) -> Iterator[PtyBoard]:
    board = PtyBoard(tmp_path / "board")
    yield board
    board.close()


@pytest.fixture
def sensor(board: PtyBoard) -> Iterator[SerialSensor]:
    sensor = open_sensor(str(board.path))
    yield sensor
    sensor.close()


def _until(sensor: SerialSensor, wanted: Callable[[SensorEvent], bool]) -> list[SensorEvent]:
    heard: list[SensorEvent] = []
    end = time.monotonic() + PATIENCE_S
    while not any(wanted(event) for event in heard):
        assert time.monotonic() < end, heard
        heard += sensor.poll(0.2)
    return heard


def _up(event: SensorEvent) -> bool:
    return isinstance(event, LinkUp)


def test_drops_come_through_the_port(board: PtyBoard, sensor: SerialSensor) -> None:
    _until(sensor, _up)
    board.say(lambda one: one.drop(361))
    heard = _until(sensor, lambda event: isinstance(event, Settled))
    assert [event.mass_mg for event in heard if isinstance(event, Drop)] == [361]


def test_the_trace_is_asked_for(board: PtyBoard, sensor: SerialSensor) -> None:
    _until(sensor, _up)
    board.say(lambda one: one.line(Kind.SAMPLE, 12345, 361))
    heard = _until(sensor, lambda event: isinstance(event, Sample))
    assert [event.mass_mg for event in heard if isinstance(event, Sample)] == [361]
    until(lambda: "STREAM,4" in board.board.heard)


def test_the_cable_pulled_and_put_back(board: PtyBoard, sensor: SerialSensor) -> None:
    _until(sensor, _up)
    board.pull()
    [down] = [e for e in _until(sensor, lambda e: isinstance(e, LinkDown)) if isinstance(e, LinkDown)]
    assert down.name == "gone"
    board.plug()
    _until(sensor, _up)


def _answer(event: SensorEvent) -> bool:
    return isinstance(event, Answered) and event.command is not Command.STREAM


def test_what_is_asked_is_answered_among_the_events(board: PtyBoard, sensor: SerialSensor) -> None:
    _until(sensor, _up)
    board.board.refuse["SAVE"] = "storage"
    sensor.ask(Command.CALIBRATE, "cubes", 62)
    sensor.ask(Command.SAVE)
    heard = [event for event in _until(sensor, _saved) if _answer(event)]
    assert heard == [
        Answered(Command.CALIBRATE, ("cubes", 62), 62, None),
        Answered(Command.SAVE, (), 0, "storage"),
    ]


def _saved(event: SensorEvent) -> bool:
    return isinstance(event, Answered) and event.command is Command.SAVE


def test_a_command_does_not_wait_for_a_board_that_may_come_hours_later(board: PtyBoard) -> None:
    board.pull()
    sensor = open_sensor(str(board.path))
    try:
        sensor.ask(Command.TARE)
        [answer] = [event for event in _until(sensor, _answer) if _answer(event)]
        assert answer == Answered(Command.TARE, (), 0, "gone")
        board.plug()
        _until(sensor, _up)
        assert "TARE" not in board.board.heard
    finally:
        sensor.close()


def test_a_second_program_on_the_port_is_told_that_it_is_busy(board: PtyBoard, sensor: SerialSensor) -> None:
    _until(sensor, _up)
    second = open_sensor(str(board.path))
    try:
        heard = _until(second, lambda event: isinstance(event, LinkDown))
        assert [event.name for event in heard if isinstance(event, LinkDown)] == ["busy"]
    finally:
        second.close()


def test_nothing_is_left_behind(board: PtyBoard) -> None:
    sensor = open_sensor(str(board.path))
    _until(sensor, _up)
    sensor.close()
    sensor.close()
    until(lambda: "drop sensor" not in [thread.name for thread in threading.enumerate()])
    again = open_sensor(str(board.path))  # the port is free
    _until(again, _up)
    again.close()


def test_asking_never_waits_when_no_board_is_there(tmp_path: Path) -> None:
    sensor = open_sensor(str(tmp_path / "nothing"))
    try:
        heard = _until(sensor, lambda event: isinstance(event, LinkDown))
        assert [event.name for event in heard if isinstance(event, LinkDown)] == ["missing"]
    finally:
        sensor.close()


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may open everything")
def test_a_port_that_is_not_permitted_is_told(board: PtyBoard) -> None:
    os.chmod(os.path.realpath(board.path), 0)  # noqa: PTH101 - of the pty itself
    sensor = open_sensor(str(board.path))
    try:
        heard = _until(sensor, lambda event: isinstance(event, LinkDown))
        assert [event.name for event in heard if isinstance(event, LinkDown)] == ["not_permitted"]
    finally:
        sensor.close()
