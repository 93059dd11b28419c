"""Zero and scale from the page: one command after another, and the board's own answers."""

import pytest

from companion.table.desks.scaledesk import LATE_S, NO_ZERO, OFF, BoardBusy, ScaleDesk, Word
from companion.table.messages import Order, SensorSays, TellBoard
from firmware.link.events import Answered, LinkDown, LinkUp
from firmware.link.wire import Command
from tests.companion.table.tables import Clock

TARE, SAVE = TellBoard(Command.TARE), TellBoard(Command.SAVE)


class Desk:
    def __init__(self) -> None:
        self.clock = Clock()
        self.told: list[Order] = []
        self.off = False
        self.desk = ScaleDesk(self._order, self.clock)

    def _order(self, order: Order) -> bool:
        if not self.off:
            self.told.append(order)
        return not self.off

    def answers(self, what: TellBoard, reason: str | None = None) -> object:
        return self.desk.hear(SensorSays(Answered(what.command, what.arguments, 0, reason)))

    def sets_zero(self) -> None:
        self.desk.ask(Word.TARE)
        self.answers(TARE)
        self.answers(SAVE)
        self.told.clear()

    @property
    def state(self) -> tuple[str, str]:
        view = self.desk.view()
        return view["state"], view["reason"]


def test_zero_is_done_when_the_board_has_kept_it() -> None:
    made = Desk()
    assert made.state == ("none", "")
    made.desk.ask(Word.TARE)
    assert (made.told, made.state) == ([TARE], ("asked", ""))
    assert made.answers(TARE) is None
    assert (made.told, made.state) == ([TARE, SAVE], ("asked", ""))
    assert made.answers(SAVE) is not None
    assert made.state == ("done", "")


def test_cubes_are_weighed_with_their_number() -> None:
    made = Desk()
    made.sets_zero()
    made.desk.ask(Word.CALIBRATE, 62)
    [what] = made.told
    assert what == TellBoard(Command.CALIBRATE, ("cubes", 62))
    made.answers(TellBoard(Command.CALIBRATE, ("cubes", 61)))  # an answer to something else
    assert made.told == [what]
    made.answers(TellBoard(Command.CALIBRATE, ("cubes", 62)))
    made.answers(SAVE)
    assert made.desk.view() == {"word": "calibrate", "cubes": 62, "state": "done", "reason": ""}


def test_cubes_are_not_weighed_before_zero_was_set_on_this_board() -> None:
    """The tray was weighed with the cubes, and the page said that the cubes were weighed."""
    made = Desk()
    made.desk.ask(Word.CALIBRATE, 62)
    assert (made.told, made.state) == ([], ("refused", NO_ZERO))
    made.sets_zero()
    made.desk.hear(SensorSays(LinkUp("/dev/ttyACM1", "0.1.0")))
    made.desk.ask(Word.CALIBRATE, 62)
    assert (made.told, made.state) == ([], ("refused", NO_ZERO)), "it may be another board"


@pytest.mark.parametrize("first", [None, "moving"])
def test_what_the_board_refuses_is_told_and_not_saved(first: str | None) -> None:
    made = Desk()
    made.desk.ask(Word.TARE)
    made.answers(TARE, first)
    if first is None:
        made.answers(SAVE, "storage")
    assert made.state == ("refused", first or "storage")
    assert made.told.count(SAVE) == (first is None)
    made.desk.ask(Word.TARE)  # and it can be tried again
    assert made.state == ("asked", "")


def test_one_thing_after_the_other() -> None:
    made = Desk()
    made.desk.ask(Word.TARE)
    with pytest.raises(BoardBusy):
        made.desk.ask(Word.CALIBRATE, 5)
    assert made.told == [TARE]


def test_a_sensor_process_that_has_ended_is_not_waited_for() -> None:
    made = Desk()
    made.desk.ask(Word.TARE)
    made.clock.now_s += LATE_S + 1
    assert made.state == ("refused", "unanswered")
    made.answers(TARE)  # too late: nobody waits for it
    assert (made.told, made.state) == ([TARE], ("refused", "unanswered"))


def test_a_board_that_is_switched_off_is_not_waited_for() -> None:
    """Before it was asked, while it is asked, and between setting and saving zero."""
    made = Desk()
    made.off = True
    made.desk.ask(Word.TARE)
    assert made.state == ("refused", OFF)
    made.off = False
    made.desk.ask(Word.TARE)
    made.desk.hear(SensorSays(LinkDown("", "The load cell is turned off.", "", OFF)))
    assert made.state == ("refused", OFF)
    made.desk.ask(Word.TARE)
    made.off = True
    made.answers(TARE)
    assert (made.told, made.state) == ([TARE, TARE], ("refused", OFF))
