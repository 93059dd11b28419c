"""What is plugged in, what is missing, and what to do about it: each check yields findings.

What prevents reading the camera is a fault; what a game can be played without is a note.
"""

import shutil
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from importlib import metadata
from pathlib import Path
from tempfile import TemporaryFile

from serial.tools import list_ports

from calibration.profiles.profile import Profile
from companion.cell.health import check_load_cell
from companion.doctor_camera import check_camera
from companion.findings import Finding, Level
from firmware.link.ports import likely_ports
from vision.sources.devices import cameras

LIBRARIES = ("opencv-python-headless", "numpy", "scikit-learn", "pyserial", "flask")
_LITTLE_DISK_MB = 500
_NO_DISK_MB = 50
_WITHOUT = "none"
"""Value for no camera or no load cell, as in the options of `tenshu serve`."""
_NO_CAMERA = Finding("camera", Level.NOTE, "Without a camera you count by hand.")
_NO_CELL = Finding("load cell", Level.NOTE, "Without a load cell the camera alone counts.")


def examine(
    camera_specs: Sequence[str] | None,
    data: Path,
    profile: Profile | None = None,
    cell_port: str | None = None,
) -> Iterator[Finding]:
    """Run all checks in turn. No cameras given, or port None or "auto": check whatever is plugged in."""
    yield check_python()
    yield from check_libraries()
    yield check_disk(data)
    yield from _check_cell(cell_port, data)
    specs = cameras() if camera_specs is None else camera_specs
    if not specs:
        yield Finding(
            "camera",
            Level.FAULT,
            "No camera is plugged in.",
            "Plug in a webcam, or name a phone's camera: `tenshu doctor --camera http://phone:8080/video`. "
            "Without a camera Tenshu takes counts by hand.",
        )
    for spec in specs:
        yield from (_NO_CAMERA,) if spec == _WITHOUT else check_camera(spec, profile)


def _check_cell(port: str | None, data: Path) -> Iterator[Finding]:
    if port == _WITHOUT:
        yield _NO_CELL
    elif port in (None, "auto"):  # list ports unless one was named
        yield from check_serial_ports()
        yield from check_load_cell(likely_ports(list_ports.comports()), data)
    else:
        yield from check_load_cell([port], data)


def check_python(version: tuple[int, int] = sys.version_info[:2]) -> Finding:
    """Check the Python version."""
    sentence = "Python {}.{} runs.".format(*version)
    if version < (3, 11):
        return Finding("python", Level.FAULT, sentence, "Tenshu needs Python 3.11 or newer.")
    return Finding("python", Level.OK, sentence)


def check_libraries(names: Iterable[str] = LIBRARIES) -> Iterator[Finding]:
    """Check the libraries that Tenshu depends on."""
    for name in names:
        try:
            yield Finding("library", Level.OK, f"{name} {metadata.version(name)}.")
        except metadata.PackageNotFoundError:
            yield Finding(
                "library", Level.FAULT, f"{name} is missing.", "Run `make demo`, or install Tenshu again."
            )


def check_disk(data: Path, free_of: Callable[[Path], int] | None = None) -> Finding:
    """Check that games and pictures can be written to the data folder, and how much space is free."""
    nearest = next(path for path in (data, *data.parents) if _exists(path))
    try:
        with TemporaryFile(dir=nearest) as probe:  # permissions do not reveal a read-only disk
            probe.write(b"cubes")
        free_mb = (free_of(nearest) if free_of else shutil.disk_usage(nearest).free) // 1_000_000
    except OSError as error:
        sentence = f"Nothing can be kept in {data}: {error.strerror or error}."
        return Finding(
            "disk",
            Level.FAULT,
            sentence,
            "Free some space, make the folder yours, or name another as TENSHU_DATA.",
        )
    sentence = f"{free_mb} MB are free for games and pictures in {data}."
    if free_mb < _NO_DISK_MB:
        return Finding("disk", Level.FAULT, sentence, "Free some space: a game could not be saved.")
    if free_mb < _LITTLE_DISK_MB:
        return Finding("disk", Level.NOTE, sentence, "Free some space, or older pictures are dropped soon.")
    return Finding("disk", Level.OK, sentence)


def check_serial_ports(ports: Sequence[tuple[str, str]] | None = None) -> Iterator[Finding]:
    """Report the ports a load cell may be on; `ports` are (device, description)."""
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


def _exists(path: Path) -> bool:
    """Return whether a path exists; an unreadable one counts, so that writing to it reports the error."""
    try:
        return path.exists()
    except OSError:
        return True


def _usb_serial_ports() -> list[tuple[str, str]]:
    # Every PC has on-board ports without a USB id, to which nothing is connected.
    return [(port.device, port.description) for port in list_ports.comports() if port.vid is not None]
