"""Events of a drop sensor, produced alike by a real board, the simulated chip and the demo's stand-in."""

from dataclasses import dataclass
from typing import Protocol

from firmware.link.wire import Command


@dataclass(frozen=True, slots=True)
class LinkUp:
    """A sensor answered the handshake and is ready."""

    port: str
    version: str


@dataclass(frozen=True, slots=True)
class LinkDown:
    """The sensor is gone; the link keeps trying. `sentence` and `remedy` are for people."""

    port: str
    sentence: str
    remedy: str
    name: str = "gone"
    """Name of the trouble, which is the key of the page's own sentence (`firmware.link.troubles`)."""


@dataclass(frozen=True, slots=True)
class Motion:
    """Something has begun to move on the tray: the first crossing of the threshold."""

    device_ms: int


@dataclass(frozen=True, slots=True)
class Drop:
    """One step in weight; negative if something was taken out."""

    device_ms: int
    mass_mg: int


@dataclass(frozen=True, slots=True)
class Settled:
    """Motion has ended; the load weighs `mass_mg` with standard deviation `sigma_mg`."""

    device_ms: int
    mass_mg: int
    sigma_mg: int


@dataclass(frozen=True, slots=True)
class Sample:
    """One point of the trace."""

    device_ms: int
    mass_mg: int


@dataclass(frozen=True, slots=True)
class Beat:
    """Heartbeat, once a second even if nothing happens. `noise_mg` is the standard deviation of one
    sample."""

    device_ms: int
    mass_mg: int
    noise_mg: int
    samples_per_s: int
    moving: bool
    weighs: bool = True
    """False while the board is starting or has no usable readings; `mass_mg` then means nothing."""


@dataclass(frozen=True, slots=True)
class Fault:
    """Named trouble of the sensor or the wire, with a sentence and a remedy."""

    name: str
    sentence: str
    remedy: str


@dataclass(frozen=True, slots=True)
class Recovered:
    """The fault of this name has ended."""

    name: str


@dataclass(frozen=True, slots=True)
class Answered:
    """The board has answered a command."""

    command: Command
    arguments: tuple[int | str, ...]
    value: int
    reason: str | None
    """Why it was refused; None if it was carried out (`firmware.link.troubles.REFUSALS`)."""


SensorEvent = LinkUp | LinkDown | Motion | Drop | Settled | Sample | Beat | Fault | Recovered | Answered


class DropSensor(Protocol):
    """A source of sensor events that never blocks the game."""

    def poll(self, timeout_s: float) -> list[SensorEvent]:
        """Return events since the last call, oldest first, waiting up to `timeout_s` for the first one."""

    def ask(self, command: Command, *arguments: int | str) -> None:
        """Send the board a command; an `Answered` event follows when it has answered, or cannot."""

    def close(self) -> None:
        """Release port and threads. Idempotent."""
