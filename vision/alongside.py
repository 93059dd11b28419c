"""One extra thread per process, for work that would leave a core idle if everything waited for it."""

import os
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cache
from typing import ParamSpec, TypeVar

import cv2

Given = ParamSpec("Given")
Made = TypeVar("Made")


def run_alongside(work: Callable[Given, Made], *args: Given.args, **named: Given.kwargs) -> "Future[Made]":
    """Return a future for work that runs while the caller does something else.

    If OpenCV may use only one thread, the work is done at once: the other cores belong to other processes.
    """
    if cv2.getNumThreads() > 1:
        return _executor(os.getpid()).submit(work, *args, **named)
    done: Future[Made] = Future()
    done.set_result(work(*args, **named))
    return done


@cache
def _executor(process: int) -> ThreadPoolExecutor:
    """The executor of one process: its thread does not survive a fork."""
    return ThreadPoolExecutor(1, thread_name_prefix="alongside")
