"""Makes the network's scores mean what they say: of cubes scored 0.7, seven in ten are there."""

from collections.abc import Sequence

import numpy as np
import torch

from calibration.training.crops import Crop
from calibration.training.matching import Judged, matched, platt
from calibration.training.net import CubeNet
from vision.detector import UNDER, decode
from vision.rectify import MULTIPLE_PX

_LOWEST = 0.03


def make_sure(net: CubeNet, crops: Sequence[Crop]) -> dict[str, tuple[float, float]]:
    """Makes probabilities of the last layer's yes or no; returns slope and offset of each logit."""
    net.eval()
    judged = [one for crop in crops for one in _judged(net, crop)]
    there = [(one.detection.score, one.there) for one in judged if one.there is not None]
    under = [(one.detection.under, one.under) for one in judged if one.under is not None]
    curves = {"presence": (0, _curve(there)), "under": (UNDER, _curve(under))}
    with torch.no_grad():
        for channel, (slope, offset) in curves.values():
            net.head.weight[channel] *= slope
            net.head.bias[channel] = net.head.bias[channel] * slope + offset
    return {name: curve for name, (_, curve) in curves.items()}


def _curve(scores: Sequence[tuple[float, bool]]) -> tuple[float, float]:
    chances = np.clip(np.array([score for score, _ in scores]), 1e-7, 1 - 1e-7)
    return platt(np.log(chances / (1 - chances)), np.array([float(true) for _, true in scores]))


def _judged(net: CubeNet, crop: Crop) -> list[Judged]:
    height, width = (side // MULTIPLE_PX * MULTIPLE_PX for side in crop.picture.shape[:2])
    pixels = np.ascontiguousarray(crop.picture[:height, :width].transpose(2, 0, 1))
    with torch.no_grad():
        cells = net(torch.from_numpy(pixels)[None].float() / 127.5 - 1.0)[0].numpy()
    return matched(decode(cells, _LOWEST), crop)
