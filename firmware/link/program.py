"""Version of the board's program that ships with Tenshu, to be shown beside the one a board runs."""

from typing import Final

PROGRAM: Final = "0.2.1"
"""Must agree with `firmware/core/version.h`."""


def version_to_flash(version: str) -> str | None:
    """Return the version to flash over that one; None if that is no older, or not a number ("simulated")."""
    return PROGRAM if (flashed := _numbers(version)) and flashed < _numbers(PROGRAM) else None


def _numbers(version: str) -> tuple[int, ...]:
    parts = version.split(".")
    return tuple(map(int, parts)) if all(part.isascii() and part.isdigit() for part in parts) else ()
