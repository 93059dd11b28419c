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
from firmware.link.wire import PROTOCOL, Command, Kind, Line, Reason, compose_command

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
        self._port_name = ""
        self._ear = Ear(clock())
        self._splitter = Splitter()
        self._ready = False
        self._asking = Asking()
        self._greet_until = self._greet_at = self._try_at = 0.0
        self._wait_s = FIRST_WAIT_S
        self._skipped_until: dict[str, float] = {}
        self._board_ports: set[str] = set()
        self._reported: str | None = None
        self._ports_to_try: list[str] = []
        self._wrong_version: Line | None = None

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
        return self._port_name

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
            events = [event for item in heard for event in self._handle_heard(item)]
            events += self._handle_notices(self._ear.tick(self._clock()))
            if self._port is not None:  # what was heard may have closed the port
                self._send_due()
                events += self._check_overdue()
        except OSError:
            return self._lose("gone")
        return events

    # -- finding ------------------------------------------------------------------------------------------

    def _seek(self) -> list[SensorEvent]:
        now = self._clock()
        if now < self._try_at:
            return []
        if not self._ports_to_try:
            self._ports_to_try = self._ports_worth_opening(now)
        if not self._ports_to_try:
            self._try_at = now + self._next_wait_s()
            return []
        self._port_name = self._ports_to_try.pop(0)
        try:
            self._port = self._opener(self._port_name)
        except PortError as error:
            if not self._ports_to_try:
                self._try_at = now + self._next_wait_s()
            return self._report_once(error.name, self._port_name)
        self._ear, self._splitter = Ear(self._clock()), Splitter()
        self.hello = self._wrong_version = None
        self._begin_greeting()
        return []

    def _ports_worth_opening(self, now: float) -> list[str]:
        listed = list(self._candidates())
        self._skipped_until = {
            port: until for port, until in self._skipped_until.items() if port in listed and until > now
        }
        return [port for port in listed if port not in self._skipped_until]

    def _next_wait_s(self) -> float:
        wait, self._wait_s = self._wait_s, min(2 * self._wait_s, LONGEST_WAIT_S)
        return wait

    def _report_once(self, name: str, port: str) -> list[SensorEvent]:
        """Report a state once, until it changes."""
        if name == self._reported or (name == "missing" and self._reported == "gone"):
            return []
        self._reported = name
        return [troubles.link_down(name, port)]

    def _lose(self, name: str) -> list[SensorEvent]:
        was_ready = self._ready
        with suppress(Exception):  # the port itself may be what failed
            self.close()
        self._asking.fail_all()
        self._ports_to_try = []
        self._try_at = self._clock() + self._next_wait_s()
        if not was_ready and not self._named and self._reported != _RESTARTED:
            return []
        return self._report_once(name, self._port_name)

    # -- greeting -----------------------------------------------------------------------------------------

    def _begin_greeting(self) -> None:
        self._ready, self.settings = False, None
        self._greet_at = self._clock()
        self._greet_until = self._greet_at + GREET_S

    def _send_due(self) -> None:
        """Send whatever is due next."""
        assert self._port is not None, "asked by step"
        now = self._clock()
        if (not self._ready or self.settings is None) and now >= self._greet_at:
            self._greet_at = now + GREET_EVERY_S
            self._port.write(compose_command(_GREETING, Command.HELLO))
        if self._ready and (command_bytes := self._asking.take_due(now)) is not None:
            self._port.write(command_bytes)

    def _check_overdue(self) -> list[SensorEvent]:
        """Handle whatever should have arrived by now and has not."""
        now = self._clock()
        if self._ready:
            return self._asking.give_up_late(now)
        return self._give_up_port() if now >= self._greet_until else []

    def _give_up_port(self) -> list[SensorEvent]:
        name = "version" if self._wrong_version else "other_device" if self._ear.refused else "no_answer"
        self.close()
        self._asking.fail_all()  # else a command would be carried out minutes later, unasked
        had_board = self._named or self._port_name in self._board_ports
        self._skipped_until[self._port_name] = self._clock() + (
            LONGEST_WAIT_S if had_board else LEAVE_ALONE_S
        )
        if self._reported == _RESTARTED and name != "version":
            return self._report_once("silence", self._port_name)
        must_report = self._named or name == "version"
        return self._report_once(name, self._port_name) if must_report else []

    def _take_hello(self, hello: Line) -> list[SensorEvent]:
        self.hello = hello
        if hello.number(1) != PROTOCOL:
            self._wrong_version = hello
            return []
        self._ready, self._reported, self._wait_s, self._ports_to_try = True, None, FIRST_WAIT_S, []
        self._asking.clear_faults()
        self._ear.clear_faults()
        self._board_ports.add(self._port_name)
        if self._trace_every:
            self.ask(Command.STREAM, self._trace_every)
        return [LinkUp(self._port_name, str(hello.fields[2]))]

    # -- hearing ------------------------------------------------------------------------------------------

    def _handle_heard(self, item: Line | Reason) -> list[SensorEvent]:
        if self._port is None:
            return []
        if not isinstance(item, Line):
            return self._handle_notices(self._ear.take_refused(item, self._clock()))
        events = self._handle_notices(self._ear.take_line(item, self._clock()))
        if item.kind is Kind.HELLO and not self._ready and self._port is not None:
            events += self._take_hello(item)
        elif item.kind is Kind.SETTINGS:
            events += self._take_settings(item)
        elif item.kind in (Kind.ACK, Kind.NAK):
            events += self._asking.take_answer(item)
        elif self._ready:
            events += to_events(item)
        return events

    def _take_settings(self, settings: Line) -> list[SensorEvent]:
        """Take the settings that follow each HELLO, which cleared all faults."""
        self.settings = settings
        uncalibrated = self._ready and not settings.number(4)
        return [troubles.fault(troubles.UNCALIBRATED)] if uncalibrated else []

    def _handle_notices(self, notices: list[Notice]) -> list[SensorEvent]:
        return [event for notice in notices if self._ready for event in self._handle_notice(notice)]

    def _handle_notice(self, notice: Notice) -> list[SensorEvent]:
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
        self._asking.resend_all()
        self._begin_greeting()
        return self._report_once(_RESTARTED, self._port_name)


def to_events(line: Line) -> list[SensorEvent]:
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
