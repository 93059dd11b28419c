"""The detector on crops whose cubes are known: how many trays it counts exactly, how many cubes go wrong."""

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
"""Low enough for a curve over thresholds."""


@dataclass(frozen=True, slots=True)
class Measured:
    """Figures of a set of crops."""

    trays: int
    exact: int
    """Every colour's count right."""
    exact_number: int
    """The sum right, whatever the colours."""
    cubes: int
    wrong: int
    """Sum over trays and colours of |found - true|."""

    def __str__(self) -> str:
        return (
            f"{self.exact}/{self.trays} trays exact ({self.exact / max(self.trays, 1):.1%}), "
            f"{self.exact_number} in number; {self.wrong} wrong among {self.cubes} cubes"
        )


def measure(crops: Sequence[Crop], threshold: float = THRESHOLD) -> Measured:
    """Runs the exported network on each crop."""
    trays = [(found(crop, threshold), truth(crop)) for crop in crops]
    return Measured(
        trays=len(trays),
        exact=sum(seen == true for seen, true in trays),
        exact_number=sum(seen.total() == true.total() for seen, true in trays),
        cubes=sum(true.total() for _, true in trays),
        wrong=sum(abs(seen[c] - true[c]) for seen, true in trays for c in COLOURS),
    )


def found(crop: Crop, threshold: float) -> Counter[str]:
    """Counts the detector reports."""
    return Counter(d.colour for d in detections(crop) if d.score >= threshold)


def detections(crop: Crop) -> list[Detection]:
    """All that the detector sees in a crop, however unlikely."""
    height, width = (side // MULTIPLE_PX * MULTIPLE_PX for side in crop.picture.shape[:2])
    return detect(np.ascontiguousarray(crop.picture[:height, :width]), LOWEST)


def truth(crop: Crop) -> Counter[str]:
    """Counts of cubes that can be seen."""
    return Counter(COLOURS[int(index)] for index in crop.cubes[crop.cubes[:, 3] >= COUNTED, 2])
