"""The sensor process: camera and drop sensor live here, so that neither ever holds up a page."""

import signal
import time
from multiprocessing.connection import Connection
from queue import SimpleQueue

from companion.demo.board import DemoBoard
from companion.demo.camera import DemoCamera
from companion.demo.sensor import DemoSensor
from companion.readers import chosen_drift, chosen_reader
from companion.table.eye import Eye
from companion.table.guide import Guide
from companion.table.messages import (
    CalibrationSays,
    CameraSays,
    LetFall,
    LookNow,
    Order,
    Report,
    SensorSays,
    SensorSpec,
    Stop,
    UseProfile,
)
from companion.table.profiles import profile_in_use, profiles_folder, use_profile
from companion.table.sensors import open_sensor
from firmware.link.events import Drop
from vision.errors import VisionError
from vision.sources import FrameSource, open_source

_FRAME_WAIT_S = 0.05
_AGAIN_S = 2.0


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
        self._try_at = 0.0
        self._later: SimpleQueue[Report] = SimpleQueue()
        """What the calibration's thread says; only the loop writes to the pipe."""
        self._guide = Guide(spec, self._later.put)

    def run(self) -> None:
        """Step until `Stop`."""
        self._send([CalibrationSays({"phase": "off"})])  # one that a dead process had begun is over
        if self._spec.camera == "none":
            self._send([CameraSays("none")])
        try:
            while self._step():
                pass
        finally:
            self._guide.end()
            self._sensor.close()
            self._close_camera()

    def _step(self) -> bool:
        if self._eye is None and self._spec.camera != "none":
            self._open()
        felt = self._sensor.poll(0.0)
        self._send([SensorSays(event) for event in felt])
        if self._eye is not None and any(isinstance(event, Drop) for event in felt):
            self._eye.felt()
        if self._eye is not None:
            self._send(self._eye.step(_FRAME_WAIT_S, reading=not self._guide.leads))
        self._guide.step(self._eye.newest if self._eye else None)
        while not self._later.empty():
            self._send([self._later.get()])
        learned = self._guide.learned()
        if learned is not None:
            use_profile(self._spec, learned)
            self._open_again()
        while self._pipe.poll(0.0 if self._eye else _FRAME_WAIT_S):
            if not self._obey(self._pipe.recv()):
                return False
        return True

    def _obey(self, order: Order) -> bool:
        match order:
            case Stop():
                return False
            case LookNow():
                if self._eye is not None and not self._guide.leads:
                    self._send(self._eye.look_now())
            case LetFall():
                self._let_fall(order)
            case UseProfile(name):
                use_profile(self._spec, name)
                self._open_again()
            case _:
                demo = self._source if isinstance(self._source, DemoCamera) else None
                self._guide.obey(order, demo.lay if demo else None)
        return True

    def _open(self) -> None:
        """A camera that cannot be opened is told once and tried again."""
        if time.monotonic() < self._try_at:
            return
        try:
            self._source = DemoCamera() if self._spec.camera == "demo" else open_source(self._spec.camera)
            name = profile_in_use(self._spec)
            reader = chosen_reader(name, profiles_folder(self._spec))
            drift = chosen_drift(name, profiles_folder(self._spec))
            reader.warm()
        except VisionError as error:
            self._close_camera()
            self._try_at = time.monotonic() + _AGAIN_S
            self._send([CameraSays(self._spec.camera, error.sentence, error.remedy)])
            return
        self._eye = Eye(self._source, reader, drift=drift)

    def _open_again(self) -> None:
        """With what has been learned or chosen."""
        self._eye, self._try_at = None, 0.0
        self._close_camera()

    def _close_camera(self) -> None:
        if self._source is not None:
            self._source.close()
            self._source = None

    def _let_fall(self, order: LetFall) -> None:
        if isinstance(self._source, DemoCamera):
            plays = self._sensor if isinstance(self._sensor, DemoSensor | DemoBoard) else None
            fell = self._source.release(order.possible, order.sides, plays.clear() if plays else 0.0)
            if plays:
                plays.fall(fell)

    def _send(self, reports: list[Report]) -> None:
        for report in reports:
            self._pipe.send(report)
