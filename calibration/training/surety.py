"""Calibrate the detector's scores to probabilities: of cubes scored 0.7, seven in ten are there."""

from collections.abc import Sequence

import numpy as np
import torch

from calibration.training.crops import Crop
from calibration.training.matching import JudgedDetection, match_detections, platt, temperature
from calibration.training.net import CubeNet
from vision.finding.detector import COLOURS, decode
from vision.scene.rectify import MULTIPLE_PX

_LOWEST = 0.03


def calibrate_certainty(
    net: CubeNet, crops: Sequence[Crop], real: Sequence[Crop] = ()
) -> dict[str, tuple[float, float]]:
    """Calibrate the last layer's weights in place; return slope and offset for each kind of logit."""
    net.eval()
    judged = [match for crop in (*crops, *real) for match in _judge_crop(net, crop)]
    scored = [(match.detection.score, match.is_cube) for match in judged if match.is_cube is not None]
    coloured = [
        (match.detection.colour_shares, COLOURS.index(match.colour))
        for match in judged
        if match.is_cube and match.colour
    ]
    colour_slope = temperature([shares for shares, _ in coloured], [colour for _, colour in coloured])
    curves = {"presence": _fit_presence(scored), "colour": (colour_slope, 0.0)}
    colours = [*range(1, 1 + len(COLOURS))]
    with torch.no_grad():
        for channels, name in (([0], "presence"), (colours, "colour")):
            slope, offset = curves[name]
            net.head.weight[channels] *= slope
            net.head.bias[channels] = net.head.bias[channels] * slope + offset
    return curves


def _fit_presence(scores: Sequence[tuple[float, bool]]) -> tuple[float, float]:
    chances = np.clip(np.array([score for score, _ in scores]), 1e-7, 1 - 1e-7)
    return platt(np.log(chances / (1 - chances)), np.array([float(true) for _, true in scores]))


def _judge_crop(net: CubeNet, crop: Crop) -> list[JudgedDetection]:
    height, width = (side // MULTIPLE_PX * MULTIPLE_PX for side in crop.picture.shape[:2])
    pixels = np.ascontiguousarray(crop.picture[:height, :width].transpose(2, 0, 1))
    with torch.no_grad():
        cells = net(torch.from_numpy(pixels)[None].float() / 127.5 - 1.0)[0].numpy()
    return match_detections(decode(cells, _LOWEST), crop)
