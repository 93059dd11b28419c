"""What the sensor process says and is told: typed values over a pipe."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from firmware.link.events import SensorEvent
from firmware.link.wire import Command
from vision.reading import Doubt, TrayReading
from vision.scene.drawn import Drawn

Json: TypeAlias = dict[str, Any]
NO_CAMERA = "none"
"""What stands for a camera where none looks, by choice: that is no trouble, so there is no sentence."""
PHONE = "phone"
"""For one whose browser sends its pictures."""
DEMO = "demo"
"""For the demo's own trays; as a port, for the load cell that goes with them."""
NO_BOARD = "none"


@dataclass(frozen=True, slots=True)
class SensorSpec:
    """Which camera and board, as a person wrote them."""

    camera: str
    """What `vision.sources.open_source` takes; `DEMO`, `PHONE` or `NO_CAMERA`."""
    port: str
    """A path, `auto`, `NO_BOARD`, `DEMO`, or `board`: the demo with the real program on a simulated chip."""
    profile: str | None = None
    """Name of the profile that is read with; None for the tray that was chosen or calibrated last."""
    profiles: str | None = None
    """Folder of the profiles; None for the user's own."""
    taught: bool = True
    """Whether a profile counts: it knows one camera's place, and not that of one that took over."""
    away: bool = False
    """Whether another camera than that which Tenshu was started with looks; its tray is chosen apart."""

    def with_camera(self, camera: str, *, taught: bool) -> "SensorSpec":
        """Another looks from now on; `taught` where a profile counts for it."""
        return replace(self, camera=camera, taught=taught, away=not taught)


PROCESS_ENDED = "process"
"""The key of what `CameraSays` when the sensor process died."""
PROCESS_SILENT = "process_silent"
"""When it has given no sign of life for a while."""
PROCESS_HUNG = "process_hung"
"""When it gave none for so long that it was ended."""
OF_PROCESS: Mapping[str, tuple[str, str]] = {
    PROCESS_ENDED: ("The camera's process stopped unexpectedly.", "It is being restarted; nothing is lost."),
    PROCESS_SILENT: (
        "The camera's process is not responding.",
        "If that goes on, it is restarted; until then, count by hand.",
    ),
    PROCESS_HUNG: (
        "The camera's process hung and was stopped.",
        "It is being restarted; nothing is lost. If this happens again, plug the camera in again.",
    ),
}
"""Sentence and remedy of each."""
CALIBRATING = "calibrating"
"""When the camera looks at cubes that somebody shows it, and not at a throw."""
GONE_KEYS = frozenset({PROCESS_ENDED, PROCESS_HUNG})
"""Whoever asked that process for something gets no answer any more."""


@dataclass(frozen=True, slots=True)
class CameraSays:
    """The camera's state: no sentence, no trouble."""

    name: str
    sentence: str = ""
    remedy: str = ""
    key: str = ""
    """Of the trouble, where pages have a translation of it: `trouble.<key>`."""
    light: str = ""
    """Whether exposure and white balance are held: `camera.light.<light>`; empty where nobody knows."""
    file: str = ""
    """Which of a folder's pictures the trouble is about."""


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
    """Spent on reading, all frames that voted together."""
    since_rest_ms: float
    """From the first frame without motion to here."""
    at_most: Mapping[str, int] | None = None
    """Beside which ledger it was read."""

    def asking(self, why: Doubt = Doubt.FRAMES_DIFFER) -> "Looked":
        """The same in doubt: it does not fit what else was seen of this tray."""
        doubts = tuple(dict.fromkeys((why, *self.reading.doubts)))
        return replace(self, reading=replace(self.reading, certain=False, doubts=doubts))


@dataclass(frozen=True, slots=True)
class SensorSays:
    """The drop sensor reported."""

    event: SensorEvent


@dataclass(frozen=True, slots=True)
class Live:
    """What the camera shows now, for the page that calibrates."""

    jpeg: bytes
    facts: Json
    """Markers, outline, light and trouble of this picture."""


@dataclass(frozen=True, slots=True)
class CalibrationSays:
    """Where the guided calibration stands, ready for the page."""

    state: Json


@dataclass(frozen=True, slots=True)
class CalibrationShows:
    """What was seen at one of its steps, drawn."""

    step: str
    jpeg: bytes


@dataclass(frozen=True, slots=True)
class FrameWanted:
    """A phone is the camera, and its newest picture may come: one at a time, so that none is late."""


@dataclass(frozen=True, slots=True)
class Alive:
    """The process goes on, and so does its camera: about once a second, whatever else is said."""


@dataclass(frozen=True, slots=True)
class Checked:
    """The answer to a `Check`.

    The sentence, with its key for other languages, says why there is no reading, or what ails the picture.
    """

    number: int
    looked: Looked | None
    sentence: str = ""
    remedy: str = ""
    key: str = ""


def unread(number: int) -> Checked:
    """No answer came, or none will."""
    return Checked(number, None, "The reader does not answer.", "Try again in a moment.", "no_reader")


def switched_off(number: int) -> Checked:
    """A person plays on without camera and load cell."""
    return Checked(
        number,
        None,
        "Camera and load cell are turned off.",
        "Start them again on the recovery page.",
        "sensors_off",
    )


Report: TypeAlias = CameraSays | Moving | Looked | SensorSays | Live | CalibrationSays | CalibrationShows
"""What the table hears."""
Said: TypeAlias = Report | FrameWanted | Checked
"""What comes out of the sensor process for somebody; besides, that it is `Alive`."""


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
class Expect:
    """What may lie in the tray at most, until another order says otherwise; None: nobody knows."""

    at_most: Mapping[str, int] | None


@dataclass(frozen=True, slots=True)
class Stop:
    """End the process."""


@dataclass(frozen=True, slots=True)
class WatchLive:
    """Somebody looks at the camera's picture: show it for a few seconds."""


@dataclass(frozen=True, slots=True)
class UseProfile:
    """Another tray was chosen, or none: read with what is in use from now on."""


@dataclass(frozen=True, slots=True)
class Calibrate:
    """Begin the guided calibration."""

    name: str
    """Of the tray: the profile is kept under it."""
    made: str
    colours: tuple[str, ...] = ()
    """Empty: Shogun's six."""
    cube_mm: float | None = None
    inner_mm: tuple[float, float] | None = None
    """Width and depth of the tray's floor, where the person said them."""


@dataclass(frozen=True, slots=True)
class CalibrationAnswer:
    """Done, or yes or no."""

    yes: bool
    asked: int
    """Number of the question: a second tap answers nothing else."""
    drawn: Drawn | None = None
    """Where the person drew the tray's floor."""


@dataclass(frozen=True, slots=True)
class CalibrationKeep:
    """Keep what was learned though the test drop did not go well."""


@dataclass(frozen=True, slots=True)
class CalibrationEnd:
    """Leave it."""


@dataclass(frozen=True, slots=True)
class UseCamera:
    """Look through another camera from now on."""

    camera: str
    """As in `SensorSpec`."""
    taught: bool = True


@dataclass(frozen=True, slots=True)
class PhoneFrame:
    """The newest picture of the phone that is the camera."""

    jpeg: bytes
    light: str = ""
    """Whether the phone's browser holds exposure and white balance."""


@dataclass(frozen=True, slots=True)
class TellBoard:
    """A command for the load cell's board."""

    command: Command
    arguments: tuple[int | str, ...] = ()


@dataclass(frozen=True, slots=True)
class Check:
    """Read the newest picture, or this one, for whoever aims the camera: the table does not hear of it."""

    number: int
    photo: bytes | None = None


Order: TypeAlias = (
    LookNow
    | Expect
    | LetFall
    | Stop
    | WatchLive
    | UseProfile
    | Calibrate
    | CalibrationAnswer
    | CalibrationKeep
    | CalibrationEnd
    | UseCamera
    | PhoneFrame
    | TellBoard
    | Check
)
