"""What is plugged in, what is missing, and what to do about it: each check is one finding.

A finding that stops the camera from being read is a fault; what a game can be played without is a note.
"""

import shutil
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from importlib import metadata
from pathlib import Path

from serial.tools import list_ports

from calibration.drift import changes
from calibration.profile import Profile
from calibration.scene import Scene, inspect
from companion.cell.health import check_load_cell
from companion.findings import Finding, Level
from firmware.link.ports import likely
from vision.errors import CameraError, VisionError
from vision.mat import MARKER_CENTRES_MM
from vision.sources import Frame, FrameSource, open_source
from vision.trouble import picture_trouble

LIBRARIES = ("opencv-python-headless", "numpy", "scikit-learn", "pyserial", "flask")
_LITTLE_DISK_MB = 500
_NO_DISK_MB = 50
_FIRST_FRAME_S = 5.0
_RETRIES_S = 4.0
"""Before the end: a camera that has said by then what is wrong will not come."""
_FRAMES_TO_ADAPT = 10
"""A webcam's automatic exposure needs some frames before its picture says anything about the light."""


def examine(
    camera_specs: Sequence[str] | None,
    data: Path,
    profile: Profile | None = None,
    cell_port: str | None = None,
) -> Iterator[Finding]:
    """All checks, one after the other. None as cameras or the load cell's port: what the system lists."""
    yield check_python()
    yield from check_libraries()
    yield check_disk(data)
    yield from check_serial_ports()
    yield from check_load_cell([cell_port] if cell_port else likely(list_ports.comports()), data)
    specs = usb_cameras() if camera_specs is None else camera_specs
    if not specs:
        yield Finding(
            "camera",
            Level.FAULT,
            "No camera is plugged in.",
            "Plug in a webcam, or name a phone's camera: `tenshu doctor --camera http://phone:8080/video`. "
            "Without a camera Tenshu takes counts by hand.",
        )
    for spec in specs:
        yield from check_camera(spec, profile)


def check_python(version: tuple[int, int] = sys.version_info[:2]) -> Finding:
    """Python itself."""
    said = "Python {}.{} runs.".format(*version)
    if version < (3, 11):
        return Finding("python", Level.FAULT, said, "Tenshu needs Python 3.11 or newer.")
    return Finding("python", Level.OK, said)


def check_libraries(names: Iterable[str] = LIBRARIES) -> Iterator[Finding]:
    """What Tenshu stands on."""
    for name in names:
        try:
            yield Finding("library", Level.OK, f"{name} {metadata.version(name)}.")
        except metadata.PackageNotFoundError:
            yield Finding(
                "library", Level.FAULT, f"{name} is missing.", "Run `make demo` or `pip install tenshu`."
            )


def check_disk(data: Path, free_of: Callable[[Path], int] | None = None) -> Finding:
    """Room for games and pictures where they are kept."""
    nearest = next(p for p in (data, *data.parents) if p.exists())
    free_mb = (free_of(nearest) if free_of else shutil.disk_usage(nearest).free) // 1_000_000
    said = f"{free_mb} MB are free for games and pictures in {data}."
    if free_mb < _NO_DISK_MB:
        return Finding("disk", Level.FAULT, said, "Free some space: a game could not be saved.")
    if free_mb < _LITTLE_DISK_MB:
        return Finding("disk", Level.NOTE, said, "Free some space, or older pictures are dropped soon.")
    return Finding("disk", Level.OK, said)


def check_serial_ports(ports: Sequence[tuple[str, str]] | None = None) -> Iterator[Finding]:
    """Ports on which a load cell may sit: (device, description)."""
    found = _usb_serial_ports() if ports is None else ports
    for device, description in found:
        yield Finding("serial", Level.OK, f"Serial port {device} ({description}).")
    if not found:
        yield Finding(
            "serial",
            Level.NOTE,
            "No serial port, so no load cell.",
            "The camera alone will do. To use a load cell, plug in its board with a cable that carries data.",
        )


def usb_cameras() -> list[str]:
    """Specs of the cameras that the system lists; elsewhere than on Linux number 0 is tried."""
    if not sys.platform.startswith("linux"):
        return ["0"]
    devices = sorted(Path("/dev").glob("video[0-9]*"), key=lambda p: int(p.name.removeprefix("video")))
    return [device.name.removeprefix("video") for device in devices if _captures(device)]


def check_camera(
    spec: str, profile: Profile | None = None, clock: Callable[[], float] = time.monotonic
) -> Iterator[Finding]:
    """One camera: does it answer, and what does its picture show. Some frames later than the first."""
    try:
        source = open_source(spec)
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
        yield from check_picture(frame)
        if profile is not None:
            yield from check_profile(profile, frame)
    finally:
        source.close()


def check_picture(frame: Frame) -> Iterator[Finding]:
    """Lens cap, mirror, mat, light, and a tray too dark for black cubes."""
    scene = inspect(frame.picture)
    trouble = picture_trouble(frame.picture, len(scene.markers_px))
    if trouble is not None:
        yield Finding("picture", Level.FAULT, trouble.sentence, trouble.remedy)
        return
    if min(frame.picture.shape[:2]) < 480:
        yield Finding("picture", Level.NOTE, "The picture is small.", "Set the camera to 1280×960.")
    yield _mat_finding(scene)
    yield _light_finding(scene)
    if scene.dark_tray:
        yield Finding(
            "tray",
            Level.NOTE,
            "The tray is dark: black cubes will hardly be seen in it.",
            "Print `tenshu mat --inlay`, cut it out and lay it into the tray.",
        )
    elif scene.tray_level is not None:
        yield Finding("tray", Level.OK, "The tray is light enough for cubes of every colour.")


def check_profile(profile: Profile, frame: Frame) -> Iterator[Finding]:
    """Whether the table still is as it was calibrated."""
    found = changes(profile, frame.picture)
    for change in found:
        yield Finding("profile", Level.NOTE, change.value.sentence, change.value.remedy)
    if not found:
        since = profile.made[:10]
        yield Finding("profile", Level.OK, f"Light and camera are as calibrated on {since} ({profile.name}).")


def _mat_finding(scene: Scene) -> Finding:
    seen = len(scene.markers_px)
    if seen == len(MARKER_CENTRES_MM):
        return Finding("mat", Level.OK, "The mat is seen with all its markers.")
    if seen == 0:
        return Finding(
            "mat",
            Level.NOTE,
            "The mat is not seen.",
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


def _light_finding(scene: Scene) -> Finding:
    if scene.too_dark:
        return Finding(
            "light", Level.FAULT, "It is too dark to tell colours apart.", "Switch on a lamp near the tray."
        )
    if scene.too_bright:
        return Finding(
            "light",
            Level.NOTE,
            "White paper is burnt out, so the colour of the light cannot be measured.",
            "Turn the lamp aside or lower the camera's exposure.",
        )
    return Finding("light", Level.OK, "The light is good.")


def _settled_frame(source: FrameSource, clock: Callable[[], float]) -> Frame | None:
    """A frame after automatic exposure has settled; whatever came, when it comes slowly."""
    end = clock() + _FIRST_FRAME_S
    frame = None
    for _ in range(_FRAMES_TO_ADAPT):
        while (newer := source.read(0.2)) is None:
            if clock() > end or source.ended or (source.trouble and clock() > end - _RETRIES_S):
                return frame
        frame = newer
    return frame


def _captures(device: Path) -> bool:
    """A webcam has a second node for metadata that gives no pictures: its index is not 0."""
    try:
        return (Path("/sys/class/video4linux") / device.name / "index").read_text().strip() == "0"
    except OSError:
        return True


def _usb_serial_ports() -> list[tuple[str, str]]:
    # On-board ports without a USB id are found in every PC and lead nowhere.
    return [(port.device, port.description) for port in list_ports.comports() if port.vid is not None]
