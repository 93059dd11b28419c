"""Zero and scale from the page: one command after another, and the board's own answers."""

import pytest

from companion.table.desks.scaledesk import LATE_S, NO_ZERO, OFF, BoardBusy, ScaleDesk, Word
from companion.table.messages import Order, SensorSays, TellBoard
from firmware.link.events import Answered, LinkDown, LinkUp
from firmware.link.wire import Command
from tests.companion.table.tables import Clock

TARE, SAVE = TellBoard(Command.TARE), TellBoard(Command.SAVE)


class DeskRig:
    def __init__(self) -> None:
        self.clock = Clock()
        self.orders: list[Order] = []
        self.off = False
        self.desk = ScaleDesk(self._take_order, self.clock)

    def _take_order(self, order: Order) -> bool:
        if not self.off:
            self.orders.append(order)
        return not self.off

    def answer(self, order: TellBoard, reason: str | None = None) -> object:
        return self.desk.hear(SensorSays(Answered(order.command, order.arguments, 0, reason)))

    def set_zero(self) -> None:
        self.desk.ask(Word.TARE)
        self.answer(TARE)
        self.answer(SAVE)
        self.orders.clear()

    @property
    def state(self) -> tuple[str, str]:
        view = self.desk.view()
        return view["state"], view["reason"]


def test_zero_is_done_when_the_board_has_kept_it() -> None:
    rig = DeskRig()
    assert rig.state == ("none", "")
    rig.desk.ask(Word.TARE)
    assert (rig.orders, rig.state) == ([TARE], ("asked", ""))
    assert rig.answer(TARE) is None
    assert (rig.orders, rig.state) == ([TARE, SAVE], ("asked", ""))
    assert rig.answer(SAVE) is not None
    assert rig.state == ("done", "")


def test_cubes_are_weighed_with_their_number() -> None:
    rig = DeskRig()
    rig.set_zero()
    rig.desk.ask(Word.CALIBRATE, 62)
    [order] = rig.orders
    assert order == TellBoard(Command.CALIBRATE, ("cubes", 62))
    rig.answer(TellBoard(Command.CALIBRATE, ("cubes", 61)))  # an answer to something else
    assert rig.orders == [order]
    rig.answer(TellBoard(Command.CALIBRATE, ("cubes", 62)))
    rig.answer(SAVE)
    assert rig.desk.view() == {"word": "calibrate", "cubes": 62, "state": "done", "reason": ""}


def test_cubes_are_not_weighed_before_zero_was_set_on_this_board() -> None:
    """The tray was weighed with the cubes, and the page said that the cubes were weighed."""
    rig = DeskRig()
    rig.desk.ask(Word.CALIBRATE, 62)
    assert (rig.orders, rig.state) == ([], ("refused", NO_ZERO))
    rig.set_zero()
    rig.desk.hear(SensorSays(LinkUp("/dev/ttyACM1", "0.1.0")))
    rig.desk.ask(Word.CALIBRATE, 62)
    assert (rig.orders, rig.state) == ([], ("refused", NO_ZERO)), "it may be another board"


@pytest.mark.parametrize("first", [None, "moving"])
def test_what_the_board_refuses_is_told_and_not_saved(first: str | None) -> None:
    rig = DeskRig()
    rig.desk.ask(Word.TARE)
    rig.answer(TARE, first)
    if first is None:
        rig.answer(SAVE, "storage")
    assert rig.state == ("refused", first or "storage")
    assert rig.orders.count(SAVE) == (first is None)
    rig.desk.ask(Word.TARE)  # and it can be tried again
    assert rig.state == ("asked", "")


def test_one_thing_after_the_other() -> None:
    rig = DeskRig()
    rig.desk.ask(Word.TARE)
    with pytest.raises(BoardBusy):
        rig.desk.ask(Word.CALIBRATE, 5)
    assert rig.orders == [TARE]


def test_a_sensor_process_that_has_ended_is_not_waited_for() -> None:
    rig = DeskRig()
    rig.desk.ask(Word.TARE)
    rig.clock.now_s += LATE_S + 1
    assert rig.state == ("refused", "unanswered")
    rig.answer(TARE)  # too late: nobody waits for it
    assert (rig.orders, rig.state) == ([TARE], ("refused", "unanswered"))


def test_a_board_that_is_switched_off_is_not_waited_for() -> None:
    """Before it was asked, while it is asked, and between setting and saving zero."""
    rig = DeskRig()
    rig.off = True
    rig.desk.ask(Word.TARE)
    assert rig.state == ("refused", OFF)
    rig.off = False
    rig.desk.ask(Word.TARE)
    rig.desk.hear(SensorSays(LinkDown("", "The load cell is turned off.", "", OFF)))
    assert rig.state == ("refused", OFF)
    rig.desk.ask(Word.TARE)
    rig.off = True
    rig.answer(TARE)
    assert (rig.orders, rig.state) == ([TARE, TARE], ("refused", OFF))


@pytest.mark.parametrize("word", [Word.TARE, Word.CALIBRATE])
def test_a_board_that_restarts_before_it_saves_is_not_said_to_have_done_it(word: Word) -> None:
    """It had its old values again and saved those: the page said that it was done."""
    rig = DeskRig()
    rig.set_zero()
    rig.desk.ask(word, 20)
    [order] = rig.orders
    assert isinstance(order, TellBoard)
    rig.answer(order)
    rig.desk.hear(SensorSays(LinkDown("/dev/ttyACM0", "The board restarted.", "", "restarted")))
    rig.desk.hear(SensorSays(LinkUp("/dev/ttyACM0", "0.2.0")))
    assert rig.state == ("refused", "restarted")
    assert rig.answer(SAVE) is None
    assert rig.state == ("refused", "restarted")
    rig.desk.ask(Word.CALIBRATE, 20)
    assert rig.state == ("refused", NO_ZERO)
