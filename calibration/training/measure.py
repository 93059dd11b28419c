"""Measure the detector on crops whose cubes are known: trays counted exactly, cubes counted wrong."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from calibration.synth.truth import COUNTED
from calibration.training.crops import Crop
from vision.finding.detector import COLOURS, Detection, detect
from vision.scene.rectify import MULTIPLE_PX

THRESHOLD = 0.5
LOWEST = 0.05
"""Score limit, low enough for a curve over thresholds."""


@dataclass(frozen=True, slots=True)
class Measured:
    """Figures of a set of crops."""

    trays: int
    exact: int
    """Trays with every colour's count right."""
    exact_number: int
    """Trays with the total right, whatever the colours."""
    cubes: int
    wrong: int
    """Sum over trays and colours of |found - true|."""

    def __str__(self) -> str:
        return (
            f"{self.exact}/{self.trays} trays exact ({self.exact / max(self.trays, 1):.1%}), "
            f"{self.exact_number} in number; {self.wrong} wrong among {self.cubes} cubes"
        )


def measure(crops: Sequence[Crop], threshold: float = THRESHOLD) -> Measured:
    """Run the exported network on each crop and compare the counts."""
    trays = [(detected_counts(crop, threshold), true_counts(crop)) for crop in crops]
    return Measured(
        trays=len(trays),
        exact=sum(seen == true for seen, true in trays),
        exact_number=sum(seen.total() == true.total() for seen, true in trays),
        cubes=sum(true.total() for _, true in trays),
        wrong=sum(abs(seen[c] - true[c]) for seen, true in trays for c in COLOURS),
    )


def detected_counts(crop: Crop, threshold: float) -> Counter[str]:
    """Return the number of cubes of each colour that the detector reports."""
    return Counter(d.colour for d in detections(crop) if d.score >= threshold)


def detections(crop: Crop) -> list[Detection]:
    """Return the detections in a crop down to a score of `LOWEST`."""
    height, width = (side // MULTIPLE_PX * MULTIPLE_PX for side in crop.picture.shape[:2])
    return detect(np.ascontiguousarray(crop.picture[:height, :width]), LOWEST)


def true_counts(crop: Crop) -> Counter[str]:
    """Return the number of visible cubes of each colour."""
    return Counter(COLOURS[int(index)] for index in crop.cubes[crop.cubes[:, 3] >= COUNTED, 2])
