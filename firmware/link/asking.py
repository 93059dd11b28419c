"""What a board is asked: one thing after the other, each until it answers, refuses, or is given up.

Pure: time is an argument.
"""

from collections import deque
from dataclasses import dataclass
from typing import Final

from firmware.link import troubles
from firmware.link.events import Recovered, SensorEvent
from firmware.link.wire import Command, Kind, Line, order

ANSWER_S: Final = 3.0
TRIES: Final = 3
NUMBERS: Final = 998
"""IDs of what is asked, from 1; the one after them is free for the greeting."""
_UNANSWERED: Final = "unanswered"


@dataclass(frozen=True, slots=True)
class Answer:
    """To a command: its value, or why not. `reason` is None when it was carried out."""

    command: Command
    value: int
    reason: str | None
    arguments: tuple[int | str, ...] = ()


@dataclass
class _Asked:
    number: int
    command: Command
    arguments: tuple[int | str, ...]
    tries: int = 0
    again_at: float = 0.0

    def answer(self, value: int, reason: str | None) -> Answer:
        return Answer(self.command, value, reason, self.arguments)


class Asking:
    """The queue of one link; the first of it is asked."""

    def __init__(self) -> None:
        self.answers: deque[Answer] = deque()
        """To what was asked, oldest first."""
        self._asked: deque[_Asked] = deque()
        self._number = 0
        self._unanswered = False
        """The board has left something unanswered, and answered nothing since."""

    def ask(self, command: Command, *arguments: int | str) -> None:
        """Send a command when its turn comes; the answer will be in `answers`."""
        self._number = self._number % NUMBERS + 1
        self._asked.append(_Asked(self._number, command, arguments))

    def due(self, now: float) -> bytes | None:
        """What has to be sent now, for the first time or again."""
        if not self._asked or now < self._asked[0].again_at or self._asked[0].tries == TRIES:
            return None
        first = self._asked[0]
        first.tries += 1
        first.again_at = now + ANSWER_S
        return order(first.number, first.command, *first.arguments)

    def late(self, now: float) -> list[SensorEvent]:
        """The first is given up when it was asked often enough."""
        if not self._asked or self._asked[0].tries < TRIES or now < self._asked[0].again_at:
            return []
        self.answers.append(self._asked.popleft().answer(0, _UNANSWERED))
        self._unanswered = True
        return [troubles.fault(_UNANSWERED)]

    def answered(self, line: Line) -> list[SensorEvent]:
        """An ACK or a NAK of the board."""
        if not self._asked or line.number(0) != self._asked[0].number:
            return []
        if line.kind is Kind.NAK and line.fields[1] == "busy" and self._asked[0].tries < TRIES:
            return []  # asked again when its time is up
        value, reason = (line.number(2), None) if line.kind is Kind.ACK else (0, str(line.fields[1]))
        self.answers.append(self._asked.popleft().answer(value, reason))
        over, self._unanswered = self._unanswered, False
        return [Recovered(_UNANSWERED)] if over else []

    def greeted(self) -> None:
        """All faults are of the past."""
        self._unanswered = False

    def gone(self) -> None:
        """The board is lost: nothing will be answered."""
        self.answers.extend(asked.answer(0, "gone") for asked in self._asked)
        self._asked.clear()

    def restarted(self) -> None:
        """The board was reset: all is asked anew, but for what was to be kept, which is gone."""
        for asked in [one for one in self._asked if one.command is Command.SAVE and one.tries]:
            self._asked.remove(asked)
            self.answers.append(asked.answer(0, "restarted"))
        for asked in self._asked:
            asked.tries, asked.again_at = 0, 0.0
