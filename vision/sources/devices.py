"""Video devices as Linux lists them: cameras that any program can open, and parts of the board."""

import sys
from pathlib import Path

LISTED = Path("/sys/class/video4linux")
_BOARDS_BUS = "platform"
_LEGACY = "mmal"
"""Name of a Raspberry Pi's camera module in its old system: part of the board, yet usable like a USB
camera."""


def cameras(devices: Path = Path("/dev"), listed: Path = LISTED) -> list[str]:
    """Return the numbers of the cameras that can be opened; just 0 on systems other than Linux.

    A webcam has a second node for metadata, whose index is not 0; a single-board computer has a dozen that
    decode and scale.
    """
    if not sys.platform.startswith("linux"):
        return ["0"]
    numbers = [path.name.removeprefix("video") for path in devices.glob("video[0-9]*")]
    return [
        number
        for number in sorted(filter(str.isdecimal, numbers), key=int)  # a rule of udev may add video0-front
        if _read_text(listed / f"video{number}" / "index", "0") == "0"
        and not is_boards_own(devices / f"video{number}", listed)
    ]


def is_boards_own(device: Path, listed: Path = LISTED) -> bool:
    """Whether a device is part of the computer's board: a camera module's bare sensor, a decoder."""
    entry = listed / device.resolve().name
    try:
        bus = (entry / "device" / "subsystem").resolve(strict=True).name
    except OSError:  # a virtual camera has no bus
        return False
    return bus == _BOARDS_BUS and not _read_text(entry / "name", "").startswith(_LEGACY)


def _read_text(path: Path, otherwise: str) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace").strip()
    except OSError:
        return otherwise
