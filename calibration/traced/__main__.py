"""`python -m calibration.traced folder FOLDER -n N --seed S`. See docs/training.md."""

import argparse
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

from calibration.extras import require_packages
from calibration.progress import say
from calibration.synth.falls import FALLS_FPS, Fall, write_falls
from calibration.synth.scene import COLOURS, LightName, Plastic
from calibration.synth.throws import Throw, write_throws
from calibration.traced.folder import file_name, has_picture, missing_seeds, write_picture
from vision.errors import VisionError

MOST_S = 1.6
"""Longer falls are rare and hold cubes that leave the tower late: any watch counts two throws."""
PAUSE_FRAMES = 5
"""A sixth of a second."""


def main() -> int:
    """Run one verb; pictures that exist already are kept, so an interrupted run can be resumed."""
    parser = _parser()
    args = parser.parse_args()
    if args.verb == "folder":
        _check_wish(parser, args)
    require_packages("bpy")
    seeds = range(args.seed, args.seed + args.n)
    try:
        match args.verb:
            case "folder":
                pictures(args, seeds)
            case "tables":
                tables(args.folder, seeds, args.throws, args.samples, args.threads)
            case "throws":
                write_throws(args.file, throws_in_tray(seeds))
            case "falls":
                write_falls(args.file, falls(seeds))
    except VisionError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m calibration.traced", description=__doc__)
    verbs = parser.add_subparsers(dest="verb", required=True)
    verb = verbs.add_parser("folder", help="labelled pictures that `tenshu evaluate` reads")
    verb.add_argument("folder", type=Path)
    verb.add_argument("-n", type=int, default=100)
    verb.add_argument("--seed", type=int, default=1000, help="of the first picture; the next follow")
    verb.add_argument("--least-cubes", type=int, default=0, help="pass over seeds that throw fewer")
    verb.add_argument("--of", choices=COLOURS, help="the colour of which --least-cubes are wanted")
    verb.add_argument("--light", choices=get_args(LightName))
    verb.add_argument("--plastic", choices=get_args(Plastic), help="of the tray")
    verb.add_argument(
        "--stacks", action="store_true", help="only throws with a half hidden cube, and this well"
    )
    verb.add_argument(
        "--stacked", type=float, help="made-up heaps: share of cubes, 0 to 1, that lie flat on others"
    )
    verb.add_argument("--fine", action="store_true", help="pictures up to 1280 px wide instead of 960")
    verb.add_argument("--quick", action="store_true", help="what lies about the tray half as fine")
    verb.add_argument("--samples", type=int, default=4, help="paths a pixel, before the denoiser")
    verb.add_argument("--threads", type=int, default=1)
    verb = verbs.add_parser("tables", help="tables with many pictures each, as a calibration wants them")
    verb.add_argument("folder", type=Path, help="gets a folder a table, each as `folder` writes it")
    verb.add_argument("-n", type=int, default=20)
    verb.add_argument("--seed", type=int, default=1000, help="of the first table; the next follow")
    verb.add_argument("--throws", type=int, default=8, help="onto each")
    verb.add_argument("--samples", type=int, default=3, help="paths a pixel, before the denoiser")
    verb.add_argument("--threads", type=int, default=1)
    _add_throws(verbs)
    return parser


def _add_throws(verbs: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the verbs that simulate falling cubes without rendering."""
    verb = verbs.add_parser("throws", help="only where cubes come to rest, for `calibration.synth`")
    verb.add_argument("file", type=Path, help="NAME.npz")
    verb.add_argument("-n", type=int, default=600)
    verb.add_argument("--seed", type=int, default=1000, help="of the first throw; the next follow")
    verb = verbs.add_parser("falls", help="how they fall, for films of `calibration.synth`")
    verb.add_argument("file", type=Path, help="NAME.npz")
    verb.add_argument("-n", type=int, default=60)
    verb.add_argument("--seed", type=int, default=1000, help="of the first fall; the next follow")


def _check_wish(parser: argparse.ArgumentParser, args: argparse.Namespace) -> None:
    if not 0 <= (args.stacked or 0) <= 1:
        parser.error("--stacked is a share of the cubes: from 0 to 1")
    if args.of and not args.least_cubes:
        parser.error("--of names the colour of which --least-cubes are wanted: give both")
    if args.quick and args.stacks:
        parser.error("--quick draws the whole tray finely, --stacks one place in it: leave one out")


def pictures(args: argparse.Namespace, seeds: range) -> None:
    """Render the pictures of the wanted kind, one by one."""
    from calibration.traced.picture import Wish, number_of_cubes, take_picture

    wish = Wish(args.stacks, args.stacked, args.light, args.plastic, args.fine, args.quick)
    for seed in missing_seeds(args.folder, seeds):
        if args.least_cubes and number_of_cubes(seed, wish, args.of) < args.least_cubes:
            continue
        begun = time.monotonic()
        taken = take_picture(seed, args.samples, args.threads, wish)
        if taken is not None:
            name = write_picture(args.folder, file_name(seed), *taken)
            say(f"{name} {time.monotonic() - begun:.1f} s")


def tables(folder: Path, seeds: range, throws: int, samples: int, threads: int) -> None:
    """Render each table into a folder of its own; an interrupted run resumes at the missing picture."""
    from calibration.traced.tables import TracedTable, names

    for seed in seeds:
        table_folder, table = folder / str(seed), TracedTable(seed, samples, threads)
        for name in names(throws):
            if not has_picture(table_folder, f"{name}.jpg"):
                write_picture(table_folder, f"{name}.jpg", *table.take(name))
                say(f"{seed}/{name}.jpg")


def throws_in_tray(seeds: range) -> Iterator[Throw]:
    """Yield the throws in which at least one cube came to rest in the tray."""
    from calibration.traced.picture import simulate_throw

    for number, seed in enumerate(seeds, 1):
        result = simulate_throw(seed)
        if result.poses:
            yield result
        if number % 100 == 0:
            say(f"{number} of {len(seeds)}")


def falls(seeds: range) -> Iterator[Fall]:
    """Yield falls that end in time and have no pause long enough for a watch to report them as over."""
    from calibration.traced.picture import simulate_fall

    for seed in seeds:
        result = simulate_fall(seed)
        if (
            result is not None
            and result.motion_ends < MOST_S * FALLS_FPS
            and result.longest_pause() < PAUSE_FRAMES
        ):
            yield result


if __name__ == "__main__":
    sys.exit(main())
