"""Progress of long commands, on stderr: people see that it works, and scripts get a clean stdout."""

import sys
from collections.abc import Iterable, Iterator
from time import monotonic
from typing import TypeVar

Item = TypeVar("Item")

_EVERY_S = 2.0


def progress(items: Iterable[Item], total: int, what: str) -> Iterator[Item]:
    """Yield the items; every two seconds, and at the end of longer work, print how many are done."""
    last_said = monotonic()
    is_long = False
    for done, item in enumerate(items, start=1):
        yield item
        if monotonic() - last_said >= _EVERY_S or (is_long and done == total):
            sys.stderr.write(f"{done} of {total} {what}\n")
            last_said, is_long = monotonic(), True
