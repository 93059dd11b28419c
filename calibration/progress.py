"""Progress messages of a long run."""

import sys


def say(line: str) -> None:
    """Write a line and flush it, so that it appears at once even when redirected to a file."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()
