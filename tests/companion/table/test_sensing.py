"""The sensor process's loop, without a process of its own: whose turn it is."""

import threading
from multiprocessing import Pipe
from multiprocessing.connection import Connection

import pytest

from companion.table.messages import (
    Alive,
    Calibrate,
    CalibrationAnswer,
    CalibrationSays,
    CameraSays,
    Check,
    Checked,
    Json,
    Said,
    SensorSays,
    SensorSpec,
    Stop,
    TellBoard,
    UseCamera,
)
from companion.table.sensing.eye import Eye
from companion.table.sensing.phonesource import PhoneSource
from companion.table.sensing.process import Sensing
from firmware.link.events import Answered, SensorEvent
from firmware.link.wire import Command
from tests.patience import PATIENCE_S, until
from tests.vision.cameras import AsleepPhone, numbered
from tests.vision.test_pictures import blank_png
from vision.pictures import MOST_SENT_PIXELS, Picture
from vision.reader import TrayReader
from vision.sources import LockState
from vision.sources.live import HANGS_AFTER_S, LiveSource


def test_who_asks_again_and_again_does_not_blind_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    """Four checks are waiting: between any two of them camera and load cell have their turn."""
    ours, theirs = Pipe()
    turns: list[str] = []
    sensing = Sensing(theirs, SensorSpec("none", "none"))
    poll = sensing._sensor.poll

    def note_turn(wait_s: float) -> list[SensorEvent]:
        turns.append("turn")
        return poll(wait_s)

    monkeypatch.setattr(sensing._sensor, "poll", note_turn)
    for number in range(4):
        ours.send(Check(number, b"no picture"))
    ours.send(TellBoard(Command.TARE))
    for _ in range(4):
        assert sensing._step()
    reports: list[Said] = []
    while ours.poll():
        if (report := ours.recv()) != Alive():
            reports.append(report)
    kinds = [report.number if isinstance(report, Checked) else type(report) for report in reports]
    assert kinds == [CameraSays, 0, SensorSays, 1, 2, 3], "one a turn, in their order"
    assert SensorSays(Answered(Command.TARE, (), 0, "gone")) in reports
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


def test_what_a_device_sends_is_read_as_such() -> None:
    """A photo, or a camera phone's picture, that would fill the memory is refused."""
    _, theirs = Pipe()
    sensing = Sensing(theirs, SensorSpec("phone", "none"))
    large = blank_png(2048, MOST_SENT_PIXELS // 2048 + 1)
    sensing._source = source = PhoneSource(lambda _: None)
    source.feed(large)
    assert source.trouble is not None
    assert source.trouble.key == "picture_large"
    assert sensing._carry_out_check(Check(1, large)).key == "picture_large"


def test_a_calibration_is_of_one_camera() -> None:
    """One begun with one camera and finished with another was kept, and the tray had moved a second later;
    without a camera it could not be ended."""
    ours, theirs = Pipe()
    sensing = Sensing(theirs, SensorSpec("none", "none"))
    ours.send(Calibrate("kitchen", ""))
    assert sensing._step()
    assert sensing._guide.is_leading
    ours.send(UseCamera("none"))
    assert sensing._step()
    assert not sensing._guide.is_leading
    reports = []
    while ours.poll():
        reports.append(ours.recv())
    assert [report.state["phase"] for report in reports if isinstance(report, CalibrationSays)][-1] == "off"


def test_a_frozen_picture_is_none_of_the_step_that_is_due() -> None:
    """Red cubes lay there when it froze, and were learned as blue: by then the person had put in others."""
    ours, theirs = Pipe()
    sensing = Sensing(theirs, SensorSpec("none", "none"))
    sensing._source = source = AsleepPhone()
    sensing._eye = Eye(source, TrayReader())
    state: Json = {}

    def next_wait() -> object:
        assert sensing._step()
        while ours.poll():
            report = ours.recv()
            if isinstance(report, CalibrationSays):
                state.update(report.state)
        return state.get("waits")

    ours.send(Calibrate("kitchen", ""))
    until(lambda: next_wait() == "ready")
    assert [next_wait() for _ in range(20)][-1] == "ready"
    ours.send(CalibrationAnswer(True, state["asked"]))
    until(lambda: next_wait() == "picture")
    assert {next_wait() for _ in range(40)} == {"picture"}
    source.asleep = False
    until(lambda: next_wait() != "picture")
    sensing._guide.end()


class Driver:
    """A camera whose driver returns from a read only when allowed to."""

    light = LockState.ELSEWHERE

    def __init__(self) -> None:
        self.may_return = threading.Event()
        self.asked = threading.Event()

    def read(self) -> Picture:
        self.asked.set()
        self.may_return.wait(PATIENCE_S)
        return numbered(1)

    def close(self) -> None:
        """Nothing to release."""


def test_a_camera_whose_driver_never_comes_back_stops_the_beat(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only a new process can open it, even if another camera was used meanwhile."""
    ours, theirs = Pipe()
    drivers = [Driver(), Driver()]
    now_s = [0.0]
    sources: list[LiveSource] = []

    def open_source(name: str) -> LiveSource:
        driver = drivers[len(sources)]
        sources.append(LiveSource(name, lambda: driver, lambda: now_s[0]))
        driver.asked.wait(PATIENCE_S)
        return sources[-1]

    monkeypatch.setattr("companion.table.sensing.process.open_source", open_source)
    monkeypatch.setattr("companion.table.sensing.process._BEAT_S", 0.0)
    monkeypatch.setattr("vision.sources.live.SILENT_AFTER_S", 0.01)  # how long closing waits for the driver
    sensing = Sensing(theirs, SensorSpec("0", "none"))
    assert _steps_with_beat(sensing, ours)
    now_s[0] += HANGS_AFTER_S + 1
    assert not _steps_with_beat(sensing, ours)
    drivers[1].may_return.set()
    ours.send(UseCamera("1"))
    _steps_with_beat(sensing, ours)
    assert not _steps_with_beat(sensing, ours), "the first is still held, and may be wanted again"
    assert len(sources) == 2
    drivers[0].may_return.set()
    until(lambda: not sources[0].is_running)
    assert _steps_with_beat(sensing, ours)
    sources[1].close()


def test_a_camera_that_says_nothing_does_not_hold_up_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """A stalled stream gives up a read only after seconds, and Ctrl-C waited for it."""
    ours, theirs = Pipe()
    driver = Driver()
    source = LiveSource("0", lambda: driver)
    monkeypatch.setattr("companion.table.sensing.process.open_source", lambda _: source)
    monkeypatch.setattr("vision.sources.live.SILENT_AFTER_S", PATIENCE_S)  # as when cameras are switched
    ends = threading.Thread(target=Sensing(theirs, SensorSpec("0", "none")).run)
    ends.start()
    until(driver.asked.is_set)
    ours.send(Stop())
    until(lambda: not ends.is_alive())
    assert source.is_running
    driver.may_return.set()
    until(lambda: not source.is_running)


def _steps_with_beat(sensing: Sensing, ours: Connection) -> bool:
    assert sensing._step()
    reports = []
    while ours.poll():
        reports.append(ours.recv())
    return Alive() in reports
