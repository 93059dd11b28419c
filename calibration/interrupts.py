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
    usual = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    mine = {number: handler for number, handler in usual.items() if callable(handler)}  # Python handlers
    heard: list[int] = []
    for number in mine:
        signal.signal(number, lambda number, _: heard.append(number))  # an older thread may receive it
    try:
        with _blocked() if signal.SIGINT in mine else nullcontext():
            yield
    finally:
        for number, handler in mine.items():
            signal.signal(number, handler)
        for told in heard[:1]:
            mine[signal.Signals(told)](told, None)


@contextmanager
def _blocked() -> Iterator[None]:
    """Block SIGINT for this thread and everything it starts."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def sigterm_unwinds() -> Iterator[None]:
    """Make SIGTERM unwind the stack within the block, as Ctrl-C does: clean-up runs, processes end."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, _unwind)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _unwind(number: int, frame: FrameType | None) -> NoReturn:
    del frame
    raise SystemExit(128 + number)


def end_with_parent() -> None:
    """Make a worker process ignore Ctrl-C and end with its parent, however the parent ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    parent = parent_process()
    if parent is not None:
        threading.Thread(target=_end_after, args=(parent.sentinel,), daemon=True).start()


def _end_after(sentinel: int) -> None:
    wait([sentinel])
    os._exit(1)
