"""`tenshu synth`: render pictures of imaginary trays, with ground truth."""

import argparse
from contextlib import closing

from companion.measures import cube_mm, from_one, from_zero, place, share
from vision.pictures import LONGEST_SIDE_PX

HELP = "render labelled tray pictures into a folder that `tenshu evaluate` reads"

_MOST_PIXELS = 12_000_000
"""4000x3000: rendering takes a gigabyte of memory per picture."""

_MOST_OF_FALLS = _MOST_PIXELS // 4
"""Falls are rendered at twice the width and height."""

_MOST_PICTURES = 1_000_000
_LAST_SEED = 10**12
"""Largest seed; seeds become part of file names."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add FOLDER [-n N] [--seed N] and the properties that can be fixed."""
    parser.add_argument("folder", type=place, metavar="FOLDER", help="created if it does not exist")
    parser.add_argument(
        "-n", "--number", type=_parse_number, default=100, help="how many pictures, or falls (100)"
    )
    parser.add_argument("--seed", type=_parse_seed, default=1, help="seed of the first; the next follow (1)")
    parser.add_argument(
        "--size", type=_parse_size, metavar="WxH", help="pixels, such as 1280x960; mixed otherwise"
    )
    parser.add_argument("--tray", choices=("square", "oval"), help="shape of the tray; mixed otherwise")
    parser.add_argument("--plastic", choices=("black", "clear"), help="plastic of the tray; mixed otherwise")
    parser.add_argument(
        "--light",
        choices=("daylight", "warm", "led", "dim", "mixed", "shadow"),
        help="light on the tray (mixed: a window and a bulb); any otherwise",
    )
    parser.add_argument(
        "--cube-mm", type=cube_mm, metavar="MM", help="edge of the cubes; 8, 10 and others otherwise"
    )
    parser.add_argument(
        "--mat",
        action=argparse.BooleanOptionalAction,
        default=None,
        help="with or without the mat under the tray; mixed otherwise",
    )
    parser.add_argument(
        "--made-up",
        action="store_true",
        help="heaps that were never thrown, with far more cubes on top of others",
    )
    parser.add_argument(
        "--stacked",
        type=share,
        metavar="SHARE",
        help="make up heaps with this share of cubes on top of others, 0 to 1",
    )
    parser.add_argument("--plain", action="store_true", help="gentle light, sharp, nothing beside the tray")
    parser.add_argument(
        "--falls",
        action="store_true",
        help="cubes as they fall, 15 frames a second, for `evaluate --sequences`, instead of pictures",
    )


def run(args: argparse.Namespace) -> int:
    """Write the pictures and `labels.json`."""
    from calibration.interrupts import sigterm_unwinds
    from calibration.synth import Options
    from calibration.synth.folder import FolderError, write_folder
    from calibration.synth.throws import THROWS
    from companion.progress import progress

    if args.falls and (args.made_up or args.stacked is not None or args.cube_mm is not None):
        raise FolderError(
            "With --falls cubes lie as they fell, and are as large as they were.",
            "Leave out --made-up, --stacked and --cube-mm.",
        )
    if args.falls and args.size and args.size[0] * args.size[1] > _MOST_OF_FALLS:
        raise FolderError("Falls are drawn up to 2000x1500.", "Give a smaller --size, or none: 640x480.")
    options = Options(
        size_px=args.size,
        mat=args.mat,
        tray=args.tray,
        plastic=args.plastic,
        light=args.light,
        cube_mm=args.cube_mm,
        plain=args.plain,
        stacked=args.stacked,
        throws=None if args.made_up or args.stacked is not None else THROWS,
    )
    what = "falls" if args.falls else "pictures"
    seeds = range(args.seed, args.seed + args.number)
    with sigterm_unwinds(), closing(write_folder(args.folder, seeds, options, falls=args.falls)) as written:
        number = sum(1 for _ in progress(written, args.number, what))
    print(f"{number} {what} and labels.json are in {args.folder}.")
    return 0


def _parse_number(text: str) -> int:
    return from_one(text, _MOST_PICTURES)


def _parse_seed(text: str) -> int:
    return from_zero(text, _LAST_SEED)


def _parse_size(text: str) -> tuple[int, int]:
    sides = text.split("x")
    if len(sides) != 2 or not all(side.isascii() and side.isdigit() and len(side) <= 9 for side in sides):
        raise argparse.ArgumentTypeError(f"{text!r} is not a size such as 1280x960")
    width, height = (int(side) for side in sides)
    is_too_large = width * height > _MOST_PIXELS or max(width, height) > LONGEST_SIDE_PX
    if width < 160 or height < 120 or is_too_large:
        raise argparse.ArgumentTypeError(f"{text!r} is not between 160x120 and 4000x3000")
    return width, height
