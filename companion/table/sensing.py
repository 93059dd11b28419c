"""The sensor process: camera and drop sensor live here, so that neither ever holds up a page."""

import signal
import time
from multiprocessing.connection import Connection

from companion.demo.camera import DemoCamera
from companion.demo.sensor import DemoSensor
from companion.places import profiles_dir
from companion.readers import chosen_drift, chosen_reader
from companion.table.eye import Eye
from companion.table.messages import CameraSays, LetFall, LookNow, Report, SensorSays, SensorSpec, Stop
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

    def run(self) -> None:
        """Step until `Stop`."""
        if self._spec.camera == "none":
            self._send([CameraSays("none")])
        try:
            while self._step():
                pass
        finally:
            self._sensor.close()
            if self._source is not None:
                self._source.close()

    def _step(self) -> bool:
        if self._eye is None and self._spec.camera != "none":
            self._open()
        felt = self._sensor.poll(0.0)
        self._send([SensorSays(event) for event in felt])
        if self._eye is not None and any(isinstance(event, Drop) for event in felt):
            self._eye.felt()
        if self._eye is not None:
            self._send(self._eye.step(_FRAME_WAIT_S))
        while self._pipe.poll(0.0 if self._eye else _FRAME_WAIT_S):
            order = self._pipe.recv()
            if isinstance(order, Stop):
                return False
            if isinstance(order, LookNow) and self._eye is not None:
                self._send(self._eye.look_now())
            if isinstance(order, LetFall):
                self._let_fall(order)
        return True

    def _open(self) -> None:
        """A camera that cannot be opened is told once and tried again."""
        if time.monotonic() < self._try_at:
            return
        try:
            self._source = DemoCamera() if self._spec.camera == "demo" else open_source(self._spec.camera)
            reader = chosen_reader(self._spec.profile, profiles_dir())
            drift = chosen_drift(self._spec.profile, profiles_dir())
            reader.warm()
        except VisionError as error:
            self._try_at = time.monotonic() + _AGAIN_S
            self._send([CameraSays(self._spec.camera, error.sentence, error.remedy)])
            return
        self._eye = Eye(self._source, reader, drift=drift)

    def _let_fall(self, order: LetFall) -> None:
        if isinstance(self._source, DemoCamera):
            fell = self._source.release(order.possible, order.sides)
            if isinstance(self._sensor, DemoSensor):
                self._sensor.fall(fell)

    def _send(self, reports: list[Report]) -> None:
        for report in reports:
            self._pipe.send(report)
