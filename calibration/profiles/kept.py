"""The stored profiles: list, rename and remove them.

Only the text of their files is examined: the web process opens no pictures.
"""

import json
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from calibration.profiles.errors import MAKE_ROOM, ProfileError
from calibration.profiles.naming import checked_name, missing_message, names, stem_of, step_stem
from calibration.written import write_atomically

VERSION = 1
_PARTS = {
    *("made", "size_px", "tray", "markers_px", "white_bgr", "dark_tray"),
    *("cube_mm", "colours", "thumbnail", "lens"),
}


@dataclass(frozen=True, slots=True)
class ProfileSummary:
    """A summary of one profile, without the measurements."""

    name: str
    made: str = ""
    """ISO 8601, UTC; empty if the profile cannot be read."""
    colours: tuple[str, ...] = ()
    mat: bool = False
    """Whether the mat lay under the tray."""
    readable: bool = True


def list_profiles(folder: Path) -> list[ProfileSummary]:
    """Return all profiles, in name order."""
    found = []
    for name in names(folder):
        with suppress(OSError):  # removed in the meantime
            status = _profile_path(name, folder).stat()
            found.append(_summarise(name, _profile_path(name, folder), status.st_mtime_ns, status.st_size))
    return found


def remove(name: str, folder: Path) -> None:
    """Remove a profile and the pictures of its steps. Raises `ProfileError`."""
    name = _require_existing(name, folder)
    try:
        for picture, _ in _step_pictures(name, folder):
            picture.unlink(missing_ok=True)
        _profile_path(name, folder).unlink()
    except OSError as error:
        raise _change_error(error) from None


def rename(name: str, new: str, folder: Path) -> None:
    """Rename a profile and the pictures of its steps. Raises `ProfileError`."""
    name, new = _require_existing(name, folder), checked_name(new)
    if _profile_path(new, folder).exists():
        raise ProfileError(
            f"There is already a profile {new!r}.", "Choose another name, or remove that one.", "tray_taken"
        )
    try:
        body = _read_body(_profile_path(name, folder))
    except OSError as error:
        raise _change_error(error) from None
    except ValueError as error:
        raise ProfileError(
            f"The profile {name!r} cannot be read ({error}).", "Calibrate again, or remove it.", "tray_broken"
        ) from None
    write({**body, "name": new}, _profile_path(new, folder))
    try:
        # If both versions have calibrated this tray, the newer picture replaces the older one.
        for picture, step in sorted(
            _step_pictures(name, folder), key=lambda item: not _has_old_name(item[0])
        ):
            picture.replace(folder / f"{step_stem(new, step)}.jpg")
        _profile_path(name, folder).unlink()
    except OSError as error:
        raise _change_error(error) from None


def _require_existing(name: str, folder: Path) -> str:
    name = checked_name(name)
    if name not in names(folder):
        raise ProfileError(missing_message(name, folder), "See `tenshu calibrate --list`.", "tray_gone")
    return name


def _step_pictures(name: str, folder: Path) -> Iterator[tuple[Path, str]]:
    """Yield the pictures of a profile's steps; older versions named step "red" of "table" "table-red"."""
    prefix, old_prefix = f"{stem_of(name)}.", f"{stem_of(name)}-"
    longer_prefixes = tuple(
        f"{stem_of(other)}-" for other in names(folder) if stem_of(other).startswith(old_prefix)
    )
    for picture in list(folder.glob("*.jpg")):
        if picture.stem.startswith(prefix):
            yield picture, picture.stem.removeprefix(prefix)
        elif (
            picture.stem.startswith(old_prefix)
            and not picture.stem.startswith(longer_prefixes)
            and _has_old_name(picture)
        ):
            yield picture, picture.stem.removeprefix(old_prefix)


def _has_old_name(picture: Path) -> bool:
    return "." not in picture.stem.removesuffix(".new")


def _profile_path(name: str, folder: Path) -> Path:
    return folder / f"{stem_of(name)}.json"


def _change_error(error: OSError) -> ProfileError:
    return ProfileError(
        f"{error.filename} cannot be changed ({error.strerror}).", MAKE_ROOM, "tray_not_changed"
    )


def write(body: Mapping[str, object], path: Path) -> None:
    """Write a profile's file atomically. Raises `ProfileError`."""
    try:
        write_atomically(path, json.dumps(body))
    except OSError as error:
        raise ProfileError(
            f"{path} cannot be written ({error.strerror}).", MAKE_ROOM, "tray_not_changed"
        ) from None


@lru_cache(maxsize=256)
def _summarise(name: str, path: Path, changed_ns: int, size: int) -> ProfileSummary:
    """Summarise a file, cached by its time and size: a page asks every second, a profile has some 100 kB."""
    try:
        body = _read_body(path)
        return ProfileSummary(
            name, str(body["made"]), tuple(map(str, body["colours"])), bool(body["markers_px"])
        )
    except (OSError, ValueError):
        return ProfileSummary(name, readable=False)


def _read_body(path: Path) -> dict[str, Any]:
    """Read a profile's file. Raises OSError, or ValueError if it is not a profile of this version."""
    try:
        body = json.loads(path.read_text(encoding="utf-8"))
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    if not isinstance(body, dict) or body.get("version") != VERSION or not body.keys() >= _PARTS:
        raise ValueError("it is not a profile that this program knows")
    if not isinstance(body["colours"], dict) or not isinstance(body["markers_px"], dict):
        raise ValueError("it is not a profile that this program knows")
    return body
