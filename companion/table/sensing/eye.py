"""Camera, settle watch and reader together: frames in, reports out. Lives in the sensor process."""

import time
from collections.abc import Callable
from enum import Enum

import cv2

from calibration.profiles.drift import Change, DriftWatch
from companion.table.messages import CALIBRATING, CameraSays, Looked, Moving, Report
from companion.table.sensing.ballot import Ballot
from vision.counting.odds import AtMost
from vision.errors import CameraError, VisionError
from vision.pictures import Picture
from vision.reader import TrayReader
from vision.scene.trouble import Trouble, picture_trouble
from vision.settling.settle import Motion, SettleWatch
from vision.settling.ticking import Box, Ticking, extend_to_line
from vision.sources import Frame, FrameSource, StreamWatch

JPEG_QUALITY = 82
_GROWTH = 1.06
_CALIBRATING = VisionError(
    "The camera is being calibrated and is not reading throws.", "End the calibration to go on.", CALIBRATING
)
_RESTLESS_MS = 5000.0
"""Longer than cubes fall: what still moves may be no cube. A slow camera's clock never lets it see a rest."""
_STALE_S = 1.5
"""Age from which a camera's newest frame no longer shows the tray as it lies now."""


class Eye:
    """One `step` per frame; says each thing once."""

    def __init__(
        self,
        source: FrameSource,
        reader: TrayReader,
        clock: Callable[[], float] = time.monotonic,
        drift: DriftWatch | None = None,
        amiss: VisionError | None = None,
    ) -> None:
        """`amiss`: the trouble to report for as long as this lives, whenever the camera itself has none."""
        self._source = source
        self._reader = reader
        self._ballot = Ballot(reader, clock)
        self._clock = clock
        self._drift = drift
        self._lasting_trouble = amiss
        self._watch = SettleWatch()
        self._ticking = Ticking()
        self._stream = StreamWatch(live=source.live)
        self._last_report: CameraSays | None = None
        self._present_trouble: Trouble | Change | None = None
        self._moving = False
        self._has_rested = False
        """Whether it has seen the tray at rest."""
        self._restless_ms: float | None = None
        """Since when the tray has not come to rest, or when it was last looked for."""
        self._settled = self._is_throw_awaited = False
        self._newest_at_s = 0.0
        self.newest: Frame | None = None

    def step(self, timeout_s: float, *, reading: bool = True) -> list[Report]:
        """Wait for a frame and say what is new; without `reading` only what is wrong with the camera."""
        frame = self._source.read(timeout_s)
        if frame is None:
            # Between two frames nothing new is known: what was wrong with the last one still is.
            calibrating = _CALIBRATING if self._is_throw_awaited and not reading else None
            return self._camera_reports(self._source.trouble or self._present_trouble or calibrating)
        self.newest, self._newest_at_s = frame, self._clock()
        trouble = self._stream.feed(frame)
        if not reading:
            self._present_trouble = trouble
            return self._camera_reports(
                self._source.trouble or trouble or (_CALIBRATING if self._is_throw_awaited else None)
            )
        watched = self._watch.feed(frame.picture, frame.taken_ms)
        self._present_trouble = trouble or self._find_drift(frame, watched.motion)
        reports = self._camera_reports(self._source.trouble or self._present_trouble)
        self._ballot.watch(frame.picture, watched)
        if watched.motion is Motion.MOVING and not self._moving:
            self._moving = True
            reports.append(Moving())
        self._settled = watched.motion is Motion.SETTLED
        self._has_rested = self._has_rested or self._settled
        self._look_for_tray(frame)
        self._look_for_clock(frame, moved=watched.motion is Motion.MOVING)
        if watched.just_settled:
            self._moving = False
            looked = self._read_at_rest(frame.picture, frame.taken_ms - watched.rest_ms)
            # Without the mat the outline may be a wrong guess, and cubes falling outside it would go unseen.
            self._watch.watch_only(
                _enlarged(looked.reading.tray_outline_px) if looked.reading.mat_seen else ()
            )
            reports.append(looked)
        return reports

    def _look_for_tray(self, frame: Frame) -> None:
        """Look for the tray while its place is unknown and anything that moves keeps it from rest."""
        if self._settled or not self._watch.watches_all:
            self._restless_ms = None
        elif self._restless_ms is None:
            self._restless_ms = frame.taken_ms
        elif frame.taken_ms - self._restless_ms >= _RESTLESS_MS:
            self._restless_ms = frame.taken_ms
            reading = self._reader.read(frame.picture)
            if reading.mat_seen:
                self._watch.watch_only(_enlarged(reading.tray_outline_px))

    def _look_for_clock(self, frame: Frame, *, moved: bool) -> None:
        """Ignore what ticks beside the tray if no mat shows its place: it would be motion every second."""
        if not self._watch.watches_all:
            self._ticking.forget()
            return
        clock = self._ticking.feed(frame.picture, frame.taken_ms, moved=moved)
        if clock is None:
            return
        tray = _enlarged(self._reader.read(frame.picture).tray_outline_px)
        for box in (extend_to_line(clock, frame.picture.shape[1]), clock):
            if tray and not _overlaps_box(tray, box):
                self._watch.ignore(box)
                return

    def note_felt_drop(self) -> None:
        """Read the next picture at rest, even if nothing moved in it: the drop sensor felt a cube."""
        self._watch.announce_again()

    def expect(self, at_most: AtMost | None) -> None:
        """Set what the tower's ledger says can lie in the tray."""
        self._ballot.expect(at_most)
        self._is_throw_awaited = at_most is not None
        if at_most is not None and not self._has_rested:  # what fell while nobody looked is read all the same
            self._watch.announce_again()

    def look_now(self) -> list[Report]:
        """Read the newest picture; while something moves, the reading is in doubt.

        If there is no picture yet, or only an old one, the next at rest is read instead.
        """
        stale = self._source.live and self._clock() - self._newest_at_s > _STALE_S
        if self.newest is None or stale:
            self._watch.announce_again()
            return []
        self._moving = False  # if it still moves, that is said again
        looked = self._read_at_rest(self.newest.picture, 0.0)
        return [looked if self._settled else looked.asking()]

    def check(self, photo: Picture | None = None) -> Looked | None:
        """Read this picture, or the newest; None if there is none yet. The settle watch does not notice."""
        newest = self.newest.picture if self.newest is not None else None
        picture = newest if photo is None else photo
        if picture is None:
            return None
        begin = self._clock()
        reading = self._reader.read(picture)
        return Looked(reading, _jpeg(picture), (self._clock() - begin) * 1000, 0.0)

    def find_trouble(self, photo: Picture | None = None) -> Trouble | None:
        """Return what is wrong with this picture, or the stream: reported before any doubt, which only
        follows from it."""
        return self._stream.trouble if photo is None else picture_trouble(photo)

    def _read_at_rest(self, picture: Picture, rested_ms: float) -> Looked:
        begin = self._clock()
        verdict = self._ballot.cast(picture)
        jpeg = _jpeg(verdict.shown)
        since_rest_ms = rested_ms + (self._clock() - begin) * 1000
        looked = Looked(verdict.reading, jpeg, verdict.read_ms, since_rest_ms, verdict.at_most)
        # A frozen picture may be from the middle of the fall, however often it is read.
        return looked.asking() if self._stream.trouble is Trouble.FROZEN else looked

    def _find_drift(self, frame: Frame, motion: Motion) -> Change | None:
        """Return what has changed since the calibration; only a table at rest is examined."""
        if self._drift is None:
            return None
        if motion is Motion.SETTLED:
            self._drift.feed(frame.picture, frame.taken_ms)
        return self._drift.found[0] if self._drift.found else None

    def _camera_reports(self, trouble: VisionError | Trouble | Change | None) -> list[Report]:
        trouble = trouble or self._lasting_trouble
        name = self._source.describe()
        light = str(self._source.light or "")
        says = CameraSays(name, light=light)
        if trouble is not None:
            file = trouble.file if isinstance(trouble, CameraError) else ""
            says = CameraSays(name, trouble.sentence, trouble.remedy, _trouble_key(trouble), light, file)
        if says == self._last_report:
            return []
        self._last_report = says
        return [says]


def _trouble_key(trouble: VisionError | Trouble | Change) -> str:
    if isinstance(trouble, VisionError):
        return trouble.key
    return trouble.name.lower() if isinstance(trouble, Enum) else ""


def _jpeg(picture: Picture) -> bytes:
    return cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])[1].tobytes()


def _enlarged(outline_px: tuple[tuple[float, float], ...]) -> tuple[tuple[float, float], ...]:
    """Return a little more than the floor, for cubes against the wall; beside the tray anything may move."""
    if not outline_px:
        return ()
    x = sum(point[0] for point in outline_px) / len(outline_px)
    y = sum(point[1] for point in outline_px) / len(outline_px)
    return tuple((x + _GROWTH * (px - x), y + _GROWTH * (py - y)) for px, py in outline_px)


def _overlaps_box(outline_px: tuple[tuple[float, float], ...], box: Box) -> bool:
    """Whether the outline's bounding box overlaps the box."""
    left, top, right, bottom = box
    x, y = ([point[axis] for point in outline_px] for axis in (0, 1))
    return min(x) < right and max(x) > left and min(y) < bottom and max(y) > top
