"""The web process's side of the guided calibration: what the page is told, and what it asks for."""

import threading
from collections.abc import Callable

from companion.table.messages import (
    Calibrate,
    CalibrationSays,
    CalibrationShows,
    Json,
    Live,
    Order,
    Report,
    SensorSpec,
    WatchLive,
)
from companion.table.profiles import profile_in_use, profile_names


class CalibrationDesk:
    """Hears the sensor process, answers pages; any thread."""

    def __init__(self, spec: SensorSpec, order: Callable[[Order], None]) -> None:
        self._spec = spec
        self.order = order
        self._lock = threading.Lock()
        self._state: Json = {"phase": "off"}
        self._live: Live | None = None
        self._lives = 0
        self._shown: dict[str, bytes] = {}

    def hear(self, report: Report) -> bool:
        """Take what is ours; False for all else."""
        with self._lock:
            match report:
                case Live():
                    self._live, self._lives = report, self._lives + 1
                case CalibrationSays(state):
                    self._state = state
                case CalibrationShows(step, jpeg):
                    self._shown[step] = jpeg
                case _:
                    return False
        return True

    def begin(self, wish: Calibrate) -> None:
        """From the empty tray."""
        with self._lock:
            self._shown.clear()
        self.order(wish)

    def view(self) -> Json:
        """For the page; asking for it keeps live pictures coming."""
        if self._spec.camera != "none":
            self.order(WatchLive())
        with self._lock:
            return {
                **self._state,
                "camera": self._spec.camera != "none",
                "live": self._lives,
                "facts": self._live.facts if self._live else None,
                "shown": list(self._shown),
                "in_use": profile_in_use(self._spec),
                "fixed": self._spec.profile is not None,
                "profiles": profile_names(self._spec),
            }

    def live(self) -> bytes | None:
        """JPEG of what the camera shows now."""
        with self._lock:
            return self._live.jpeg if self._live else None

    def shown(self, step: str) -> bytes | None:
        """JPEG of what was seen at a step."""
        with self._lock:
            return self._shown.get(step)
