"""List, remove and rename saved profiles for `tenshu calibrate`. Not a command of its own."""

import argparse
from typing import TYPE_CHECKING

from calibration.columns import pad_right, width
from companion.days import day_of

if TYPE_CHECKING:
    from calibration.profiles.kept import ProfileSummary


def run(args: argparse.Namespace) -> int:
    """List, remove or rename. Raise `ProfileError`."""
    from calibration.profiles.errors import ProfileError
    from calibration.profiles.kept import list_profiles
    from calibration.profiles.naming import checked_name
    from companion.places import profiles_dir, require_readable
    from companion.table.desks.profiles import profile_in_use, remove_profile, rename_profile
    from companion.table.messages import NO_BOARD, NO_CAMERA, SensorSpec

    if args.data and not args.data.exists():  # a typo: nothing was ever saved there
        raise ProfileError(
            f"There is no folder {args.data.absolute()}.", "Name the one that you used with --data before."
        )
    folder = require_readable(profiles_dir(args.data))
    spec = SensorSpec(NO_CAMERA, NO_BOARD, profiles=str(folder))
    if args.remove is not None:
        name = checked_name(args.remove)
        remove_profile(spec, name)
        print(f"The profile {name!r} is removed.")
    elif args.rename is not None:
        old, new = (checked_name(name) for name in args.rename)
        rename_profile(spec, old, new)
        print(f"The profile {old!r} is called {new!r} now.")
    else:
        print(profiles_table(list_profiles(folder), profile_in_use(spec)))
    return 0


def profiles_table(profiles: "list[ProfileSummary]", in_use: str | None) -> str:
    """Return one line per profile, name first; two or more spaces separate columns, and no name has two."""
    if not profiles:
        return "No profile yet: `tenshu calibrate` makes one."
    rows = [
        [profile.name, *_facts(profile), "in use" if profile.name == in_use else ""] for profile in profiles
    ]
    widths = [max(map(width, column)) for column in zip(*rows, strict=True)]
    return "\n".join("  ".join(map(pad_right, row, widths)).rstrip() for row in rows)


def _facts(profile: "ProfileSummary") -> tuple[str, str, str]:
    if not profile.readable:
        return "cannot be read", "", ""
    return (
        day_of(profile.made),
        ", ".join(profile.colours),
        "with the mat" if profile.mat else "without a mat",
    )
