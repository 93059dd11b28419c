"""The tray finder: a picture 160 px wide in, four heat maps of corners and one of the floor out."""

from pathlib import Path

import torch
from torch import Tensor, nn
from torch.nn import functional

from vision.locator import INPUT_PX

MAPS = 5
"""Corners clockwise from the top left, then the floor."""


def _conv(inputs: int, outputs: int, stride: int = 1, dilation: int = 1) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, 3, stride, dilation, dilation=dilation, bias=False),
        nn.BatchNorm2d(outputs),
        nn.ReLU(inplace=True),
    )


class TrayNet(nn.Module):
    """Down to 1/16, where dilated layers see the whole table, back up to 1/4."""

    def __init__(self) -> None:
        super().__init__()
        self.quarter = nn.Sequential(_conv(3, 12, 2), _conv(12, 24, 2), _conv(24, 24))
        self.eighth = nn.Sequential(_conv(24, 40, 2), _conv(40, 40))
        whole = [_conv(64, 64, dilation=reach) for reach in (1, 2, 3, 2)]
        self.sixteenth = nn.Sequential(_conv(40, 64, 2), *whole, _conv(64, 40))
        self.joined_eighth = nn.Sequential(_conv(40, 40), _conv(40, 24))
        self.joined_quarter = nn.Sequential(_conv(24, 24), _conv(24, 24))
        self.head = nn.Conv2d(24, MAPS, 1)

    def forward(self, x: Tensor) -> Tensor:
        """(N, 3, 128, 160) BGR, -1..1, to (N, `MAPS`, 32, 40) logits."""
        quarter = self.quarter(x)
        eighth = self.eighth(quarter)
        eighth = self.joined_eighth(eighth + _twice(self.sixteenth(eighth)))
        out: Tensor = self.head(self.joined_quarter(quarter + _twice(eighth)))
        return out


def _twice(x: Tensor) -> Tensor:
    return functional.interpolate(x, scale_factor=2.0, mode="nearest")


def export(net: TrayNet, path: Path) -> None:
    """Writes the network for OpenCV, batch normalisation folded in."""
    net.eval()
    width, height = INPUT_PX
    torch.onnx.export(
        net,
        (torch.zeros(1, 3, height, width),),
        str(path),
        input_names=["picture"],
        output_names=["maps"],
        opset_version=17,
        dynamo=False,  # the older exporter folds batch normalisation and writes what OpenCV reads
    )
