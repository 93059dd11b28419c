"""Ctrl-C where it would come amiss: who starts threads and processes must know them to end them."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def ctrl_c_waits() -> Iterator[None]:
    """Until the end of the block; then it is heard, as a KeyboardInterrupt of the main thread.

    Threads and processes that are started meanwhile never hear of it: who ends the command ends them.
    """
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
