"""Which reader a command uses: the usual one, or one that was taught a table."""

from pathlib import Path

from calibration.profiles.drift import DriftWatch
from calibration.profiles.profile import load
from calibration.profiles.taught import reader_of
from companion.places import profiles_dir
from vision.reader import TrayReader


def chosen_reader(profile: str | None, profiles: Path) -> TrayReader:
    """The reader of a kept profile; the usual one for None. Raises `ProfileError`."""
    if profile is None:
        return TrayReader()
    return reader_of(load(profile, profiles))


def asked_reader(profile: str | None, data: Path | None = None) -> TrayReader:
    """The same from the user's own profiles: only where one is named has the user to have a home."""
    return TrayReader() if profile is None else chosen_reader(profile, profiles_dir(data))


def chosen_drift(profile: str | None, profiles: Path) -> DriftWatch | None:
    """What notices that a calibrated table has changed; nothing without a profile. Raises `ProfileError`."""
    return None if profile is None else DriftWatch(load(profile, profiles))
