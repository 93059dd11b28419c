"""Makes the network's scores mean what they say: of cubes scored 0.7, seven in ten are there."""

from collections.abc import Iterable, Sequence

import numpy as np
import torch

from calibration.training.crops import Crop
from calibration.training.matching import Doubles, matched, platt
from calibration.training.net import CubeNet
from vision.detector import decode
from vision.rectify import MULTIPLE_PX

_LOWEST = 0.03


def make_sure(net: CubeNet, crops: Sequence[Crop]) -> tuple[float, float]:
    """Changes the last layer so that presence is a probability; returns slope and offset of its logit."""
    net.eval()
    logits, there = _judged(net, crops)
    slope, offset = platt(logits, there)
    with torch.no_grad():
        net.head.weight[0] *= slope
        net.head.bias[0] = net.head.bias[0] * slope + offset
    return slope, offset


def _judged(net: CubeNet, crops: Iterable[Crop]) -> tuple[Doubles, Doubles]:
    """Logit of every detection, and 1 where a cube is."""
    logits: list[float] = []
    there: list[float] = []
    for crop in crops:
        height, width = (side // MULTIPLE_PX * MULTIPLE_PX for side in crop.picture.shape[:2])
        pixels = np.ascontiguousarray(crop.picture[:height, :width].transpose(2, 0, 1))
        with torch.no_grad():
            cells = net(torch.from_numpy(pixels)[None].float() / 127.5 - 1.0)[0].numpy()
        for detection, truth in matched(decode(cells, _LOWEST), crop):
            if truth is not None:
                logits.append(float(np.log(detection.score / (1 - detection.score))))
                there.append(float(truth))
    return np.array(logits), np.array(there)
