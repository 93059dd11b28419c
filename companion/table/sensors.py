"""Which drop sensor stands behind what a person wrote after `--port-serial`."""

from companion.demo.sensor import DemoSensor
from firmware.link.events import DropSensor, LinkDown, SensorEvent


class NotYet:
    """A port was named, but no driver speaks to it: said once, never in silence."""

    def __init__(self, port: str) -> None:
        self._says: list[SensorEvent] = [
            LinkDown(
                port,
                f"This version does not read a load cell on {port} yet.",
                "The camera alone does all the counting; start with --port-serial none.",
            )
        ]

    def poll(self, timeout_s: float) -> list[SensorEvent]:
        """The one sentence, once."""
        del timeout_s
        says, self._says = self._says, []
        return says

    def close(self) -> None:
        """Nothing to release."""


class NoSensor:
    """No load cell: the camera alone."""

    def poll(self, timeout_s: float) -> list[SensorEvent]:
        """Never anything."""
        del timeout_s
        return []

    def close(self) -> None:
        """Nothing to release."""


def open_sensor(port: str) -> DropSensor:
    """`demo`, `none`, `auto` or a device's path."""
    if port == "demo":
        return DemoSensor()
    return NoSensor() if port in ("none", "auto") else NotYet(port)
