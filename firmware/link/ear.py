"""From bytes of the port to lines, and what their sequence says about the wire. Pure: time is an argument."""

from collections import deque
from dataclasses import dataclass, field
from typing import Final

from firmware.link.wire import DEVICE_BYTES, PROTOCOL, SEQUENCES, Kind, Line, Reason, WireError, parse

SILENCE_S: Final = 3.0
GARBAGE_LINES, GARBAGE_S = 4, 10.0
"""This many refused lines within this many seconds are more than a glitch on the wire."""
HOLD_S: Final = 10.0
"""Time without a sighting after which a fault of the wire counts as over."""


class Splitter:
    """Splits what arrives into lines; an overlong line is refused once, however long it goes on."""

    def __init__(self) -> None:
        self._rest = b""
        self._overlong = False
        self._first = True

    def feed(self, data: bytes) -> list[Line | Reason]:
        """Return the lines completed by this data, or the reasons for refusing them."""
        *lines, self._rest = (self._rest + data).split(b"\n")
        heard = [item for line in lines for item in self._parse_line(line)]
        if len(self._rest) > DEVICE_BYTES + 1:
            self._rest, self._overlong = b"", True
        return heard

    def _parse_line(self, line: bytes) -> list[Line | Reason]:
        overlong, self._overlong = self._overlong, False
        first, self._first = self._first, False
        text = line.removesuffix(b"\r")
        if not text and not overlong:
            return []
        try:
            if overlong:
                raise WireError(Reason.LENGTH)
            return [parse(text)]
        except WireError as error:
            return [] if first else [error.reason]  # opening a port in mid-line truncates the first one


@dataclass(frozen=True, slots=True)
class Lost:
    """Number of lines from the board that did not arrive."""

    lines: int


@dataclass(frozen=True, slots=True)
class Restarted:
    """The board was reset; the cause is as far as it knows."""

    cause: str


@dataclass(frozen=True, slots=True)
class WrongVersion:
    """The board speaks another version of the protocol."""

    protocol: int
    firmware: str


@dataclass(frozen=True, slots=True)
class Garbage:
    """Refused lines are piling up; `reason` is that of the newest."""

    reason: Reason


@dataclass(frozen=True, slots=True)
class Silence:
    """No valid line for `SILENCE_S`."""


@dataclass(frozen=True, slots=True)
class WellAgain:
    """The fault of this name has not been seen for `HOLD_S`."""

    name: str


Notice = Lost | Restarted | WrongVersion | Garbage | Silence | WellAgain


@dataclass
class Ear:
    """Keeps track of one connection."""

    now_s: float
    refused: int = 0
    lost: int = 0
    _last_sequence: int | None = None
    _last_ms: int = 0
    _last_good_s: float = field(init=False)
    _refused_at_s: deque[float] = field(default_factory=deque)
    _since: dict[str, float] = field(default_factory=dict)
    _silent: bool = False

    def __post_init__(self) -> None:
        """Silence is counted from the opening of the port."""
        self._last_good_s = self.now_s

    def take_line(self, line: Line, now_s: float) -> list[Notice]:
        """Take a valid line; return what its number, time and version say."""
        self._last_good_s, self._silent = now_s, False
        notices: list[Notice] = []
        if self._is_restart(line):
            cause = str(line.fields[3]) if line.kind is Kind.HELLO else "unknown"
            notices.append(Restarted(cause))
        elif self._last_sequence is not None:
            gap = (line.sequence - self._last_sequence - 1) % SEQUENCES
            if gap:
                self.lost += gap
                self._since["lost"] = now_s
                notices.append(Lost(gap))
        self._last_sequence, self._last_ms = line.sequence, line.ms
        if line.kind is Kind.HELLO and line.number(1) != PROTOCOL:
            notices.append(WrongVersion(line.number(1), str(line.fields[2])))
        return notices + self.tick(now_s)

    def take_refused(self, reason: Reason, now_s: float) -> list[Notice]:
        """Take a refused line."""
        self.refused += 1
        self._refused_at_s.append(now_s)
        while self._refused_at_s[0] < now_s - GARBAGE_S:
            self._refused_at_s.popleft()
        notices = self.tick(now_s)
        if len(self._refused_at_s) >= GARBAGE_LINES:
            if "garbage" not in self._since:
                notices.append(Garbage(reason))
            self._since["garbage"] = now_s
        return notices

    def clear_faults(self) -> None:
        """Forget earlier faults: a greeting clears them, and what goes on is told anew."""
        self._since.clear()

    def tick(self, now_s: float) -> list[Notice]:
        """Return what the passing of time alone says."""
        notices: list[Notice] = []
        for name, seen_at in list(self._since.items()):
            if now_s - seen_at >= HOLD_S:
                del self._since[name]
                notices.append(WellAgain(name))
        if now_s - self._last_good_s >= SILENCE_S and not self._silent:
            self._silent = True
            notices.append(Silence())
        return notices

    def _is_restart(self, line: Line) -> bool:
        """Whether the board was reset; unknown at the first line. Milliseconds wrap after 49 days, which is
        no reset."""
        if self._last_sequence is None:
            return False
        ran_backwards = line.ms < self._last_ms and self._last_ms - line.ms < 2**31
        is_first_hello = line.kind is Kind.HELLO and line.sequence == 0
        return ran_backwards or (is_first_hello and self._last_sequence != SEQUENCES - 1)
