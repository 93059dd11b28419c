"""A phone as camera: who may be it, and which picture is read."""

import itertools
import queue
import threading
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest

import companion.demo
from companion.table.desks.host import SensorHost
from companion.table.desks.phone import (
    FREE_AFTER_S,
    CameraDesk,
    CameraTaken,
    NotTheCamera,
    TooFast,
)
from companion.table.messages import (
    PROCESS_ENDED,
    CameraSays,
    Check,
    Checked,
    FrameWanted,
    Looked,
    Moving,
    Order,
    PhoneFrame,
    Report,
    SensorSpec,
    UseCamera,
)
from companion.table.sensing.eye import Eye
from companion.table.sensing.phonesource import SILENT_AFTER_S, PhoneSource
from tests.companion.table.tables import Clock, looked
from tests.patience import PATIENCE_S
from vision.reader import TrayReader

PICTURES = Path(companion.demo.__file__).parent / "pictures"
EMPTY, THROW = PICTURES / "empty.jpg", PICTURES / "throw-01.jpg"


class Host(SensorHost):
    """Notes what it is told, and starts no process."""

    def __init__(self) -> None:
        self.orders: queue.Queue[Order] = queue.Queue()
        self.off = False
        self.meanwhile: Callable[[], object] = lambda: None
        """Called just before another camera is used."""

    def order(self, order: Order) -> bool:
        if not self.off:
            self.orders.put(order)
        return not self.off

    def use(self, camera: str, *, taught: bool) -> None:
        self.meanwhile()
        self.orders.put(UseCamera(camera, taught))


class DeskRig:
    """A desk with a clock that is moved by hand."""

    def __init__(self, camera: str = "0") -> None:
        self.clock, self.host = Clock(), Host()
        self.reports: list[Report] = []
        self.desk = CameraDesk(SensorSpec(camera, "none", "kitchen"), self.reports.append, self.clock)
        self.desk.connect(self.host)

    def next_order(self) -> Order:
        return self.host.orders.get(timeout=PATIENCE_S)


class TestWhoIsTheCamera:
    def test_the_hosts_invitation_always_wins_and_the_old_key_is_dead(self) -> None:
        rig = DeskRig()
        first_key = rig.desk.take("anna", rig.desk.invite, "", free=False)
        assert rig.next_order() == UseCamera(
            "phone", taught=False
        )  # a profile is for the camera it was made with
        second_key = rig.desk.take("ben", rig.desk.invite, "", free=False)
        assert first_key != second_key
        with pytest.raises(NotTheCamera):
            rig.desk.feed(first_key, b"jpeg")
        rig.desk.feed(second_key, b"jpeg")

    def test_nobody_takes_over_from_a_camera_that_works(self) -> None:
        rig = DeskRig()
        with pytest.raises(CameraTaken):
            rig.desk.take("eve", "guessed", "", free=False)
        with pytest.raises(CameraTaken):
            rig.desk.take("eve", "", "", free=False)
        assert rig.desk.camera == "0"

    def test_a_phone_that_went_to_sleep_loses_its_place_and_gets_it_back_with_its_key(self) -> None:
        rig = DeskRig("none")
        first_key = rig.desk.take("anna", "", "", free=True)
        with pytest.raises(CameraTaken):
            rig.desk.take("ben", "", "", free=True)
        assert rig.desk.take("anna", "", first_key, free=False) == first_key
        rig.clock.now_s += FREE_AFTER_S
        second_key = rig.desk.take("ben", "", "", free=True)
        assert second_key != first_key

    @pytest.mark.parametrize("camera", ["0", "phone"])
    def test_a_second_phone_is_another_camera(self, camera: str) -> None:
        """Its pictures were read with what the first was taught. With its key, the first one keeps that."""
        rig = DeskRig(camera)
        key = rig.desk.take("anna", rig.desk.invite, "", free=False)
        rig.desk.take("anna", rig.desk.invite, key, free=False)
        rig.desk.take("ben", rig.desk.invite, "", free=False)
        again = UseCamera("phone", taught=camera == "phone")
        assert list(rig.host.orders.queue) == ([again] if camera == "phone" else [again, again])

    def test_when_the_phone_leaves_the_first_camera_looks_again(self) -> None:
        rig = DeskRig()
        key = rig.desk.take("anna", rig.desk.invite, "", free=False)
        rig.next_order()
        rig.desk.leave(key)
        assert rig.next_order() == UseCamera("0", taught=True)
        with pytest.raises(NotTheCamera):
            rig.desk.leave(key)

    @pytest.mark.parametrize(
        "changes",
        [
            lambda desk, key: desk.leave(key),
            lambda desk, _: desk.use_home(),
            lambda desk, _: desk.use_address("http://192.168.1.20/shot.jpg"),
        ],
        ids=["a phone leaves", "the host takes the first camera", "the host gives an address"],
    )
    def test_no_phone_takes_the_place_until_the_other_camera_looks(
        self, changes: Callable[[CameraDesk, str], None]
    ) -> None:
        """It would believe that it is the camera, and nobody would ask for its pictures."""
        rig = DeskRig()
        key = rig.desk.take("anna", rig.desk.invite, "", free=False)
        could_take: list[bool] = []

        def try_lock() -> None:
            could_take.append(rig.desk._changed.acquire(blocking=False))
            if could_take[0]:
                rig.desk._changed.release()

        def try_in_thread() -> None:
            attempt = threading.Thread(target=try_lock, daemon=True)
            attempt.start()
            attempt.join(PATIENCE_S)

        rig.host.meanwhile = try_in_thread
        changes(rig.desk, key)
        assert could_take == [False]

    def test_keys_cannot_be_guessed(self) -> None:
        keys = {DeskRig("none").desk.take("a", "", "", free=True) for _ in range(50)}
        assert len(keys) == 50
        assert all(len(key) >= 24 for key in keys)  # 18 bytes of the system's randomness: 144 bits


class TestPictures:
    def test_only_the_newest_goes_and_only_when_it_is_wanted(self) -> None:
        rig = DeskRig("phone")
        rig.desk.start()
        key = rig.desk.take("anna", rig.desk.invite, "", free=False)
        for number in range(5):
            rig.clock.now_s += 1
            rig.desk.feed(key, b"picture %d" % number)
        rig.desk.hear(FrameWanted())
        assert rig.next_order() == PhoneFrame(b"picture 4")
        rig.clock.now_s += 1
        rig.desk.feed(key, b"picture 5")
        assert rig.host.orders.empty()
        rig.desk.hear(FrameWanted())
        assert rig.next_order() == PhoneFrame(b"picture 5")
        rig.desk.stop()

    def test_more_than_anyone_reads_is_refused(self) -> None:
        rig = DeskRig("phone")
        key = rig.desk.take("anna", rig.desk.invite, "", free=False)
        rig.desk.feed(key, b"one")
        with pytest.raises(TooFast):
            rig.desk.feed(key, b"two")
        rig.clock.now_s += 0.1
        rig.desk.feed(key, b"three")

    def test_a_check_is_answered_and_the_table_hears_nothing(self) -> None:
        rig = DeskRig()
        answers: list[Checked] = []
        asking = threading.Thread(target=lambda: answers.append(rig.desk.check(b"photo")))
        asking.start()
        order = rig.next_order()
        assert isinstance(order, Check)
        assert order.photo == b"photo"
        rig.desk.hear(Checked(order.number, looked(red=2)))
        asking.join(PATIENCE_S)
        assert answers[0].looked == looked(red=2)
        assert rig.reports == []
        rig.desk.hear(Moving())
        assert rig.reports == [Moving()]

    def test_a_reader_that_does_not_answer_is_told(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("companion.table.desks.phone.CHECK_WAIT_S", 0.01)
        assert DeskRig().desk.check().sentence == "The reader does not answer."

    def test_nobody_waits_for_a_reader_that_is_switched_off(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("companion.table.desks.phone.CHECK_WAIT_S", 2 * PATIENCE_S)
        rig = DeskRig()
        rig.host.off = True
        assert rig.desk.check(b"photo").key == "sensors_off"

    def test_nobody_waits_for_a_reader_that_ended_on_the_picture(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("companion.table.desks.phone.CHECK_WAIT_S", 2 * PATIENCE_S)
        rig = DeskRig()
        answers: list[Checked] = []
        checking = threading.Thread(target=lambda: answers.append(rig.desk.check(b"photo")), daemon=True)
        checking.start()
        rig.next_order()
        ended = CameraSays("0", "The camera's process stopped unexpectedly.", "", PROCESS_ENDED)
        rig.desk.hear(ended)
        checking.join(PATIENCE_S)
        assert [answer.key for answer in answers] == ["no_reader"]
        assert rig.reports == [ended]


class TestSource:
    """What the eye gets from a phone."""

    def test_the_newest_picture_once(self) -> None:
        source = PhoneSource(lambda _: None, Clock())
        assert source.read(0.0) is None
        assert source.ask()
        assert not source.ask()
        source.feed(_grey_jpeg(10))
        source.feed(_grey_jpeg(200))
        assert source.ask()
        frame = source.read(0.0)
        assert frame is not None
        assert abs(float(frame.picture.mean()) - 200) < 3
        assert source.read(0.0) is None

    def test_its_troubles_are_sentences(self) -> None:
        clock = Clock()
        source = PhoneSource(lambda _: None, clock)
        assert source.trouble is not None
        assert "No phone" in source.trouble.sentence
        source.feed(_grey_jpeg(10))
        assert source.trouble is None
        source.feed(b"no picture")
        assert source.trouble is not None
        assert "is not a picture" in source.trouble.sentence
        source.feed(_grey_jpeg(10))
        clock.now_s += SILENT_AFTER_S + 1
        assert source.trouble is not None
        assert "is sending no picture" in source.trouble.sentence


def test_through_the_sensor_process_a_phones_pictures_are_read() -> None:
    """Desk, pipe, phone source, eye and reader together; then another camera without a restart."""
    reports: queue.Queue[Report] = queue.Queue()
    desk = CameraDesk(SensorSpec("none", "none"), reports.put, _Seconds())
    host = SensorHost(SensorSpec("none", "none"), desk.hear)
    desk.connect(host)
    host.start()
    desk.start()
    try:
        assert _next_report(reports, CameraSays) == CameraSays("none")
        photo = desk.check(THROW.read_bytes())
        assert photo.looked is not None
        assert sum(photo.looked.reading.counts.values()) == 12
        assert desk.check(b"\0\0\0\x18ftypheic" + b"\0" * 30).sentence.startswith("The picture is an HEIC")
        key = desk.take("anna", desk.invite, "", free=False)
        stop = threading.Event()
        feeding = threading.Thread(target=_feed, args=(desk, key, stop))
        feeding.start()
        look = _next_report(reports, Looked)
        stop.set()
        feeding.join(PATIENCE_S)
        assert isinstance(look, Looked)
        assert dict(look.reading.counts) == dict(photo.looked.reading.counts)
        desk.leave(key)
        assert _next_report(reports, CameraSays, "none") == CameraSays("none")
    finally:
        desk.stop()
        host.stop()


def test_whether_the_phone_holds_the_light_is_told_with_its_pictures() -> None:
    """Its automatic settings settle first; the table hears of it once they are locked."""
    source = PhoneSource(lambda _: None)
    eye = Eye(source, TrayReader())
    lights = []
    for light in ("settling", "settling", "locked", ""):
        source.feed(EMPTY.read_bytes(), light)
        lights += [report.light for report in eye.step(0.0) if isinstance(report, CameraSays)]
    assert lights == ["settling", "locked", ""]


def test_a_lens_cap_on_the_phone_is_named_to_who_aims_it_as_at_the_table() -> None:
    """And not the missing tray, which is only a consequence."""
    reports: queue.Queue[Report] = queue.Queue()
    desk = CameraDesk(SensorSpec("none", "none"), reports.put, _Seconds())
    host = SensorHost(SensorSpec("none", "none"), desk.hear)
    desk.connect(host)
    host.start()
    desk.start()
    try:
        key = desk.take("anna", desk.invite, "", free=False)
        desk.feed(key, _grey_jpeg(0))
        while (
            not isinstance(report := reports.get(timeout=PATIENCE_S), CameraSays) or report.key != "lens_cap"
        ):
            pass
        live = desk.check()
        assert live.looked is not None
        assert (live.key, live.sentence, live.remedy) == (report.key, report.sentence, report.remedy)
    finally:
        desk.stop()
        host.stop()


class _Seconds:
    """A clock that has always advanced enough for the next picture."""

    def __init__(self) -> None:
        self._now_s = 0.0

    def __call__(self) -> float:
        self._now_s += 0.2
        return self._now_s


def _feed(desk: CameraDesk, key: str, stop: threading.Event) -> None:
    """Feed an empty tray for a while, then one with cubes: only motion makes the eye look."""
    pictures = itertools.chain(itertools.repeat(EMPTY.read_bytes(), 10), itertools.repeat(THROW.read_bytes()))
    while not stop.wait(0.05):
        desk.feed(key, next(pictures))


def _next_report(reports: "queue.Queue[Report]", wanted: type[Report], name: str | None = None) -> Report:
    for _ in range(200):
        report = reports.get(timeout=PATIENCE_S)
        if isinstance(report, wanted) and (name is None or getattr(report, "name", None) == name):
            return report
    raise AssertionError(f"no {wanted.__name__}")


def _grey_jpeg(grey: int) -> bytes:
    picture = np.full((240, 320, 3), grey, np.uint8)
    return cv2.imencode(".jpg", picture)[1].tobytes()
