"""Path-traced pictures without Blender, on a graphics card if there is one. See docs/training.md."""

import argparse
import sys
import time
from pathlib import Path

import numpy as np

from calibration.progress import say
from calibration.rays.build import tracer
from calibration.rays.picture import trace_picture
from calibration.rays.places import SHARD_KINDS, write_shards_for
from calibration.rays.staged import Table
from calibration.synth.scene import Options
from calibration.synth.throws import THROWS
from calibration.traced.folder import file_name, missing_seeds, write_picture
from calibration.training.hard import draw_options
from vision.errors import VisionError


def main() -> int:
    """Render pictures one by one, or write hard places of many at once."""
    parser = argparse.ArgumentParser(prog="python -m calibration.rays", description=__doc__)
    verbs = parser.add_subparsers(dest="verb", required=True)
    verb = verbs.add_parser("folder", help="labelled pictures that `tenshu evaluate` reads")
    verb.add_argument(
        "folder", type=Path, help="what is there already is left alone: a run can be taken up again"
    )
    verb.add_argument("-n", type=_number, default=100)
    verb.add_argument("--seed", type=_number, default=1000, help="of the first picture; the next follow")
    verb.add_argument(
        "--hard", action="store_true", help="heaps and dark trays, as hard places are drawn from"
    )
    verb.add_argument("--samples", type=_one_or_more, default=20, help="paths a pixel")
    verb = verbs.add_parser("places", help="hard places and trays, for `python -m calibration.training card`")
    verb.add_argument("folder", type=Path, help="shards are written into it, until the time is over")
    verb.add_argument(
        "--of",
        choices=tuple(SHARD_KINDS),
        nargs="+",
        default=["wide"],
        help="who learns; several: a folder each",
    )
    verb.add_argument("--seconds", type=float, default=400)
    verb.add_argument("--workers", type=_number, default=12, help="that trace; a card serves two at a time")
    verb.add_argument(
        "--rendered", type=_number, default=2, help="more that draw pictures by `calibration.synth`"
    )
    verb.add_argument("--check", action="store_true", help="to measure on: never learned from")
    verb.add_argument(
        "--seed", type=_number, default=700_000_000, help="of the first; each worker has 200,000"
    )
    args = parser.parse_args()
    if args.verb == "places" and not args.workers + args.rendered:
        parser.error("nobody would draw: give --workers or --rendered")
    try:
        return _folder(args) if args.verb == "folder" else _places(args)
    except VisionError as error:
        sys.stderr.write(f"{error}\n")
    except OSError as error:
        sys.stderr.write(
            f"{args.folder} cannot be written: {error.strerror}. Name another folder, or make room.\n"
        )
    return 2


def _number(text: str) -> int:
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"{text} is no such number: 0, 1, 2, …")
    return int(text)


def _one_or_more(text: str) -> int:
    if not _number(text):
        raise argparse.ArgumentTypeError("0 is none: 1, 2, 3, …")
    return int(text)


def _folder(args: argparse.Namespace) -> int:
    library = tracer()
    for seed in missing_seeds(args.folder, range(args.seed, args.seed + args.n)):
        begun = time.monotonic()
        options = draw_options(seed) if args.hard else Options(size_px=(1280, 960), throws=THROWS)
        table = Table.draw(np.random.default_rng(seed + 29))
        taken = trace_picture(library, seed, options, table, args.samples)
        name = write_picture(args.folder, file_name(seed), *taken)
        say(f"{name} {time.monotonic() - begun:.1f} s")
    return 0


def _places(args: argparse.Namespace) -> int:
    args.folder.mkdir(parents=True, exist_ok=True)
    kinds = ["traced"] * args.workers + ["rendered"] * args.rendered
    for line in write_shards_for(
        args.folder, args.seconds, kinds, args.seed, check=args.check, networks=args.of
    ):
        say(line)
    return 0


if __name__ == "__main__":
    sys.exit(main())
