"""Match detections to cubes, and calibrate scores. No torch in here."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from calibration.synth.truth import COUNTED
from calibration.training.crops import Crop
from vision.errors import VisionError
from vision.finding.detector import COLOURS, Detection

Doubles = npt.NDArray[np.float64]
UNDECIDED = 0.08
"""Visible shares this near to `COUNTED` are not learned from: the truth itself could tip over."""
_SMALLEST_SHARE = 1e-7
_MATCH_REACH = 0.5
"""Maximum distance between a detection and the cube it found, in cube edges."""


class TooFewError(VisionError):
    """These pictures hold nothing to measure by."""


@dataclass(frozen=True, slots=True)
class JudgedDetection:
    """A detection and whether it is a cube; None if the truth itself is undecided."""

    detection: Detection
    is_cube: bool | None
    colour: str | None = None
    """Colour of the cube, if it found one."""


def match_detections(found: Sequence[Detection], crop: Crop) -> list[JudgedDetection]:
    """Match each detection to a cube; they choose greedily in the given order, which is the surest first."""
    free = list(range(len(crop.cubes)))
    judged: list[JudgedDetection] = []
    for detection in found:
        distances = [float(np.hypot(*(crop.cubes[i, :2] - detection.centre_px))) for i in free]
        if not distances or min(distances) > _MATCH_REACH * detection.edge_px:
            judged.append(JudgedDetection(detection, is_cube=False))
            continue
        chosen = free.pop(int(np.argmin(distances)))
        visible = float(crop.cubes[chosen, 3])
        is_cube = None if abs(visible - COUNTED) < UNDECIDED else visible > COUNTED
        colour = COLOURS[int(crop.cubes[chosen, 2])]
        judged.append(JudgedDetection(detection, is_cube, colour))
    return judged


def platt(logits: Doubles, is_cube: Doubles) -> tuple[float, float]:
    """Return slope and offset of the likeliest logistic curve, by Newton's method.

    Targets are smoothed as in Platt, "Probabilistic outputs for support vector machines", 1999.
    """
    weights = logistic(np.stack([logits, np.ones_like(logits)], axis=1), is_cube)
    return float(weights[0]), float(weights[1])


def logistic(features: Doubles, is_cube: Doubles) -> Doubles:
    """Return the (K,) weights of the likeliest logistic curve for (N, K) features; targets as in `platt`."""
    positives, negatives = float(is_cube.sum()), float((1 - is_cube).sum())
    target = np.where(is_cube > 0, (positives + 1) / (positives + 2), 1 / (negatives + 2))
    weights: Doubles = np.eye(features.shape[1])[0]
    for _ in range(50):
        p = 1 / (1 + np.exp(-features @ weights))
        gradient = features.T @ (p - target)
        hessian = (features * (p * (1 - p))[:, None]).T @ features + 1e-6 * np.eye(len(weights))
        step = np.linalg.solve(hessian, gradient)
        while _cost(features @ (weights - step), target) > _cost(features @ weights, target) + 1e-9:
            step /= 2  # far from the optimum a full Newton step may lead away from it
        weights = weights - step
    return weights


def _cost(logits: Doubles, target: Doubles) -> float:
    return float((np.logaddexp(0, logits) - target * logits).sum())


def temperature(shares: Sequence[Sequence[float]], true: Sequence[int]) -> float:
    """Return the likeliest factor for class logits (Guo et al., "On calibration of modern neural networks",
    2017). Raises `TooFewError` if there are no samples."""
    if not len(true):
        raise TooFewError(
            "None of the cubes that this is measured by is in these pictures.",
            "Take more of them: a few hundred, as docs/training.md does.",
        )
    logits = np.log(np.maximum(np.array(shares, np.float64), _SMALLEST_SHARE))
    picked = np.arange(len(true)), np.array(true)
    slopes = np.exp(np.linspace(np.log(0.3), np.log(6), 121))
    costs = [float((np.log(np.exp(k * logits).sum(1)) - k * logits[picked]).mean()) for k in slopes]
    return float(slopes[int(np.argmin(costs))])
