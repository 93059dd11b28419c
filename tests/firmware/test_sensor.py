"""The link in its thread and a real pty: the cable, a second program, nothing left behind."""

import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import serial

from firmware.link.errors import PortError
from firmware.link.events import Answered, Drop, LinkDown, LinkUp, Sample, SensorEvent, Settled
from firmware.link.link import Link
from firmware.link.ports import present_ports
from firmware.link.sensor import SerialSensor, open_sensor
from firmware.link.serialport import open_port
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


def _poll_until(sensor: SerialSensor, wanted: Callable[[SensorEvent], bool]) -> list[SensorEvent]:
    heard: list[SensorEvent] = []
    end = time.monotonic() + PATIENCE_S
    while not any(wanted(event) for event in heard):
        assert time.monotonic() < end, heard
        heard += sensor.poll(0.2)
    return heard


def _is_up(event: SensorEvent) -> bool:
    return isinstance(event, LinkUp)


def test_drops_come_through_the_port(board: PtyBoard, sensor: SerialSensor) -> None:
    _poll_until(sensor, _is_up)
    board.say(lambda standin: standin.drop(361))
    heard = _poll_until(sensor, lambda event: isinstance(event, Settled))
    assert [event.mass_mg for event in heard if isinstance(event, Drop)] == [361]


def test_the_trace_is_asked_for(board: PtyBoard, sensor: SerialSensor) -> None:
    _poll_until(sensor, _is_up)
    board.say(lambda standin: standin.line(Kind.SAMPLE, 12345, 361))
    heard = _poll_until(sensor, lambda event: isinstance(event, Sample))
    assert [event.mass_mg for event in heard if isinstance(event, Sample)] == [361]
    until(lambda: "STREAM,4" in board.board.heard)


def test_the_cable_pulled_and_put_back(board: PtyBoard, sensor: SerialSensor) -> None:
    _poll_until(sensor, _is_up)
    board.pull()
    [down] = [e for e in _poll_until(sensor, lambda e: isinstance(e, LinkDown)) if isinstance(e, LinkDown)]
    assert down.name == "gone"
    board.plug()
    _poll_until(sensor, _is_up)


def _is_answer(event: SensorEvent) -> bool:
    return isinstance(event, Answered) and event.command is not Command.STREAM


def test_what_is_asked_is_answered_among_the_events(board: PtyBoard, sensor: SerialSensor) -> None:
    _poll_until(sensor, _is_up)
    board.board.refuse["SAVE"] = "storage"
    sensor.ask(Command.CALIBRATE, "cubes", 62)
    sensor.ask(Command.SAVE)
    heard = [event for event in _poll_until(sensor, _is_answer_to_save) if _is_answer(event)]
    assert heard == [
        Answered(Command.CALIBRATE, ("cubes", 62), 62, None),
        Answered(Command.SAVE, (), 0, "storage"),
    ]


def _is_answer_to_save(event: SensorEvent) -> bool:
    return isinstance(event, Answered) and event.command is Command.SAVE


def test_a_command_does_not_wait_for_a_board_that_may_come_hours_later(board: PtyBoard) -> None:
    board.pull()
    sensor = open_sensor(str(board.path))
    try:
        sensor.ask(Command.TARE)
        [answer] = [event for event in _poll_until(sensor, _is_answer) if _is_answer(event)]
        assert answer == Answered(Command.TARE, (), 0, "gone")
        board.plug()
        _poll_until(sensor, _is_up)
        assert "TARE" not in board.board.heard
    finally:
        sensor.close()


def test_a_command_waits_for_a_board_that_is_being_greeted(board: PtyBoard) -> None:
    """A process that has just started would otherwise have no board for another two seconds."""
    board.board.deaf = True
    sensor = open_sensor(str(board.path))
    try:
        until(lambda: "HELLO" in board.board.heard)
        sensor.ask(Command.TARE)
        board.board.deaf = False
        [answer] = [event for event in _poll_until(sensor, _is_answer) if _is_answer(event)]
        assert answer == Answered(Command.TARE, (), 0, None)
    finally:
        sensor.close()


def test_a_second_program_on_the_port_is_told_that_it_is_busy(board: PtyBoard, sensor: SerialSensor) -> None:
    _poll_until(sensor, _is_up)
    second = open_sensor(str(board.path))
    try:
        heard = _poll_until(second, lambda event: isinstance(event, LinkDown))
        assert [event.name for event in heard if isinstance(event, LinkDown)] == ["busy"]
    finally:
        second.close()


class OddPort:
    """A real port whose driver, once told to, raises an unforeseen error, even when it is closed."""

    def __init__(self, name: str, odd: threading.Event) -> None:
        self._port = open_port(name)
        self._odd = odd

    def read(self) -> bytes:
        if self._odd.is_set():
            raise RuntimeError("no OSError at all")
        return self._port.read()

    def write(self, data: bytes) -> None:
        self._port.write(data)

    def close(self) -> None:
        self._port.close()
        if self._odd.is_set():
            self._odd.clear()
            raise RuntimeError("nor this")


def test_what_nobody_foresaw_is_a_lost_link_and_the_board_is_found_again(board: PtyBoard) -> None:
    """The thread used to end for good, and the page showed the last weight all evening."""
    odd, name = threading.Event(), str(board.path)
    sensor = SerialSensor(Link(lambda: [name], lambda port: OddPort(port, odd), time.monotonic, named=True))
    try:
        _poll_until(sensor, _is_up)
        odd.set()
        [down] = [
            e for e in _poll_until(sensor, lambda e: isinstance(e, LinkDown)) if isinstance(e, LinkDown)
        ]
        assert down.name == "gone"
        _poll_until(sensor, _is_up)
        sensor.ask(Command.TARE)
        assert _is_answer(_poll_until(sensor, _is_answer)[-1])
    finally:
        sensor.close()


def test_ports_that_cannot_be_listed_are_sought_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """A USB device vanishes while pyserial reads its folder in /sys."""

    def comports() -> list[object]:
        return [int(None)]  # type: ignore[call-overload]  # as pyserial does with what it could not read

    monkeypatch.setattr("serial.tools.list_ports.comports", comports)
    assert present_ports() == []


@pytest.mark.skipif(sys.platform == "win32", reason="a pty")
def test_a_port_that_goes_while_it_is_opened_is_told_as_one(
    board: PtyBoard, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The plug is pulled between two calls of pyserial's open; the error comes from termios, not the OS."""
    reset = serial.Serial._reset_input_buffer

    def pull_plug(device: serial.Serial) -> None:
        board.pull()
        reset(device)

    monkeypatch.setattr(serial.Serial, "_reset_input_buffer", pull_plug)
    with pytest.raises(PortError) as refusal:
        open_port(str(board.path))
    assert refusal.value.name == "broken"


def test_nothing_is_left_behind(board: PtyBoard) -> None:
    sensor = open_sensor(str(board.path))
    _poll_until(sensor, _is_up)
    sensor.close()
    sensor.close()
    until(lambda: "drop sensor" not in [thread.name for thread in threading.enumerate()])
    again = open_sensor(str(board.path))  # the port is free again
    _poll_until(again, _is_up)
    again.close()


def test_asking_never_waits_when_no_board_is_there(tmp_path: Path) -> None:
    sensor = open_sensor(str(tmp_path / "nothing"))
    try:
        heard = _poll_until(sensor, lambda event: isinstance(event, LinkDown))
        assert [event.name for event in heard if isinstance(event, LinkDown)] == ["missing"]
    finally:
        sensor.close()


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may open everything")
def test_a_port_that_is_not_permitted_is_told(board: PtyBoard) -> None:
    os.chmod(os.path.realpath(board.path), 0)  # noqa: PTH101 - of the pty itself
    sensor = open_sensor(str(board.path))
    try:
        heard = _poll_until(sensor, lambda event: isinstance(event, LinkDown))
        assert [event.name for event in heard if isinstance(event, LinkDown)] == ["not_permitted"]
    finally:
        sensor.close()


@pytest.mark.parametrize("name", ["hwgrep://(", "loop://?x", "socket://"])
def test_an_address_that_no_port_can_have_is_told_in_a_sentence(name: str) -> None:
    """The first two ended in a traceback."""
    with pytest.raises(PortError):
        open_port(name)
