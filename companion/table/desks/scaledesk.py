"""Zero and scale from the page: what the board is told, one command after another, and what it answered."""

import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from companion.table.errors import TableRefusal
from companion.table.messages import Order, Report, SensorSays, TellBoard
from companion.table.past.history import Json
from firmware.link.asking import ANSWER_S, TRIES
from firmware.link.events import Answered, LinkDown, LinkUp
from firmware.link.wire import Command

LATE_S: Final = 3 * TRIES * ANSWER_S
"""When to give up on an answer: for a silent board the link answers, for a link that died the host."""
ENDED: Final = "ended"
"""The sensor process took the command and ended before it passed on an answer."""
NOT_KEPT: Final = "not_kept"
"""The board has its scale, but what a cube weighs could not be saved here."""
NO_ZERO: Final = "no_zero"
"""What lay there before would be weighed with the cubes, and on a new board the tray itself."""
OFF: Final = "off"
"""Name of the state in which a person has switched the load cell off, and the reason for refusing then."""


class Word(StrEnum):
    """What a person may ask for."""

    TARE = "tare"
    CALIBRATE = "calibrate"


class State(StrEnum):
    """How far the newest request is."""

    NONE = "none"
    ASKED = "asked"
    DONE = "done"
    REFUSED = "refused"


class BoardBusy(TableRefusal):
    """One command at a time."""

    status = 409

    def __init__(self) -> None:
        super().__init__("board_busy", "The board is still busy. Wait a moment.")


@dataclass(frozen=True, slots=True)
class Asked:
    """The newest thing that was asked of the board."""

    word: Word = Word.TARE
    cubes: int = 0
    """With `CALIBRATE`."""
    state: State = State.NONE
    reason: str = ""
    """Why it was refused (`firmware.link.troubles.REFUSALS`, `NOT_KEPT`, `NO_ZERO`, `OFF`, `ENDED`)."""


class ScaleDesk:
    """Hears the sensor process and answers pages; thread-safe."""

    def __init__(self, order: Callable[[Order], bool], clock: Callable[[], float]) -> None:
        """`order` sends a command to the board and returns whether anybody hears it."""
        self._order = order
        self._clock = clock
        self._lock = threading.Lock()
        self._request = Asked()
        self._asked_at_s = 0.0
        self._steps: list[TellBoard] = []
        self._zeroed = False
        """Whether zero was set since this board was connected."""

    def ask(self, word: Word, cubes: int = 0) -> None:
        """Have the board do it and save it, so that it survives power cuts. Raises `BoardBusy`."""
        first_step = TellBoard(Command.TARE)
        if word is Word.CALIBRATE:
            first_step = TellBoard(Command.CALIBRATE, ("cubes", cubes))
        with self._lock:
            if self._current_request().state is State.ASKED:
                raise BoardBusy
            if word is Word.CALIBRATE and not self._zeroed:
                self._request = Asked(word, cubes, State.REFUSED, NO_ZERO)
                return
            self._request, self._asked_at_s = Asked(word, cubes, State.ASKED), self._clock()
            self._steps = [first_step, TellBoard(Command.SAVE)]
        self._send_step(first_step)

    def hear(self, report: Report) -> Asked | None:
        """Take a report; return what has just been done, if it says so."""
        match report:
            case SensorSays(Answered() as answer):
                return self._handle_answer(answer)
            case SensorSays(LinkDown(name=name)) if name == OFF:
                self._refuse_switched_off()
            case SensorSays(LinkUp()):
                self._zeroed = False
                self._refuse_restarted()
        return None

    def refuse(self, reason: str) -> None:
        """Mark as refused what the board did, because it failed on this side."""
        with self._lock:
            self._request = replace(self._request, state=State.REFUSED, reason=reason)

    def view(self) -> Json:
        """Return the state for the page."""
        with self._lock:
            request = self._current_request()
        return {
            "word": request.word.value,
            "cubes": request.cubes,
            "state": request.state.value,
            "reason": request.reason,
        }

    def _send_step(self, step: TellBoard) -> None:
        if not self._order(step):
            self._refuse_switched_off()

    def _refuse_switched_off(self) -> None:
        with self._lock:
            if self._current_request().state is State.ASKED:
                self._steps = []
                self._request = replace(self._request, state=State.REFUSED, reason=OFF)

    def _refuse_restarted(self) -> None:
        """A board that restarts before it has saved has its old values again, and would save those."""
        with self._lock:
            if self._current_request().state is State.ASKED and self._steps == [TellBoard(Command.SAVE)]:
                self._steps = []
                self._request = replace(self._request, state=State.REFUSED, reason="restarted")

    def _handle_answer(self, answer: Answered) -> Asked | None:
        with self._lock:
            if not self._steps or TellBoard(answer.command, answer.arguments) != self._steps[0]:
                return None
            if answer.reason is not None:
                self._steps = []
                self._request = replace(self._request, state=State.REFUSED, reason=answer.reason)
                return None
            self._steps = self._steps[1:]
            if not self._steps:
                self._request = replace(self._request, state=State.DONE)
                self._zeroed = True
                return self._request
            next_step = self._steps[0]
        self._send_step(next_step)
        return None

    def _current_request(self) -> Asked:
        if self._request.state is State.ASKED and self._clock() - self._asked_at_s > LATE_S:
            self._steps = []
            self._request = replace(self._request, state=State.REFUSED, reason="unanswered")
        return self._request
