"""Every trouble of board and wire by name, with its sentence and remedy: the only list of them.

The names of the board's own faults and refusals are those in firmware/PROTOCOL.md.
"""

import errno
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from firmware.link.errors import PortError, Refused
from firmware.link.events import Fault, LinkDown

_WIRES = "Check the four wires between HX711 and board, and its power (docs/load-cell.md)."

FAULTS: Final[Mapping[str, tuple[str, str]]] = {
    "silent": ("The HX711 gives no readings.", _WIRES),
    "desync": (
        "The HX711's readings are garbled.",
        "Shorten its wires, and press them in well; see docs/load-cell.md.",
    ),
    "saturated": (
        "The load cell is at the end of its range.",
        "Take off whatever presses on the tray; if nothing does, two wires of the cell are swapped.",
    ),
    "stuck": (
        "The load cell's reading never changes.",
        "Check the cell's four wires on E+, E-, A+ and A-.",
    ),
    "vibration": (
        "The tray does not come to rest.",
        "Check what shakes the table, leans on the tray or blows at it. The game goes on with the "
        "camera or by hand.",
    ),
    "settings": (
        "The board has lost its settings.",
        "Calibrate it again: `tenshu firmware calibrate`.",
    ),
    "uncalibrated": (
        "The load cell was never calibrated, so its weight is ignored.",
        "Weigh known cubes: `tenshu firmware calibrate`.",
    ),
    "disagrees": (
        "Weight and counts keep differing, so the weight is ignored.",
        "Weigh known cubes again, and make sure that the tower does not touch the tray and no counter "
        "is in it.",
    ),
    "lost": (
        "Messages from the board were lost on the way.",
        "If this continues, try another USB cable or port. The game goes on with the camera or by hand.",
    ),
    "garbage": (
        "Messages from the board arrive garbled.",
        "Try another USB cable or port; flash the board again with `tenshu firmware flash`.",
    ),
    "unanswered": (
        "The board does not answer commands.",
        "Unplug it and plug it in again.",
    ),
}
"""Faults of a board that is connected: name to sentence and remedy."""
UNCALIBRATED: Final = "uncalibrated"
"""Reported by the link for a board without a calibrated scale."""
DISAGREES: Final = "disagrees"
"""Reported by the table for a scale that was wrong throw after throw."""
OF_READING: Final = frozenset({"silent", "desync", "saturated", "stuck"})
"""Faults that leave the board without usable readings."""

LINK: Final[Mapping[str, tuple[str, str]]] = {
    "gone": (
        "The load cell was unplugged.",
        "Plug it in again; meanwhile the game goes on with the camera or by hand.",
    ),
    "silence": (
        "The load cell has gone silent.",
        "Unplug it and plug it in again; meanwhile the game goes on with the camera or by hand.",
    ),
    "ended": (
        "The load cell's process stopped.",
        "It restarts by itself; the game goes on with the camera or by hand.",
    ),
    "restarted": ("The load cell's board restarted.", "If this happens again, check its power."),
    "version": (
        "The program on the board is not the version for this Tenshu.",
        "Flash the right one: `tenshu firmware flash`.",
    ),
    "no_answer": (
        "No load cell answers on {port}.",
        "Flash its board with `tenshu firmware flash`, or name another port.",
    ),
    "other_device": (
        "What is on {port} is not a Tenshu load cell.",
        "Flash its board with `tenshu firmware flash`, or name another port.",
    ),
    "not_found": (
        "No serial port looks like a board.",
        "Plug the board in with a cable that carries data, or name its port: `--port /dev/ttyUSB0`.",
    ),
    "missing": ("There is no port {port}.", "Plug the board in, or find its name with `tenshu doctor`."),
    "busy": (
        "Another program uses {port}.",
        "Close it (the Arduino IDE, a terminal, another Tenshu).",
    ),
    "not_permitted": ("You are not allowed to open {port}.", "{permit}"),
    "broken": ("{port} cannot be opened.", "Unplug the board and plug it in again."),
}
"""Troubles of a link that is down; sentences may name the port."""

REFUSALS: Final[Mapping[str, tuple[str, str]]] = {
    "busy": ("The board is still busy with another command.", "Wait a moment and try again."),
    "moving": ("The tray is not still.", "Take your hands off, wait two seconds and try again."),
    "light": (
        "The weight hardly changed.",
        "Use more cubes or a heavier weight, and make sure it is on the tray.",
    ),
    "fault": ("The load cell gives no readings to work with.", _WIRES),
    "storage": (
        "The board could not save its settings.",
        "Try again; if it fails twice, its EEPROM is worn out.",
    ),
    "argument": ("The board does not accept this value.", "See firmware/PROTOCOL.md for the ranges."),
    "unanswered": ("The board does not answer.", "Unplug it and plug it in again."),
    "gone": ("The board was unplugged before it answered.", "Plug it in and begin again."),
    "restarted": (
        "The board restarted before it had saved this.",
        "Begin again; if this happens again, check its power.",
    ),
    "command": ("The board does not know this command.", "Flash the program that belongs to this Tenshu."),
}
"""Why a board refuses a command; any other reason is trouble on the wire."""
_GARBLED = ("The command did not reach the board intact.", "Try again, or try another USB cable.")


def fault(name: str) -> Fault:
    """Return the event for a fault."""
    return Fault(name, *FAULTS[name])


def refusal(reason: str) -> Refused:
    """Return the error for a NAK."""
    return Refused(reason, *REFUSALS.get(reason, _GARBLED))


def link_down(name: str, port: str) -> LinkDown:
    """Return the event for a link that is down."""
    sentence, remedy = _sentence_and_remedy(name, port)
    return LinkDown(port, sentence, remedy, name)


def port_error(name: str, port: str) -> PortError:
    """Return the error for a link that is down."""
    return PortError(name, *_sentence_and_remedy(name, port))


def opening_error(error: OSError, port: str, platform: str = sys.platform) -> PortError:
    """Return the error for a port that could not be opened."""
    name = _error_name(error, platform)
    return port_error("missing" if name == "not_permitted" and _is_file(port) else name, port)


def _sentence_and_remedy(name: str, port: str) -> tuple[str, str]:
    sentence, remedy = LINK[name]
    permit = _how_to_permit(port) if "{permit}" in remedy else ""
    return sentence.format(port=port), remedy.format(port=port, permit=permit)


def _is_file(port: str) -> bool:
    """Whether it is a regular file: no permission turns one into a port."""
    try:
        return Path(port).is_file()
    except OSError:
        return False


_NO_PORT: Final = frozenset(
    {errno.ENOENT, errno.ENXIO, errno.ENODEV, errno.ENOTTY, errno.EISDIR, errno.ENOTDIR, errno.ELOOP}
)
"""Nothing is there, or it is a file or folder."""


def _error_name(error: OSError, platform: str) -> str:
    number = error.errno
    text = str(error)
    if platform == "win32":  # pyserial gives Windows errors as text only
        if "FileNotFoundError" in text:
            return "missing"
        return "busy" if "PermissionError" in text else "broken"
    if number in _NO_PORT or f"({errno.ENOTTY}, " in text:  # pyserial gives ENOTTY as text only
        return "missing"
    if number in (errno.EACCES, errno.EPERM):
        return "not_permitted"
    if number in (errno.EBUSY, errno.EAGAIN) or "exclusively lock" in text:
        return "busy"
    return "broken"


_OF_PORTS: Final = frozenset({"dialout", "uucp", "plugdev"})


def _how_to_permit(port: str) -> str:
    """On Linux a group owns serial ports, named differently by distribution. No other group is suggested."""
    if sys.platform == "darwin":
        return "Allow the accessory when macOS asks; if it did not ask, plug the board in again."
    group = _group_of(port)
    if group not in _OF_PORTS:
        return f"Give your user the right to read and write {port}."
    return f"Run `sudo usermod -aG {group} $USER`, then log out and in again."


def _group_of(port: str) -> str | None:
    """Group of a device; the group of a file, or root, might grant more than intended."""
    try:
        return Path(port).group() if Path(port).is_char_device() else None
    except (OSError, KeyError, NotImplementedError):
        return None
