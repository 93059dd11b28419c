"""Which detection found which cube, and how sure a score makes it. No torch in here."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from calibration.synth.truth import COUNTED
from calibration.training.crops import Crop
from vision.detector import Detection

Doubles = npt.NDArray[np.float64]
UNDECIDED = 0.08
"""Shares this near to `COUNTED` teach nothing: the truth itself could tip over."""
_NEAR = 0.5
"""Edges between a detection and the cube that it found."""


def matched(found: Sequence[Detection], crop: Crop) -> list[tuple[Detection, bool | None]]:
    """Each detection with whether it is a cube; None where the truth itself is undecided.

    They choose in their order: the surest first.
    """
    free = list(range(len(crop.cubes)))
    out: list[tuple[Detection, bool | None]] = []
    for detection in found:
        away = [float(np.hypot(*(crop.cubes[i, :2] - detection.centre_px))) for i in free]
        if not away or min(away) > _NEAR * detection.edge_px:
            out.append((detection, False))
            continue
        visible = float(crop.cubes[free.pop(int(np.argmin(away))), 3])
        out.append((detection, None if abs(visible - COUNTED) < UNDECIDED else visible > COUNTED))
    return out


def platt(logits: Doubles, there: Doubles) -> tuple[float, float]:
    """Slope and offset of the likeliest logistic curve, by Newton's method.

    Targets are smoothed as in Platt, "Probabilistic outputs for support vector machines", 1999.
    """
    yes, no = float(there.sum()), float((1 - there).sum())
    target = np.where(there > 0, (yes + 1) / (yes + 2), 1 / (no + 2))
    features = np.stack([logits, np.ones_like(logits)], axis=1)
    weights = np.array([1.0, 0.0])
    for _ in range(50):
        share = 1 / (1 + np.exp(-features @ weights))
        gradient = features.T @ (share - target)
        curve = (features * (share * (1 - share))[:, None]).T @ features + 1e-6 * np.eye(2)
        weights = weights - np.linalg.solve(curve, gradient)
    return float(weights[0]), float(weights[1])
