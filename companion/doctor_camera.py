"""The doctor's checks of one camera: whether it answers, what its picture shows, and how it reads.

The picture is read by the game's own reader, and doubts are explained with the same advice as on the pages.
"""

import time
from collections.abc import Callable, Iterator

from calibration.profiles.drift import compares_light, find_changes
from calibration.profiles.profile import Profile
from calibration.profiles.scene import Scene, inspect_scene
from calibration.profiles.taught import reader_of
from companion.days import day_of
from companion.findings import Finding, Level
from companion.looking import open_camera
from vision.advice import ADVICE
from vision.doubting.scene_doubts import find_scene_doubts
from vision.errors import CameraError, VisionError
from vision.levels import floor_level
from vision.pictures import Picture
from vision.reader import TrayReader
from vision.reading import Doubt, TrayReading
from vision.scene.mat import MARKER_CENTRES_MM
from vision.scene.rectify import Rectified
from vision.scene.trouble import Trouble, picture_trouble
from vision.sources import Frame, FrameSource, LockState, StreamWatch
from vision.sources.lightlock import LIGHT
from vision.sources.watch import FROZEN_AFTER_MS

_FIRST_FRAME_S = 16.0
"""Timeout for the first frame: a camera is asked for 3 s, its stream may open for 10 s more."""
_RETRIED_FOR_S = 1.0
"""Seconds after which a camera that has reported trouble is given up."""
_TO_ADAPT_S = 5.0
_WATCHED_S = FROZEN_AFTER_MS / 1000 + 0.5
_FRAMES_TO_ADAPT = 10
"""Frames that a webcam's automatic exposure needs before its picture says anything about the light."""
_LOCKED_WITHIN_S = 10.0
"""Timeout for locking the light: twice what a camera with 15 frames a second takes."""
_SLOW_S = 1.0
"""Time of one reading from which people notice the wait."""
_DARK_FLOOR = 72.0
"""Median level of a dark floor under white light. Of 115 labelled trays no clear one lies below it, but 51 of
59 black ones do; without a mat, 10 of 14."""
_BLOCKING = frozenset({Doubt.NO_TRAY, Doubt.TRAY_CUT, Doubt.HAND, Doubt.BLURRED})
"""Doubts that a person must remove, because otherwise every reading asks."""
_COVERED_ELSEWHERE = frozenset(
    {
        Doubt.NO_MAT,
        Doubt.MAT_COVERED,
        Doubt.TOO_DARK,
        Doubt.TOO_BRIGHT,
        Doubt.BLACK_ON_BLACK,
        Doubt.LIKE_FLOOR,
    }
)
"""Doubts covered by the findings on mat, light and tray."""


def check_camera(
    spec: str, profile: Profile | None = None, clock: Callable[[], float] = time.monotonic
) -> Iterator[Finding]:
    """Check whether a camera answers, and what its picture shows after the first few frames."""
    try:
        source = open_camera(spec)
    except VisionError as error:
        yield Finding("camera", Level.FAULT, error.sentence, error.remedy)
        return
    try:
        frame = _settled_frame(source, clock)
        if frame is None:
            trouble = source.trouble or CameraError(
                f"{source.describe()} gives no picture.", "Plug it in again."
            )
            yield Finding("camera", Level.FAULT, trouble.sentence, trouble.remedy)
            return
        height, width = frame.picture.shape[:2]
        yield Finding("camera", Level.OK, f"{source.describe()} gives {width}×{height} pixels.")
        if source.trouble is not None and not source.ended:  # as a broken file in a folder
            yield Finding("camera", Level.NOTE, source.trouble.sentence, source.trouble.remedy)
        if source.live and _is_frozen(source, frame, clock):
            yield Finding("picture", Level.FAULT, Trouble.FROZEN.sentence, Trouble.FROZEN.remedy)
            return
        reader = TrayReader() if profile is None else reader_of(profile)
        findings = list(check_picture(frame.picture, reader, clock))
        yield from findings
        if profile is not None and all(
            finding.what != "picture" for finding in findings if finding.level is Level.FAULT
        ):
            yield from check_profile(profile, frame)
        yield from check_light_lock(source, clock)
    finally:
        source.close()


def check_picture(
    picture: Picture, reader: TrayReader, clock: Callable[[], float] = time.monotonic
) -> Iterator[Finding]:
    """Check lens cap, mirroring, mat, light, a tray too dark for black cubes, the reading and its time."""
    scene = inspect_scene(picture)
    trouble = picture_trouble(picture, len(scene.markers_px))
    if trouble is not None:
        yield Finding("picture", Level.FAULT, trouble.sentence, trouble.remedy)
        return
    if min(picture.shape[:2]) < 480:
        yield Finding("picture", Level.NOTE, "The picture is small.", "Set the camera to 1280×960.")
    found = reader.find(picture)  # loads what only the first reading has to wait for
    began_s = clock()
    reading = reader.read(picture)
    took_s = clock() - began_s
    flat = None if found is None else found.flat
    # Report what spoils a picture even if the reader is certain of this one.
    doubts = set(reading.doubts) | (set() if flat is None else set(find_scene_doubts(flat)))
    yield _mat_finding(scene, doubts, as_calibrated=flat is not None and flat.known)
    yield _light_finding(scene, doubts)
    if flat is not None:
        yield _tray_finding(scene, doubts, flat, black="black" in reader.palette.colours)
    yield from _reading_findings(reading, doubts)
    yield _pace_finding(took_s)


def check_light_lock(source: FrameSource, clock: Callable[[], float]) -> Iterator[Finding]:
    """Check whether exposure and white balance lock in time; otherwise a hand in view changes the colours."""
    end = clock() + _LOCKED_WITHIN_S
    while source.light is LockState.ADAPTING and clock() < end:
        source.read(0.2)
    state = source.light
    if state is LockState.LOCKED:
        yield Finding("lock", Level.OK, "Exposure and white balance are locked.")
    elif state is not None and state in LIGHT:
        yield Finding("lock", Level.NOTE, LIGHT[state].sentence, LIGHT[state].remedy)


def check_profile(profile: Profile, frame: Frame) -> Iterator[Finding]:
    """Check whether the table is still as it was calibrated."""
    found = find_changes(profile, frame.picture)
    for change in found:
        yield Finding("profile", Level.NOTE, change.sentence, change.remedy)
    since = day_of(profile.made)
    if not found and not compares_light(profile, frame.picture):
        sentence = f"The camera is as calibrated on {since} ({profile.name}); the light cannot be compared."
        remedy = "Have the mat in view as at the calibration, or calibrate again."
        yield Finding("profile", Level.NOTE, sentence, remedy)
    elif not found:
        yield Finding("profile", Level.OK, f"Light and camera are as calibrated on {since} ({profile.name}).")


def _pace_finding(took_s: float) -> Finding:
    sentence = f"A reading takes {1000 * took_s:.0f} ms on this computer."
    if took_s < _SLOW_S:
        return Finding("pace", Level.OK, sentence)
    remedy = "Each throw takes this long once it is still. Close other programs, or use a faster computer."
    return Finding("pace", Level.NOTE, sentence, remedy)


def _advice_finding(what: str, level: Level, doubt: Doubt) -> Finding:
    return Finding(what, level, ADVICE[doubt].sentence, ADVICE[doubt].remedy)


def _mat_finding(scene: Scene, doubts: set[Doubt], *, as_calibrated: bool) -> Finding:
    markers = len(scene.markers_px)
    if markers and Doubt.MAT_COVERED in doubts:  # no marker in view: the mat is not covered but out of view
        return _advice_finding("mat", Level.NOTE, Doubt.MAT_COVERED)
    if markers == len(MARKER_CENTRES_MM):
        return Finding("mat", Level.OK, "The mat is in view with all its markers.")
    if markers == 0 and as_calibrated:
        return Finding("mat", Level.OK, "The mat is not in view: the tray is read where it was calibrated.")
    if markers == 0:
        return Finding(
            "mat",
            Level.NOTE,
            "The mat is not in view.",
            "Print it (`tenshu mat`), lay it under the tray and point the camera at it; "
            "without it, calibrate the tray (`tenshu calibrate`).",
        )
    missing = ", ".join(str(marker) for marker in scene.missing_markers)
    return Finding(
        "mat",
        Level.NOTE,
        f"The mat is seen in part: marker {missing} is missing.",
        "Move the camera up or back until all four are in the picture, and clear them.",
    )


def _light_finding(scene: Scene, doubts: set[Doubt]) -> Finding:
    if scene.too_dark or Doubt.TOO_DARK in doubts:
        return _advice_finding("light", Level.FAULT, Doubt.TOO_DARK)
    if scene.too_bright or Doubt.TOO_BRIGHT in doubts:
        return _advice_finding("light", Level.NOTE, Doubt.TOO_BRIGHT)
    return Finding("light", Level.OK, "The light is good.")


def _tray_finding(scene: Scene, doubts: set[Doubt], flat: Rectified, *, black: bool) -> Finding:
    """Judge the tray's darkness by the mat's paper, or without it by the reader's own estimate of white."""
    is_dark = scene.dark_tray or floor_level(flat.image) < _DARK_FLOOR
    if black and (is_dark or Doubt.BLACK_ON_BLACK in doubts):
        return _advice_finding("tray", Level.NOTE, Doubt.BLACK_ON_BLACK)
    if Doubt.LIKE_FLOOR in doubts:
        return _advice_finding("tray", Level.NOTE, Doubt.LIKE_FLOOR)
    return Finding("tray", Level.OK, "The tray is light enough for cubes of every colour.")


def _reading_findings(reading: TrayReading, doubts: set[Doubt]) -> Iterator[Finding]:
    """Yield why the reader would ask a person, or that it would not."""
    reported = [doubt for doubt in Doubt if doubt in doubts - _COVERED_ELSEWHERE]
    for doubt in reported:
        is_blocking = doubt in _BLOCKING and not reading.certain
        yield _advice_finding("reading", Level.FAULT if is_blocking else Level.NOTE, doubt)
    if reading.certain:
        counts = ", ".join(f"{number} {colour}" for colour, number in reading.counts.items() if number)
        yield Finding("reading", Level.OK, f"The reader is sure of what lies there: {counts or 'no cube'}.")
    elif not reported:
        yield Finding("reading", Level.NOTE, "The reader would ask a person.", "The lines above say why.")


def _settled_frame(source: FrameSource, clock: Callable[[], float]) -> Frame | None:
    """Return a frame after automatic exposure has settled, or the latest one if frames come too slowly."""
    began_s = clock()
    end = began_s + _FIRST_FRAME_S
    frame = None
    for _ in range(_FRAMES_TO_ADAPT):
        while (newer := source.read(0.2)) is None:
            trouble = source.trouble
            is_lost = trouble is not None and trouble.key != "silent" and clock() > began_s + _RETRIED_FOR_S
            if clock() > end or source.ended or is_lost:
                return frame
        if frame is None:
            end = clock() + _TO_ADAPT_S
        frame = newer
    return frame


def _is_frozen(source: FrameSource, frame: Frame, clock: Callable[[], float]) -> bool:
    """Watch a camera for a little longer than it may repeat the same picture."""
    watch = StreamWatch()
    trouble = watch.feed(frame)
    end = clock() + _WATCHED_S
    while trouble is not Trouble.FROZEN and clock() < end:
        newer = source.read(0.2)
        if newer is not None:
            trouble = watch.feed(newer)
    return trouble is Trouble.FROZEN
