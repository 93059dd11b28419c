"""Commands for a board: one after another, each until it is answered, refused, or given up.

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
"""IDs of commands, from 1; the next number is reserved for the greeting."""
_UNANSWERED: Final = "unanswered"


@dataclass(frozen=True, slots=True)
class Answer:
    """Answer to a command: its value, or why not. `reason` is None if the command was carried out."""

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
    """The command queue of one link; only the first one is in flight."""

    def __init__(self) -> None:
        self.answers: deque[Answer] = deque()
        """Answers to commands, oldest first."""
        self._asked: deque[_Asked] = deque()
        self._number = 0
        self._unanswered = False
        """Whether the board left a command unanswered and has answered none since."""

    def ask(self, command: Command, *arguments: int | str) -> None:
        """Queue a command; its answer will be in `answers`."""
        self._number = self._number % NUMBERS + 1
        self._asked.append(_Asked(self._number, command, arguments))

    def due(self, now: float) -> bytes | None:
        """Return what has to be sent now, for the first time or again."""
        if not self._asked or now < self._asked[0].again_at or self._asked[0].tries == TRIES:
            return None
        first = self._asked[0]
        first.tries += 1
        first.again_at = now + ANSWER_S
        return order(first.number, first.command, *first.arguments)

    def late(self, now: float) -> list[SensorEvent]:
        """Give up the first command once its tries are used up."""
        if not self._asked or self._asked[0].tries < TRIES or now < self._asked[0].again_at:
            return []
        self.answers.append(self._asked.popleft().answer(0, _UNANSWERED))
        self._unanswered = True
        return [troubles.fault(_UNANSWERED)]

    def answered(self, line: Line) -> list[SensorEvent]:
        """Take an ACK or NAK from the board."""
        if not self._asked or line.number(0) != self._asked[0].number:
            return []
        if line.kind is Kind.NAK and line.fields[1] == "busy" and self._asked[0].tries < TRIES:
            return []  # retried after its time-out
        value, reason = (line.number(2), None) if line.kind is Kind.ACK else (0, str(line.fields[1]))
        self.answers.append(self._asked.popleft().answer(value, reason))
        over, self._unanswered = self._unanswered, False
        return [Recovered(_UNANSWERED)] if over else []

    def greeted(self) -> None:
        """Forget earlier faults: a greeting clears them."""
        self._unanswered = False

    def gone(self) -> None:
        """The board is lost: nothing will be answered."""
        self.answers.extend(asked.answer(0, "gone") for asked in self._asked)
        self._asked.clear()

    def restarted(self) -> None:
        """The board was reset: send everything again, except a SAVE under way, whose values are lost."""
        for asked in [one for one in self._asked if one.command is Command.SAVE and one.tries]:
            self._asked.remove(asked)
            self.answers.append(asked.answer(0, "restarted"))
        for asked in self._asked:
            asked.tries, asked.again_at = 0, 0.0
