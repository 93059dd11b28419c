"""Readings of pictures spoilt by camera, cable or room: exact, answered, silently wrong.

For your own pictures, in a folder as `tenshu evaluate` reads it: `python -m tests.bench.bench_spoilt FOLDER`.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from calibration.measuring.evaluate import Outcome, figures
from calibration.measuring.labels import Truth, load_labels, truth_of_entry
from calibration.synth import Options, render
from calibration.synth.throws import THROWS
from tests.bench.rows import Row, table
from tests.bench.spoilt import SPOILT
from vision.errors import VisionError
from vision.pictures import Picture, load_picture
from vision.reader import TrayReader
from vision.scene.plane import Points
from vision.scene.rectify import outline_px, rectify

_SEED, _PICTURES = 870_000, 12
Labelled = tuple[Picture, Truth]


def run(pictures: Sequence[Labelled] | None = None) -> list[Row]:
    """Return a row per way to spoil pictures, the first unspoilt; skips pictures without a tray."""
    if pictures is None:
        pictures = [_render_labelled(seed) for seed in range(_SEED, _SEED + _PICTURES)]
    outlined = [
        (picture, truth, tray) for picture, truth in pictures if (tray := _tray_outline(picture)) is not None
    ]
    reader, rows = TrayReader(), []
    for name, spoil in SPOILT.items():
        totals = figures(
            [Outcome("", truth, reader.read(spoil(p, tray)), 0.0) for p, truth, tray in outlined]
        )
        counts = f"{totals.exact} / {totals.answered} / {totals.silent_errors}"
        rows.append(Row("spoilt", name, f"{counts} of {totals.pictures}", None))
    return rows


def _render_labelled(seed: int) -> Labelled:
    picture, entry = render(seed, Options(size_px=(1280, 960), throws=THROWS))
    return picture, truth_of_entry(entry)


def _tray_outline(picture: Picture) -> Points | None:
    flat = rectify(picture)
    return None if flat is None else np.array(outline_px(flat.tray))


def main(arguments: list[str] | None = None) -> int:
    """Print the rows of a folder's pictures."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.bench_spoilt", description=__doc__)
    parser.add_argument("folder", type=Path, metavar="FOLDER")
    parser.add_argument("--half", choices=("tune", "holdout"))
    args = parser.parse_args(arguments)
    try:
        labelled = load_labels(args.folder).in_half(args.half).pictures
        read = [(load_picture(args.folder / picture.file), picture.truth) for picture in labelled]
    except VisionError as error:
        parser.error(str(error))
    if not read:
        of_half = f" of the half {args.half}" if args.half else ""
        parser.error(f"{args.folder}/labels.json names no picture{of_half}. Name another folder or half.")
    sys.stdout.write(table(run(read)) + "\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
