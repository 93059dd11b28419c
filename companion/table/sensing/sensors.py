"""Which drop sensor a person means by the value of `--port-serial`."""

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
        """Return only the answers, to whatever a board was asked, that there is none."""
        del timeout_s
        answers, self._answers = self._answers, []
        return answers

    def ask(self, command: Command, *arguments: int | str) -> None:
        """Answer that there is no board."""
        self._answers.append(Answered(command, arguments, 0, "gone"))

    def close(self) -> None:
        """Nothing to release."""


def open_sensor(port: str) -> DropSensor:
    """Open `demo`, `board` (the demo's simulated chip), `none`, `auto` or a device's path."""
    if port == DEMO:
        return DemoSensor()
    if port == "board":
        return DemoBoard()
    return NoSensor() if port == NO_BOARD else open_serial(port)
