"""Which profile the camera reads with: the one named at the start, else the tray chosen last."""

from contextlib import suppress
from pathlib import Path

from calibration.profiles.kept import remove, rename
from calibration.profiles.naming import name_of
from calibration.written import keep
from companion.places import profiles_dir
from companion.table.messages import SensorSpec

_IN_USE = "in-use.txt"


def profiles_folder(spec: SensorSpec) -> Path:
    """Where profiles are kept."""
    return Path(spec.profiles) if spec.profiles else profiles_dir()


def profile_in_use(spec: SensorSpec) -> str | None:
    """Name of the profile; None without one. The demo's pictures are of many trays: never one of them."""
    if spec.camera == "demo" or not spec.taught:
        return None
    if spec.profile is not None:
        return spec.profile
    name = _chosen(profiles_folder(spec))
    return name if name in profile_names(spec) else None


def use_profile(spec: SensorSpec, name: str | None) -> None:
    """Read with this one from now on, also after a restart; None reads as if nothing were calibrated."""
    with suppress(OSError):  # of a disk that takes nothing the walk has told already
        keep(profiles_folder(spec) / _IN_USE, name or "")


def remove_profile(spec: SensorSpec, name: str) -> None:
    """Away with it; where it was in use, none is. Raises `ProfileError`."""
    folder = profiles_folder(spec)
    remove(name, folder)
    if _chosen(folder) == name:
        use_profile(spec, None)


def rename_profile(spec: SensorSpec, name: str, new: str) -> None:
    """Another name for it; where it was in use, it stays so. Raises `ProfileError`."""
    folder = profiles_folder(spec)
    rename(name, new, folder)
    if _chosen(folder) == name:
        use_profile(spec, new)


def profile_names(spec: SensorSpec) -> list[str]:
    """All that are kept."""
    with suppress(OSError):
        stems = [path.stem for path in profiles_folder(spec).glob("*.json")]
        return sorted(name for stem in stems if (name := name_of(stem)) is not None)
    return []


def _chosen(folder: Path) -> str | None:
    """What was chosen last; empty for none."""
    try:
        return (folder / _IN_USE).read_text(encoding="utf-8").strip()
    except (OSError, ValueError):
        return None
