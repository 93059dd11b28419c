"""What every camera source offers: frames, where they come from, and what is currently wrong."""

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
    """On the source's monotonic clock; only differences are meaningful."""
    index: int
    """Counts the frames the camera gave, from 0; gaps are frames that nobody asked for in time."""


class FrameSource(Protocol):
    """A camera. `read` never raises because of the camera: it keeps trying and reports in `trouble`."""

    @property
    def live(self) -> bool:
        """Whether it shows the world as it is now; only then is a picture that never changes a fault."""

    @property
    def trouble(self) -> CameraError | None:
        """What is wrong now, in a sentence with a remedy; None while frames arrive."""

    @property
    def light(self) -> LockState | None:
        """Whether exposure and white balance are locked; None if there is no camera or none that answers."""

    @property
    def ended(self) -> bool:
        """Whether no frame will ever come again: a video is over, or the source was closed."""

    def read(self, timeout_s: float = 1.0) -> Frame | None:
        """Return the newest frame not read yet, waiting up to `timeout_s`; None if none came."""

    def describe(self) -> str:
        """Name it for people: "USB camera 0"."""

    def close(self) -> None:
        """Release device and threads. Idempotent."""
