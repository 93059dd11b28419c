"""Trays without a mat in the picture, before and after calibrating that tray.

For other tables than the default ones: `python -m tests.bench.bench_calibrated --seed 960000 --tables 16`;
with `--plastic black` all trays are black, with `--mat` they stand on the mat. `--since` is what has changed
between calibration and throws: another cloth under the tray, a bulb instead of daylight, the mat gone.
`--folder` reads tables made by `python -m calibration.traced tables FOLDER`: those without a mat or, with
`--mat`, those on one.
"""

import argparse
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import get_args

import numpy as np

from calibration.measuring.labels import load_labels
from calibration.profiles.learn import learn
from calibration.profiles.new_cubes import find_new_cubes
from calibration.profiles.profile import ProfileError
from calibration.profiles.taught import reader_of
from calibration.synth import Options
from calibration.synth.scene import COLOURS, Plastic, Scene
from calibration.synth.staged import StagedTable
from calibration.synth.throws import THROWS
from tests.bench.rows import Row
from tests.bench.rows import table as printed
from tests.calibration.moves import lit, on_another_cloth, without_mat
from vision.pictures import load_picture
from vision.reader import TrayReader
from vision.reading import TrayReading
from vision.scene.rectify import rectify

_TABLES, _THROWS, _CUBES_A_COLOUR = 8, 6, 5
_SEED = 890_000
_SINCE: Mapping[str, Callable[[Scene], Scene]] = {
    "nothing": lambda scene: scene,
    "cloth": on_another_cloth,
    "bulb": lambda scene: lit(scene, 1.0, 0.8),
    "mat": without_mat,
    "mat and bulb": lambda scene: lit(without_mat(scene), 1.0, 0.8),
}
_WAYS = ("as it comes", "after a calibration without cubes", "after a calibration")
Counts = Mapping[str, int]


def run(
    seed: int = _SEED,
    wanted: int = _TABLES,
    plastic: Plastic | None = None,
    *,
    mat: bool = False,
    since: str = "nothing",
) -> list[Row]:
    """Count exact, answered and silently wrong readings of the same throws on `wanted` tables."""
    read: dict[str, list[tuple[TrayReading, Counts]]] = {name: [] for name in _WAYS}
    tables = 0
    found: list[bool] = []
    while tables < wanted:
        seed += 1
        options = Options(size_px=(1280, 960), mat=mat, throws=THROWS, plastic=plastic)
        calibrated = _calibrate_readers(table := StagedTable(seed, options), found)
        if calibrated is None:
            continue
        tables += 1
        later = table.with_scene_change(_SINCE[since])
        for throw in range(_THROWS):
            picture, counts = _throw_cubes(later, 100 * seed + throw)
            for name, reader in zip(_WAYS, (TrayReader(), *calibrated), strict=True):
                read[name].append((reader.read(picture), counts))
    bench = "mat" if mat else "no mat"
    shown = Row(bench, "five cubes of a colour shown, five found", f"{sum(found)} of {len(found)}", None)
    return [shown, *(row for name, readings in read.items() for row in _rows(bench, name, readings))]


def measure_folder(folder: Path, *, mat: bool = False) -> list[Row]:
    """Count the same on path-traced tables, one folder each."""
    read: dict[str, list[tuple[TrayReading, Counts]]] = {name: [] for name in _WAYS}
    for labels in sorted(folder.glob("*/labels.json")):
        pictures = load_labels(labels.parent).pictures
        truth = {Path(labelled.file).stem: labelled.truth for labelled in pictures}
        if not {"empty", *COLOURS} <= truth.keys() or truth["empty"].mat is not mat:  # an interrupted run
            continue
        empty, *shown = (load_picture(labels.parent / f"{name}.jpg") for name in ("empty", *COLOURS))
        flat = rectify(empty)
        if flat is None:
            continue
        cubes = {colour: [picture] for colour, picture in zip(COLOURS, shown, strict=True)}
        edge = truth["empty"].cube_mm
        try:
            bare, taught = (
                reader_of(learn(empty, flat.tray, samples, name="bench", made="", cube_mm=edge))
                for samples in ({}, cubes)
            )
        except ProfileError:
            continue
        for labelled in pictures:
            if Path(labelled.file).stem in ("empty", *COLOURS):
                continue
            picture = load_picture(labels.parent / labelled.file)
            for name, reader in zip(_WAYS, (TrayReader(), bare, taught), strict=True):
                read[name].append((reader.read(picture), labelled.truth.counts))
    bench = "mat" if mat else "no mat"
    return [row for name, readings in read.items() if readings for row in _rows(bench, name, readings)]


def _calibrate_readers(table: StagedTable, found: list[bool]) -> tuple[TrayReader, TrayReader] | None:
    """Calibrate without cubes and with five of each colour. None if no tray is found, as users are told.

    Appends to `found`, for each colour, whether all five cubes were found.
    """
    empty = table.render_empty()
    flat = rectify(empty)
    if flat is None:
        return None
    shown = {colour: table.render_apart(colour, _CUBES_A_COLOUR)[0] for colour in COLOURS}
    seen = {c: find_new_cubes(empty, picture, flat.tray).number for c, picture in shown.items()}
    found += [number == _CUBES_A_COLOUR for number in seen.values()]
    # A person would go on without the colours that are not seen.
    cubes = {c: [picture] for c, picture in shown.items() if seen[c]}
    bare, taught = (
        reader_of(learn(empty, flat.tray, samples, name="bench", made="", cube_mm=table.scene.cube_mm))
        for samples in ({}, cubes)
    )
    return bare, taught


def _throw_cubes(table: StagedTable, seed: int) -> tuple[np.ndarray, Counts]:
    chance = np.random.default_rng(seed)
    picture, label = table.render_thrown({colour: int(chance.integers(0, 5)) for colour in COLOURS}, seed)
    counts = label["visible_counts"]
    assert isinstance(counts, dict)
    return picture, counts


def _rows(bench: str, name: str, read: list[tuple[TrayReading, Counts]]) -> list[Row]:
    exact = [all(r.counts.get(c, 0) == n for c, n in counts.items()) for r, counts in read]
    certain = [reading.certain for reading, _ in read]
    silent = sum(c and not e for c, e in zip(certain, exact, strict=True))
    return [
        Row(bench, f"{name}: exact trays", f"{sum(exact)} of {len(exact)}", None),
        Row(bench, f"{name}: answered", f"{sum(certain)} of {len(certain)}", None),
        Row(bench, f"{name}: wrong in silence", f"{silent}", None),
    ]


def main() -> int:
    """Print the rows of the requested tables."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.bench_calibrated", description=__doc__)
    parser.add_argument("--seed", type=int, default=_SEED, help="of the table before the first")
    parser.add_argument("--tables", type=int, default=_TABLES)
    parser.add_argument("--plastic", choices=get_args(Plastic))
    parser.add_argument("--mat", action="store_true", help="under the tray, in every picture")
    parser.add_argument("--since", choices=_SINCE, default="nothing", help="what has changed since")
    parser.add_argument("--folder", type=Path, help="of path-traced tables, instead of rendered ones")
    args = parser.parse_args()
    if args.folder:
        rows = measure_folder(args.folder, mat=args.mat)
        if not rows:
            parser.error(
                f"No such tables are in {args.folder}: `python -m calibration.traced tables` draws some."
            )
    else:
        rows = run(args.seed, args.tables, args.plastic, mat=args.mat, since=args.since)
    sys.stdout.write(printed(rows) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
