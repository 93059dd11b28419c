"""Which drop sensor stands behind what a person wrote after `--port-serial`."""

from companion.demo.board import DemoBoard
from companion.demo.sensor import DemoSensor
from firmware.link.events import DropSensor, SensorEvent
from firmware.link.sensor import open_sensor as open_serial


class NoSensor:
    """No load cell: the camera alone."""

    def poll(self, timeout_s: float) -> list[SensorEvent]:
        """Never anything."""
        del timeout_s
        return []

    def close(self) -> None:
        """Nothing to release."""


def open_sensor(port: str) -> DropSensor:
    """`demo`, `board` (its simulated chip), `none`, `auto` or a device's path."""
    if port == "demo":
        return DemoSensor()
    if port == "board":
        return DemoBoard()
    return NoSensor() if port == "none" else open_serial(port)
