"""Fit the constants that calibrate the looks' outputs, on places that no network learned from."""

from collections.abc import Iterable
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from calibration.training.crops import Crop
from calibration.training.matching import logistic, platt, temperature
from calibration.training.pairs import NOT_KNOWN, STACK, truth_of
from calibration.training.peaks import whole_cells
from vision.errors import VisionError
from vision.finding.closer import CLOSER_CURVES, LOWEST, MOST, Curves, crowd_of, presence_logit, under_logit
from vision.finding.detector import COLOURS, compute_cells, decode
from vision.finding.finer import FINER_CURVES, find_doubtful_places, finer_logits
from vision.finding.stored import Source


class NoDoubtError(VisionError):
    """No place is in doubt, so nothing can be fitted."""


def fit_curves(
    logits: npt.NDArray[np.float32],
    scores: npt.NDArray[np.float32],
    truth: npt.NDArray[np.int64],
    crowd: npt.NDArray[np.float64] | None = None,
) -> Curves:
    """Fit the maximum-likelihood curves to N places.

    `logits`: (N, OUTPUTS); `scores`: (N,) of the detector; `truth`: (N, 3), as `Peaks.truth`;
    `crowd`: (N,) what crowds add to the logit that another cube lies under.
    """
    is_cube = truth[:, 0] > 0
    score = np.clip(scores.astype(np.float64), 1e-9, 1 - 1e-6)
    own_logit = presence_logit(logits).astype(np.float64)
    features = np.stack([np.log(score / (1 - score)), own_logit, np.ones_like(own_logit)], axis=1)
    presence = logistic(features, is_cube.astype(np.float64))
    stacked = (truth[is_cube, 0] == STACK).astype(np.float64)
    slope, offset = platt(under_logit(logits)[is_cube].astype(np.float64), stacked)
    if crowd is not None:
        offset -= float(crowd[is_cube].mean())  # its spread is small compared to the logits'
    known = truth[:, 2] != NOT_KNOWN
    lower = logits[known, MOST + len(COLOURS) :]
    shares = np.exp(lower - np.logaddexp.reduce(lower, axis=1, keepdims=True))
    return Curves(
        (float(presence[0]), float(presence[1]), float(presence[2])),
        (slope, offset),
        CLOSER_CURVES.colour,  # as shipped: places do not hold the detector's colours
        temperature(shares.tolist(), truth[known, 2].tolist()),
    )


def fit_finer_curves(crops: Iterable[Crop]) -> Curves:
    """Fit the finer look's curves at the places it is asked about. Raises `NoDoubtError` if there is none."""
    logits, scores, truth, crowds = [], [], [], []
    for crop in crops:
        picture = whole_cells(crop.picture)
        peaks = decode(compute_cells(picture), LOWEST)
        if not peaks:
            continue
        places, _, doubtful = find_doubtful_places(picture, peaks)
        truths = truth_of(places.peaks, crop.cubes)
        known = [n for n in doubtful if truths[n][0] != NOT_KNOWN]
        if not known:
            continue
        source = crop.source or Source(picture, np.eye(3), None)
        logits.append(finer_logits(picture, source, places, known))
        scores += [places.peaks[n].score for n in known]
        truth += [truths[n] for n in known]
        crowds += crowd_of(places.peaks)[known].tolist()
    if not logits:
        raise NoDoubtError(
            "No place in these pictures is in doubt.",
            "Name files of `render`, or labelled folders with `--also`.",
        )
    crowd = FINER_CURVES.crowd * np.array(crowds)
    curves = fit_curves(
        np.concatenate(logits), np.array(scores, np.float32), np.array(truth, np.int64), crowd
    )
    return replace(curves, crowd=FINER_CURVES.crowd)
