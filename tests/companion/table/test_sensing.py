"""The sensor process's loop, without a process of its own: whose turn it is."""

from multiprocessing import Pipe

import pytest

from companion.table.messages import (
    CalibrationSays,
    CameraSays,
    Check,
    Checked,
    Said,
    SensorSays,
    SensorSpec,
    Stop,
    TellBoard,
)
from companion.table.sensing.process import Sensing
from firmware.link.events import Answered, SensorEvent
from firmware.link.wire import Command


def test_who_asks_again_and_again_does_not_blind_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    """Four wait to be told what is seen: between any two of them camera and load cell have their turn."""
    ours, theirs = Pipe()
    turns: list[str] = []
    sensing = Sensing(theirs, SensorSpec("none", "none"))
    poll = sensing._sensor.poll

    def turn(wait_s: float) -> list[SensorEvent]:
        turns.append("turn")
        return poll(wait_s)

    monkeypatch.setattr(sensing._sensor, "poll", turn)
    for number in range(4):
        ours.send(Check(number, b"no picture"))
    ours.send(TellBoard(Command.TARE))
    for _ in range(4):
        assert sensing._step()
    said: list[Said] = []
    while ours.poll():
        said.append(ours.recv())
    kinds = [one.number if isinstance(one, Checked) else type(one) for one in said]
    assert kinds == [CameraSays, 0, SensorSays, 1, 2, 3], "one a turn, in their order"
    assert SensorSays(Answered(Command.TARE, (), 0, "gone")) in said
    assert len(turns) == 4


def test_the_end_does_not_wait_for_what_was_put_aside() -> None:
    ours, theirs = Pipe()
    for number in range(4):
        ours.send(Check(number, b"no picture"))
    ours.send(Stop())
    Sensing(theirs, SensorSpec("none", "none")).run()
    assert ours.recv() == CalibrationSays({"phase": "off"})
    assert ours.recv() == CameraSays("none")
    assert not ours.poll()
