"""Cubes of other colours than Shogun's, after a calibration: five sets of two to eight.

For other tables than the default ones: `python -m tests.bench.bench_taught -n 8 --seed 900 --mat`.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Mapping

import numpy as np

from calibration.profiles.learn import learn
from calibration.profiles.new_cubes import find_new_cubes
from calibration.profiles.taught import reader_of
from calibration.synth import Options
from calibration.synth.scene import COLOURS
from calibration.synth.staged import StagedTable
from calibration.synth.throws import THROWS
from tests.bench.rows import Row, table
from vision.reader import TrayReader
from vision.scene.rectify import rectify

_SEED, _TABLES, _THROWS, _CUBES = 300, 2, 4, 5
Colours = Mapping[str, tuple[int, int, int]]
_BRIGHT: Colours = {colour: COLOURS[colour] for colour in ("red", "yellow", "green", "blue")}
_ENDS: Colours = {"white": (240, 240, 235), "black": (30, 30, 32)}
SETS: Mapping[str, Colours] = {
    "white and black": _ENDS,
    "three pale ones": {"rose": (235, 180, 190), "mint": (170, 225, 195), "sky": (170, 200, 235)},
    "wood, brown, grey, pink, cyan": {
        "wood": (205, 165, 115),
        "brown": (100, 60, 35),
        "grey": (130, 130, 130),
        "pink": (235, 130, 170),
        "cyan": (60, 185, 205),
    },
    "eight": {**_BRIGHT, **_ENDS, "orange": (235, 120, 25), "purple": COLOURS["purple"]},
    "eight that are alike": {
        **_BRIGHT,
        "orange": (225, 95, 30),
        "brown": (110, 55, 30),
        "lime": (140, 190, 40),
        "cyan": (50, 150, 200),
    },
}


def run(tables: int = _TABLES, seed: int = _SEED, *, mat: bool = False) -> list[Row]:
    """Count exact, answered and silently wrong readings of each set on the tables after this seed."""
    rows = []
    for name, colours in SETS.items():
        totals: Counter[str] = Counter()
        options = Options(size_px=(1280, 960), mat=mat, throws=THROWS, colours=colours)
        number, done = seed, 0
        while done < tables:
            number += 1
            reader = _calibrate_reader(staged := StagedTable(number, options), colours)
            if reader is None:
                continue
            done += 1
            totals.update(_count_readings(staged, reader, colours, number))
        counts = f"{totals['exact']} / {totals['answered']} / {totals['silent']}"
        rows.append(Row("taught", name, f"{counts} of {_THROWS * tables}", None))
    return rows


def _calibrate_reader(staged: StagedTable, colours: Colours) -> TrayReader | None:
    """Return a calibrated reader; None if the user would be told that no tray is found."""
    flat = rectify(empty := staged.render_empty())
    if flat is None:
        return None
    shown = {colour: staged.render_apart(colour, _CUBES)[0] for colour in colours}
    cubes = {c: [p] for c, p in shown.items() if find_new_cubes(empty, p, flat.tray).number}
    profile = learn(empty, flat.tray, cubes, name="bench", made="", cube_mm=staged.scene.cube_mm)
    return reader_of(profile)


def _count_readings(staged: StagedTable, reader: TrayReader, colours: Colours, seed: int) -> Counter[str]:
    totals: Counter[str] = Counter()
    for throw in range(100 * seed, 100 * seed + _THROWS):
        chance = np.random.default_rng(throw)
        picture, label = staged.render_thrown({c: int(chance.integers(0, 5)) for c in colours}, throw)
        truth = label["visible_counts"]
        assert isinstance(truth, dict)
        reading = reader.read(picture)
        exact = all(reading.counts.get(c, 0) == n for c, n in truth.items())
        totals.update(exact=exact, answered=reading.certain, silent=reading.certain and not exact)
    return totals


def main() -> int:
    """Print the rows of the requested tables."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.bench_taught", description=__doc__)
    parser.add_argument("-n", "--tables", type=int, default=_TABLES)
    parser.add_argument("--seed", type=int, default=_SEED, help="of the table before the first")
    parser.add_argument("--mat", action="store_true", help="under the tray, in every picture")
    args = parser.parse_args()
    sys.stdout.write(table(run(args.tables, args.seed, mat=args.mat)) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
