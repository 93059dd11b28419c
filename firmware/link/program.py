"""Which version of the board's program comes with Tenshu: it is told beside the one that a board runs."""

from typing import Final

PROGRAM: Final = "0.2.0"
"""As `firmware/core/version.h` has it."""


def newer(version: str) -> str | None:
    """What to flash instead of that version; None where it is no older, or no number ("simulated")."""
    return PROGRAM if (own := _numbers(version)) and own < _numbers(PROGRAM) else None


def _numbers(version: str) -> tuple[int, ...]:
    parts = version.split(".")
    return tuple(map(int, parts)) if all(part.isascii() and part.isdigit() for part in parts) else ()
