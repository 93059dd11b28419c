"""The reader a command uses: the default one, or one taught for a table."""

from collections.abc import Callable
from pathlib import Path

from calibration.profiles.drift import Change, DriftWatch, find_changes
from calibration.profiles.profile import load
from calibration.profiles.taught import reader_of
from companion.places import profiles_dir
from vision.pictures import Picture
from vision.reader import TrayReader
from vision.reading import TrayReading


def chosen_reader(profile: str | None, profiles: Path) -> TrayReader:
    """Return the reader of a saved profile, or the default one for None. Raise `ProfileError`."""
    if profile is None:
        return TrayReader()
    return reader_of(load(profile, profiles))


def asked_reader(profile: str | None, data: Path | None = None) -> TrayReader:
    """Return the reader from the user's own profiles; a home folder is only needed if a profile is named."""
    return TrayReader() if profile is None else chosen_reader(profile, profiles_dir(data))


def asked_move_check(
    profile: str | None, data: Path | None = None
) -> Callable[[Picture, TrayReading], Change | None]:
    """Return what tells a reading whose tray is no longer where the profile has it.

    A mat that is seen says where the tray is, wherever the camera stands. Raise `ProfileError`.
    """
    taught = None if profile is None else load(profile, profiles_dir(data))

    def moved(picture: Picture, reading: TrayReading) -> Change | None:
        if taught is None or reading.mat_seen:
            return None
        return Change.CAMERA_MOVED if Change.CAMERA_MOVED in find_changes(taught, picture) else None

    return moved


def chosen_drift(profile: str | None, profiles: Path) -> DriftWatch | None:
    """Return the watch for changes of a calibrated table, or None without a profile. Raise `ProfileError`."""
    return None if profile is None else DriftWatch(load(profile, profiles))
