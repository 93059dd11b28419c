"""Which serial ports may be a board: by USB vendor ID and by name, on Linux, macOS and Windows."""

import re
import sys
from collections.abc import Iterable
from typing import Protocol

USB_SERIAL = frozenset(
    {
        0x2341,  # Arduino
        0x2A03,  # Arduino.org
        0x1A86,  # CH340 of cheap Nanos
        0x0403,  # FTDI of old Nanos
        0x10C4,  # CP2102
        0x067B,  # PL2303
        0x03EB,  # Atmel, Uno with other software on its 16U2
        0x04D8,  # Microchip
        0x1B4F,  # SparkFun
        0x239A,  # Adafruit
    }
)
_NAMES = re.compile(
    r"/dev/(ttyUSB|ttyACM|serial/by-id/|cu\.usb|cu\.wchusb|cu\.SLAB|ttyU|cuaU)", re.IGNORECASE
)
_NEVER = re.compile(r"bluetooth|rfcomm|debug-console|wlan-debug|/dev/tty\.", re.IGNORECASE)
"""Opening a Bluetooth port blocks for seconds; macOS's tty.* ports wait for a modem's carrier."""


class Listed(Protocol):
    """The part of pyserial's `list_ports.comports` entries that matters here."""

    device: str
    description: str
    hwid: str
    vid: int | None


def likely_ports(ports: Iterable[Listed], platform: str = sys.platform) -> list[str]:
    """Return ports worth a handshake, the likeliest first; others are never opened, as that would disturb
    them."""
    marked = [(_rank(port, platform), port.device) for port in ports]
    return [device for rank, device in sorted(marked) if rank < _UNLIKELY]


_UNLIKELY = 9


def _rank(port: Listed, platform: str) -> int:
    description = f"{port.device} {port.description} {port.hwid}"
    if _NEVER.search(description) or "BTHENUM" in description:
        return _UNLIKELY
    if port.vid in USB_SERIAL:
        return 0
    has_known_name = _NAMES.match(port.device) or (platform == "win32" and port.vid is not None)
    return 1 if has_known_name else _UNLIKELY


def present_ports() -> list[str]:
    """Return the likely ports of this computer now."""
    from serial.tools import list_ports  # noqa: PLC0415 - slow to import on some systems

    try:
        return likely_ports(list_ports.comports())
    except Exception:  # noqa: BLE001 - what a device leaves behind that goes while it is listed, TypeError too
        return []
