"""One other thread of the process, for work that would leave a core idle if everything waited for it."""

import os
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cache
from typing import ParamSpec, TypeVar

import cv2

Given = ParamSpec("Given")
Made = TypeVar("Made")


def alongside(work: Callable[Given, Made], *args: Given.args, **named: Given.kwargs) -> "Future[Made]":
    """What becomes of work that goes on while the caller does something else.

    Where OpenCV may have one thread only, it is done at once: others have the other cores.
    """
    if cv2.getNumThreads() > 1:
        return _other(os.getpid()).submit(work, *args, **named)
    done: Future[Made] = Future()
    done.set_result(work(*args, **named))
    return done


@cache
def _other(process: int) -> ThreadPoolExecutor:
    """Of one process: the thread does not come along into a forked one."""
    return ThreadPoolExecutor(1, thread_name_prefix="alongside")
