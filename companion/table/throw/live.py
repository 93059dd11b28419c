"""What the session knows besides the game: phase, look at the tray, health of camera and sensor."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from companion.table.messages import CameraSays, Looked
from companion.table.throw.weighing import Weighing
from vision.reading import Doubt


class Phase(StrEnum):
    """Where the table is in its throw; the value is the key of the page's sentence."""

    IDLE = "idle"
    """No throw is awaited."""
    WAITING = "waiting"
    """Throw now."""
    FALLING = "falling"
    """Something moves; wait."""
    UNSEEN = "unseen"
    """Cubes fell, and no picture comes that could tell the outcome: wait for a camera, or count."""
    COUNTDOWN = "countdown"
    """Read and certain; accepted when the time is up, unless someone holds it."""
    ASKING = "asking"
    """Read, and a person has to look."""


AWAITING = frozenset({Phase.WAITING, Phase.FALLING, Phase.COUNTDOWN, Phase.ASKING})


@dataclass(frozen=True, slots=True)
class Look:
    """One reading that is on the page."""

    number: int
    looked: Looked
    doubts: tuple[Doubt, ...]
    """The reader's doubts and those that the ledger and the course of the throw add."""
    weight: dict[str, Any] | None = None
    """What the load cell said then: later a hand may have taken cubes out to count them."""

    @property
    def certain(self) -> bool:
        """Whether it may be accepted without a person."""
        return self.looked.reading.certain and not self.doubts


@dataclass(frozen=True, slots=True)
class Health:
    """Health of camera and drop sensor, for the page's lights."""

    camera: CameraSays
    scale: Weighing

    def as_json(self) -> dict[str, Any]:
        """Return the health for the page."""
        return {
            "camera": {
                "name": self.camera.name,
                "sentence": self.camera.sentence,
                "remedy": self.camera.remedy,
                "key": self.camera.key,
                "light": self.camera.light,
                "file": self.camera.file,
            },
            "sensor": self.scale.health_json(),
        }
