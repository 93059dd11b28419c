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
from vision.finding.closer import CLOSER, LOWEST, MOST, Curves, crowd_of, presence_logit, under_logit
from vision.finding.detector import COLOURS, decode, look
from vision.finding.finer import FINER, doubted, said_finer
from vision.finding.stored import Source


class NoDoubtError(VisionError):
    """No place is in doubt, so nothing can be fitted."""


def likeliest(
    said: npt.NDArray[np.float32],
    scores: npt.NDArray[np.float32],
    truth: npt.NDArray[np.int64],
    crowd: npt.NDArray[np.float64] | None = None,
) -> Curves:
    """Fit the maximum-likelihood curves to N places.

    `said`: (N, OUTPUTS) logits; `scores`: (N,) of the detector; `truth`: (N, 3), as `Peaks.truth`;
    `crowd`: (N,) what crowds add to the logit that another cube lies under.
    """
    there = truth[:, 0] > 0
    score = np.clip(scores.astype(np.float64), 1e-9, 1 - 1e-6)
    own = presence_logit(said).astype(np.float64)
    features = np.stack([np.log(score / (1 - score)), own, np.ones_like(own)], axis=1)
    presence = logistic(features, there.astype(np.float64))
    stacked = (truth[there, 0] == STACK).astype(np.float64)
    slope, offset = platt(under_logit(said)[there].astype(np.float64), stacked)
    if crowd is not None:
        offset -= float(crowd[there].mean())  # its spread is small compared to the logits'
    known = truth[:, 2] != NOT_KNOWN
    lower = said[known, MOST + len(COLOURS) :]
    shares = np.exp(lower - np.logaddexp.reduce(lower, axis=1, keepdims=True))
    return Curves(
        (float(presence[0]), float(presence[1]), float(presence[2])),
        (slope, offset),
        CLOSER.colour,  # as shipped: places do not hold the detector's colours
        temperature(shares.tolist(), truth[known, 2].tolist()),
    )


def finer_curves(crops: Iterable[Crop]) -> Curves:
    """Fit the finer look's curves at the places it is asked about. Raises `NoDoubtError` if there is none."""
    said, scores, truth, crowds = [], [], [], []
    for crop in crops:
        picture = whole_cells(crop.picture)
        peaks = decode(look(picture), LOWEST)
        if not peaks:
            continue
        places, _, open_ = doubted(picture, peaks)
        told = truth_of(places.peaks, crop.cubes)
        which = [n for n in open_ if told[n][0] != NOT_KNOWN]
        if not which:
            continue
        source = crop.source or Source(picture, np.eye(3), None)
        said.append(said_finer(picture, source, places, which))
        scores += [places.peaks[n].score for n in which]
        truth += [told[n] for n in which]
        crowds += crowd_of(places.peaks)[which].tolist()
    if not said:
        raise NoDoubtError(
            "No place in these pictures is in doubt.",
            "Name files of `render`, or labelled folders with `--also`.",
        )
    crowd = FINER.crowd * np.array(crowds)
    found = likeliest(np.concatenate(said), np.array(scores, np.float32), np.array(truth, np.int64), crowd)
    return replace(found, crowd=FINER.crowd)
