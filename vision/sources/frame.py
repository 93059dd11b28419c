"""What every camera source offers: frames, where they come from, and what is wrong right now."""

from dataclasses import dataclass
from typing import Protocol

from vision.errors import CameraError
from vision.pictures import Picture
from vision.sources.lightlock import LockState


@dataclass(frozen=True, slots=True)
class Frame:
    """One picture of a stream."""

    picture: Picture
    taken_ms: float
    """On the source's monotonic clock; only differences mean anything."""
    index: int
    """Of the frames that the camera gave, 0 first; gaps are frames nobody asked for in time."""


class FrameSource(Protocol):
    """A camera. `read` never raises for a camera's sake: it goes on trying and says so in `trouble`."""

    @property
    def live(self) -> bool:
        """Whether it shows the world as it is now; only then is a picture that never changes a fault."""

    @property
    def trouble(self) -> CameraError | None:
        """What is wrong now, in a sentence with a remedy; None while frames come."""

    @property
    def light(self) -> LockState | None:
        """Whether exposure and white balance are held; None where there is no camera or none that answers."""

    @property
    def ended(self) -> bool:
        """Whether no frame will ever come again: a film is over, or the source was closed."""

    def read(self, timeout_s: float = 1.0) -> Frame | None:
        """The newest frame not read yet; waits for it up to `timeout_s`, then None."""

    def describe(self) -> str:
        """What it is, for people: "USB camera 0"."""

    def close(self) -> None:
        """Release device and threads. Safe to call twice."""
