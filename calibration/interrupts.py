"""Ctrl-C and SIGTERM where they would come amiss: who starts processes must know them to end them."""

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
    """Until the end of the block; then it is heard, as a KeyboardInterrupt of the main thread. So is SIGTERM.

    Threads and processes that are started meanwhile never hear of Ctrl-C: who ends the command ends them.
    """
    if threading.current_thread() is not threading.main_thread():
        yield  # they come to the main thread alone
        return
    usual = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    mine = {number: handler for number, handler in usual.items() if callable(handler)}  # others are nobody's
    heard: list[int] = []
    for number in mine:
        signal.signal(number, lambda number, _: heard.append(number))  # a thread of before may take it
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
    """For this thread, and what it starts."""
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
    """In this block it ends the program as Ctrl-C does: what is begun is put right, processes are ended."""
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
    """In a process that works for another: it ends as that ends, however that does, and not by Ctrl-C."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    parent = parent_process()
    if parent is not None:
        threading.Thread(target=_end_after, args=(parent.sentinel,), daemon=True).start()


def _end_after(sentinel: int) -> None:
    wait([sentinel])
    os._exit(1)
