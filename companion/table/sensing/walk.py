"""The guided calibration in the sensor process: its walk in a thread, frames and answers from the loop."""

import logging
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import count
from pathlib import Path

import cv2
import numpy as np

from calibration.profiles.lens import lens_of
from calibration.profiles.profile import Profile, ProfileError, names
from companion.calibrating import COLOURS, Verdict, Wish, calibrate
from companion.calibration_lines import Line, line
from companion.looking import keep_profile, lay_aside
from companion.table.messages import Calibrate, CalibrationSays, CalibrationShows, Json, Report
from companion.table.naming import hide_paths
from vision.errors import VisionError
from vision.pictures import Picture
from vision.scene.drawn import DrawnOutline
from vision.scene.tray import Tray, drawn_of
from vision.scene.trouble import Trouble
from vision.settling.settle import Motion, SettleWatch
from vision.sources import Frame

SHOWN_WIDTH_PX = 960
_QUALITY = 80
_RESTLESS_MS = 15_000.0
"""How long without rest before the person is told."""
_BROKE: Json = {
    "key": "error.http_500",
    "params": {},
    "sentence": "Something went wrong in Tenshu. Nothing that was saved is lost.",
}
_LOG = logging.getLogger(__name__)
_TROUBLE_KEYS = {trouble.sentence: trouble.name.lower() for trouble in Trouble}


class _Ended(Exception):
    """The person left."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a walk keeps what it learns, and who puts the cubes there in a demo."""

    profiles: Path
    lay: Callable[[str], None] | None = None
    """Called with the step's name, and with an empty one at the end."""
    questions: Iterator[int] = field(default_factory=lambda: count(1))
    """Numbers for the questions."""


class Walk:
    """Implements `companion.calibrating.Table`; the sensor loop calls `feed`, `answer` and `end`."""

    def __init__(self, wish: Wish, place: Place, report: Callable[[Report], None]) -> None:
        self._wish = wish
        self._place = place
        self._report = report
        self._changed = threading.Condition()
        self._answers: list[tuple[bool, DrawnOutline | None]] = []
        self._waiting_for = ""
        self._asked = 0
        self._watch: SettleWatch | None = None
        self._asked_ms: float | None = None
        self._rest_picture: Picture | None = None
        self._ended = False
        self._step = "empty"
        self._said: list[Json] = []
        self._left_out: list[str] = []
        self._line: Json | None = None
        self._floor: Json | None = None
        self._learned: Verdict | None = None
        self.kept: Profile | None = None
        self._thread = threading.Thread(target=self._run, name="calibration", daemon=True)

    def start(self) -> None:
        """Start the walk."""
        self._thread.start()

    @property
    def running(self) -> bool:
        """Whether the person is still being led."""
        return self._thread.is_alive()

    def feed(self, frame: Frame) -> None:
        """Take every frame of the camera; the walk uses one when the table rests."""
        with self._changed:
            if self._watch is None:
                return
            if self._asked_ms is None:
                self._asked_ms = frame.taken_ms
            if self._watch.feed(frame.picture, frame.taken_ms).motion is Motion.SETTLED:
                self._rest_picture, self._watch = frame.picture, None
                self._changed.notify_all()
            elif frame.taken_ms - self._asked_ms > _RESTLESS_MS:
                self._asked_ms = frame.taken_ms
                self._append_line(line("keep_still"))

    def answer(self, yes: bool, asked: int, drawn: DrawnOutline | None = None) -> None:
        """Take the answer: ready, yes or no, or a floor. Ignore it if it is for another question."""
        with self._changed:
            if self._waiting_for and asked == self._asked:
                self._waiting_for = ""
                self._answers.append((yes, drawn))
                self._changed.notify_all()

    def keep(self) -> None:
        """Keep, because the person wants it, what was not read well or what the disk did not take."""
        if self._learned is not None and self.kept is None and not self.running:
            self._keep(self._learned)

    def end(self) -> None:
        """Leave the walk."""
        with self._changed:
            self._ended = True
            self._changed.notify_all()
        self._thread.join(10.0)

    # -- companion.calibrating.Table ----------------------------------------------------------------------

    lays = True

    def say(self, text: Line) -> None:
        """Put a line on the page."""
        with self._changed:
            if text.key in ("going_on", "not_there"):
                self._left_out.append(str(text.params["colour"]))
            self._append_line(text)

    def ready(self, text: Line) -> None:
        """Ask for something, and wait until it is done."""
        self._step = str(text.params.get("colour", text.key if text.key == "test" else self._step))
        self._ask_and_wait(text, "ready")
        with self._changed:
            self._said = []

    def agrees(self, text: Line) -> bool:
        """Ask a question that is answered with yes or no."""
        return self._ask_and_wait(text, "agrees")[0]

    def picture(self, step: str) -> Picture:
        """Return a picture of the table at rest, however long that takes."""
        if self._place.lay is not None:
            self._report_state("picture")
            self._place.lay(step)
        with self._changed:
            self._watch, self._rest_picture, self._asked_ms = SettleWatch(), None, None
            self._report_state("picture")
            self._changed.wait_for(lambda: self._rest_picture is not None or self._ended)
            self._watch = None
            if self._rest_picture is None:
                raise _Ended
            picture, self._rest_picture = self._rest_picture, None
            self._report_state("thinking")
        return picture

    def show(self, step: str, picture: Picture) -> None:
        """Put a picture on the page, and beside the profile if the disk takes it."""
        try:
            lay_aside(self._place.profiles, self._wish.name, step, picture)
        except ProfileError:
            self.say(line("no_step_picture"))
        self._report(CalibrationShows(step, jpeg_of(picture)))

    def floor(self, picture: Picture, found: Tray | None) -> DrawnOutline | None:
        """Ask for the floor: the page lays the outline over the bare picture; the person may redraw it."""
        self.show("empty", picture)
        size_px = (picture.shape[1], picture.shape[0])
        guess = None if found is None else drawn_of(found, size_px)
        self._floor = {
            "size": list(size_px),
            "outline": guess and {"shape": guess.shape, "handles": [list(point) for point in guess.handles]},
        }
        yes, drawn = self._ask_and_wait(line("draw_floor" if guess is None else "outline_right"), "floor")
        self._floor = None
        return (drawn or guess) if yes else None

    # -- inside -------------------------------------------------------------------------------------------

    def _run(self) -> None:
        try:
            self._report_state("thinking")
            verdict = calibrate(self, self._wish)
            self._learned = verdict
            if verdict.right:
                self._keep(verdict)
            else:
                self._report_state("", phase="done", verdict=self._verdict_json(verdict))
        except _Ended:
            self._report_state("", phase="off")
        except VisionError as error:
            self._report_state(
                "", phase="failed", error=[_line_json(error.sentence, error.key), _line_json(error.remedy)]
            )
        except Exception:  # noqa: BLE001 - whoever waits at the tray must not wait forever
            _LOG.exception("the calibration broke")
            self._report_state("", phase="failed", error=[_BROKE])
        finally:
            if self._place.lay is not None:
                self._place.lay("")

    def _keep(self, verdict: Verdict) -> None:
        """Keep the profile; if the disk does not take it, it can be kept again once there is room."""
        trouble = None
        try:
            keep_profile(verdict.profile, self._place.profiles)
            self.kept = verdict.profile
        except ProfileError:
            trouble = _line_json(line("not_written"))
        self._report_state("", phase="done", verdict=self._verdict_json(verdict, trouble))

    def _verdict_json(self, verdict: Verdict, trouble: Json | None = None) -> Json:
        return {
            "right": verdict.right,
            "kept": self.kept is not None,
            "name": verdict.profile.name,
            "line": _line_json(verdict.text),
            "notes": [_line_json(note) for note in verdict.notes],
            "trouble": trouble,
        }

    def _ask_and_wait(self, text: Line, waits: str) -> tuple[bool, DrawnOutline | None]:
        with self._changed:
            self._line, self._answers = _line_json(text), []
            self._waiting_for = waits
            self._asked = next(self._place.questions)
            self._report_state(waits)
            self._changed.wait_for(lambda: bool(self._answers) or self._ended)
            if self._ended:
                raise _Ended
            self._line = None
            return self._answers.pop()

    def _append_line(self, text: Line) -> None:
        entry = _line_json(text)  # repeated while a table never rests: one stands for all
        self._said = [*(said for said in self._said if said != entry), entry]
        self._report_state(self._waiting_for or "thinking")

    def _report_state(self, waits: str, phase: str = "walking", **more: object) -> None:
        colours = [str(colour) for colour in self._wish.colours]
        state: Mapping[str, object] = {
            "phase": phase,
            "waits": waits,
            "step": self._step,
            "steps": ["empty", *colours, "test"],
            "left_out": list(self._left_out),
            "line": self._line,
            "asked": self._asked,
            "floor": self._floor,
            "said": list(self._said),
            **more,
        }
        self._report(CalibrationSays(dict(state)))


def jpeg_of(picture: Picture) -> bytes:
    """Encode a picture for a page, no wider than `SHOWN_WIDTH_PX`."""
    scale = min(1.0, SHOWN_WIDTH_PX / picture.shape[1])
    if scale < 1:
        small = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        picture = np.asarray(small, np.uint8)
    return cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])[1].tobytes()


def wish_of(order: Calibrate, profiles: Path) -> Wish:
    """Build the wish from what the page sends; `profiles` is the folder of the profiles kept."""
    wish = Wish(order.name, order.made, order.colours or COLOURS, order.cube_mm, order.inner_mm)
    replaces = order.name in names(profiles)
    return replace(wish, replaces=replaces, lens_before=lens_of(order.name, profiles) if replaces else None)


def _line_json(text: str, key: str = "") -> Json:
    """Return a sentence as pages need it: key and parameters if they are known, English always."""
    if isinstance(text, Line):
        own_key = text.key if "." in text.key else f"calibrate.{text.key}"
        return {"key": own_key, "params": dict(text.params), "sentence": str(text)}
    trouble_key = key or _TROUBLE_KEYS.get(text)
    return {
        "key": f"trouble.{trouble_key}" if trouble_key else "",
        "params": {},
        "sentence": hide_paths(text),
    }
