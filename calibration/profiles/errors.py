"""What can go wrong with a profile: here, so that it can be said where no picture is ever opened."""

from vision.errors import VisionError

MAKE_ROOM = "Free some space on that disk, or give yourself permission to write there."


class ProfileError(VisionError):
    """A profile is missing, broken, or cannot be written."""
