"""What a long run says of how far it is."""

import sys


def say(line: str) -> None:
    """A line, at once, also into a file."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()
