"""Looking at the table once: open the camera, wait until all is at rest, save a picture of what was seen."""

import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import cv2

from calibration.profiles.errors import MAKE_ROOM, ProfileError
from calibration.profiles.naming import step_stem
from calibration.profiles.profile import Profile, save
from vision.errors import CameraError
from vision.pictures import Picture
from vision.settling.settle import Motion, SettleWatch
from vision.sources import FrameSource, open_source

_ASIDE_SUFFIX = ".new.jpg"


def open_camera(spec: str) -> FrameSource:
    """Open the camera that `--camera` names, when no table is served. Raise `VisionError`."""
    if spec == "phone":
        raise CameraError(
            "A phone is the camera only while a table is served.",
            "Start `tenshu serve --camera phone` and open its Camera page, or Calibrate.",
        )
    return open_source(spec)


def settled_picture(
    source: FrameSource, timeout_s: float, clock: Callable[[], float] = time.monotonic
) -> Picture:
    """Return the first picture of the table at rest. Raise `CameraError` if there is none in time."""
    watch = SettleWatch()
    end = clock() + timeout_s
    while clock() < end and not source.ended:
        frame = source.read(0.2)
        if frame is not None and watch.feed(frame.picture, frame.taken_ms).motion is Motion.SETTLED:
            return frame.picture
    raise source.trouble or CameraError(
        "The table does not come to rest.", "Keep hands and lamp still for a moment."
    )


def lay_aside(folder: Path, name: str, step: str, picture: Picture) -> Path:
    """Write the picture of a calibration step beside the profiles. Raise `ProfileError`.

    The pictures of an existing profile with this name stay until `keep_profile`.
    """
    path = folder / f"{step_stem(name, step)}{_ASIDE_SUFFIX}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        path.write_bytes(cv2.imencode(".jpg", picture)[1].tobytes())
    except OSError as error:
        with suppress(OSError):
            path.unlink(missing_ok=True)  # half a picture, or another calibration's
        raise ProfileError(f"{path} cannot be written ({error.strerror}).", MAKE_ROOM) from None
    return path


def keep_profile(profile: Profile, folder: Path) -> Path:
    """Save the profile, and make the pictures laid aside its own; they are deleted if the disk is too full.

    Raise `ProfileError`.
    """
    stems = [step_stem(profile.name, step) for step in ("empty", *profile.colours, "test")]
    try:
        path = save(profile, folder)
    except ProfileError:
        for stem in stems:
            with suppress(OSError):
                (folder / f"{stem}{_ASIDE_SUFFIX}").unlink(missing_ok=True)
        path = save(profile, folder)
    for stem in stems:
        with suppress(OSError):  # a missing picture is no reason to refuse a profile
            (folder / f"{stem}{_ASIDE_SUFFIX}").replace(folder / f"{stem}.jpg")
    return path
