"""Measure how far the shipped finder's corners are off on labelled pictures, with or without a mat in them.

`python -m calibration.finding.measure FOLDER --half holdout`
"""

import argparse
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from calibration.finding.views import true_corners
from calibration.measuring.labels import LabelsError, entries_of
from vision.errors import VisionError
from vision.pictures import load_picture
from vision.scene.locator import locate

_WIDE_PX = 1280


@dataclass(frozen=True, slots=True)
class Measured:
    """Figures of the pictures of one folder whose floor is known."""

    pictures: int
    median_px: float
    """Error of each picture's worst corner, as if the picture were 1280 px wide."""
    nine_of_ten_px: float
    wrong_shapes: int

    def __str__(self) -> str:
        return (
            f"{self.pictures} pictures; worst corner off by {self.median_px:.1f} px of {_WIDE_PX} (median), "
            f"{self.nine_of_ten_px:.1f} (nine of ten); {self.wrong_shapes} shapes wrong"
        )


def measure(folder: Path, entries: Sequence[Mapping[str, Any]]) -> Measured:
    """Measure the network's own answer, without a mat's help. Raises `LabelsError` if no floor is known."""
    errors_px, wrong = [], 0
    for entry in entries:
        corners = true_corners(entry)
        if corners is None:
            continue
        picture = load_picture(folder / str(entry["file"]))
        found = locate(picture)
        corner_errors_px = np.linalg.norm(found.corners_px - corners, axis=1) * _WIDE_PX / picture.shape[1]
        errors_px.append(float(corner_errors_px.max()))
        wrong += found.shape != ("oval" if entry["tray"] == "oval" else "square")
    if not errors_px:
        raise LabelsError(
            f"No picture in {folder} says where the floor is and how large.",
            "Give each its `markers` or `floor`, its `inner_mm` and `tray`, as `tenshu synth` does.",
        )
    return Measured(len(errors_px), float(np.median(errors_px)), float(np.quantile(errors_px, 0.9)), wrong)


def main() -> int:
    """Print one line of figures."""
    parser = argparse.ArgumentParser(prog="python -m calibration.finding.measure", description=__doc__)
    parser.add_argument("folder", type=Path, help="labelled pictures")
    parser.add_argument("--half", choices=("tune", "holdout"), help="only this half of the folder")
    args = parser.parse_args()
    try:
        measured = measure(args.folder, entries_of(args.folder, args.half))
    except VisionError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    sys.stdout.write(f"{measured}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
