"""Which drop sensor stands behind what a person wrote after `--port-serial`."""

from companion.demo.board import DemoBoard
from companion.demo.sensor import DemoSensor
from companion.table.messages import DEMO, NO_BOARD
from firmware.link.events import Answered, DropSensor, SensorEvent
from firmware.link.sensor import open_sensor as open_serial
from firmware.link.wire import Command


class NoSensor:
    """No load cell: the camera alone."""

    def __init__(self) -> None:
        self._answers: list[SensorEvent] = []

    def poll(self, timeout_s: float) -> list[SensorEvent]:
        """Nothing but that no board is there, where one was asked."""
        del timeout_s
        answers, self._answers = self._answers, []
        return answers

    def ask(self, command: Command, *arguments: int | str) -> None:
        """There is nobody to do it."""
        self._answers.append(Answered(command, arguments, 0, "gone"))

    def close(self) -> None:
        """Nothing to release."""


def open_sensor(port: str) -> DropSensor:
    """`demo`, `board` (its simulated chip), `none`, `auto` or a device's path."""
    if port == DEMO:
        return DemoSensor()
    if port == "board":
        return DemoBoard()
    return NoSensor() if port == NO_BOARD else open_serial(port)
