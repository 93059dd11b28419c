"""What cubes usually look like, tray by tray: `python -m calibration.measuring.dyes FOLDER … [-o FILE]`.

With `-o` it writes what the reader uses as `vision/data/dyes.json`: from trays that are read correctly, the
mean look of each colour's cubes (`vision.doubting.dyes`) and how it varies from tray to tray. It always
prints how strange trays without a mat look by the reader's current file, and how many it asks about for that.
"""

import argparse
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from calibration.measuring.labels import load_labels
from calibration.measuring.split import Half
from calibration.written import atomic_output
from vision.doubting.dyes import (
    Faces,
    Floats,
    are_colours_false,
    exchange_gain,
    faces_of,
    looks_of,
    normalise_lightness,
    strangeness,
)
from vision.errors import VisionError
from vision.palette import SHOGUN
from vision.pictures import load_picture
from vision.reader import TrayReader

_LEAST_VARIANCE = (1e-3, 1e-4, 1e-4)
"""Added to the variance to allow for other cubes than these."""
_TRAYS_AT_LEAST = 4
"""Least number of trays per colour: fewer give no usable covariance."""
_SHARES = (0.5, 0.9, 0.99, 0.995, 1.0)
_TURNS = 3
"""Iterations: the means and the light of each tray depend on each other."""


class DyesError(VisionError):
    """The look of the cubes cannot be fitted."""


@dataclass(frozen=True, slots=True)
class ReadTray:
    """One tray after reading."""

    faces: Faces
    right: bool
    mat: bool


def read_trays(folder: Path, chosen: Half | None = None) -> Iterator[ReadTray]:
    """Yield every tray found in a labelled folder, or in one half of it."""
    reader = TrayReader()
    for labelled in load_labels(folder).in_half(chosen).pictures:
        found = reader.find(load_picture(folder / labelled.file))
        if found is None:
            continue
        reading = reader.reading_of(found)
        faces = faces_of(found.flat.image, found.candidates, SHOGUN)
        truth = labelled.truth.counts
        right = all(reading.counts.get(c, 0) == truth.get(c, 0) for c in {*truth, *reading.counts})
        yield ReadTray(faces, right, reading.mat_seen)


def fit_dyes(trays: Sequence[Faces]) -> Mapping[str, tuple[Floats, Floats]]:
    """Fit the (3,) mean and (3, 3) covariance of each colour's look. Raises `DyesError`: too few trays."""
    seen = [
        ([colour for colour, cubes in faces.items() for _ in cubes], looks_of(np.vstack([*faces.values()])))
        for faces in trays
        if faces
    ]
    looks_by_colour = _group_by_colour(seen)
    for _ in range(_TURNS):
        means = {colour: np.median(np.vstack(looks), axis=0) for colour, looks in looks_by_colour.items()}
        looks_by_colour = _group_by_colour(
            [(names, normalise_lightness(names, looks, means)) for names, looks in seen]
        )
    return {colour: _mean_and_covariance(looks) for colour, looks in looks_by_colour.items()}


def _mean_and_covariance(looks: Sequence[Floats]) -> tuple[Floats, Floats]:
    """Mean and covariance of each tray's (N, 3) looks; trays weigh the same however many cubes they hold."""
    mean = np.median(np.vstack(looks), axis=0)
    trays = [(tray_looks - mean).T @ (tray_looks - mean) / len(tray_looks) for tray_looks in looks]
    return mean, np.mean(trays, axis=0) + np.diag(_LEAST_VARIANCE)


def _group_by_colour(seen: Sequence[tuple[Sequence[str], Floats]]) -> Mapping[str, list[Floats]]:
    """For each colour, the looks of its cubes in each tray that has some."""
    looks_by_colour: dict[str, list[Floats]] = {colour: [] for colour in SHOGUN.colours}
    for names, looks in seen:
        for colour in sorted(set(names)):
            looks_by_colour[colour].append(looks[[name == colour for name in names]])
    missing = [colour for colour, looks in looks_by_colour.items() if len(looks) < _TRAYS_AT_LEAST]
    if missing:
        raise DyesError(f"Too few trays hold {', '.join(missing)}.", "Give more folders, or larger ones.")
    return looks_by_colour


def as_json(fit: Mapping[str, tuple[Floats, Floats]]) -> str:
    """The reader's file, one line per colour; rounded to 0.0001 and 0.00001, the limit of the measurement."""
    lines = []
    for colour, (mean, covariance) in fit.items():
        rounded = {"mean": np.round(mean, 4).tolist(), "covariance": np.round(covariance, 5).tolist()}
        lines.append(f" {json.dumps(colour)}: {json.dumps(rounded)}")
    return "{\n" + ",\n".join(lines) + "\n}\n"


def as_text(trays: Sequence[ReadTray]) -> str:
    """Human-readable quantiles over the trays without a mat, and how many are asked about."""
    bare = [tray for tray in trays if not tray.mat]
    if not bare:
        return f"{len(trays)} trays, none without a mat\n"
    lines = [
        f"{len(trays)} trays, {len(bare)} without a mat",
        f"{'':<12}" + "".join(f"{s:>9.1%}" for s in _SHARES),
    ]
    for name, measure in (("strangeness", strangeness), ("exchange", exchange_gain)):
        values = np.array([measure(tray.faces) for tray in bare if tray.faces] or [0.0])
        lines.append(f"{name:<12}" + "".join(f"{np.quantile(values, s):>9.1f}" for s in _SHARES))
    asked = [tray for tray in bare if are_colours_false(tray.faces)]
    wrong = sum(not tray.right for tray in asked)
    lines.append(f"asked about: {len(asked)}, of which {wrong} were read wrongly")
    return "\n".join(lines) + "\n"


def main(arguments: list[str] | None = None) -> int:
    """Read the folders and print the quantiles; as slow as the reader."""
    parser = argparse.ArgumentParser(prog="python -m calibration.measuring.dyes", description=__doc__)
    parser.add_argument("folders", type=Path, nargs="+", metavar="FOLDER", help="labelled pictures")
    parser.add_argument("--half", choices=("tune", "holdout"), help="of the fixed split")
    parser.add_argument("-o", "--output", type=Path, metavar="FILE", help="what the reader is to go by")
    args = parser.parse_args(arguments)
    try:
        trays = [tray for folder in args.folders for tray in read_trays(folder, args.half)]
        if args.output:
            fit = fit_dyes([tray.faces for tray in trays if tray.right])
            with atomic_output(args.output, "another file with -o") as part:
                part.write_text(as_json(fit), encoding="utf-8")
        sys.stdout.write(as_text(trays))
    except VisionError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
