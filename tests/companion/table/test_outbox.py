"""Orders waiting for the sensor process, over real pipes that nobody reads."""

from collections.abc import Iterator
from multiprocessing import Pipe

import pytest

from companion.table.desks.outbox import Outbox
from companion.table.messages import (
    Calibrate,
    CalibrationEnd,
    Check,
    Expect,
    LookNow,
    Order,
    PhoneFrame,
    Stop,
    TellBoard,
    UseCamera,
    UseProfile,
    WatchLive,
)
from firmware.link.wire import Command
from tests.patience import PATIENCE_S, until

NOBODY_KNOWS = Expect(None)
PHOTO = b"p" * 3_000_000
"""More than any pipe holds."""


@pytest.fixture
def outbox() -> Iterator[Outbox]:
    new_outbox = Outbox()
    new_outbox.start()
    yield new_outbox
    new_outbox.close()
    new_outbox.close()


class Process:
    """The other end of a pipe; it reads only when asked what it heard."""

    def __init__(self, outbox: Outbox, first: Order = NOBODY_KNOWS) -> None:
        self._outbox = outbox
        self._ours, self._theirs = Pipe()
        outbox.connect(self._ours, first)

    def next_order(self) -> Order:
        assert self._theirs.poll(PATIENCE_S), "nothing came"
        order: Order = self._theirs.recv()
        return order

    def hangs_at_a_photo(self) -> None:
        """Let it read nothing any more: a photo is on its way, and does not arrive."""
        self._outbox.put(Check(0, PHOTO))
        assert self._theirs.poll(PATIENCE_S)

    def dies(self) -> None:
        self._theirs.close()
        assert self._outbox.disconnect()
        self._ours.close()


def test_nobody_waits_for_a_process_that_hangs_and_it_hears_the_newest_later(outbox: Outbox) -> None:
    process = Process(outbox)
    assert process.next_order() == NOBODY_KNOWS
    process.hangs_at_a_photo()
    for number in range(100):
        outbox.put(PhoneFrame(b"%d" % number + PHOTO))
        outbox.put(Expect({"red": number}))
        outbox.put(LookNow())
        outbox.put(WatchLive())
    assert process.next_order() == Check(0, PHOTO)
    rest = [process.next_order() for _ in range(4)]
    assert rest == [Expect({"red": 99}), PhoneFrame(b"99" + PHOTO), LookNow(), WatchLive()]
    outbox.put(Stop())
    assert process.next_order() == Stop(), "and nothing else waited"


def test_of_each_kind_the_newest_waits_for_a_process_that_is_not_there_yet(outbox: Outbox) -> None:
    """A profile was chosen, and the phone that is the camera asks once a second what is seen."""
    tare = TellBoard(Command.TARE)
    assert outbox.put(UseProfile()) == (True, None)
    assert outbox.put(Check(1, b"a photo")) == (True, None)
    assert outbox.put(tare) == (True, None)
    assert outbox.put(Check(2)) == (True, None)
    for number in range(3, 9):
        assert outbox.put(Check(number)) == (True, Check(number - 1))
    assert outbox.put(WatchLive()) == (False, None)
    process = Process(outbox)
    next_order = [process.next_order() for _ in range(5)]
    assert next_order == [NOBODY_KNOWS, UseProfile(), Check(1, b"a photo"), tare, Check(8)]
    outbox.put(Stop())
    assert process.next_order() == Stop(), "who looks at live pictures asks again"


def test_a_calibration_that_was_left_before_it_began_does_not_begin(outbox: Outbox) -> None:
    outbox.put(Calibrate("kitchen", "today"))
    outbox.put(CalibrationEnd())
    process = Process(outbox)
    assert [process.next_order(), process.next_order()] == [NOBODY_KNOWS, CalibrationEnd()]


def test_what_the_dead_did_not_hear_the_next_one_hears_in_its_order(outbox: Outbox) -> None:
    first = Process(outbox)
    first.hangs_at_a_photo()
    outbox.put(UseProfile())
    outbox.put(LookNow())
    outbox.put(UseCamera("0"))
    first.dies()
    outbox.forget(Check)
    second = Process(outbox)
    assert [second.next_order() for _ in range(3)] == [NOBODY_KNOWS, UseProfile(), UseCamera("0")]
    outbox.put(Stop())
    assert second.next_order() == Stop(), "the look was for the tray of that time, the photo's asker was told"


def test_a_pipe_that_breaks_at_an_order_loses_nothing_that_somebody_waits_for(outbox: Outbox) -> None:
    first = Process(outbox)
    assert first.next_order() == NOBODY_KNOWS
    first._theirs.close()
    outbox.put(UseProfile())
    first.dies()
    second = Process(outbox)
    assert [second.next_order(), second.next_order()] == [NOBODY_KNOWS, UseProfile()]


def test_nothing_waits_beyond_a_pause(outbox: Outbox) -> None:
    outbox.put(UseProfile())
    outbox.shut()
    assert outbox.put(Check(1)) == (False, None)
    outbox.open()
    outbox.put(Check(2))
    process = Process(outbox)
    assert [process.next_order(), process.next_order()] == [NOBODY_KNOWS, Check(2)]


def test_the_end_comes_before_all_that_waits(outbox: Outbox) -> None:
    process = Process(outbox)
    assert process.next_order() == NOBODY_KNOWS
    process.hangs_at_a_photo()
    outbox.put(UseProfile())
    outbox.put_last(Stop())
    outbox.put(UseProfile())
    assert [process.next_order(), process.next_order()] == [Check(0, PHOTO), Stop()]


def test_its_thread_ends_while_nobody_listens() -> None:
    outbox = Outbox()
    outbox.start()
    process = Process(outbox)
    process.hangs_at_a_photo()
    process.dies()
    outbox.close()
    until(lambda: not outbox._thread.is_alive())
