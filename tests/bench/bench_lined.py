"""Black trays lined with felt in one of the game's colours or another, on the mat, without a calibration.

`python -m tests.bench.bench_lined -n 40 --seed 3100000`: other tables.
"""

import argparse
import sys
from collections.abc import Mapping
from functools import partial

import numpy as np

from calibration.synth import Options
from calibration.synth.scene import COLOURS
from calibration.synth.staged import StagedTable
from calibration.synth.throws import THROWS
from tests.bench.rows import Row, table
from tests.calibration.moves import lined
from vision.reader import TrayReader

_SEED, _TABLES, _THROWS = 3_100_000, 6, 2
LININGS: Mapping[str, Mapping[str, tuple[int, int, int]]] = {
    "in the game's colours": {
        "red": (180, 40, 40),
        "green": (30, 120, 60),
        "blue": (35, 80, 160),
        "yellow": (220, 185, 60),
        "purple": (120, 50, 140),
    },
    "in darker ones": {
        "red": (150, 25, 35),
        "green": (20, 95, 50),
        "blue": (25, 50, 120),
        "yellow": (165, 135, 40),
        "purple": (90, 40, 110),
    },
    "white, grey, brown, cork, black": {
        "white": (235, 235, 230),
        "grey": (128, 128, 128),
        "brown": (110, 75, 45),
        "cork": (190, 150, 110),
        "black": (22, 22, 24),
    },
}


def run(seed: int = _SEED, tables: int = _TABLES) -> list[Row]:
    """Count exact, answered and silently wrong readings for each kind of lining."""
    reader = TrayReader()
    rows = []
    for name, linings in LININGS.items():
        exact: list[bool] = []
        certain: list[bool] = []
        for table_seed in range(seed, seed + tables):
            bare = StagedTable(
                table_seed, Options((960, 720), mat=True, plastic="black", tray="square", throws=THROWS)
            )
            for srgb in linings.values():
                staged = bare.with_scene_change(partial(lined, srgb=srgb))
                for throw in range(_THROWS):
                    chance = np.random.default_rng(100 * table_seed + throw)
                    thrown = {colour: int(chance.integers(0, 5)) for colour in COLOURS}
                    picture, label = staged.render_thrown(thrown, 100 * table_seed + throw)
                    reading = reader.read(picture)
                    exact.append(reading.counts == label["visible_counts"])
                    certain.append(reading.certain)
        silent = sum(c and not e for c, e in zip(certain, exact, strict=True))
        figure = f"{sum(exact)} / {sum(certain)} / {silent} of {len(exact)}"
        rows.append(Row("lined", f"{name}: exact, answered, silent", figure, None))
    return rows


def main() -> int:
    """Print the rows of the requested tables."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.bench_lined", description=__doc__)
    parser.add_argument("-n", "--tables", type=int, default=_TABLES)
    parser.add_argument("--seed", type=int, default=_SEED, help="of the first; the next follow")
    args = parser.parse_args()
    sys.stdout.write(table(run(args.seed, args.tables)) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
