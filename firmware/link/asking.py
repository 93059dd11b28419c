"""Commands for a board: one after another, each until it is answered, refused, or given up.

Pure: time is an argument.
"""

from collections import deque
from dataclasses import dataclass
from typing import Final

from firmware.link import troubles
from firmware.link.events import Recovered, SensorEvent
from firmware.link.wire import Command, Kind, Line, compose_command

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
class _Pending:
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
        self._pending: deque[_Pending] = deque()
        self._number = 0
        self._unanswered = False
        """Whether the board left a command unanswered and has answered none since."""

    def ask(self, command: Command, *arguments: int | str) -> None:
        """Queue a command; its answer will be in `answers`."""
        self._number = self._number % NUMBERS + 1
        self._pending.append(_Pending(self._number, command, arguments))

    def take_due(self, now: float) -> bytes | None:
        """Return what has to be sent now, for the first time or again."""
        if not self._pending or now < self._pending[0].again_at or self._pending[0].tries == TRIES:
            return None
        first = self._pending[0]
        first.tries += 1
        first.again_at = now + ANSWER_S
        return compose_command(first.number, first.command, *first.arguments)

    def give_up_late(self, now: float) -> list[SensorEvent]:
        """Give up the first command once its tries are used up."""
        if not self._pending or self._pending[0].tries < TRIES or now < self._pending[0].again_at:
            return []
        self.answers.append(self._pending.popleft().answer(0, _UNANSWERED))
        self._unanswered = True
        return [troubles.fault(_UNANSWERED)]

    def take_answer(self, line: Line) -> list[SensorEvent]:
        """Take an ACK or NAK from the board."""
        if not self._pending or line.number(0) != self._pending[0].number:
            return []
        if line.kind is Kind.NAK and line.fields[1] == "busy" and self._pending[0].tries < TRIES:
            return []  # retried after its time-out
        value, reason = (line.number(2), None) if line.kind is Kind.ACK else (0, str(line.fields[1]))
        self.answers.append(self._pending.popleft().answer(value, reason))
        was_unanswered, self._unanswered = self._unanswered, False
        return [Recovered(_UNANSWERED)] if was_unanswered else []

    def clear_faults(self) -> None:
        """Forget earlier faults: a greeting clears them."""
        self._unanswered = False

    def fail_all(self) -> None:
        """The board is lost: nothing will be answered."""
        self.answers.extend(pending.answer(0, "gone") for pending in self._pending)
        self._pending.clear()

    def resend_all(self) -> None:
        """The board was reset: send everything again, except a SAVE under way, whose values are lost."""
        for pending in [entry for entry in self._pending if entry.command is Command.SAVE and entry.tries]:
            self._pending.remove(pending)
            self.answers.append(pending.answer(0, "restarted"))
        for pending in self._pending:
            pending.tries, pending.again_at = 0, 0.0
