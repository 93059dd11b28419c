"""What the sensor process does for the calibration page: live pictures, and the walk while there is one."""

import time
from collections.abc import Callable
from itertools import count

from calibration.profiles.glance import Glance, glance
from companion.table.desks.profiles import profiles_folder
from companion.table.messages import (
    Calibrate,
    CalibrationAnswer,
    CalibrationEnd,
    CalibrationKeep,
    CalibrationSays,
    Json,
    Live,
    Order,
    Report,
    SensorSpec,
    WatchLive,
)
from companion.table.sensing.walk import Place, Walk, jpeg_of, wish_of
from vision.sources import Frame

_LOOKED_AT_S = 4.0
"""How long one request keeps live pictures coming: the page asks about twice a second."""
LEFT_AFTER_S = 60.0
"""How long after that an abandoned walk is ended while a throw is awaited."""
_LIVE_EVERY_S = 0.6


class Guide:
    """Call `step` with every frame, and `obey` with every order of the page."""

    def __init__(
        self,
        spec: SensorSpec,
        report: Callable[[Report], None],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._spec = spec
        self._report = report
        self._clock = clock
        self._walk: Walk | None = None
        self._questions = count(time.time_ns() // 1_000_000)
        """Numbers for the questions of all walks, distinct even from an earlier process's, so that an answer
        to an abandoned question never answers another."""
        self._is_profile_taken = True
        self._live_until = 0.0
        self._live_at = 0.0
        self._last_frame: Frame | None = None

    @property
    def is_leading(self) -> bool:
        """Whether a person is being led, so that the tray is not read for the game."""
        return self._walk is not None and self._walk.running

    def end_if_left(self) -> None:
        """End a walk whose page nobody has looked at for a while: a game waits for the camera."""
        if self.is_leading and self._clock() - self._live_until > LEFT_AFTER_S:
            self.end()
            self._report(CalibrationSays({"phase": "off"}))

    def step(self, frame: Frame | None, *, frozen: bool = False) -> None:
        """Take the newest frame, perhaps the same as before; a frozen one shows what lay there earlier."""
        if frame is None or frame is self._last_frame:
            return
        self._last_frame = frame
        if self._walk is not None and self._walk.running and not frozen:
            self._walk.feed(frame)
        now = self._clock()
        if now < self._live_until and now - self._live_at >= _LIVE_EVERY_S:
            self._live_at = now
            self._report(Live(jpeg_of(frame.picture), _glance_json(glance(frame.picture))))

    def take_learned_name(self) -> str | None:
        """Return the name of a profile that was kept, once; otherwise None."""
        if self._is_profile_taken or self._walk is None or self._walk.running or self._walk.kept is None:
            return None
        self._is_profile_taken = True
        return self._walk.kept.name

    def obey(self, order: Order, lay: Callable[[str], None] | None) -> None:
        """Carry out one order of the page; `lay` puts the cubes there in a demo."""
        match order:
            case WatchLive():
                self._live_until = self._clock() + _LOOKED_AT_S
            case Calibrate():
                self.end()
                place = Place(profiles_folder(self._spec), lay, self._questions)
                self._walk = Walk(wish_of(order, place.profiles), place, self._report)
                self._is_profile_taken = False
                self._live_until = self._clock() + _LOOKED_AT_S
                self._walk.start()
            case CalibrationAnswer(yes, asked, drawn) if self._walk is not None:
                self._walk.answer(yes, asked, drawn)
            case CalibrationKeep() if self._walk is not None:
                self._walk.keep()
            case CalibrationEnd():
                self.end()
                self._report(CalibrationSays({"phase": "off"}))
            case _:
                pass

    def end(self) -> None:
        """End the walk, if there is one."""
        if self._walk is not None:
            self._walk.end()
            self._walk = None


def _glance_json(seen: Glance) -> Json:
    return {
        "size": list(seen.size_px),
        "markers": seen.markers,
        "outline": [[round(x, 1), round(y, 1)] for x, y in seen.outline_px],
        "cut": seen.cut,
        "trouble": seen.trouble.name.lower() if seen.trouble else "",
        "too_dark": seen.too_dark,
        "too_bright": seen.too_bright,
        "dark_tray": seen.dark_tray,
        "like_floor": seen.like_floor,
    }
