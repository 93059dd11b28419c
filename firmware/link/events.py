"""What a drop sensor says. A real board, the simulated chip and the demo's stand-in all speak these."""

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
    """The sensor is gone; the link goes on trying. `sentence` and `remedy` are for people."""

    port: str
    sentence: str
    remedy: str
    name: str = "gone"
    """Of the trouble, the key of the page's own sentence (`firmware.link.troubles`)."""


@dataclass(frozen=True, slots=True)
class Motion:
    """Something moves on the tray: the first crossing of the threshold."""

    device_ms: int


@dataclass(frozen=True, slots=True)
class Drop:
    """One step in weight. Negative when something was taken out."""

    device_ms: int
    mass_mg: int


@dataclass(frozen=True, slots=True)
class Settled:
    """Motion has ended; what lies on the tray weighs `mass_mg` with standard deviation `sigma_mg`."""

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
    """Once a second, also while nothing happens. `noise_mg` is the standard deviation of one sample."""

    device_ms: int
    mass_mg: int
    noise_mg: int
    samples_per_s: int
    moving: bool
    weighs: bool = True
    """False while the board starts, or has no readings to go by: then the mass is none."""


@dataclass(frozen=True, slots=True)
class Fault:
    """The sensor or the wire reports trouble by name, with a sentence and a remedy."""

    name: str
    sentence: str
    remedy: str


@dataclass(frozen=True, slots=True)
class Recovered:
    """The fault of this name has ended."""

    name: str


@dataclass(frozen=True, slots=True)
class Answered:
    """The board has answered a command that was asked for."""

    command: Command
    arguments: tuple[int | str, ...]
    value: int
    reason: str | None
    """Why not; None when it was carried out (`firmware.link.troubles.REFUSALS`)."""


SensorEvent = LinkUp | LinkDown | Motion | Drop | Settled | Sample | Beat | Fault | Recovered | Answered


class DropSensor(Protocol):
    """A source of sensor events that never blocks the game."""

    def poll(self, timeout_s: float) -> list[SensorEvent]:
        """Events since the last call, oldest first; waits up to `timeout_s` for the first one."""

    def ask(self, command: Command, *arguments: int | str) -> None:
        """Send the board a command; `Answered` is among the events when it has answered, or cannot."""

    def close(self) -> None:
        """Release port and threads. Safe to call twice."""
