"""The cube detector as a small fully convolutional network: 448 px in, one cell per 4 px out.

Uses only operators that OpenCV's own engine runs on a CPU: convolution, ReLU, addition, nearest-neighbour
resize.
"""

from pathlib import Path

import torch
from torch import Tensor, nn

from vision.finding.detector import CHANNELS


def conv(inputs: int, outputs: int, kernel: int = 3, stride: int = 1) -> nn.Sequential:
    """Return convolution, batch normalisation (folded away on export) and ReLU."""
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, kernel, stride, kernel // 2, bias=False),
        nn.BatchNorm2d(outputs),
        nn.ReLU(inplace=True),
    )


class Block(nn.Module):
    """Residual block of two plain 3 x 3 convolutions, which are fastest on a CPU."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.first = conv(width, width)
        self.second = nn.Sequential(nn.Conv2d(width, width, 3, 1, 1, bias=False), nn.BatchNorm2d(width))

    def forward(self, x: Tensor) -> Tensor:
        """Map (N, width, H, W) to the same shape."""
        return torch.relu(x + self.second(self.first(x)))


class CubeNet(nn.Module):
    """Down to 1/16 for the lighting of the scene, back up to 1/4 for the positions of cubes."""

    def __init__(self) -> None:
        super().__init__()
        self.quarter = nn.Sequential(conv(3, 16, stride=2), conv(16, 32, stride=2))
        self.eighth = nn.Sequential(conv(32, 56, stride=2), Block(56), Block(56))
        self.sixteenth = nn.Sequential(conv(56, 96, stride=2), Block(96), Block(96), conv(96, 56, kernel=1))
        self.joined_eighth = nn.Sequential(conv(56, 56), conv(56, 32, kernel=1))
        self.joined_quarter = conv(32, 40)
        self.head = nn.Conv2d(40, CHANNELS, 1)
        self.up = nn.Upsample(scale_factor=2, mode="nearest")
        nn.init.constant_(self.head.bias, 0.0)
        with torch.no_grad():
            self.head.bias[0] = -4.0  # cubes are rare: start near "nothing here"

    def forward(self, x: Tensor) -> Tensor:
        """Map (N, 3, H, W) BGR, -1..1, to (N, CHANNELS, H/4, W/4) raw values."""
        quarter = self.quarter(x)
        eighth = self.eighth(quarter)
        eighth = self.joined_eighth(eighth + self.up(self.sixteenth(eighth)))
        out: Tensor = self.head(self.joined_quarter(quarter + self.up(eighth)))
        return out


def export(net: CubeNet, path: Path) -> None:
    """Write the network for OpenCV: any sides divisible by 32, batch normalisation folded in."""
    net.eval()
    torch.onnx.export(
        net,
        (torch.zeros(1, 3, 448, 448),),
        str(path),
        input_names=["tray"],
        output_names=["cells"],
        opset_version=17,
        dynamic_axes={"tray": {2: "height", 3: "width"}, "cells": {2: "rows", 3: "columns"}},
        dynamo=False,  # the older exporter folds batch normalisation and writes what OpenCV reads
    )
