"""`tenshu calibrate`: calibrate a table in the terminal, in three minutes from unpacking to a verdict."""

import argparse
from contextlib import AbstractContextManager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from companion.days import day_of
from companion.measures import colours, cube_mm, place, size_mm
from companion.usage import refuse_together

if TYPE_CHECKING:
    from calibration.profiles.lens import SeenLens
    from companion.commands.terminal import Terminal

HELP = "guided calibration of one table: camera, tray, light and colours"
_WALK_OPTIONS = ("--camera", "--pictures", "--yes", "--name", "--colours", "--cube-mm", "--inner", "--lens")
_WALK_DEFAULTS = {"camera": "0", "name": "table", "colours": ()}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add picture source (--camera or --pictures [--yes]), name, colours, cube, lens, and other actions."""
    sources = parser.add_mutually_exclusive_group()
    sources.add_argument("--camera", default="0", metavar="SPEC", help="number, URL, video or folder (0)")
    sources.add_argument(
        "--pictures",
        type=place,
        metavar="DIR",
        help="instead of a camera: empty.jpg, red.jpg … test.jpg",
    )
    parser.add_argument(
        "--yes", action="store_true", help="with --pictures: accept everything that is seen, without asking"
    )
    parser.add_argument("--name", default="table", help="name of the profile, in any script (table)")
    parser.add_argument(
        "--colours", type=colours, default=(), metavar="A,B,…", help="2 to 8, instead of Shogun's six"
    )
    parser.add_argument(
        "--cube-mm", type=cube_mm, metavar="MM", help="edge of a cube, instead of an estimate"
    )
    parser.add_argument("--inner", type=size_mm, metavar="WxD", help="inner size of the tray in mm (170x170)")
    parser.add_argument(
        "--lens", type=place, metavar="DIR", help="pictures of the lens board (last page of the mat)"
    )
    parser.add_argument(
        "--data", type=place, metavar="DIR", help="where profiles are kept (also TENSHU_DATA)"
    )
    only = parser.add_mutually_exclusive_group()
    only.add_argument("--check", action="store_true", help="only check whether light or camera have changed")
    only.add_argument("--list", action="store_true", help="only list the profiles that are kept")
    only.add_argument("--remove", metavar="NAME", help="only remove a profile and the pictures of its steps")
    only.add_argument("--rename", nargs=2, metavar=("OLD", "NEW"), help="only rename a profile")


def run(args: argparse.Namespace) -> int:
    """Walk through the calibration, save the profile and print the verdict; return 2 if it is bad."""
    for action in ("--list", "--remove", "--rename"):
        refuse_together(args, action, _WALK_OPTIONS, **_WALK_DEFAULTS)
    if args.list or args.remove is not None or args.rename is not None:
        from companion.commands.profiles import run as run_profiles

        return run_profiles(args)
    if args.check:
        return _check(args)
    return _calibrate(args)


def _calibrate(args: argparse.Namespace) -> int:
    from calibration.profiles.lens import lens_of
    from calibration.profiles.profile import checked_name, names
    from companion.calibrating import COLOURS, Wish, calibrate
    from companion.calibration_lines import line
    from companion.places import profiles_dir

    args.name = checked_name(args.name)  # before anybody lays out cubes
    made = datetime.now(UTC).isoformat(timespec="seconds")
    folder = profiles_dir(args.data)
    is_taken = args.name in names(folder)
    lens_before = lens_of(args.name, folder) if is_taken else None
    wish = Wish(
        args.name,
        made,
        args.colours or COLOURS,
        args.cube_mm,
        args.inner,
        _measure_lens(args.lens),
        is_taken,
        lens_before,
    )
    with _open_terminal(args) as table:
        verdict = calibrate(table, wish)
        print("\n".join((verdict.text, *verdict.notes)))
        if not verdict.right and not table.agrees(line("keep")):
            print("Not saved: what was saved before stays.")
            return 2
        print(f"Saved as {table.keep(verdict.profile)}.")
        return 0 if verdict.right or args.pictures else 2


def _check(args: argparse.Namespace) -> int:
    from calibration.profiles.drift import compares_light, find_changes
    from calibration.profiles.profile import load
    from companion.places import profiles_dir

    profile = load(args.name, profiles_dir(args.data))
    with _open_terminal(args) as table:
        picture = table.picture("empty")
    found = find_changes(profile, picture)
    for change in found:
        print(f"{change.sentence} {change.remedy}")
    if not found and compares_light(profile, picture):
        print(f"Light and camera are as they were on {day_of(profile.made)}.")
    elif not found:
        print(f"The camera is as it was on {day_of(profile.made)}; the light cannot be compared.")
        print("Have the mat in view as at the calibration, or calibrate again.")
    return 2 if found else 0


def _measure_lens(folder: Path | None) -> "SeenLens | None":
    if folder is None:
        return None
    from calibration.profiles.lens import calibrate_lens
    from vision.errors import PictureError
    from vision.pictures import load_picture, picture_files

    if not folder.is_dir():
        raise PictureError(f"There is no folder {folder}.", "Name one that holds pictures of the lens board.")
    seen = calibrate_lens([load_picture(path) for path in picture_files([folder])])
    print(f"The lens is known to {seen.lens.error_px:.2f} pixels.")
    return seen


def _open_terminal(args: argparse.Namespace) -> "AbstractContextManager[Terminal]":
    """Open the person's terminal with its camera or pictures; they are closed on every exit."""
    from companion.commands.terminal import at_terminal
    from companion.places import profiles_dir

    return at_terminal(args.camera, args.pictures, args.name, profiles_dir(args.data), unasked=args.yes)
