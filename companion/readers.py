"""Which reader a command uses: the usual one, or one that was taught a table."""

from pathlib import Path

from calibration.profile import load
from calibration.taught import reader_of
from vision.reader import TrayReader


def chosen_reader(profile: str | None, profiles: Path) -> TrayReader:
    """The reader of a kept profile; the usual one for None. Raises `ProfileError`."""
    if profile is None:
        return TrayReader()
    return reader_of(load(profile, profiles))
