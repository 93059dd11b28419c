"""`python -m calibration.rays folder FOLDER -n N --seed S`. See docs/training.md."""

import argparse
import sys
import time
from pathlib import Path

import numpy as np

from calibration.rays.build import tracer
from calibration.rays.picture import take
from calibration.rays.staged import Table
from calibration.synth.scene import Options
from calibration.synth.throws import THROWS
from calibration.traced.folder import missing, write_picture
from calibration.training.hard import options_of


def main() -> int:
    """Pictures one by one; what is there already is left alone, so a run can be cut and taken up again."""
    parser = argparse.ArgumentParser(prog="python -m calibration.rays", description=__doc__)
    verbs = parser.add_subparsers(dest="verb", required=True)
    verb = verbs.add_parser("folder", help="labelled pictures that `tenshu evaluate` reads")
    verb.add_argument("folder", type=Path)
    verb.add_argument("-n", type=int, default=100)
    verb.add_argument("--seed", type=int, default=1000, help="of the first picture; the next follow")
    verb.add_argument(
        "--hard", action="store_true", help="heaps and dark trays, as hard places are drawn from"
    )
    verb.add_argument("--samples", type=int, default=16, help="paths a pixel")
    args = parser.parse_args()
    library = tracer()
    for seed in missing(args.folder, range(args.seed, args.seed + args.n)):
        begun = time.monotonic()
        options = options_of(seed) if args.hard else Options(size_px=(1280, 960), throws=THROWS)
        table = Table.drawn(np.random.default_rng(seed + 29))
        name = write_picture(args.folder, seed, *take(library, seed, options, table, args.samples))
        sys.stdout.write(f"{name} {time.monotonic() - begun:.1f} s\n")
        sys.stdout.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
