"""Finds the board, greets it, keeps it, and finds it again: a state machine without its own thread.

`step` does a bounded piece of work and returns what happened. Only opening a port may take longer than the
read time-out; a caller that must not wait runs the link in a thread (`firmware.link.sensor`).
"""

from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Final, Protocol, assert_never

from firmware.link import troubles
from firmware.link.asking import NUMBERS, Answer, Asking
from firmware.link.ear import (
    Ear,
    Garbage,
    Lost,
    Notice,
    Restarted,
    Silence,
    Splitter,
    WellAgain,
    WrongVersion,
)
from firmware.link.errors import PortError
from firmware.link.events import (
    Beat,
    Drop,
    LinkUp,
    Motion,
    Recovered,
    Sample,
    SensorEvent,
    Settled,
)
from firmware.link.wire import PROTOCOL, Command, Kind, Line, Reason, order

GREET_EVERY_S: Final = 0.8
GREET_S: Final = 6.0
"""A bootloader listens for up to two seconds; this allows for one three times as slow."""
FIRST_WAIT_S, LONGEST_WAIT_S = 0.25, 4.0
LEAVE_ALONE_S: Final = 60.0
"""A port without a board is not retried at once: it may belong to something else."""
_RESTARTED: Final = "restarted"
_GREETING: Final = NUMBERS + 1
"""ID of the greeting; commands use other IDs."""


class Port(Protocol):
    """An open serial port; its methods raise `OSError` if the cable is gone."""

    def read(self) -> bytes:
        """Return what has arrived, waiting briefly for the first byte."""

    def write(self, data: bytes) -> None:
        """Send."""

    def close(self) -> None:
        """Release the port."""


class Link:
    """A connection to one board on one of the ports that `candidates` returns."""

    def __init__(
        self,
        candidates: Callable[[], Sequence[str]],
        opener: Callable[[str], Port],
        clock: Callable[[], float],
        *,
        named: bool,
        trace_every: int = 0,
    ) -> None:
        """`named`: a person chose the port, so report if nothing is there; `trace_every`: n-th sample, 0 for
        none."""
        self.settings: Line | None = None
        self.hello: Line | None = None
        self._candidates = candidates
        self._opener = opener
        self._clock = clock
        self._named = named
        self._trace_every = trace_every
        self._port: Port | None = None
        self._name = ""
        self._ear = Ear(clock())
        self._splitter = Splitter()
        self._ready = False
        self._asking = Asking()
        self._greet_until = self._greet_at = self._try_at = 0.0
        self._wait_s = FIRST_WAIT_S
        self._left: dict[str, float] = {}
        self._known: set[str] = set()
        self._said: str | None = None
        self._queue: list[str] = []
        self._version_said: Line | None = None

    @property
    def ready(self) -> bool:
        """Whether a board has answered and is still there."""
        return self._ready

    @property
    def seeking(self) -> bool:
        """Whether no port is open now."""
        return self._port is None

    @property
    def port(self) -> str:
        """The port that is open, or was last."""
        return self._name

    @property
    def answers(self) -> deque[Answer]:
        """Answers to commands, oldest first."""
        return self._asking.answers

    def ask(self, command: Command, *arguments: int | str) -> None:
        """Queue a command; its answer will be in `answers`."""
        self._asking.ask(command, *arguments)

    def close(self) -> None:
        """Release the port."""
        port, self._port, self._ready = self._port, None, False
        if port is not None:
            port.close()

    def lose(self) -> list[SensorEvent]:
        """After an unforeseen error: release the port and seek again."""
        return self._lose("gone")

    def step(self) -> list[SensorEvent]:
        """Do the next piece of work."""
        if self._port is None:
            return self._seek()
        try:
            heard = self._splitter.feed(self._port.read())
            events = [event for said in heard for event in self._hear(said)]
            events += self._noticed(self._ear.tick(self._clock()))
            if self._port is not None:  # what was heard may have closed the port
                self._speak()
                events += self._late()
        except OSError:
            return self._lose("gone")
        return events

    # -- finding ------------------------------------------------------------------------------------------

    def _seek(self) -> list[SensorEvent]:
        now = self._clock()
        if now < self._try_at:
            return []
        if not self._queue:
            self._queue = self._worth_opening(now)
        if not self._queue:
            self._try_at = now + self._longer()
            return []
        self._name = self._queue.pop(0)
        try:
            self._port = self._opener(self._name)
        except PortError as error:
            if not self._queue:
                self._try_at = now + self._longer()
            return self._tell(error.name, self._name)
        self._ear, self._splitter = Ear(self._clock()), Splitter()
        self.hello = self._version_said = None
        self._begin_greeting()
        return []

    def _worth_opening(self, now: float) -> list[str]:
        there = list(self._candidates())
        self._left = {port: until for port, until in self._left.items() if port in there and until > now}
        return [port for port in there if port not in self._left]

    def _longer(self) -> float:
        wait, self._wait_s = self._wait_s, min(2 * self._wait_s, LONGEST_WAIT_S)
        return wait

    def _tell(self, name: str, port: str) -> list[SensorEvent]:
        """Report a state once, until it changes."""
        if name == self._said or (name == "missing" and self._said == "gone"):
            return []
        self._said = name
        return [troubles.link_down(name, port)]

    def _lose(self, name: str) -> list[SensorEvent]:
        was_ready = self._ready
        with suppress(Exception):  # the port itself may be what failed
            self.close()
        self._asking.gone()
        self._queue = []
        self._try_at = self._clock() + self._longer()
        if not was_ready and not self._named and self._said != _RESTARTED:
            return []
        return self._tell(name, self._name)

    # -- greeting -----------------------------------------------------------------------------------------

    def _begin_greeting(self) -> None:
        self._ready, self.settings = False, None
        self._greet_at = self._clock()
        self._greet_until = self._greet_at + GREET_S

    def _speak(self) -> None:
        """Send whatever is due next."""
        assert self._port is not None, "asked by step"
        now = self._clock()
        if (not self._ready or self.settings is None) and now >= self._greet_at:
            self._greet_at = now + GREET_EVERY_S
            self._port.write(order(_GREETING, Command.HELLO))
        if self._ready and (asked := self._asking.due(now)) is not None:
            self._port.write(asked)

    def _late(self) -> list[SensorEvent]:
        """Handle whatever should have arrived by now and has not."""
        now = self._clock()
        if self._ready:
            return self._asking.late(now)
        return self._no_board() if now >= self._greet_until else []

    def _no_board(self) -> list[SensorEvent]:
        name = "version" if self._version_said else "other_device" if self._ear.refused else "no_answer"
        self.close()
        known = self._named or self._name in self._known
        self._left[self._name] = self._clock() + (LONGEST_WAIT_S if known else LEAVE_ALONE_S)
        if self._said == _RESTARTED and name != "version":
            return self._tell("silence", self._name)
        said = self._named or name == "version"
        return self._tell(name, self._name) if said else []

    def _greeted(self, hello: Line) -> list[SensorEvent]:
        self.hello = hello
        if hello.number(1) != PROTOCOL:
            self._version_said = hello
            return []
        self._ready, self._said, self._wait_s, self._queue = True, None, FIRST_WAIT_S, []
        self._asking.greeted()
        self._known.add(self._name)
        if self._trace_every:
            self.ask(Command.STREAM, self._trace_every)
        return [LinkUp(self._name, str(hello.fields[2]))]

    # -- hearing ------------------------------------------------------------------------------------------

    def _hear(self, said: Line | Reason) -> list[SensorEvent]:
        if self._port is None:
            return []
        if not isinstance(said, Line):
            return self._noticed(self._ear.bad(said, self._clock()))
        events = self._noticed(self._ear.line(said, self._clock()))
        if said.kind is Kind.HELLO and not self._ready and self._port is not None:
            events += self._greeted(said)
        elif said.kind is Kind.SETTINGS:
            events += self._set_up(said)
        elif said.kind in (Kind.ACK, Kind.NAK):
            events += self._asking.answered(said)
        elif self._ready:
            events += meaning(said)
        return events

    def _set_up(self, settings: Line) -> list[SensorEvent]:
        """Take the settings that follow each HELLO, which cleared all faults."""
        self.settings = settings
        uncalibrated = self._ready and not settings.number(4)
        return [troubles.fault(troubles.UNCALIBRATED)] if uncalibrated else []

    def _noticed(self, notices: list[Notice]) -> list[SensorEvent]:
        return [event for notice in notices if self._ready for event in self._one(notice)]

    def _one(self, notice: Notice) -> list[SensorEvent]:
        match notice:
            case Restarted():
                return self._greet_again()
            case Silence():
                return self._lose("silence")
            case WrongVersion():
                return self._lose("version")
            case Lost() | Garbage():
                return [troubles.fault("lost" if isinstance(notice, Lost) else "garbage")]
            case WellAgain(name):
                return [Recovered(name)]

    def _greet_again(self) -> list[SensorEvent]:
        """Greet again after a reset: commands in flight are lost, and the zero may have changed."""
        self._asking.restarted()
        self._begin_greeting()
        return self._tell(_RESTARTED, self._name)


def meaning(line: Line) -> list[SensorEvent]:
    """Return the event that a line from the board stands for; none for answers."""
    event: SensorEvent
    match line.kind:
        case Kind.MOVE:
            event = Motion(line.number(0))
        case Kind.DROP:
            event = Drop(line.number(0), line.number(1))
        case Kind.SETTLED:
            event = Settled(line.ms, line.number(0), line.number(1))
        case Kind.SAMPLE:
            event = Sample(line.ms, line.number(1))
        case Kind.BEAT:
            state = line.fields[2]
            weighs = state in ("still", "moving")
            event = Beat(line.ms, line.number(0), line.number(1), line.number(3), state == "moving", weighs)
        case Kind.FAULT:
            name = str(line.fields[0])
            event = troubles.fault(name) if line.number(1) else Recovered(name)
        case Kind.HELLO | Kind.SETTINGS | Kind.ACK | Kind.NAK:
            return []
        case new:
            assert_never(new)
    return [event]
