"""What the sensor process says and is told: typed values over a pipe."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from firmware.link.events import SensorEvent
from vision.reading import TrayReading


@dataclass(frozen=True, slots=True)
class SensorSpec:
    """Which camera and board, as a person wrote them."""

    camera: str
    """What `vision.sources.open_source` takes; `demo` or `none`."""
    port: str
    """`PATH`, `auto`, `none` or `demo`."""
    profile: str | None = None


@dataclass(frozen=True, slots=True)
class CameraSays:
    """The camera's state: no sentence, no trouble."""

    name: str
    sentence: str = ""
    remedy: str = ""


@dataclass(frozen=True, slots=True)
class Moving:
    """Something moves in the picture."""


@dataclass(frozen=True, slots=True)
class Looked:
    """The tray rests and was read."""

    reading: TrayReading
    jpeg: bytes
    """The very picture that was read."""
    read_ms: float
    since_rest_ms: float
    """From the first frame without motion to here."""


@dataclass(frozen=True, slots=True)
class SensorSays:
    """The drop sensor reported."""

    event: SensorEvent


Report: TypeAlias = CameraSays | Moving | Looked | SensorSays


@dataclass(frozen=True, slots=True)
class LookNow:
    """Read the newest picture, whatever moves."""


@dataclass(frozen=True, slots=True)
class LetFall:
    """Only the demo's camera obeys: let something fall that could come out."""

    possible: Mapping[str, int]
    sides: tuple[str, ...]
    thrown: int


@dataclass(frozen=True, slots=True)
class Stop:
    """End the process."""


Order: TypeAlias = LookNow | LetFall | Stop
