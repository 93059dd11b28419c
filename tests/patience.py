"""How long a test waits for what another thread, process or page does: for a condition, never for a clock."""

import time
from collections.abc import Callable

PATIENCE_S = 300.0
"""Only a test that would hang for ever meets it: on a machine with other work all this takes its time."""
_LOOK_S = 0.02


def until(condition: Callable[[], object]) -> None:
    """Wait for it."""
    end = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < end, "it never happened"
        time.sleep(_LOOK_S)
