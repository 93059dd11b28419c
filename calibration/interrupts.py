"""Ctrl-C and SIGTERM at bad moments: whoever starts processes must know them all to be able to end them."""

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from multiprocessing import parent_process
from multiprocessing.connection import wait
from types import FrameType
from typing import NoReturn


@contextmanager
def ctrl_c_waits() -> Iterator[None]:
    """Defer Ctrl-C and SIGTERM to the end of the block, then handle the first in the main thread as usual.

    Threads and processes started inside the block never receive Ctrl-C: whoever ends the command ends them.
    """
    if threading.current_thread() is not threading.main_thread():
        yield  # only the main thread receives them
        return
    handlers = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    python_handlers = {number: handler for number, handler in handlers.items() if callable(handler)}
    received: list[int] = []
    for number in python_handlers:
        signal.signal(number, lambda number, _: received.append(number))  # an older thread may receive it
    try:
        with _sigint_blocked() if signal.SIGINT in python_handlers else nullcontext():
            yield
    finally:
        for number, handler in python_handlers.items():
            signal.signal(number, handler)
        for first in received[:1]:
            python_handlers[signal.Signals(first)](first, None)


@contextmanager
def _sigint_blocked() -> Iterator[None]:
    """Block SIGINT for this thread and everything it starts."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    previous_mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, previous_mask)


@contextmanager
def sigterm_unwinds() -> Iterator[None]:
    """Make SIGTERM unwind the stack within the block, as Ctrl-C does: clean-up runs, processes end."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    previous_handler = signal.signal(signal.SIGTERM, _raise_exit)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, previous_handler)


def _raise_exit(number: int, frame: FrameType | None) -> NoReturn:
    del frame
    raise SystemExit(128 + number)


def end_with_parent() -> None:
    """Make a worker process ignore Ctrl-C and end with its parent, however the parent ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    parent = parent_process()
    if parent is not None:
        threading.Thread(target=_exit_with_parent, args=(parent.sentinel,), daemon=True).start()


def _exit_with_parent(sentinel: int) -> None:
    wait([sentinel])
    os._exit(1)
