"""How long a test waits for another thread, process or page: for a condition, never for a fixed time."""

import time
from collections.abc import Callable

PATIENCE_S = 300.0
"""Reached only by a test that would hang for ever: on a busy machine everything may take long."""
_LOOK_S = 0.02


def until(condition: Callable[[], object]) -> None:
    """Wait until `condition` holds; fail after `PATIENCE_S`."""
    end = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < end, "it never happened"
        time.sleep(_LOOK_S)
