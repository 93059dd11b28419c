"""Dim rooms: one frame of a settled tray against the mean of six, which has 0.4 of its noise.

For other tables than the default ones: `python -m tests.bench.bench_frames --seed 9600000 --tables 60`.
"""

import argparse
import sys

from calibration.measuring.evaluate import Outcome, figures
from calibration.measuring.labels import truth_of_entry
from calibration.measuring.sureness import log_loss
from calibration.synth.render import frames_of
from calibration.synth.sample import sample_scene
from calibration.synth.scene import Options
from calibration.synth.throws import THROWS
from tests.bench.rows import Row, table
from vision.reader import TrayReader
from vision.settling.voting import mean_of

_SEED, _TABLES, _FRAMES = 9_500_000, 24, 6
_SIZES = ((640, 480), (960, 720), (1280, 960))


def run(seed: int = _SEED, tables: int = _TABLES) -> list[Row]:
    """Return exact, answered and silently wrong readings and the log loss of both."""
    reader = TrayReader()
    single: list[Outcome] = []
    mean: list[Outcome] = []
    for number in range(seed, seed + tables):
        options = Options(light="dim", size_px=_SIZES[number % len(_SIZES)], throws=THROWS)
        frames, label = frames_of(sample_scene(number, options), number, _FRAMES)
        truth = truth_of_entry(label)
        single.append(Outcome(str(number), truth, reader.read(frames[0]), 0.0))
        mean.append(Outcome(str(number), truth, reader.read(mean_of(frames)), 0.0))
    return [*_rows("one frame", single), *_rows(f"the mean of {_FRAMES}", mean)]


def _rows(way: str, outcomes: list[Outcome]) -> list[Row]:
    totals = figures(outcomes)
    of = f"of {totals.pictures}"
    loss = log_loss(outcomes)
    return [
        Row("frames", f"{way}: exact trays", f"{totals.exact} {of}", None),
        Row("frames", f"{way}: answered", f"{totals.answered} {of}", None),
        Row("frames", f"{way}: wrong in silence", f"{totals.silent_errors} {of}", None),
        Row("frames", f"{way}: log loss of the true counts", f"{loss or 0:.3f}", None),
    ]


def main() -> int:
    """Print the rows of the requested tables."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.bench_frames", description=__doc__)
    parser.add_argument("--seed", type=int, default=_SEED)
    parser.add_argument("--tables", type=int, default=_TABLES)
    args = parser.parse_args()
    sys.stdout.write(table(run(args.seed, args.tables)) + "\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
