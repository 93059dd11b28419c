"""The web process's side of the guided calibration: what the page is told, and what it asks for."""

import threading
import time
from collections.abc import Callable

from calibration.profiles.errors import ProfileError
from calibration.profiles.kept import ProfileSummary, list_profiles
from companion.table.desks.profiles import (
    is_fixed,
    profile_in_use,
    profile_names,
    profiles_folder,
    remove_profile,
    rename_profile,
    use_profile,
)
from companion.table.errors import TableRefusal
from companion.table.messages import (
    CALIBRATING,
    NO_CAMERA,
    Calibrate,
    CalibrationSays,
    CalibrationShows,
    CameraSays,
    Json,
    Live,
    Order,
    Report,
    SensorSpec,
    UseProfile,
    WatchLive,
)
from companion.table.naming import hide_paths

STILL_S = 4.0
"""How long without a new picture, although a page keeps asking, before the last one is out of date."""
_OFF: Json = {"phase": "off"}
_BEGINNING: Json = {
    "phase": "walking",
    "waits": "thinking",
    "step": "empty",
    "steps": ["empty"],
    "left_out": [],
    "line": None,
    "asked": 0,
    "floor": None,
    "said": [],
}
"""The state from the request until the first report."""


class CalibrationRuns(TableRefusal):
    """One tray lies under the camera, so only one calibration can run."""

    status = 409

    def __init__(self) -> None:
        super().__init__("calibration_runs", "Another device is calibrating already.")


class CalibrationDesk:
    """Hears the sensor process and answers pages; thread-safe."""

    def __init__(
        self,
        spec: Callable[[], SensorSpec],
        order: Callable[[Order], bool],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`spec` returns which camera looks now, and with which tray."""
        self._current_spec = spec
        self.order = order
        self._clock = clock
        self._lock = threading.Lock()
        self._state = _OFF
        self._camera: CameraSays | None = None
        self._live: Live | None = None
        self._live_count = 0
        self._last_live_s = self._last_asked_s = -STILL_S
        self._step_jpegs: dict[str, bytes] = {}
        self._step_numbers: dict[str, int] = {}
        """Number of each step's newest picture, counted over all walks so that none is taken for another."""
        self._picture_number = 0
        self._calibrated_tray = ""
        """The tray that is being calibrated, or was last."""
        self._is_beginning = False

    @property
    def _spec(self) -> SensorSpec:
        return self._current_spec()

    def hear(self, report: Report) -> bool:
        """Take a report; return whether it was for this desk alone."""
        with self._lock:
            match report:
                case CameraSays():
                    self._camera = report
                    if report.name == NO_CAMERA:  # the sensors are off: nobody is being led any more
                        self._live, self._state, self._is_beginning = None, _OFF, False
                    return False  # the table hears it too
                case Live():
                    self._live, self._live_count = report, self._live_count + 1
                    self._last_live_s = self._clock()
                case CalibrationSays(state):
                    self._state, self._is_beginning = state, False
                case CalibrationShows(step, jpeg):
                    self._picture_number += 1
                    self._step_jpegs[step], self._step_numbers[step] = jpeg, self._picture_number
                case _:
                    return False
        return True

    def begin(self, wish: Calibrate) -> None:
        """Begin from the empty tray. Raises `TableRefusal` without a camera, or if somebody is being led."""
        with self._lock:
            if not self._has_camera():
                raise _no_camera()
            if self._is_beginning or self._state["phase"] == "walking":
                raise CalibrationRuns
            self._step_jpegs.clear()
            self._step_numbers.clear()
            self._calibrated_tray, self._is_beginning = wish.name, True
        if not self.order(wish):
            with self._lock:
                self._is_beginning = False
            raise _no_camera()

    def use(self, name: str | None) -> None:
        """Read this tray from now on; None: as if nothing were calibrated. Raises `TableRefusal`."""
        if name is not None and name not in profile_names(self._spec):
            raise TableRefusal("tray_gone", f"The tray “{name}” is no longer there.", name=name)
        try:
            use_profile(self._spec, name)
        except ProfileError as error:
            raise _refusal(error, name or "") from None
        self.order(UseProfile())

    def remove(self, name: str) -> None:
        """Remove a tray; if it was in use, read as if nothing were calibrated. Raises `TableRefusal`."""
        self._check_unused(name)
        was_in_use = profile_in_use(self._spec) == name
        try:
            remove_profile(self._spec, name)
        except ProfileError as error:
            raise _refusal(error, name) from None
        if was_in_use:
            self.order(UseProfile())

    def rename(self, name: str, new: str) -> None:
        """Rename a tray; what the camera reads with stays the same. Raises `TableRefusal`."""
        self._check_unused(name)
        self._check_unused(new)
        with self._lock:
            if self._is_unsaved() and new == self._calibrated_tray:
                raise _being_calibrated(new)
        try:
            rename_profile(self._spec, name, new)
        except ProfileError as error:
            raise _refusal(error, new if error.key == "tray_taken" else name) from None

    def _check_unused(self, name: str) -> None:
        """Raise `TableRefusal` if somebody relies on this tray."""
        if name == self._spec.profile:
            raise TableRefusal("tray_fixed", f"Tenshu was started with the tray “{name}”.", name=name)
        with self._lock:
            is_calibrating = self._is_beginning or self._state["phase"] == "walking"
            if is_calibrating and name == self._calibrated_tray:
                raise _being_calibrated(name)

    def _is_unsaved(self) -> bool:
        """Whether a calibration is over and the person may still save it under its name."""
        verdict = self._state.get("verdict") if self._state["phase"] == "done" else None
        return verdict is not None and not verdict["kept"]

    def view(self) -> Json:
        """Return the state for the page; asking for it keeps live pictures coming."""
        with self._lock:
            has_camera = self._has_camera()
        if has_camera:
            self.order(WatchLive())
        with self._lock:
            now = self._clock()
            if now - self._last_asked_s > STILL_S:
                self._last_live_s = now  # nobody has looked: the camera has that long to show something
            self._last_asked_s = now
            return {
                **(_BEGINNING if self._is_beginning else self._state),
                "camera": has_camera,
                "ails": self._camera_trouble(),
                "still": now - self._last_live_s > STILL_S,
                "live": self._live_count,
                "facts": self._live.facts if self._live else None,
                "shown": dict(self._step_numbers),
                "in_use": profile_in_use(self._spec),
                "fixed": is_fixed(self._spec),
                "profiles": profile_names(self._spec),
                "kept": [_profile_json(profile) for profile in list_profiles(profiles_folder(self._spec))],
            }

    def _has_camera(self) -> bool:
        """Whether a camera looks: the one Tenshu was started with, or a phone that has taken over."""
        return (self._camera.name if self._camera else self._spec.camera) != NO_CAMERA

    def _camera_trouble(self) -> Json | None:
        """Return what is wrong with the camera or has changed before it; calibrating is no trouble here."""
        says = self._camera
        if says is None or not says.sentence or says.key == CALIBRATING:
            return None
        return {"sentence": says.sentence, "remedy": says.remedy, "key": says.key, "file": says.file}

    def live(self) -> bytes | None:
        """Return a JPEG of what the camera shows now."""
        with self._lock:
            return self._live.jpeg if self._live else None

    def step_jpeg(self, step: str) -> bytes | None:
        """Return a JPEG of what was seen at a step."""
        with self._lock:
            return self._step_jpegs.get(step)


def _being_calibrated(name: str) -> TableRefusal:
    return TableRefusal("tray_walked", f"The tray “{name}” is being calibrated.", name=name)


def _no_camera() -> TableRefusal:
    return TableRefusal("calibrates_no_camera", "There is no camera to calibrate. Choose one.")


def _profile_json(profile: ProfileSummary) -> Json:
    return {
        "name": profile.name,
        "made": profile.made,
        "colours": list(profile.colours),
        "mat": profile.mat,
        "readable": profile.readable,
    }


def _refusal(error: ProfileError, name: str) -> TableRefusal:
    return TableRefusal(error.key, hide_paths(str(error)), name=name)
