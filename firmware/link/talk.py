"""One board for a while, with blocking requests: for commands at a terminal. A game uses `sensor`."""

import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from types import TracebackType
from typing import Final

from firmware.link.asking import ANSWER_S, TRIES
from firmware.link.errors import BoardError, Refused
from firmware.link.events import Beat, Fault, LinkDown, LinkUp, Recovered, SensorEvent
from firmware.link.link import GREET_S, Link
from firmware.link.ports import present_ports
from firmware.link.sensor import make_link
from firmware.link.troubles import OF_READING, port_error, refusal
from firmware.link.wire import Command

_OPEN_S: Final = 4.0
"""How long opening a port may take on top of the greeting."""
_PAUSE_S: Final = 0.02
_CATCHES_UP_S: Final = 1.0
"""Upper limit; a board that streams is never silent."""
_STEADY_BEATS: Final = 3
_WEIGHTLESS_BEATS: Final = 5
"""Heartbeats without any weight: a slow board takes three seconds to start."""


@dataclass(frozen=True, slots=True)
class Settings:
    """Values of a SETTINGS line."""

    rate: int
    scale: int
    """Counts per kilogram."""
    tare: int
    threshold_mg: int
    calibrated: bool
    source: str


@dataclass(frozen=True, slots=True)
class Steady:
    """The weight of everything on a tray at rest, and the noise of one sample."""

    mass_mg: float
    noise_mg: float
    samples_per_s: int


class Board:
    """A connection that raises trouble instead of reporting it; a context manager that releases the port."""

    def __init__(
        self,
        link: Link,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.version = ""
        self._link = link
        self._clock = clock
        self._sleep = sleep
        self._heard: deque[SensorEvent] = deque()
        self.faults: dict[str, Fault] = {}
        """The board's current faults by name, as received."""
        self._has_unsaved = False
        """Whether it was told something that a restart makes it forget."""

    def __enter__(self) -> "Board":
        """Return itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Release the port."""
        self._link.close()

    @property
    def port(self) -> str:
        """Name of the board's port."""
        return self._link.port

    @property
    def settings(self) -> Settings:
        """The board's settings as of the greeting. Raises `BoardError`."""
        line = self._link.settings
        if line is None:
            raise port_error("no_answer", self.port)
        rate, scale, tare, threshold, calibrated = (line.number(place) for place in range(5))
        return Settings(rate, scale, tare, threshold, bool(calibrated), str(line.fields[5]))

    def greet(self) -> None:
        """Wait for the board and its settings. Raises `BoardError`."""
        end = self._clock() + GREET_S + _OPEN_S
        while not (self.version and self._link.settings):
            if self._clock() > end:
                raise port_error("no_answer", self.port)
            self._step()

    def ask(self, command: Command, *arguments: int | str) -> int:
        """Send a command and wait for its answer. Raises `BoardError` with the board's reason."""
        self._link.ask(command, *arguments)
        end = self._clock() + (TRIES + 1) * ANSWER_S
        while not self._link.answers:
            if self._clock() > end:
                raise refusal("unanswered")
            self._step()
        answer = self._link.answers.popleft()
        if answer.reason is not None:
            raise self._without_readings() if answer.reason == "fault" else refusal(answer.reason)
        self._has_unsaved = command is not Command.SAVE
        return answer.value

    def discard_unsaved(self) -> None:
        """Undo unsaved commands by a reset: opening the port does not reset every board."""
        if not (self._has_unsaved and self._link.ready):
            return
        with suppress(BoardError):
            self.ask(Command.RESET)

    def listen(self, seconds: float) -> Iterator[SensorEvent]:
        """Yield events as they come, for this long. Raises `BoardError` if the board is gone."""
        end = self._clock() + seconds
        while self._clock() < end:
            self._step()
            while self._heard:
                yield self._heard.popleft()

    def discard_heard(self) -> None:
        """Discard what was heard during other requests."""
        self._heard.clear()

    def _catch_up(self) -> None:
        """Drain the port: what queued up while a person was being asked is about the tray as it was then."""
        end = self._clock() + _CATCHES_UP_S
        heard = -1
        while heard < len(self._heard) and self._clock() < end:
            heard = len(self._heard)
            self._step()

    def measure_steady(self, seconds: float = 15.0) -> Steady:
        """Return the weight at rest over a few heartbeats. Raises `BoardError` without readings or rest."""
        self._catch_up()
        self.discard_heard()
        still_beats: list[Beat] = []
        weightless = 0
        for event in self.listen(seconds):
            if isinstance(event, Beat):
                weightless = 0 if event.weighs else weightless + 1
                still_beats = [*still_beats, event] if event.weighs and not event.moving else []
            if weightless == _WEIGHTLESS_BEATS:
                raise self._without_readings()
            if len(still_beats) == _STEADY_BEATS:
                return Steady(
                    sum(beat.mass_mg for beat in still_beats) / _STEADY_BEATS,
                    sum(beat.noise_mg for beat in still_beats) / _STEADY_BEATS,
                    still_beats[-1].samples_per_s,
                )
        raise refusal("moving")

    def _step(self) -> None:
        for event in self._link.step():
            match event:
                case LinkUp(version=version):
                    self.version = version
                    self.faults.clear()
                case LinkDown(name="restarted"):
                    if self._has_unsaved:
                        raise refusal("restarted")
                    self.version = ""  # opening the port reset it; it is greeted again
                case LinkDown(_, sentence, remedy, name):
                    raise BoardError(name, sentence, remedy)
                case _:
                    self._note(event)
                    self._heard.append(event)
        if self._link.seeking:
            self._sleep(_PAUSE_S)

    def _note(self, event: SensorEvent) -> None:
        match event:
            case Fault(name):
                self.faults[name] = event
            case Recovered(name):
                self.faults.pop(name, None)

    def _without_readings(self) -> Refused:
        """The error for a board without readings, as specific as its faults allow."""
        cause = next((fault for name, fault in self.faults.items() if name in OF_READING), None)
        return Refused(cause.name, cause.sentence, cause.remedy) if cause else refusal("fault")


def connect(
    port: str = "auto", trace_every: int = 0, list_ports: Callable[[], Sequence[str]] = present_ports
) -> Board:
    """Connect to the board on `port`, or the first that answers (`auto`). Raises the first port's
    `BoardError`."""
    ports = list(list_ports()) if port == "auto" else [port]
    trouble: BoardError = port_error("not_found", port)
    for number, name in enumerate(ports):
        board = Board(make_link(name, trace_every))
        try:
            board.greet()
        except BoardError as error:
            trouble = error if not number else trouble
            board.__exit__(None, None, None)
        else:
            return board
    raise trouble
