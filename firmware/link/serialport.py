"""pyserial behind the link's `Port`: opening, reading and writing, with this package's errors."""

import os
import re
import sys
from contextlib import suppress
from typing import Final

import serial

from firmware.link.troubles import opening_error, port_error
from firmware.link.wire import BAUD

READ_S: Final = 0.05
WRITE_S: Final = 1.0

if sys.platform == "win32":
    _HUNG_UP: tuple[type[Exception], ...] = ()
else:
    import termios

    _HUNG_UP = (termios.error,)
    """Raised if a port vanishes while pyserial opens it; not an `OSError`, though it has an errno."""


class SerialPort:
    """An open port. On Linux opening one always raises DTR, which resets an Uno."""

    def __init__(self, device: serial.SerialBase) -> None:
        self._device = device

    def read(self) -> bytes:
        """Return what has arrived, or what arrives within `READ_S`."""
        try:
            first = self._device.read(1)
            waiting = self._device.in_waiting if first else 0
            return bytes(first + self._device.read(waiting)) if waiting else bytes(first)
        except TypeError as error:  # from pyserial, if another thread has closed the port
            raise OSError from error

    def write(self, data: bytes) -> None:
        """Send; a board that accepts nothing for `WRITE_S` is gone."""
        self._device.write(data)

    def close(self) -> None:
        """Release the port."""
        with suppress(OSError):
            self._device.close()


def open_port(name: str) -> SerialPort:
    """Open a device by name, or by a pyserial URL such as socket://host:port. Raises `PortError`."""
    try:
        device = serial.serial_for_url(
            name,
            baudrate=BAUD,
            timeout=READ_S,
            write_timeout=WRITE_S,
            exclusive=True if os.name == "posix" else None,
        )
    except OSError as error:
        raise opening_error(error, name) from error
    except (ValueError, KeyError, re.error) as error:  # what pyserial lets through of a malformed URL
        raise port_error("missing", name) from error
    except _HUNG_UP as error:
        raise opening_error(OSError(*error.args), name) from error
    return SerialPort(device)
