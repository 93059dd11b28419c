"""Which profile the camera reads with: the one named at the start, else the tray chosen last."""

from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from calibration.profiles.errors import MAKE_ROOM, ProfileError
from calibration.profiles.kept import remove, rename
from calibration.profiles.naming import name_of
from calibration.written import write_atomically
from companion.places import profiles_dir
from companion.table.messages import DEMO, SensorSpec

_IN_USE, _IN_USE_AWAY = "in-use.txt", "in-use-elsewhere.txt"
"""Files that hold the last choice; a camera that took over has its own."""


def profiles_folder(spec: SensorSpec) -> Path:
    """Return the folder where profiles are kept."""
    return Path(spec.profiles) if spec.profiles else profiles_dir()


def profile_in_use(spec: SensorSpec) -> str | None:
    """Return the name of the profile, or None; always None for the demo, whose pictures are of many trays."""
    if spec.camera == DEMO or not spec.taught:
        return None
    if is_fixed(spec):
        return spec.profile
    name = _chosen_name(spec)
    return name if name in profile_names(spec) else None


def is_fixed(spec: SensorSpec) -> bool:
    """Whether the camera reads with the profile named at the start: the first does, none that took over."""
    return spec.profile is not None and not spec.away


def use_profile(spec: SensorSpec, name: str | None) -> None:
    """Read with this profile from now on, also after a restart; None reads as if nothing were calibrated.

    Raises `ProfileError` if the disk does not take it.
    """
    path = _choice_path(spec)
    try:
        write_atomically(path, name or "")
    except OSError as error:
        sentence = f"{path} cannot be written ({error.strerror})."
        raise ProfileError(sentence, MAKE_ROOM, "tray_not_changed") from None


def remove_profile(spec: SensorSpec, name: str) -> None:
    """Remove a profile; if it was in use, none is afterwards. Raises `ProfileError`."""
    remove(name, profiles_folder(spec))
    _replace_choice(spec, name, None)


def rename_profile(spec: SensorSpec, name: str, new: str) -> None:
    """Rename a profile; if it was in use, it stays so. Raises `ProfileError`."""
    rename(name, new, profiles_folder(spec))
    _replace_choice(spec, name, new)


def profile_names(spec: SensorSpec) -> list[str]:
    """Return the names of all profiles kept."""
    with suppress(OSError):
        stems = [path.stem for path in profiles_folder(spec).glob("*.json")]
        return sorted(name for stem in stems if (name := name_of(stem)) is not None)
    return []


def _replace_choice(spec: SensorSpec, name: str, new: str | None) -> None:
    """Let whoever reads with this tray read with `new`, or with none, from now on."""
    for variant in (replace(spec, away=away) for away in (False, True)):
        if _chosen_name(variant) == name:
            with suppress(ProfileError):  # a name that is no longer there is not read with either
                use_profile(variant, new)


def _choice_path(spec: SensorSpec) -> Path:
    return profiles_folder(spec) / (_IN_USE_AWAY if spec.away else _IN_USE)


def _chosen_name(spec: SensorSpec) -> str | None:
    """Return what was chosen last; empty or None for none."""
    try:
        return _choice_path(spec).read_text(encoding="utf-8").strip()
    except (OSError, ValueError):
        return None
