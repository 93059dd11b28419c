"""Measure whether the reader sees what is held over rendered trays, and stays quiet if there is nothing.

`python -m calibration.covering.measure -n 120`
"""

import argparse
import sys
from collections import Counter

from calibration.covering.staged import stage_tables
from vision.reader import TrayReader
from vision.reading import Doubt


def main() -> int:
    """Print a line for each kind of thing, and two in total."""
    parser = argparse.ArgumentParser(prog="python -m calibration.covering.measure", description=__doc__)
    parser.add_argument("-n", type=int, default=120, help="rendered tables")
    parser.add_argument("--seed", type=int, default=2_400_000, help="of the first one")
    args = parser.parse_args()
    reader, shown, named, asked, answered = TrayReader(), Counter[str](), Counter[str](), Counter[str](), 0
    hiding, silent, false_alarms = 0, 0, 0
    for table in stage_tables(range(args.seed, args.seed + args.n)):
        bare, covered = reader.read(table.bare), reader.read(table.covered)
        answered += bare.certain
        false_alarms += Doubt.HAND in bare.doubts
        shown[table.name] += 1
        named[table.name] += Doubt.HAND in covered.doubts
        asked[table.name] += not covered.certain
        hiding += table.hidden > 0
        silent += covered.certain and table.hidden > 0
    for name, count in sorted(shown.items()):
        sys.stdout.write(f"{name}: {count} over a tray, {named[name]} named, {asked[name]} asked about\n")
    sys.stdout.write(f"{hiding} hide cubes, {silent} of them in silence\n")
    sys.stdout.write(f"nothing over it: {args.n}, {answered} answered, {false_alarms} said to be covered\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
