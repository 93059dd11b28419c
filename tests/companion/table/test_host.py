"""The sensor process: it reports, and it comes back when it dies."""

import errno
import os
import queue
import signal
import threading
from collections.abc import Callable
from multiprocessing.context import SpawnProcess
from pathlib import Path

import cv2
import pytest

from companion.demo.sensor import DEMO_CUBE
from companion.table.desks.host import SensorHost
from companion.table.desks.pulse import Pulse
from companion.table.desks.scaledesk import ENDED
from companion.table.messages import (
    PROCESS_HUNG,
    CalibrationSays,
    CameraSays,
    Check,
    Checked,
    Expect,
    LetFall,
    Looked,
    LookNow,
    Said,
    SensorSays,
    SensorSpec,
    TellBoard,
    UseProfile,
    switched_off_check,
    unread_check,
)
from companion.table.throw.weighing import Weighing
from firmware.link.events import Answered, LinkDown, LinkUp, SensorEvent
from firmware.link.troubles import link_down
from firmware.link.wire import Command
from tests.calibration.test_profile import COLOURS, with_cubes
from tests.companion.table.stand_ins import (
    dies_of_a_command,
    dies_young,
    says_whether_taught,
    stops_amid_a_word,
)
from tests.patience import PATIENCE_S, until

EVERYTHING = dict.fromkeys(("red", "blue", "yellow", "black", "purple", "green"), 62)


def _next_report(reports: "queue.Queue[Said]", wanted: type[Said], sentence: str | None = None) -> Said:
    while True:
        report = reports.get(timeout=PATIENCE_S)
        if isinstance(report, wanted) and (
            sentence is None or (isinstance(report, CameraSays) and sentence in report.sentence)
        ):
            return report


def test_it_reads_what_falls_and_comes_back_when_it_dies() -> None:
    reports: queue.Queue[Said] = queue.Queue()
    host = SensorHost(SensorSpec("demo", "demo"), reports.put)
    host.start()
    try:
        _next_report(reports, CameraSays)
        host.order(LetFall(EVERYTHING, ("red", "blue"), 9))
        assert _next_report(reports, Looked)
        assert host.pid is not None
        os.kill(host.pid, signal.SIGKILL)
        _next_report(reports, CameraSays, "stopped unexpectedly")
        _next_report(reports, CameraSays, "")
    finally:
        host.stop()
        host.stop()


def test_a_picture_to_check_waits_for_a_process_that_is_not_there_yet() -> None:
    """If it were dropped, its answer would be waited for in vain."""
    reports: queue.Queue[Said] = queue.Queue()
    host = SensorHost(SensorSpec("none", "none"), reports.put)
    host.order(Check(7, b"no picture"))
    host.start()
    try:
        checked = _next_report(reports, Checked)
        assert isinstance(checked, Checked)
        assert (checked.number, checked.looked) == (7, None)
        assert host.pid is not None
        os.kill(host.pid, signal.SIGKILL)
        _next_report(reports, CameraSays, "stopped unexpectedly")
        host.order(Check(8, b"no picture"))
        checked = _next_report(reports, Checked)
        assert isinstance(checked, Checked)
        assert checked.number == 8, "what was told once is not told again: it may be what the process died of"
    finally:
        host.stop()


def test_what_was_asked_before_a_pause_is_not_done_after_it() -> None:
    reports: queue.Queue[Said] = queue.Queue()
    host = SensorHost(SensorSpec("none", "none"), reports.put)
    host.order(Check(1, b"no picture"))
    host.pause()
    host.order(Check(2, b"no picture"))
    host.restart()
    host.start()
    try:
        _next_report(reports, CameraSays)
        host.order(Check(3, b"no picture"))
        checked = _next_report(reports, Checked)
        assert isinstance(checked, Checked)
        assert checked.number == 3
    finally:
        host.stop()


def test_nobody_waits_for_a_process_that_hangs_amid_a_photo() -> None:
    """Neither the table's tick, nor someone who switches the sensors off, nor Ctrl-C."""
    reports: queue.Queue[Said] = queue.Queue()
    host = SensorHost(SensorSpec("none", "none"), reports.put)
    host.pause()
    host.start()
    for leave in (host.pause, host.stop):
        host.restart()
        while reports.get(timeout=PATIENCE_S) != CameraSays("none"):
            pass
        assert host.pid is not None
        os.kill(host.pid, signal.SIGSTOP)
        try:
            _run_in_time(lambda: host.order(Check(1, PHOTO)))
            _run_in_time(lambda: host.order(Check(2, PHOTO)))
            _run_in_time(lambda: host.expect(Expect({"red": 1})))
            _run_in_time(lambda: host.use("none", taught=True))
            _run_in_time(leave)
            assert host.pid is None
        finally:
            if host.pid is not None:
                os.kill(host.pid, signal.SIGKILL)


def test_a_process_that_cannot_be_started_once_is_started_later(monkeypatch: pytest.MonkeyPatch) -> None:
    """Too many processes, or no memory: reported like a process that ended, and tried again."""
    reports: queue.Queue[Said] = queue.Queue()
    host = SensorHost(SensorSpec("none", "none"), reports.put)
    begins, refusals = SpawnProcess.start, [OSError(errno.EAGAIN, "no more"), OSError(errno.ENOMEM, "full")]

    def start(process: SpawnProcess) -> None:
        if refusals:
            raise refusals.pop()
        begins(process)

    monkeypatch.setattr(SpawnProcess, "start", start)
    host.start()
    try:
        for _ in range(2):
            _next_report(reports, CameraSays, "stopped unexpectedly")
        while reports.get(timeout=PATIENCE_S) != CameraSays("none"):
            pass
        assert host.pid is not None
    finally:
        host.stop()


def test_a_process_that_hangs_is_told_and_started_again() -> None:
    """It was ended only from the recovery page; one that goes on after all is trusted again."""
    reports: queue.Queue[Said] = queue.Queue()
    pulse = Pulse(silent_s=3, hangs_s=8)
    host = SensorHost(SensorSpec("demo", "demo"), reports.put, pulse)
    host.start()
    try:
        well_report = _next_report(reports, CameraSays)
        until(lambda: pulse._has_beaten)
        first_pid = host.pid
        assert first_pid is not None
        os.kill(first_pid, signal.SIGSTOP)
        silent_report = _next_report(reports, CameraSays, "is not responding")
        os.kill(first_pid, signal.SIGCONT)
        assert _next_report(reports, CameraSays) == well_report, "what it said before holds again"
        assert host.pid == first_pid
        os.kill(first_pid, signal.SIGSTOP)
        assert _next_report(reports, CameraSays) == silent_report
        hung_report = _next_report(reports, CameraSays)
        assert isinstance(hung_report, CameraSays)
        assert (hung_report.key, hung_report.sentence) == (
            PROCESS_HUNG,
            "The camera's process hung and was stopped.",
        )
        assert _next_report(reports, CameraSays) == well_report
        host.order(LetFall(EVERYTHING, ("red", "blue"), 9))
        assert _next_report(reports, Looked)
        assert host.pid not in (None, first_pid)
    finally:
        host.stop()


def test_a_process_that_hangs_amid_a_word_is_ended_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """The thread that listens waits for the rest and cannot look at a clock."""
    monkeypatch.setattr("companion.table.desks.host.main", stops_amid_a_word)
    reports: queue.Queue[Said] = queue.Queue()
    host = SensorHost(SensorSpec("0", "none"), reports.put, Pulse(hangs_s=3))
    host.start()
    try:
        _next_report(reports, CameraSays, "hung and was stopped")
        assert _next_report(reports, CameraSays) == CameraSays("0")
    finally:
        host.stop()


def test_who_asked_the_board_hears_at_once_that_its_process_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    """It took 27 s to be called unanswered; what waits for the next process is not answered on its behalf."""
    monkeypatch.setattr("companion.table.desks.host.main", dies_of_a_command)
    reports: queue.Queue[Said] = queue.Queue()
    host = SensorHost(SensorSpec("0", "demo"), reports.put)
    host.start()
    try:
        host.order(TellBoard(Command.TARE))
        assert _next_report(reports, SensorSays) == SensorSays(Answered(Command.TARE, (), 0, None))
        host.order(TellBoard(Command.SAVE))
        _next_report(reports, CameraSays, "stopped unexpectedly")
        assert _next_report(reports, SensorSays) == SensorSays(Answered(Command.SAVE, (), 0, ENDED))
        assert _next_report(reports, SensorSays) == SensorSays(link_down("ended", "demo"))
        host.order(TellBoard(Command.TARE))
        assert _next_report(reports, SensorSays) == SensorSays(Answered(Command.TARE, (), 0, None))
    finally:
        host.stop()


def test_what_ends_again_and_again_is_started_less_and_less_often(monkeypatch: pytest.MonkeyPatch) -> None:
    """A picture may kill its reader; it was restarted about once a second, and each page was told each time.

    A person who asks for a new process gets it soon.
    """
    monkeypatch.setattr("companion.table.desks.host.main", dies_young)
    reports: queue.Queue[Said] = queue.Queue()
    host = SensorHost(SensorSpec("0", "none"), reports.put)
    waits: list[float | None] = []
    wait = host._stopping.wait

    def wait_briefly(wait_s: float | None = None) -> bool:
        if threading.current_thread().name != "sensor host":
            return wait(wait_s)
        waits.append(wait_s)
        return wait(0.01)

    monkeypatch.setattr(host._stopping, "wait", wait_briefly)
    host.start()
    try:
        until(lambda: len(waits) >= 6)
        assert waits[:6] == [0.5, 1.0, 2.0, 4.0, 8.0, 8.0]
        number = len(waits)
        host.restart()
        until(lambda: 0.5 in waits[number:])
    finally:
        host.stop()


@pytest.mark.parametrize(
    ("what", "after"), [("kept", "taught"), ("not kept", "untaught"), ("chosen", "taught")]
)
def test_a_profile_for_the_phone_that_took_over_counts_after_a_restart_too(
    monkeypatch: pytest.MonkeyPatch, what: str, after: str
) -> None:
    """A calibration was kept with it, or a profile was chosen for it; the page says that this is in use."""
    monkeypatch.setattr("companion.table.desks.host.main", says_whether_taught)
    reports: queue.Queue[Said] = queue.Queue()
    host = SensorHost(SensorSpec("0", "none", what), reports.put)
    host.use("phone", taught=False)
    host.start()
    try:
        assert _next_report(reports, CameraSays) == CameraSays("untaught")
        _next_report(reports, CalibrationSays)
        _next_report(reports, CalibrationSays)
        if what == "chosen":
            host.order(UseProfile())
        host.order(LookNow())
        _next_report(reports, CameraSays, "stopped unexpectedly")
        assert _next_report(reports, CameraSays) == CameraSays(after)
    finally:
        host.stop()


def test_who_asked_hears_at_once_that_nobody_reads() -> None:
    """A newer picture took the place of one that waits, or a person switched the sensors off."""
    reports: queue.Queue[Said] = queue.Queue()
    host = SensorHost(SensorSpec("none", "none"), reports.put)
    assert host.order(Check(1))
    assert host.order(Check(2))
    assert reports.get_nowait() == unread_check(1)
    assert host.order(TellBoard(Command.TARE))
    host.pause()
    assert reports.get_nowait() == switched_off_check(2)
    assert not host.order(Check(3))
    assert not host.order(TellBoard(Command.TARE))
    assert reports.empty()


def test_who_asked_a_process_that_is_switched_off_hears_of_it() -> None:
    reports: queue.Queue[Said] = queue.Queue()
    host = SensorHost(SensorSpec("none", "none"), reports.put)
    host.start()
    try:
        _next_report(reports, CameraSays)
        assert host.pid is not None
        os.kill(host.pid, signal.SIGSTOP)
        host.order(Check(1, b"no picture"))
        host.pause()
        assert _next_report(reports, Checked) == switched_off_check(1)
        host.restart()
        _next_report(reports, CameraSays)
        host.pause()
        remaining = [reports.get_nowait() for _ in range(reports.qsize())]
        assert not any(isinstance(report, Checked) for report in remaining), "answered once is answered"
    finally:
        host.stop()


PHOTO = b"p" * 3_000_000


def _run_in_time(action: Callable[[], object]) -> None:
    """Run it in a thread, which may hang where the test must not."""
    thread = threading.Thread(target=action, daemon=True)
    thread.start()
    thread.join(PATIENCE_S)
    assert not thread.is_alive(), "it hangs"


def test_what_was_weighed_is_forgotten_when_the_process_dies() -> None:
    """Cubes lay there by weight; the next process knows nothing of them."""
    reports: queue.Queue[Said] = queue.Queue()
    scale = Weighing(DEMO_CUBE)
    host = SensorHost(SensorSpec("demo", "demo"), reports.put)
    host.start()
    try:
        while not scale.up:
            _feed_scale(scale, reports.get(timeout=PATIENCE_S))
        host.order(LetFall(EVERYTHING, ("red", "blue"), 9))
        while (weighed := scale.weighed()) is None or not weighed.cubes:
            _feed_scale(scale, reports.get(timeout=PATIENCE_S))
        assert host.pid is not None
        os.kill(host.pid, signal.SIGKILL)
        while not isinstance(event := _feed_scale(scale, reports.get(timeout=PATIENCE_S)), LinkDown | LinkUp):
            pass
        assert isinstance(event, LinkDown), "a new process came, and nobody heard of the old one's end"
        assert (event.name, event.port, scale.up) == ("ended", "demo", False)
        assert scale.trace_json(0)["mass_mg"] is None
        while not isinstance(_feed_scale(scale, reports.get(timeout=PATIENCE_S)), LinkUp):
            pass
        assert scale.weighed() is None, "nothing is known before the new process has weighed"
    finally:
        host.stop()


def _feed_scale(scale: Weighing, report: Said) -> SensorEvent | None:
    if not isinstance(report, SensorSays):
        return None
    scale.hear(report.event)
    return report.event


def test_a_camera_that_is_nothing_is_told_and_tried_again(tmp_path: Path) -> None:
    reports: queue.Queue[Said] = queue.Queue()
    host = SensorHost(SensorSpec(str(tmp_path / "no-camera"), "none"), reports.put)
    host.start()
    try:
        _next_report(reports, CameraSays, "neither a camera nor a file")
    finally:
        host.stop()


def test_an_empty_folder_and_a_port_that_is_not_there_are_told(tmp_path: Path) -> None:
    reports: queue.Queue[Said] = queue.Queue()
    host = SensorHost(SensorSpec(str(tmp_path), str(tmp_path / "no-port")), reports.put)
    host.start()
    named: set[str] = set()
    try:
        while named != {"camera", "missing"}:
            match reports.get(timeout=PATIENCE_S):
                case SensorSays(LinkDown(name=name)):
                    named.add(name)
                case CameraSays(sentence=sentence) if "There is no picture in" in sentence:
                    named.add("camera")
    finally:
        host.stop()


def test_a_broken_profile_is_told_and_the_camera_reads_without_it(tmp_path: Path) -> None:
    profiles = tmp_path / "profiles"
    profiles.mkdir()
    (profiles / "kitchen.json").write_text("{", encoding="utf-8")
    picture = tmp_path / "tray.png"
    cv2.imwrite(str(picture), with_cubes(COLOURS["red"]))
    reports: queue.Queue[Said] = queue.Queue()
    host = SensorHost(SensorSpec(str(picture), "none", "kitchen", str(profiles)), reports.put)
    host.start()
    try:
        report = _next_report(reports, CameraSays, "kitchen")
        assert isinstance(report, CameraSays)
        assert report.key == "profile_broken"  # pages say it in their language, and how to calibrate
        host.order(LookNow())
        looked = _next_report(reports, Looked)
        assert isinstance(looked, Looked)
        assert looked.reading.counts["red"] == 5
    finally:
        host.stop()
