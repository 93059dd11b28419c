"""The sensor process: camera and drop sensor live here, so that neither ever holds up a page."""

import signal
import time
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from multiprocessing.connection import Connection
from queue import SimpleQueue

from calibration.profiles.drift import DriftWatch
from calibration.profiles.profile import ProfileError
from companion.demo.board import DemoBoard
from companion.demo.camera import DemoCamera
from companion.demo.sensor import DemoSensor
from companion.readers import chosen_drift, chosen_reader
from companion.table.desks.profiles import profile_in_use, profiles_folder, use_profile
from companion.table.messages import (
    DEMO,
    NO_CAMERA,
    PHONE,
    Alive,
    CalibrationSays,
    CameraSays,
    Check,
    Checked,
    Expect,
    FrameWanted,
    LetFall,
    LookNow,
    Order,
    PhoneFrame,
    Report,
    Said,
    SensorSays,
    SensorSpec,
    Stop,
    TellBoard,
    UseCamera,
    UseProfile,
)
from companion.table.naming import public_name, without_path
from companion.table.sensing.eye import Eye
from companion.table.sensing.guide import Guide
from companion.table.sensing.phonesource import PhoneSource
from companion.table.sensing.sensors import open_sensor
from firmware.link.events import Drop
from vision.errors import VisionError
from vision.pictures import decode_sent
from vision.reader import TrayReader
from vision.scene.trouble import Trouble
from vision.sources import FrameSource, open_source
from vision.sources.live import LiveSource

_FRAME_WAIT_S = 0.05
_AGAIN_S = 2.0
_BEAT_S = 1.0
_LEAVING_S = 0.7
"""Time for the camera's last picture when the whole process ends, which frees anything that still hangs."""


def run(pipe: Connection, spec: SensorSpec) -> None:
    """Run until told to stop, or until the web process is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C goes to the whole group; the web process stops us
    try:
        Sensing(pipe, spec).run()
    except (EOFError, BrokenPipeError, ConnectionResetError):
        return


class Sensing:
    """Orders in, reports out."""

    def __init__(self, pipe: Connection, spec: SensorSpec) -> None:
        self._pipe = pipe
        self._spec = spec
        self._sensor = open_sensor(spec.port)
        self._source: FrameSource | None = None
        self._eye: Eye | None = None
        self._spare: Eye | None = None
        self._expected = Expect(None)
        self._retry_at = self._beat_at = 0.0
        self._hung_cameras: list[LiveSource] = []
        """Cameras that were closed while their driver hung and still holds them."""
        self._has_no_camera = False
        """There is no camera, and that has been said."""
        self._delayed_reports: SimpleQueue[Report] = SimpleQueue()
        """Reports from the calibration's thread; only the loop writes to the pipe."""
        self._guide = Guide(spec, self._delayed_reports.put)
        self._checks: deque[Check] = deque()
        """Put aside until the game has had its turn: repeated checks must not blind the table."""

    def run(self) -> None:
        """Step until `Stop`."""
        self._send([CalibrationSays({"phase": "off"})])  # a calibration that a dead process had begun is over
        try:
            while self._step():
                pass
        finally:
            self._guide.end()
            self._sensor.close()
            self._close_camera(_LEAVING_S)

    def _step(self) -> bool:
        """Do one round of everything; return False when it is time to end."""
        if self._eye is None and not self._has_no_camera:
            self._open_camera()
        self._poll_sensor()
        self._step_camera()
        self._step_calibration()
        while self._pipe.poll(0.0 if self._eye or self._checks else _FRAME_WAIT_S):
            if not self._obey(self._pipe.recv()):
                return False
        if self._checks:
            self._send([self._carry_out_check(self._checks.popleft())])
        self._send_beat()
        return True

    def _poll_sensor(self) -> None:
        events = self._sensor.poll(0.0)
        self._send([SensorSays(event) for event in events])
        if self._eye is not None and any(isinstance(event, Drop) for event in events):
            self._eye.note_felt_drop()

    def _step_camera(self) -> None:
        if self._eye is not None:
            self._send(self._eye.step(_FRAME_WAIT_S, reading=not self._guide.is_leading))
        if isinstance(self._source, PhoneSource) and self._source.ask():
            self._send([FrameWanted()])

    def _step_calibration(self) -> None:
        """Show the frame to a calibration in progress too; once it has learned a profile, read with it."""
        if self._eye is not None:
            self._guide.step(self._eye.newest, frozen=self._eye.find_trouble() is Trouble.FROZEN)
        if self._expected.at_most is not None:
            self._guide.end_if_left()
        while not self._delayed_reports.empty():
            self._send([self._delayed_reports.get()])
        learned = self._guide.take_learned_name()
        if learned is not None:
            with suppress(ProfileError):  # the walk has already reported a disk that takes nothing
                use_profile(replace(self._spec, taught=True), learned)
            self._use_chosen_tray()

    def _send_beat(self) -> None:
        """Say that the process lives, unless a camera's driver hangs: only a new process can reopen it."""
        self._hung_cameras = [camera for camera in self._hung_cameras if camera.is_running]
        source = self._source
        hangs = isinstance(source, LiveSource) and any(
            camera.is_hung for camera in (source, *self._hung_cameras)
        )
        if not hangs and time.monotonic() >= self._beat_at:
            self._beat_at = time.monotonic() + _BEAT_S
            self._send([Alive()])

    def _obey(self, order: Order) -> bool:
        match order:
            case Stop():
                return False
            case LookNow():
                if self._eye is not None and not self._guide.is_leading:
                    self._send(self._eye.look_now())
            case Expect():
                self._expect(order)
            case LetFall():
                self._let_fall(order)
            case UseProfile():
                self._use_chosen_tray()
            case TellBoard(command, arguments):
                self._sensor.ask(command, *arguments)
            case PhoneFrame():
                self._feed_phone(order)
            case Check():
                self._checks.append(order)
            case UseCamera():
                self._use_camera(order)
            case _:
                demo = self._source if isinstance(self._source, DemoCamera) else None
                self._guide.obey(order, demo.lay if demo else None)
        return True

    def _open_camera(self) -> None:
        """Open the camera; if that fails, say so and try again later."""
        if time.monotonic() < self._retry_at:
            return
        if self._spec.camera == NO_CAMERA:
            self._has_no_camera = True
            self._send([CameraSays(NO_CAMERA)])
            return
        try:
            self._source = self._open_source()
            reader, drift, amiss = self._load_reader()
            reader.warm()
        except VisionError as error:
            self._close_camera()
            self._retry_at = time.monotonic() + _AGAIN_S
            self._send([CameraSays(public_name(self._spec.camera), error.sentence, error.remedy, error.key)])
            return
        self._eye = Eye(self._source, reader, drift=drift, amiss=amiss)
        self._expect(self._expected)

    def _load_reader(self) -> tuple[TrayReader, DriftWatch | None, VisionError | None]:
        """Return reader and drift watch for the profile in use; if broken, the plain reader and the error."""
        name, folder = profile_in_use(self._spec), profiles_folder(self._spec)
        try:
            return chosen_reader(name, folder), chosen_drift(name, folder), None
        except ProfileError as error:
            return chosen_reader(None, folder), None, error

    def _expect(self, expected: Expect) -> None:
        self._expected = expected
        if self._eye is not None:
            self._eye.expect(expected.at_most)

    def _feed_phone(self, frame: PhoneFrame) -> None:
        if isinstance(self._source, PhoneSource):
            self._source.feed(frame.jpeg, frame.light)

    def _use_camera(self, order: UseCamera) -> None:
        """Switch cameras. What is learned belongs to one camera: a calibration of another is over."""
        self._guide.end()
        self._send([CalibrationSays({"phase": "off"})])
        self._spec = self._spec.with_camera(order.camera, taught=order.taught)
        self._reopen_camera()

    def _use_chosen_tray(self) -> None:
        """Read with the tray that was just chosen or calibrated."""
        self._spec = replace(self._spec, taught=True)
        self._reopen_camera()

    def _reopen_camera(self) -> None:
        """Close the camera, to open it with what has been learned or chosen."""
        self._eye, self._retry_at, self._has_no_camera = None, 0.0, False
        self._close_camera()

    def _open_source(self) -> FrameSource:
        if self._spec.camera == DEMO:
            return DemoCamera()
        if self._spec.camera == PHONE:
            return PhoneSource(self._pipe.poll)
        return open_source(self._spec.camera)

    def _close_camera(self, patience_s: float | None = None) -> None:
        source, self._source = self._source, None
        if isinstance(source, LiveSource):
            source.close(patience_s)
            self._hung_cameras.append(source)
        elif source is not None:
            source.close()

    def _carry_out_check(self, order: Check) -> Checked:
        """Carry out a check; a photo is read even if there is no camera at all."""
        try:
            photo = decode_sent(order.photo, "The picture") if order.photo is not None else None
            eye = self._eye or self._spare_eye()
            looked, trouble = eye.check(photo), eye.find_trouble(photo)
        except VisionError as error:
            return Checked(order.number, None, error.sentence, error.remedy, error.key)
        if looked is None:
            return Checked(
                order.number, None, "The camera has given no picture yet.", "Wait a moment.", "no_picture_yet"
            )
        if trouble is None:
            return Checked(order.number, looked)
        return Checked(order.number, looked, trouble.sentence, trouble.remedy, trouble.name.lower())

    def _spare_eye(self) -> Eye:
        self._spare = self._spare or Eye(
            PhoneSource(self._pipe.poll), chosen_reader(None, profiles_folder(self._spec))
        )
        return self._spare

    def _let_fall(self, order: LetFall) -> None:
        if isinstance(self._source, DemoCamera):
            simulator = self._sensor if isinstance(self._sensor, DemoSensor | DemoBoard) else None
            fell = self._source.release(order.possible, order.sides, simulator.clear() if simulator else 0.0)
            if simulator:
                simulator.fall(fell)

    def _send(self, reports: Sequence[Said | Alive]) -> None:
        for report in reports:
            self._pipe.send(
                without_path(report, self._spec.camera) if isinstance(report, CameraSays) else report
            )
