"""The tray finder: takes a picture 160 px wide, returns heat maps of four corners and one of the floor."""

from pathlib import Path

import torch
from torch import Tensor, nn
from torch.nn import functional

from vision.scene.locator import INPUT_PX

MAPS = 5
"""Corners clockwise from the top left, then the floor."""
_CHANNELS = (12, 24, 40, 64)
"""Channels at 1/2, 1/4, 1/8 and 1/16 of the picture's size."""


def _conv(inputs: int, outputs: int, stride: int = 1, dilation: int = 1) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, 3, stride, dilation, dilation=dilation, bias=False),
        nn.BatchNorm2d(outputs),
        nn.ReLU(inplace=True),
    )


class TrayNet(nn.Module):
    """Down to 1/16, where dilated layers see the whole table, back up to 1/4."""

    def __init__(self, maps: int = MAPS, wide: tuple[int, int, int, int] = _CHANNELS) -> None:
        super().__init__()
        half, quarter, eighth, sixteenth = wide
        self.quarter = nn.Sequential(_conv(3, half, 2), _conv(half, quarter, 2), _conv(quarter, quarter))
        self.eighth = nn.Sequential(_conv(quarter, eighth, 2), _conv(eighth, eighth))
        dilated = [_conv(sixteenth, sixteenth, dilation=reach) for reach in (1, 2, 3, 2)]
        self.sixteenth = nn.Sequential(_conv(eighth, sixteenth, 2), *dilated, _conv(sixteenth, eighth))
        self.joined_eighth = nn.Sequential(_conv(eighth, eighth), _conv(eighth, quarter))
        self.joined_quarter = nn.Sequential(_conv(quarter, quarter), _conv(quarter, quarter))
        self.head = nn.Conv2d(quarter, maps, 1)

    def forward(self, x: Tensor) -> Tensor:
        """Map (N, 3, H, W) BGR, -1..1, to (N, maps, H / 4, W / 4) logits."""
        quarter = self.quarter(x)
        eighth = self.eighth(quarter)
        eighth = self.joined_eighth(eighth + _upsample(self.sixteenth(eighth)))
        out: Tensor = self.head(self.joined_quarter(quarter + _upsample(eighth)))
        return out


def _upsample(x: Tensor) -> Tensor:
    return functional.interpolate(x, scale_factor=2.0, mode="nearest")


def export(net: TrayNet, path: Path, size_px: tuple[int, int] = INPUT_PX) -> None:
    """Write the network for OpenCV, batch normalisation folded in; `size_px`: size of its pictures."""
    net.eval()
    width, height = size_px
    torch.onnx.export(
        net,
        (torch.zeros(1, 3, height, width),),
        str(path),
        input_names=["picture"],
        output_names=["maps"],
        opset_version=17,
        dynamo=False,  # the older exporter folds batch normalisation and writes what OpenCV reads
    )
