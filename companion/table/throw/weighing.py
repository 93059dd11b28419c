"""The scale at the table: link, trace and weight as the page, the log and the session need them."""

from collections import deque
from dataclasses import dataclass
from typing import Any, Final

from calibration.scale import STEP_SIGMA_MG, CubeMass, learn
from companion.table.throw.weigher import Weighed, Weigher
from firmware.link.events import (
    Answered,
    Beat,
    Drop,
    Fault,
    LinkDown,
    LinkUp,
    Motion,
    Recovered,
    Sample,
    SensorEvent,
    Settled,
)
from firmware.link.program import version_to_flash
from firmware.link.troubles import DISAGREES, OF_READING, UNCALIBRATED, fault
from firmware.link.wire import CUBE_MG, Command

Json = dict[str, Any]
TRACE_POINTS: Final = 1200
"""A minute at 20 points a second."""
_MARKS: Final = 200
_MOST_WRONG: Final = 3
"""Throws in a row with a wrong weight before the scale is distrusted: a correct one is not that unlucky."""


@dataclass(frozen=True, slots=True)
class Trouble:
    """What is wrong now, with the key of the page's own sentence."""

    name: str
    sentence: str
    remedy: str


def known_set(cubes: int) -> CubeMass:
    """Return what is known once only the board was told the number: on its scale a cube is `CUBE_MG`."""
    return learn((), cubes, cubes * CUBE_MG, STEP_SIGMA_MG)


class Weighing:
    """Hears all events of the sensor; not thread-safe: whoever holds it guards it."""

    def __init__(self, cube: CubeMass | None = None, *, may_clear: bool = True) -> None:
        self.up: bool | None = None
        """Whether the sensor is connected; None if there is none."""
        self._weigher = Weigher(cube or CubeMass(), may_clear=may_clear)
        self._link_trouble: Trouble | None = None
        self._faults: dict[str, Trouble] = {}
        self._version = ""
        self._port = ""
        self._beat: Beat | None = None
        self._points: deque[tuple[int, int, int]] = deque(maxlen=TRACE_POINTS)
        self._marks: deque[Json] = deque(maxlen=_MARKS)
        self._point_number = 0
        self._rest_mg: int | None = None
        """The last weight at rest."""
        self._unsaved_from: CubeMass | None = None
        """What a cube weighed before a calibration that the board has not saved yet."""
        self._arrival_weight: Json | None = None
        """What the weight said when cubes last came, since a throw has been awaited."""
        self._epoch = 0
        """Number of connections so far: with each, the board's clock may start anew."""

    @property
    def is_moving(self) -> bool:
        """Whether a motion was reported and its end was not yet."""
        return self._weigher.moving

    @property
    def trouble(self) -> Trouble | None:
        """What is wrong now: a lost link, else a cell without readings, else the oldest other fault, else a
        scale that disagrees.

        Without readings nothing else can be put right: a new board with a loose wire is also uncalibrated."""
        without_readings = [fault for name, fault in self._faults.items() if name in OF_READING]
        faults = [*without_readings, *self._faults.values()]
        return self._link_trouble or next(iter(faults), None) or self._disagreement_trouble()

    def _disagreement_trouble(self) -> Trouble | None:
        """Return the trouble of a wrong scale, which would put every throw in doubt, until it is right."""
        if self._weigher.wrong < _MOST_WRONG:
            return None
        disagreement = fault(DISAGREES)
        return Trouble(disagreement.name, disagreement.sentence, disagreement.remedy)

    def hear(self, event: SensorEvent) -> None:
        """Take events of the sensor process, in order."""
        self._weigher.hear(event)
        match event:
            case LinkUp(port, version):
                self._forget_rest()
                if self._unsaved_from is not None:  # the board restarted, and has its old scale again
                    self._weigher.cube, self._unsaved_from = self._unsaved_from, None
                self.up, self._link_trouble, self._port, self._version = True, None, port, version
                self._faults.clear()
            case LinkDown(port, sentence, remedy, name):
                self.up, self._link_trouble, self._port = False, Trouble(name, sentence, remedy), port
                self._beat = None
                self._faults.clear()
            case Fault(name, sentence, remedy):
                self._faults[name] = Trouble(name, sentence, remedy)
            case Recovered(name):
                self._faults.pop(name, None)
            case Settled(_, mass_mg):
                if self._rest_mg is None or mass_mg - self._rest_mg > self._weigher.cube.unit_mg / 2:
                    self._arrival_weight = self.weight_json()
                self._rest_mg = mass_mg
            case Sample(device_ms, mass_mg):
                self._point_number += 1
                self._points.append((self._point_number, device_ms, mass_mg))
            case Beat(mass_mg=mass_mg):
                self._beat = event
                if event.weighs and not event.moving and self._rest_mg is not None:
                    self._rest_mg = min(
                        self._rest_mg, mass_mg
                    )  # a slow hand takes cubes out without a motion
            case Answered(reason=None):
                self._take_answer(event)
        self._add_mark(event)

    def _take_answer(self, done: Answered) -> None:
        match done:
            case Answered(Command.TARE):
                self._forget_rest()
            case Answered(Command.CALIBRATE, ("cubes", int(cubes))):
                self._forget_rest()
                self._unsaved_from = self._unsaved_from or self._weigher.cube
                self._weigher.cube = known_set(cubes)
                self._faults.pop(UNCALIBRATED, None)
            case Answered(Command.SAVE):
                self._unsaved_from = None

    def _forget_rest(self) -> None:
        """Another zero or scale makes what was weighed before incomparable."""
        self._rest_mg = self._arrival_weight = None

    def weighed(self) -> Weighed | None:
        """Return the tray's content by weight alone; None while unknown or while the cell is in trouble."""
        return None if self.trouble else self._weigher.weighed()

    def await_throw(self) -> None:
        """Count what arrives from here on as thrown."""
        self._arrival_weight = None
        self._weigher.await_throw()

    def has_fallen(self, cubes: int, *, every: bool = False) -> bool:
        """Whether most of these cubes, or `every` one, were felt falling since; False while in trouble."""
        return self.trouble is None and self._weigher.has_fallen(cubes, every=every)

    def confirm(self, cubes: int) -> None:
        """Take the table's count of what lies there."""
        self._weigher.confirm(cubes)

    def health_json(self) -> Json:
        """Return the state for the page's light."""
        trouble = self.trouble
        return {
            "up": self.up if trouble is None else False,
            "name": trouble.name if trouble else "",
            "sentence": trouble.sentence if trouble else "",
            "remedy": trouble.remedy if trouble else "",
            "port": self._port,
        }

    def weight_json(self) -> Json | None:
        """Return what the weight says, for the page and the log; None when it says nothing."""
        weighed = self.weighed()
        if weighed is None:
            return None
        return {
            "cubes": weighed.cubes,
            "sure": round(weighed.sure, 4),
            "spread": round(weighed.spread, 2),
            "mass_mg": weighed.mass_mg,
            "steps": weighed.steps,
            "whole": weighed.whole,
        }

    def felt_json(self) -> Json | None:
        """Return the weight of a throw that no camera saw: what a hand took out to count was thrown too."""
        now, arrived = self.weight_json(), self._arrival_weight
        return arrived if now and arrived and arrived["mass_mg"] > now["mass_mg"] else now

    def trace_json(self, after: int) -> Json:
        """Return points newer than `after`, all marks still in the trace, and the state of the cell."""
        points = [point for point in self._points if point[0] > after]
        beat, cube = self._beat, self._weigher.cube
        is_blind = beat is not None and not beat.weighs
        return {
            "newest": self._point_number,
            "epoch": self._epoch,
            "points": [[device_ms, mass_mg] for _, device_ms, mass_mg in points],
            "marks": list(self._marks),
            "health": self.health_json(),
            "weight": self.weight_json(),
            "moving": self._weigher.moving,
            "mass_mg": None if is_blind else self._weigher.mass_mg,
            "version": self._version,
            "newer": version_to_flash(self._version),
            "noise_mg": beat.noise_mg if beat and not is_blind else None,
            "samples_per_s": beat.samples_per_s if beat else None,
            "cube": {
                "unit_mg": round(cube.unit_mg, 1),
                "spread_mg": round(cube.spread_mg, 1),
                "cubes": cube.cubes,
            },
        }

    def _add_mark(self, event: SensorEvent) -> None:
        match event:
            case Motion(device_ms):
                self._marks.append({"kind": "motion", "ms": device_ms, "mass_mg": None})
            case Drop(device_ms, mass_mg):
                self._marks.append({"kind": "drop", "ms": device_ms, "mass_mg": mass_mg})
            case Settled(device_ms, mass_mg):
                self._marks.append({"kind": "settled", "ms": device_ms, "mass_mg": mass_mg})
            case LinkUp():
                # The board's clock may have started anew: older points have no place beside the new ones.
                self._epoch += 1
                self._points.clear()
                self._marks.clear()
