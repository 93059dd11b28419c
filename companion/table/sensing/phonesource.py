"""A phone as a camera source: pictures are handed in and only the newest is kept. In the sensor process."""

from collections.abc import Callable
from time import monotonic

from vision.errors import CameraError, PictureError
from vision.pictures import decode_sent
from vision.sources import Frame, LockState

SILENT_AFTER_S = 4.0


class PhoneTrouble(CameraError):
    """A trouble that pages tell in their own language, by its key."""

    def __init__(self, key: str, sentence: str, remedy: str) -> None:
        super().__init__(sentence, remedy, key)


_NOBODY = PhoneTrouble(
    "phone_missing",
    "No phone is the camera yet.",
    "Open the Camera page on a spare phone and point it at the tray.",
)
_SILENT = PhoneTrouble(
    "phone_silent", "The phone is sending no picture.", "Is it awake, with its Camera page in front?"
)


class PhoneSource:
    """Implements `vision.sources.FrameSource`; `wait` blocks until something arrives, or for its seconds."""

    def __init__(self, wait: Callable[[float], object], clock: Callable[[], float] = monotonic) -> None:
        self.live = True
        self.ended = False
        self.light: LockState | None = None
        """Whether the phone's page has locked exposure and white balance: only its browser can."""
        self._wait = wait
        self._clock = clock
        self._newest: Frame | None = None
        self._bad: CameraError | None = None
        self._fed_s: float | None = None
        self._asked = False
        self._index = 0

    @property
    def trouble(self) -> CameraError | None:
        """The trouble if there is no phone, or it is silent or sends something that is not a picture."""
        if self._fed_s is None:
            return self._bad or _NOBODY
        return _SILENT if self._clock() - self._fed_s > SILENT_AFTER_S else self._bad

    def ask(self) -> bool:
        """Return whether the next picture has to be requested: once, and again when one has come."""
        asked, self._asked = self._asked, True
        return not asked

    def feed(self, jpeg: bytes, light: str = "") -> None:
        """Take the phone's newest picture, as it came over the network."""
        self._asked = False
        self.light = LockState(light) if light else None
        try:
            picture = decode_sent(jpeg, "The phone's picture")
        except PictureError as error:
            self._bad = CameraError(error.sentence, error.remedy, error.key)
            return
        self._bad = None
        self._fed_s = self._clock()
        self._newest = Frame(picture, self._fed_s * 1000, self._index)
        self._index += 1

    def read(self, timeout_s: float = 1.0) -> Frame | None:
        """Return the newest picture not read yet; None if there is none."""
        if self._newest is None:
            self._wait(timeout_s)
        frame, self._newest = self._newest, None
        return frame

    def describe(self) -> str:
        """Return the name that people see."""
        return "a phone"

    def close(self) -> None:
        """End the source: no more frames."""
        self.ended = True
