"""What the sensor process says and what it is told: typed values over a pipe."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from firmware.link.events import SensorEvent
from firmware.link.wire import Command
from vision.reading import Doubt, TrayReading
from vision.scene.drawn import DrawnOutline

Json: TypeAlias = dict[str, Any]
NO_CAMERA = "none"
"""Stands for a camera where none is wanted: a choice and not a trouble, so it comes with no sentence."""
PHONE = "phone"
"""Stands for a camera that is a phone whose browser sends its pictures."""
DEMO = "demo"
"""Stands for the demo's own trays; as a port, for the load cell that goes with them."""
NO_BOARD = "none"


@dataclass(frozen=True, slots=True)
class SensorSpec:
    """Which camera and board to use, as a person named them."""

    camera: str
    """Anything `vision.sources.open_source` takes, or `DEMO`, `PHONE` or `NO_CAMERA`."""
    port: str
    """A path, `auto`, `NO_BOARD`, `DEMO`, or `board`: the demo with the real program on a simulated chip."""
    profile: str | None = None
    """Name of the profile to read with; None for the tray that was chosen or calibrated last."""
    profiles: str | None = None
    """Folder of the profiles; None for the user's own."""
    taught: bool = True
    """Whether a profile applies: it knows one camera's position, not that of a camera that took over."""
    away: bool = False
    """Whether the camera is not the one that Tenshu was started with; its tray is chosen separately."""

    def with_camera(self, camera: str, *, taught: bool) -> "SensorSpec":
        """Return the spec for another camera; `taught` if a profile applies to it."""
        return replace(self, camera=camera, taught=taught, away=not taught)


PROCESS_ENDED = "process"
"""The key of `CameraSays` when the sensor process has died."""
PROCESS_SILENT = "process_silent"
"""The key when it has shown no sign of life for a while."""
PROCESS_HUNG = "process_hung"
"""The key when it was silent for so long that it was ended."""
PROCESS_TROUBLES: Mapping[str, tuple[str, str]] = {
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
"""Sentence and remedy for each of these keys."""
CALIBRATING = "calibrating"
"""The key while the camera looks at cubes shown for calibration, and not at a throw."""
GONE_KEYS = frozenset({PROCESS_ENDED, PROCESS_HUNG})
"""Keys after which nobody who asked that process for something will get an answer."""
READ_KEYS = frozenset(
    {"no_colour", "mirrored", "channels_swapped", "size", "camera_moved", "light_level", "light_colour"}
    | {"profile_broken"}
)
"""Keys of camera troubles in which pictures still come and are read."""
PICTURES_COME_KEYS = READ_KEYS | {CALIBRATING, "lens_cap", "burnt_out"}
"""Keys of camera troubles in which pictures still come, read or not: the camera itself works."""


@dataclass(frozen=True, slots=True)
class CameraSays:
    """The camera's state; an empty sentence means no trouble."""

    name: str
    sentence: str = ""
    remedy: str = ""
    key: str = ""
    """The trouble's key, if pages have a translation for it: `trouble.<key>`."""
    light: str = ""
    """Whether exposure and white balance are locked: `camera.light.<light>`; empty if unknown."""
    file: str = ""
    """Which picture of a folder the trouble is about."""


@dataclass(frozen=True, slots=True)
class Moving:
    """Something moves in the picture."""


@dataclass(frozen=True, slots=True)
class Looked:
    """The tray came to rest and was read."""

    reading: TrayReading
    jpeg: bytes
    """The very picture that was read."""
    read_ms: float
    """Time spent on reading, over all frames that voted."""
    since_rest_ms: float
    """Time from the first frame without motion to this report."""
    at_most: Mapping[str, int] | None = None
    """What the ledger allowed when it was read."""

    def asking(self, why: Doubt = Doubt.FRAMES_DIFFER) -> "Looked":
        """Return the same look in doubt: it does not fit what else was seen of this tray."""
        doubts = tuple(dict.fromkeys((why, *self.reading.doubts)))
        return replace(self, reading=replace(self.reading, certain=False, doubts=doubts))


@dataclass(frozen=True, slots=True)
class SensorSays:
    """The drop sensor reported something."""

    event: SensorEvent


@dataclass(frozen=True, slots=True)
class Live:
    """What the camera shows now, for the calibration page."""

    jpeg: bytes
    facts: Json
    """Markers, outline, light and trouble of this picture."""


@dataclass(frozen=True, slots=True)
class CalibrationSays:
    """The state of the guided calibration, ready for the page."""

    state: Json


@dataclass(frozen=True, slots=True)
class CalibrationShows:
    """What was seen at one step of the calibration, drawn."""

    step: str
    jpeg: bytes


@dataclass(frozen=True, slots=True)
class FrameWanted:
    """A phone is the camera and may send its newest picture: one at a time, so that none is late."""


@dataclass(frozen=True, slots=True)
class Alive:
    """The process and its camera are running: sent about once a second, whatever else is said."""


@dataclass(frozen=True, slots=True)
class Checked:
    """The answer to a `Check`.

    The sentence, with its key for other languages, says why there is no reading, or what is wrong with the
    picture.
    """

    number: int
    looked: Looked | None
    sentence: str = ""
    remedy: str = ""
    key: str = ""


def unread_check(number: int) -> Checked:
    """The answer if none came, or none will."""
    return Checked(number, None, "The reader does not answer.", "Try again in a moment.", "no_reader")


def switched_off_check(number: int) -> Checked:
    """The answer if a person has turned camera and load cell off."""
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
"""Everything the sensor process says that somebody waits for; besides these it says that it is `Alive`."""


@dataclass(frozen=True, slots=True)
class LookNow:
    """Read the newest picture, even if something moves."""


@dataclass(frozen=True, slots=True)
class LetFall:
    """Let something fall that could come out; only the demo's camera obeys."""

    possible: Mapping[str, int]
    sides: tuple[str, ...]
    thrown: int


@dataclass(frozen=True, slots=True)
class Expect:
    """What may lie in the tray at most, until the next such order; None if nobody knows."""

    at_most: Mapping[str, int] | None


@dataclass(frozen=True, slots=True)
class Stop:
    """End the process."""


@dataclass(frozen=True, slots=True)
class WatchLive:
    """Somebody looks at the camera's picture: send it for a few seconds."""


@dataclass(frozen=True, slots=True)
class UseProfile:
    """Another tray was chosen, or none: from now on read with the profile in use."""


@dataclass(frozen=True, slots=True)
class Calibrate:
    """Begin the guided calibration."""

    name: str
    """Name of the tray: the profile is kept under it."""
    made: str
    colours: tuple[str, ...] = ()
    """Empty for Shogun's six."""
    cube_mm: float | None = None
    inner_mm: tuple[float, float] | None = None
    """Width and depth of the tray's floor, if the person gave them."""


@dataclass(frozen=True, slots=True)
class CalibrationAnswer:
    """The answer to a question of the calibration: done, or yes or no."""

    yes: bool
    asked: int
    """Number of the question, so that a second tap does not answer the next one."""
    drawn: DrawnOutline | None = None
    """Where the person drew the tray's floor."""


@dataclass(frozen=True, slots=True)
class CalibrationKeep:
    """Keep what was learned although the test drop did not go well."""


@dataclass(frozen=True, slots=True)
class CalibrationEnd:
    """Leave the calibration."""


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
    """Whether the phone's browser locks exposure and white balance."""


@dataclass(frozen=True, slots=True)
class TellBoard:
    """A command for the load cell's board."""

    command: Command
    arguments: tuple[int | str, ...] = ()


@dataclass(frozen=True, slots=True)
class Check:
    """Read the newest picture, or this photo, to aim the camera by: the table does not hear of it."""

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
