"""Standard streams that are closed, full or gone early; none of this may end in a traceback."""

import io
import os
import sys
from contextlib import suppress
from typing import TextIO

_STDERR = 2


def make_ready() -> None:
    """Redirect closed streams to the null device, and escape what a stream's encoding cannot represent."""
    _fill_gaps()
    sys.stdin = sys.stdin or open(os.devnull, encoding="utf-8")  # noqa: PTH123, SIM115 - as `_open_null`
    sys.stdout = sys.stdout or _open_null()
    sys.stderr = sys.stderr or _open_null()
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def say(text: str) -> None:
    """Write to stderr if it is writable."""
    with suppress(OSError):
        sys.stderr.write(text)
        sys.stderr.flush()


def redirect_unwritable() -> None:
    """Redirect unwritable streams to the null device, so that the interpreter does not complain at exit."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            _redirect_to_null(stream)


def _redirect_to_null(stream: TextIO) -> None:
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, stream.fileno())
    os.close(null)


def _open_null() -> TextIO:
    return open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123 - lasts as long as the program


def _fill_gaps() -> None:
    """Open missing standard descriptors, so that the next file opened (a table's) cannot take their place."""
    while (descriptor := os.open(os.devnull, os.O_RDWR)) <= _STDERR:
        os.set_inheritable(descriptor, True)  # nor in child processes
    os.close(descriptor)
