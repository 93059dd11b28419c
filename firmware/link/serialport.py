"""pyserial behind the link's `Port`: opening, reading and writing, errors as those of this room."""

import os
import sys
from contextlib import suppress
from typing import Final

import serial

from firmware.link.troubles import opening, port_error
from firmware.link.wire import BAUD

READ_S: Final = 0.05
WRITE_S: Final = 1.0

if sys.platform == "win32":
    _HUNG_UP: tuple[type[Exception], ...] = ()
else:
    import termios

    _HUNG_UP = (termios.error,)
    """A port that goes while pyserial opens it; no `OSError`, though it has a number like one."""


class SerialPort:
    """An open port. Opening one raises DTR on Linux whatever one sets, and that resets an Uno."""

    def __init__(self, device: serial.SerialBase) -> None:
        self._device = device

    def read(self) -> bytes:
        """What has arrived, or what arrives within `READ_S`."""
        try:
            first = self._device.read(1)
            waiting = self._device.in_waiting if first else 0
            return bytes(first + self._device.read(waiting)) if waiting else bytes(first)
        except TypeError as error:  # pyserial, when another thread closed the port meanwhile
            raise OSError from error

    def write(self, data: bytes) -> None:
        """Send; a board that takes nothing for `WRITE_S` is gone."""
        self._device.write(data)

    def close(self) -> None:
        """Release the port."""
        with suppress(OSError):
            self._device.close()


def open_port(name: str) -> SerialPort:
    """A device's name, or a URL of pyserial such as socket://host:port. Raises `PortError`."""
    try:
        device = serial.serial_for_url(
            name,
            baudrate=BAUD,
            timeout=READ_S,
            write_timeout=WRITE_S,
            exclusive=True if os.name == "posix" else None,
        )
    except OSError as error:
        raise opening(error, name) from error
    except ValueError as error:
        raise port_error("missing", name) from error
    except _HUNG_UP as error:
        raise opening(OSError(*error.args), name) from error
    return SerialPort(device)
