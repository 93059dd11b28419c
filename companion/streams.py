"""What a command prints to: closed, full, or gone before the end; none of it may end in a traceback."""

import io
import os
import sys
from contextlib import suppress
from typing import TextIO

_STDERR = 2


def make_ready() -> None:
    """What was closed leads nowhere; a name that is no UTF-8, or a terminal of ASCII, ends no command."""
    _fill_gaps()
    sys.stdout = sys.stdout or _nowhere()
    sys.stderr = sys.stderr or _nowhere()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def say(text: str) -> None:
    """On stderr, if anybody can be told there."""
    with suppress(OSError):
        sys.stderr.write(text)
        sys.stderr.flush()


def let_go() -> None:
    """What still cannot be written leads nowhere, so that the interpreter does not complain at its end."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            _lead_nowhere(stream)


def _lead_nowhere(stream: TextIO) -> None:
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)


def _nowhere() -> TextIO:
    return open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123 - lasts as long as the program


def _fill_gaps() -> None:
    """Of stdin, stdout and stderr: what is opened next, a table's file, must not be in their place."""
    while (opened := os.open(os.devnull, os.O_RDWR)) <= _STDERR:
        os.set_inheritable(opened, True)  # nor in their place in processes that are started
    os.close(opened)
