"""Camera, settle watch and reader together: frames in, reports out. Lives in the sensor process."""

import time
from collections.abc import Callable

import cv2

from companion.table.messages import CameraSays, Looked, Moving, Report
from vision.errors import VisionError
from vision.pictures import Picture
from vision.reader import TrayReader
from vision.settle import Motion, SettleWatch
from vision.sources import FrameSource, StreamWatch
from vision.trouble import Trouble

JPEG_QUALITY = 82


class Eye:
    """One `step` a frame; says each thing once."""

    def __init__(
        self, source: FrameSource, reader: TrayReader, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._source = source
        self._reader = reader
        self._clock = clock
        self._watch = SettleWatch()
        self._stream = StreamWatch()
        self._said: CameraSays | None = None
        self._moving = False
        self._newest: Picture | None = None

    def step(self, timeout_s: float) -> list[Report]:
        """Wait for a frame and say what is new."""
        frame = self._source.read(timeout_s)
        if frame is None:
            return self._camera(self._source.trouble)
        self._newest = frame.picture
        trouble = self._stream.feed(frame) if self._source.live else None
        reports = self._camera(self._source.trouble or trouble)
        watched = self._watch.feed(frame.picture, frame.taken_ms)
        if watched.motion is Motion.MOVING and not self._moving:
            self._moving = True
            reports.append(Moving())
        if watched.just_settled:
            self._moving = False
            reports.append(self._look(frame.picture, frame.taken_ms - watched.rest_ms))
        return reports

    def look_now(self) -> list[Report]:
        """Read the newest picture."""
        return [] if self._newest is None else [self._look(self._newest, 0.0)]

    def _look(self, picture: Picture, rested_ms: float) -> Looked:
        begin = self._clock()
        reading = self._reader.read(picture)
        read_ms = (self._clock() - begin) * 1000
        jpeg = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])[1].tobytes()
        return Looked(reading, jpeg, read_ms, rested_ms + (self._clock() - begin) * 1000)

    def _camera(self, trouble: VisionError | Trouble | None) -> list[Report]:
        name = self._source.describe()
        says = CameraSays(name, trouble.sentence, trouble.remedy) if trouble else CameraSays(name)
        if says == self._said:
            return []
        self._said = says
        return [says]
