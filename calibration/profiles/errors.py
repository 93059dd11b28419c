"""Errors of profiles, in a module of their own so that code which opens no pictures can import them."""

from vision.errors import VisionError

MAKE_ROOM = "Free some space on that disk, or give yourself permission to write there."


class ProfileError(VisionError):
    """A profile is missing, broken, or cannot be written."""
